//! Lines in a frame with numbered axes, as the text of an SVG.

use std::fmt::Write as _;

/// Side of the square that a plot is drawn in, and where its frame lies inside, in pixels.
pub(crate) const SIDE: f64 = 560.0;
const MARGIN: f64 = 50.0;

/// An axis: its name, and the values at its ends.
pub(crate) struct Axis(pub(crate) &'static str, pub(crate) f64, pub(crate) f64);

impl Axis {
    /// The part of the way along the axis at which `value` lies.
    fn part(&self, value: f64) -> f64 {
        (value - self.1) / (self.2 - self.1)
    }
}

/// Writes a plot to a text, `left` pixels from its left edge.
pub(crate) struct Plot<'a> {
    svg: &'a mut String,
    left: f64,
    x: Axis,
    y: Axis,
    lines: usize,
}

impl<'a> Plot<'a> {
    /// Draws the frame, the axes with five numbers each, and the title.
    pub(crate) fn new(svg: &'a mut String, left: f64, title: &str, x: Axis, y: Axis) -> Self {
        let mut plot = Self { svg, left, x, y, lines: 0 };
        let size = SIDE - 2.0 * MARGIN;
        let _ = writeln!(
            plot.svg,
            r#"<rect x="{}" y="{MARGIN}" width="{size}" height="{size}" fill="none" stroke="gray"/>"#,
            left + MARGIN
        );
        plot.text(left + 0.5 * SIDE, 30.0, "middle", title);
        for k in 0..5 {
            let at = |axis: &Axis| axis.1 + (axis.2 - axis.1) * f64::from(k) / 4.0;
            let (x, y) = (at(&plot.x), at(&plot.y));
            let ((across, _), (_, down)) = (plot.place((x, plot.y.1)), plot.place((plot.x.1, y)));
            plot.text(across, SIDE - MARGIN + 18.0, "middle", &format!("{x:.3}"));
            plot.text(left + MARGIN - 6.0, down + 4.0, "end", &format!("{y:.2}"));
        }
        let (x, y) = (plot.x.0, plot.y.0);
        plot.text(left + 0.5 * SIDE, SIDE - 12.0, "middle", x);
        plot.text(left + MARGIN, MARGIN - 8.0, "end", y);
        plot
    }

    /// Pixels from the left and from the top.
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let size = SIDE - 2.0 * MARGIN;
        (self.left + MARGIN + size * self.x.part(x), MARGIN + size * (1.0 - self.y.part(y)))
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        let style = r#"font-family="sans-serif" font-size="12""#;
        let _ = writeln!(self.svg, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" {style}>{text}</text>"#);
    }

    pub(crate) fn line(&mut self, points: impl IntoIterator<Item = (f64, f64)>, colour: &str, opacity: f64) {
        let _ = write!(self.svg, r#"<polyline fill="none" stroke="{colour}" stroke-width="2" opacity="{opacity:.2}""#);
        let _ = write!(self.svg, r#" points=""#);
        for point in points {
            let (x, y) = self.place(point);
            let _ = write!(self.svg, "{x:.1},{y:.1} ");
        }
        let _ = writeln!(self.svg, r#""/>"#);
    }

    /// Writes a line's name in its colour, each below the last.
    pub(crate) fn name(&mut self, name: &str, colour: &str) {
        self.lines += 1;
        let y = SIDE - MARGIN - 100.0 + 16.0 * self.lines as f64;
        let name = format!(r#"<tspan fill="{colour}">{name}</tspan>"#);
        self.text(self.left + MARGIN + 10.0, y, "start", &name);
    }

    pub(crate) fn dot(&mut self, point: (f64, f64)) {
        let (x, y) = self.place(point);
        let _ = writeln!(self.svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="4"/>"#);
    }
}

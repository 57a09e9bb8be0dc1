//! Plots by plotters: curves on the left, the legend on the right, where it covers none of them.

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::legend::{self, Legend};
use super::scale::{LABEL_SIZE, Scale};
use super::ticks::{self, Direction, Ticks};
use super::{Curve, Plot, letters};
use crate::number::short;
use crate::{ViewError, color};

/// Pixels around the chart.
const MARGIN: f64 = 14.0;
/// Pixels of the title.
const TITLE: f64 = 30.0;
/// Pixels below the chart, for numbers and what they are.
const BELOW: f64 = 46.0;
/// Pixels on its left, at least, unless the picture is small.
const LEFT: f64 = 72.0;
/// The size of its letters, as plotters counts it.
const TITLE_SIZE: i32 = 20;
/// Pixels from the middle of a mark to its edge, on a curve and alone.
const MARK: i32 = 4;
const POINT: i32 = 3;

type Area<B> = DrawingArea<B, Shift>;
type Chart<'a, B> = ChartContext<'a, B, Cartesian2d<Scale, Scale>>;

pub(super) fn failed(error: impl std::fmt::Display) -> ViewError {
    ViewError::Drawing(error.to_string())
}

/// The font of a PNG; in an SVG it only measures, and the page brings its own.
fn font() -> Result<(), ViewError> {
    #[cfg(feature = "png")]
    plotters::style::register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular())
        .map_err(|_| ViewError::Drawing("the font is damaged".to_owned()))?;
    Ok(())
}

fn ink(k: usize) -> RGBColor {
    let [r, g, b] = color::of(k);
    RGBColor(r, g, b)
}

/// Pixels of dashes and of what is between them, for curves whose color is taken.
fn dashes(k: usize) -> Option<(i32, i32)> {
    let round = k / color::COUNT;
    [(9, 5), (3, 4), (18, 5)].into_iter().cycle().nth(round.checked_sub(1)? % 3)
}

/// A plot on a sheet with smaller pixels.
pub(super) struct Sheet<'a> {
    plot: &'a Plot,
    /// pixels of the picture
    size: [f64; 2],
    /// how many of the sheet's pixels are one
    finer: i32,
    legend: Legend,
    /// pixels left and right of the chart
    sides: [f64; 2],
    scales: [Scale; 2],
}

impl<'a> Sheet<'a> {
    /// Places everything.
    pub(super) fn of(plot: &'a Plot, (width, height): (u32, u32), finer: u32) -> Self {
        let size = [f64::from(width), f64::from(height)];
        let legend = Legend::of(&plot.legend(), size, MARGIN + TITLE);
        let mut sheet =
            Self { plot, size, finer: finer as i32, legend, sides: [LEFT, MARGIN], scales: plot.scales(size) };
        // The room that numbers take is known when they are: those of a little less room are not longer.
        for _ in 0..2 {
            let [across, upward] = [0, 1].map(|i| sheet.scales[i].ticks.widest());
            sheet.sides = [
                (upward + 42.0).clamp(LEFT.min(0.25 * size[0]), LEFT.max(0.35 * size[0])),
                MARGIN.max(0.5 * across + 2.0),
            ];
            sheet.scales = plot.scales(sheet.room());
        }
        sheet
    }

    fn top(&self) -> f64 {
        if self.plot.title.is_empty() { MARGIN } else { MARGIN + TITLE }
    }

    /// Pixels of the chart itself.
    fn room(&self) -> [f64; 2] {
        let [left, right] = self.sides;
        let across = self.size[0] - self.legend.width - MARGIN - left - right;
        [across.max(1.0), (self.size[1] - self.top() - BELOW - MARGIN).max(1.0)]
    }

    /// Whole pixels of the sheet.
    fn fine(&self, pixels: f64) -> i32 {
        (f64::from(self.finer) * pixels).round() as i32
    }

    fn text(&self, size: i32) -> TextStyle<'static> {
        TextStyle::from(("sans-serif", size * self.finer))
    }

    /// How large the marks of a curve are, if it has any: many points that are not joined lie on a curve.
    fn mark(&self, k: usize) -> Option<i32> {
        match self.plot.curves.get(k)?.joined {
            _ if self.plot.marks => Some(MARK * self.finer),
            true => None,
            false => Some(POINT * self.finer),
        }
    }

    fn line(&self, k: usize) -> ShapeStyle {
        ink(k).stroke_width(2 * self.finer as u32)
    }

    /// Draws on what is white.
    pub(super) fn draw<B: DrawingBackend>(&self, root: &Area<B>) -> Result<(), ViewError> {
        font()?;
        let (left, right) = root.split_horizontally(self.fine(self.size[0] - self.legend.width));
        self.chart(&left)?;
        for (k, (text, place)) in self.legend.entries.iter().enumerate() {
            self.entry(&right, k, text, *place)?;
        }
        if let Some((text, [x, y])) = &self.legend.more {
            self.beside(&right, text, [x + 4.0, *y])?;
        }
        root.present().map_err(failed)
    }

    fn beside<B: DrawingBackend>(&self, area: &Area<B>, text: &str, at: [f64; 2]) -> Result<(), ViewError> {
        let style = self.text(legend::SIZE).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw_text(text, &style, (self.fine(at[0]), self.fine(at[1]))).map_err(failed)
    }

    fn entry<B: DrawingBackend>(&self, area: &Area<B>, k: usize, text: &str, at: [f64; 2]) -> Result<(), ViewError> {
        let place = |x: f64| (self.fine(at[0] + x), self.fine(at[1]));
        let sample = [place(4.0), place(28.0)];
        match dashes(k) {
            _ if !self.plot.curves[k].joined => Ok(()),
            None => area.draw(&PathElement::new(sample, self.line(k))),
            Some((dash, gap)) => {
                let [dash, gap] = [dash, gap].map(|pixels| pixels * self.finer);
                area.draw(&DashedPathElement::new(sample, dash, gap, self.line(k)))
            }
        }
        .map_err(failed)?;
        if let Some(mark) = self.mark(k) {
            area.draw(&Circle::new(place(16.0), mark, ink(k).filled())).map_err(failed)?;
        }
        self.beside(area, text, [at[0] + 34.0, at[1]])
    }

    fn chart<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), ViewError> {
        let [width, height] = self.room();
        let [left, right] = self.sides;
        if !self.plot.title.is_empty() {
            let style = self.text(TITLE_SIZE).pos(Pos::new(HPos::Center, VPos::Top));
            let room = self.size[0] - self.legend.width - 8.0;
            let middle = (self.fine(0.5 * room + 4.0), self.fine(MARGIN));
            let title = letters::fitted(&self.plot.title, TITLE_SIZE, room);
            area.draw_text(&title, &style, middle).map_err(failed)?;
        }
        let [across, upward] = &self.scales;
        let mut chart = ChartBuilder::on(area)
            .margin_left(self.fine(MARGIN))
            .margin_right(self.fine(right))
            .margin_top(self.fine(self.top()))
            .margin_bottom(self.fine(MARGIN))
            .x_label_area_size(self.fine(BELOW))
            .y_label_area_size(self.fine(left))
            .build_cartesian_2d(across.clone(), upward.clone())
            .map_err(failed)?;
        let mut mesh = chart.configure_mesh();
        // An empty text would be drawn beside the picture.
        let named =
            |label: &str, scale: &Scale, room: f64| Some(scale.label(label, room)).filter(|text| !text.is_empty());
        if let Some(text) = named(&self.plot.across.label, across, width + 2.0 * right) {
            mesh.x_desc(text);
        }
        if let Some(text) = named(&self.plot.upward.label, upward, height + 2.0 * MARGIN) {
            mesh.y_desc(text);
        }
        let thin = |part: f64| BLACK.mix(part).stroke_width(self.finer as u32);
        mesh.bold_line_style(thin(0.12))
            .light_line_style(thin(0.05))
            .axis_style(thin(0.5))
            .set_all_tick_mark_size(5 * self.finer)
            .label_style(self.text(ticks::SIZE))
            .axis_desc_style(self.text(LABEL_SIZE))
            .x_label_formatter(&|x| across.text(*x))
            .y_label_formatter(&|y| upward.text(*y))
            .draw()
            .map_err(failed)?;
        self.plot.curves.iter().enumerate().try_for_each(|(k, curve)| self.curve(&mut chart, k, curve))
    }

    fn curve<B: DrawingBackend>(&self, chart: &mut Chart<'_, B>, k: usize, curve: &Curve) -> Result<(), ViewError> {
        let places: Vec<Option<(f64, f64)>> = curve.points.iter().map(|point| self.plot.place(*point)).collect();
        for piece in places.split(Option::is_none) {
            let piece = piece.iter().copied().flatten();
            match dashes(k) {
                _ if !curve.joined => Ok(()),
                None => chart.draw_series(LineSeries::new(piece.clone(), self.line(k))).map(drop),
                Some((dash, gap)) => {
                    let [dash, gap] = [dash, gap].map(|pixels| pixels * self.finer);
                    chart.draw_series(DashedLineSeries::new(piece.clone(), dash, gap, self.line(k))).map(drop)
                }
            }
            .map_err(failed)?;
            // A point between two gaps is seen too.
            let alone = (piece.clone().count() == 1).then_some(MARK * self.finer);
            if let Some(size) = self.mark(k).or(alone) {
                let mark = |place| Circle::new(place, size, ink(k).filled());
                chart.draw_series(piece.map(mark)).map_err(failed)?;
            }
        }
        Ok(())
    }
}

impl Plot {
    /// The axes of a chart of so many pixels.
    fn scales(&self, room: [f64; 2]) -> [Scale; 2] {
        let [across, upward] = self.ranges(room);
        let scale = |axis, range, pixels, direction| Scale { ticks: Ticks::of(axis, &range, pixels, direction), range };
        [
            scale(&self.across, across, room[0], Direction::Across),
            scale(&self.upward, upward, room[1], Direction::Upward),
        ]
    }

    /// What the legend says; nothing for one curve that the axis names, unless it has a gap.
    fn legend(&self) -> Vec<String> {
        let texts = self.curves.iter().map(|curve| (curve, self.gap(curve)));
        match self.curves.as_slice() {
            [one] if self.upward.label == one.label && self.gap(one).is_none() => Vec::new(),
            _ => texts.map(|(curve, gap)| format!("{}{}", curve.label, gap.unwrap_or_default())).collect(),
        }
    }

    /// Where a curve has its first gap.
    fn gap(&self, curve: &Curve) -> Option<String> {
        let k = curve.points.iter().position(|point| self.place(*point).is_none())?;
        let at = curve.points[k].0;
        Some(if at.is_finite() { format!(" (gap at {})", short(at, 6)) } else { format!(" (gap at row {k})") })
    }
}

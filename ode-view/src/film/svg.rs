//! A film as an animated SVG, by the animation that browsers have built in (SMIL).

use std::fmt::Write as _;
use std::path::Path;

use ode_runtime::{Figure, Form, UnknownName};

use super::Film;
use super::check::positive;
use super::outline::Stroke;
use super::scene::{self, Scene};
use super::view::View;
use crate::color::hex;
use crate::{ViewError, file, number};

/// Most different texts of a number that changes.
const TEXTS: usize = 100;
/// Pixels of a letter, on average.
const LETTER: f64 = 8.0;

/// A film as an animated SVG: one file without scripts, which plays in any browser, also as an image of a page.
///
/// ```text
/// film.svg().speed(0.1).trace("tip")?.write("target/pendulum.svg")?;
/// ```
#[derive(Clone, Debug)]
pub struct Svg<'a> {
    film: &'a Film,
    speed: f64,
    width: f64,
    view: View,
    traces: Vec<usize>,
}

impl Film {
    /// The film as an animated SVG.
    pub fn svg(&self) -> Svg<'_> {
        Svg { film: self, speed: 1.0, width: 640.0, view: View::default(), traces: Vec::new() }
    }
}

impl Svg<'_> {
    /// Seconds of the model for a second of the film; 1 unless said.
    #[must_use]
    pub fn speed(mut self, speed: f64) -> Self {
        self.speed = speed;
        self
    }

    /// Width in pixels; 640 unless said.
    #[must_use]
    pub fn width(mut self, width: f64) -> Self {
        self.width = width;
        self
    }

    /// From where a film in space is seen.
    #[must_use]
    pub fn view(mut self, view: View) -> Self {
        self.view = view;
        self
    }

    /// Also draws the path of a figure's first point.
    ///
    /// # Errors
    /// [`ViewError::Unknown`] with the most similar figure.
    pub fn trace(mut self, figure: &str) -> Result<Self, ViewError> {
        let names: Vec<&str> = self.film.names().collect();
        self.traces.push(UnknownName::place("figure", figure, &names)?);
        Ok(self)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Those of [`Svg::text`], [`ViewError::Ending`] and [`ViewError::File`].
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), ViewError> {
        file::ending(path.as_ref(), &["svg"])?;
        file::write(path.as_ref(), self.text()?.as_bytes())
    }

    /// The file's text.
    ///
    /// # Errors
    /// [`ViewError::Empty`] without frames or figures, [`ViewError::NotFinite`] with the first figure that cannot be
    /// drawn, [`ViewError::TooLarge`] and [`ViewError::NotUnit`] with one that no file can hold or that is not turned
    /// by a rotation, [`ViewError::Misfit`] with one that has not the numbers of its form, [`ViewError::OtherModel`] if
    /// a frame was of another model, [`ViewError::Invalid`] for a speed that is not positive, a width without room for
    /// the picture, or a time that goes back: a film plays forward.
    pub fn text(&self) -> Result<String, ViewError> {
        self.film.check(self.speed)?;
        positive("the width of a film", self.width - scene::FRAME)
            .map_err(|_| ViewError::Invalid { what: "the width of a film", value: self.width })?;
        for value in [self.view.azimuth, self.view.elevation] {
            if !value.is_finite() {
                return Err(ViewError::Invalid { what: "an angle of the view", value });
            }
        }
        Ok(self.draw(&Scene::of(self.film, self.view, self.width)))
    }

    fn draw(&self, scene: &Scene) -> String {
        let (width, height) = (short(scene.width), short(scene.height));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"sans-serif\" font-size=\"14\">\n\
             <rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#fff\"/>\n\
             <g fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n"
        );
        let own = self.film.colors();
        let color = |i: usize| {
            let figure = &self.film.figures[i];
            // What is read is dark.
            let own = if matches!(figure.form, Form::Text(_)) { [51; 3] } else { own[i] };
            figure.color.unwrap_or(own)
        };
        for &i in &self.traces {
            self.path(&mut out, scene, &self.film.figures[i], &hex(color(i)));
        }
        for (i, figure) in self.film.figures.iter().enumerate() {
            self.figure(&mut out, scene, figure, &hex(color(i)));
        }
        out.push_str("</g>\n");
        for (i, figure) in self.film.figures.iter().enumerate() {
            if let Form::Text(unit) = &figure.form {
                self.value(&mut out, scene, figure, unit, &hex(color(i)));
            }
        }
        self.foot(&mut out, scene);
        out.push_str("</svg>\n");
        out
    }

    /// The path of a figure's first point.
    fn path(&self, out: &mut String, scene: &Scene, figure: &Figure<String>, color: &str) {
        let n = if figure.space { 3 } else { 2 };
        let points = self.film.each(figure).map(|x| scene.pen.place(&x[..n])).collect();
        let data = data(&[Stroke::Path { points, closed: false }]);
        let _ = writeln!(out, "<path d=\"{data}\" stroke=\"{color}\" stroke-width=\"1.5\" stroke-opacity=\".5\"/>");
    }

    fn figure(&self, out: &mut String, scene: &Scene, figure: &Figure<String>, color: &str) {
        let frames: Vec<String> = self.film.each(figure).map(|x| data(&scene.pen.outline(figure, x))).collect();
        let Some(first) = frames.first().filter(|data| !data.is_empty()) else { return };
        let solid = matches!(figure.form, Form::Disc { .. } | Form::Polygon | Form::Sphere | Form::Cylinder)
            || figure.form == Form::Box && !figure.space;
        let fill = match figure.form {
            Form::Point => format!(" fill=\"{color}\""),
            _ if solid => format!(" fill=\"{color}\" fill-opacity=\".3\""),
            _ => String::new(),
        };
        let width = if matches!(figure.form, Form::Line | Form::Polyline) { 3 } else { 2 };
        let _ = write!(out, "<path d=\"{first}\" stroke=\"{color}\" stroke-width=\"{width}\"{fill}>");
        let _ = write!(out, "<title>{}</title>", escaped(&figure.name));
        self.animate(out, "animate attributeName=\"d\"", &frames);
        out.push_str("</path>\n");
    }

    /// The values of an attribute in all frames; nothing where they are the same.
    fn animate(&self, out: &mut String, element: &str, values: &[String]) {
        if values.iter().any(|value| *value != values[0]) {
            let _ = write!(out, "<{element} values=\"{}\"{}/>", values.join(";"), self.clock());
        }
    }

    /// A number that moves with its point.
    fn value(&self, out: &mut String, scene: &Scene, figure: &Figure<String>, unit: &str, color: &str) {
        let n = if figure.space { 3 } else { 2 };
        let numbers: Vec<&[f64]> = self.film.each(figure).collect();
        let largest = numbers.iter().map(|x| x[n].abs()).fold(0.0, f64::max);
        let text = |frame: usize| format!("{} = {} {unit}", figure.name, rounded(numbers[frame][n], largest));
        // The longest text has its place on the picture.
        let longest = (0..numbers.len()).map(|frame| text(frame).chars().count()).max().unwrap_or(0);
        let (right, bottom) = (scene.width - LETTER * longest as f64, scene.height - 4.0);
        let place = |x: &&[f64]| {
            let [x, y] = scene.pen.place(&x[..n]);
            format!("{} {}", short((x + 8.0).min(right).max(4.0)), short((y - 8.0).min(bottom).max(16.0)))
        };
        let places: Vec<String> = numbers.iter().map(place).collect();
        let texts = self.texts(|frame| escaped(&text(frame)));
        // A white edge, for what the letters stand on.
        let edge = "stroke=\"#fff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"";
        let _ = write!(out, "<g fill=\"{color}\" {edge} transform=\"translate({})\">", places[0]);
        self.animate(out, "animateTransform attributeName=\"transform\" type=\"translate\"", &places);
        out.push_str(&texts);
        out.push_str("</g>\n");
    }

    /// The time, and what a length is.
    fn foot(&self, out: &mut String, scene: &Scene) {
        let (first, last) = self.span();
        let times = self.film.times();
        let digits = digits(if last > first { last - first } else { 1.0 });
        let y = short(scene.height - 12.0);
        let _ = write!(out, "<g fill=\"#555\" transform=\"translate(16 {y})\">");
        let speed =
            if self.speed == 1.0 { String::new() } else { format!(", {}× as fast", number::short(self.speed, 3)) };
        out.push_str(&self.texts(|frame| format!("t = {:.digits$} s{speed}", times[frame])));
        out.push_str("</g>\n");
        let metres = scene.yardstick();
        let length = metres * scene.pen.scale;
        let end = scene.width - 16.0;
        let _ = writeln!(
            out,
            "<path d=\"M{} {y}h{}\" stroke=\"#555\" stroke-width=\"2\"/>\
             <text x=\"{}\" y=\"{}\" fill=\"#555\" text-anchor=\"end\">{} m</text>",
            short(end - length),
            short(length),
            short(end),
            short(scene.height - 18.0),
            if (1e-4..1e7).contains(&metres) { metres.to_string() } else { format!("{metres:e}") },
        );
    }

    /// Texts one after the other, each for a while.
    fn texts(&self, text: impl Fn(usize) -> String) -> String {
        let n = self.film.len();
        let shown: Vec<usize> = (0..n).step_by((n - 1).div_ceil(TEXTS).max(1)).collect();
        let (first, last) = self.span();
        if shown.len() == 1 || last <= first {
            return format!("<text>{}</text>", text(0));
        }
        let at = |frame: usize| (self.film.times()[frame] - first) / (last - first);
        let mut out = String::new();
        for (k, &frame) in shown.iter().enumerate() {
            let begin = at(frame);
            let end = shown.get(k + 1).map_or(1.0, |&next| at(next));
            let (values, times) = match (begin > 0.0, end < 1.0) {
                (false, _) => ("visible;hidden", format!("0;{}", fraction(end))),
                (true, true) => ("hidden;visible;hidden", format!("0;{};{}", fraction(begin), fraction(end))),
                (true, false) => ("hidden;visible", format!("0;{}", fraction(begin))),
            };
            let hidden = if begin > 0.0 { " visibility=\"hidden\"" } else { "" };
            let _ = write!(
                out,
                "<text{hidden}>{}<animate attributeName=\"visibility\" calcMode=\"discrete\" values=\"{values}\" \
                 keyTimes=\"{times}\"{}/></text>",
                text(frame),
                self.duration(),
            );
        }
        out
    }

    /// The first and the last time.
    fn span(&self) -> (f64, f64) {
        let times = self.film.times();
        (times[0], times[times.len() - 1])
    }

    fn duration(&self) -> String {
        let (first, last) = self.span();
        format!(" dur=\"{}s\" repeatCount=\"indefinite\"", fraction(((last - first) / self.speed).max(1e-3)))
    }

    /// How long the film takes, and when its frames are if they are not equally far apart.
    fn clock(&self) -> String {
        let (first, last) = self.span();
        let times = self.film.times();
        let n = times.len() - 1;
        let fractions = || times.iter().map(|t| (t - first) / (last - first));
        if last <= first || fractions().enumerate().all(|(k, f)| (f - k as f64 / n as f64).abs() < 1e-3 / n as f64) {
            return self.duration();
        }
        let list: Vec<String> = fractions().map(fraction).collect();
        format!(" keyTimes=\"{}\"{}", list.join(";"), self.duration())
    }
}

/// Strokes as path data.
fn data(strokes: &[Stroke]) -> String {
    let mut out = String::new();
    for stroke in strokes {
        match stroke {
            Stroke::Path { points, closed } => {
                for (i, [x, y]) in points.iter().enumerate() {
                    let _ = write!(out, "{}{} {}", if i == 0 { "M" } else { "L" }, short(*x), short(*y));
                }
                out.push_str(if *closed { "Z" } else { "" });
            }
            Stroke::Circle { middle: [x, y], radius } => {
                // Two halves, whose ends are as far apart as the rounded radius says: other arcs have another middle.
                let radius = (10.0 * radius).round() / 10.0;
                let (r, across) = (short(radius), short(2.0 * radius));
                let _ = write!(
                    out,
                    "M{} {}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0",
                    short(x - radius),
                    short(*y)
                );
            }
            Stroke::Ellipse { middle, axes } => {
                out.push_str(&Edge { middle, axes }.whole());
            }
            Stroke::Tube { ends, axes } => {
                let [from, to] = ends.each_ref().map(|middle| Edge { middle, axes });
                let [begin, back] = [from.at(1.0, 0.0), from.at(-1.0, 0.0)];
                let _ = write!(out, "M{begin}L{}{}L{back}{}Z", to.at(1.0, 0.0), to.half(1.0), from.half(-1.0));
                // The same way around, so that both ends are filled too.
                out.push_str(&(from.whole() + &to.whole()));
            }
        }
    }
    out
}

/// The edge of an ellipse.
struct Edge<'a> {
    middle: &'a [f64; 2],
    axes: &'a [[f64; 2]; 2],
}

impl Edge<'_> {
    /// The point with these parts of the axes.
    fn at(&self, k: f64, l: f64) -> String {
        let [x, y] = [0, 1].map(|i| short(self.middle[i] + k * self.axes[0][i] + l * self.axes[1][i]));
        format!("{x} {y}")
    }

    fn whole(&self) -> String {
        format!("M{}{}{}Z", self.at(1.0, 0.0), self.half(1.0), self.half(-1.0))
    }

    /// From the end of the first axis, or of its opposite, by that of the second one: two curves, each over a quarter,
    /// less than a thousandth of a radius beside it. The first handle of the second mirrors the last one of the first.
    fn half(&self, k: f64) -> String {
        let handle = k * 4.0 / 3.0 * (std::f64::consts::SQRT_2 - 1.0);
        let first = format!("C{} {} {}", self.at(k, handle), self.at(handle, k), self.at(0.0, k));
        format!("{first}S{} {}", self.at(-k, handle), self.at(-k, 0.0))
    }
}

/// A number of pixels, to a tenth.
fn short(x: f64) -> String {
    let text = format!("{x:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A fraction of the film, to more digits than there are frames.
fn fraction(x: f64) -> String {
    let text = format!("{x:.5}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number to three digits of the largest.
fn rounded(x: f64, largest: f64) -> String {
    let digits = digits(largest);
    format!("{x:.digits$}")
}

/// Digits after the point that show a thousandth of a number.
fn digits(largest: f64) -> usize {
    (2.0 - largest.max(1e-12).log10().floor()).clamp(0.0, 12.0) as usize
}

/// A text between tags, where some characters mean tags, and others are not allowed.
fn escaped(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { c })
        .collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

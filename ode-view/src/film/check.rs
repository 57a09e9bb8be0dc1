//! Whether a film can be drawn. It may have been read from a file, or be of a model that was written by hand.

use ode_runtime::{Figure, Form, Name};

use super::Film;
use crate::ViewError;

/// Most numbers of a picture.
const NUMBERS: usize = 1 << 20;
/// The largest number of a film: sums of such numbers have a place in single precision, which glTF and browsers have.
const LARGEST: f64 = 1e30;
/// How far a direction may be from unit length by round-off, also that of a run in single precision.
const UNIT: f64 = 1e-3;

impl Film {
    /// The first figure whose numbers are not those of its form, or lie beyond those of any picture.
    pub(super) fn misfit(&self) -> Option<&Figure<String>> {
        self.figures.iter().find(|f| !fits(f) || f.first.checked_add(f.len).is_none_or(|end| end > NUMBERS))
    }

    /// Whether every frame has the numbers of every figure.
    pub(super) fn fit(&self) -> Result<(), ViewError> {
        if self.foreign {
            return Err(ViewError::OtherModel);
        }
        // Each picture is as long as the others: where numbers are missing, the last ones are.
        let width = self.width();
        let complete = width.checked_mul(self.len()) == Some(self.numbers.len());
        let last = || self.figures.iter().find(|figure| figure.first.saturating_add(figure.len) == width);
        match self.misfit().or_else(|| if complete { None } else { last() }) {
            Some(figure) => Err(ViewError::Misfit { name: Name::new(&figure.name) }),
            None => Ok(()),
        }
    }

    /// Whether it can be drawn, with these seconds of the model for a second of the film.
    pub(super) fn check(&self, speed: f64) -> Result<(), ViewError> {
        self.fit()?;
        if self.is_empty() || self.figures.is_empty() {
            return Err(ViewError::Empty { what: "film" });
        }
        let mut last = f64::NEG_INFINITY;
        for (frame, &time) in self.frames().zip(&self.times) {
            // A film plays forward; the two states of an event have one time.
            if !time.is_finite() || time < last {
                return Err(ViewError::Invalid { what: "the time of the next frame", value: time });
            }
            last = time;
            self.figures.iter().try_for_each(|figure| drawn(figure, frame, time))?;
        }
        positive("the speed of a film", speed)?;
        match (last - self.times[0]) / speed {
            seconds if seconds <= LARGEST => Ok(()),
            value => Err(ViewError::Invalid { what: "the length of a film in seconds", value }),
        }
    }
}

/// A setting that has to be positive.
pub(super) fn positive(what: &'static str, value: f64) -> Result<(), ViewError> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(ViewError::Invalid { what, value }) }
}

/// Whether a figure can be drawn in a frame.
fn drawn(figure: &Figure<String>, frame: &[f64], time: f64) -> Result<(), ViewError> {
    let x = figure.numbers(frame).unwrap_or_default();
    let name = || Name::new(&figure.name);
    if !x.iter().all(|x| x.is_finite()) {
        return Err(ViewError::NotFinite { name: name(), time });
    }
    if let Some(&value) = x.iter().find(|x| x.abs() > LARGEST) {
        return Err(ViewError::TooLarge { name: name(), time, value });
    }
    let length = direction(figure, x).iter().fold(0.0, |length: f64, x| length.hypot(*x));
    if posed(figure) && (length - 1.0).abs() > UNIT {
        return Err(ViewError::NotUnit { name: name(), time, length });
    }
    Ok(())
}

/// The middle of a figure is a pose.
fn posed(figure: &Figure<String>) -> bool {
    matches!(figure.form, Form::Box | Form::Mesh(_) | Form::Circle { turns: true } | Form::Disc { turns: true })
}

/// Numbers of a point, and of a pose.
fn sizes(figure: &Figure<String>) -> (usize, usize) {
    if figure.space { (3, 7) } else { (2, 4) }
}

/// How a pose is turned: (cos, sin), or a quaternion.
fn direction<'a>(figure: &Figure<String>, x: &'a [f64]) -> &'a [f64] {
    let (point, pose) = sizes(figure);
    x.get(point..pose).unwrap_or_default()
}

/// Whether a figure has as many numbers as its form is drawn from.
fn fits(figure: &Figure<String>) -> bool {
    let (n, pose) = sizes(figure);
    let middle = if posed(figure) { pose } else { n };
    figure.len
        == match figure.form {
            Form::Point => n,
            Form::Line | Form::Spring | Form::Arrow => 2 * n,
            Form::Polyline | Form::Polygon => figure.len.max(2 * n) / n * n,
            Form::Circle { .. } | Form::Disc { .. } => middle + 1,
            Form::Box => pose + n,
            Form::Sphere => n + 1,
            Form::Cylinder => 2 * n + 1,
            Form::Mesh(_) => pose,
            Form::Text(_) => n + 1,
            // What is not known is not drawn.
            _ => figure.len,
        }
        && (figure.space || !matches!(figure.form, Form::Sphere | Form::Cylinder | Form::Mesh(_)))
        && (!figure.space || !matches!(figure.form, Form::Circle { turns: false } | Form::Disc { turns: false }))
}

//! Films: the numbers of a model's figures, frame by frame.

#[cfg(feature = "gltf")]
mod gltf;
mod outline;
mod scene;
mod svg;
mod view;

#[cfg(feature = "gltf")]
pub use gltf::Gltf;
pub use svg::Svg;
pub use view::View;

use ode_runtime::{Block as _, Figure, Form, Name, Pictured, Real, Seen, Table};

use crate::ViewError;

/// The figures of a model at the states it is given.
///
/// Record with a fixed interval: a film plays one frame after the other. Thirty frames are a second of a film that is
/// shown as fast as it happened.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Film {
    figures: Vec<Figure<String>>,
    times: Vec<f64>,
    /// frame by frame
    numbers: Vec<f64>,
    /// a frame was of a model with other figures
    foreign: bool,
}

impl Film {
    /// An empty film of a model.
    pub fn of<M: Pictured>(model: &M) -> Self {
        let figures = model.figures().iter().map(|figure| figure.map(|text| (*text).to_owned())).collect();
        Self { figures, times: Vec::new(), numbers: Vec::new(), foreign: false }
    }

    /// Numbers of a frame.
    fn width(&self) -> usize {
        self.figures.last().map_or(0, |figure| figure.first.saturating_add(figure.len))
    }

    /// Adds the frame of what a run shows. What cannot be drawn is said when the film is: a number that is infinite or
    /// undefined, or a model with other figures.
    pub fn record<M: Pictured<Real: Real>>(&mut self, seen: &Seen<'_, M>) {
        let (width, model) = (self.width(), seen.system());
        let mut numbers = M::Picture::zeros(width);
        self.times.push(seen.t.to_f64());
        if model.figures().len() != self.figures.len() || numbers.as_ref().len() != width {
            self.foreign = true;
            self.numbers.extend(std::iter::repeat_n(f64::NAN, width));
            return;
        }
        model.picture(seen.at(seen.inputs()), seen.rates(), &mut numbers);
        self.numbers.extend(numbers.as_ref().iter().map(|x| x.to_f64()));
    }

    /// Whether every frame has the numbers of every figure.
    fn fit(&self) -> Result<(), ViewError> {
        if self.foreign {
            return Err(ViewError::OtherModel);
        }
        // A film that was read from a file, or of a model written by hand, may be anything.
        let width = self.width();
        let misfit = |f: &&Figure<String>| !fits(f) || f.first.checked_add(f.len).is_none_or(|end| end > width);
        if let Some(figure) = self.figures.iter().find(misfit) {
            return Err(ViewError::Misfit { name: Name::new(&figure.name) });
        }
        if width.checked_mul(self.len()) != Some(self.numbers.len()) {
            return Err(ViewError::OtherModel);
        }
        Ok(())
    }

    /// Whether it can be drawn.
    fn check(&self) -> Result<(), ViewError> {
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
            let undrawn = |figure: &&Figure<String>| !figure.numbers(frame).iter().all(|x| x.is_finite());
            if let Some(figure) = self.figures.iter().find(undrawn) {
                return Err(ViewError::NotFinite { name: Name::new(&figure.name), time });
            }
        }
        Ok(())
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there is no frame.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// Names of the figures, in the order of the model.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.figures.iter().map(|figure| figure.name.as_str())
    }

    /// The time of each frame, in seconds.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    fn frames(&self) -> impl Iterator<Item = &[f64]> + Clone {
        self.numbers.chunks_exact(self.width().max(1))
    }

    /// The numbers of all frames, as a table for CSV: `t`, and for each number of a figure a column with its place
    /// among them, `rod[0]`. [`Form`] says what they are.
    ///
    /// # Errors
    /// [`ViewError::OtherModel`] if a frame was of another model, [`ViewError::Misfit`] with the first figure that has
    /// not as many numbers as its form.
    pub fn table(&self) -> Result<Table, ViewError> {
        self.fit()?;
        let columns = self.figures.iter().flat_map(|f| (0..f.len).map(|i| format!("{}[{i}]", f.name)));
        let mut table = Table::with_columns(std::iter::once("t".to_owned()).chain(columns));
        for (time, frame) in self.times.iter().zip(self.frames()) {
            let numbers = self.figures.iter().flat_map(|figure| figure.numbers(frame));
            table.push_row(std::iter::once(*time).chain(numbers.copied()));
        }
        Ok(table)
    }
}

/// A setting that has to be positive.
fn positive(what: &'static str, value: f64) -> Result<(), ViewError> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(ViewError::Invalid { what, value }) }
}

/// Whether a figure has as many numbers as its form is drawn from.
fn fits(figure: &Figure<String>) -> bool {
    let (n, pose) = if figure.space { (3, 7) } else { (2, 4) };
    let middle = |turns| if turns { pose } else { n };
    figure.len
        == match figure.form {
            Form::Point => n,
            Form::Line | Form::Spring | Form::Arrow => 2 * n,
            Form::Polyline | Form::Polygon => figure.len.max(2 * n) / n * n,
            Form::Circle { turns } | Form::Disc { turns } => middle(turns) + 1,
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

//! Films: the numbers of a model's figures, frame by frame.

mod check;
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

use std::collections::HashMap;

use ode_runtime::{Block as _, Figure, Pictured, Real, Seen, Table};

use crate::ViewError;
use crate::color::{self, Color};

/// The figures of a model at the states it is given.
///
/// A film shows each frame at its time, and between two frames figures move evenly. Thirty frames for a second of the
/// film are enough; a fixed interval makes its file smaller.
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

    /// Numbers of a frame: as many as the figure needs that needs the last.
    fn width(&self) -> usize {
        self.figures.iter().map(|figure| figure.first.saturating_add(figure.len)).max().unwrap_or(0)
    }

    /// Adds the frame of what a run shows. What cannot be drawn is said when the film is: a number that is infinite or
    /// undefined, or a model with other figures.
    pub fn record<M: Pictured<Real: Real>>(&mut self, seen: &Seen<'_, M>) {
        let model = seen.system();
        self.times.push(seen.t.to_f64());
        let own = self.figures.iter().map(|figure| figure.map(String::as_str));
        self.foreign |= !own.eq(model.figures().iter().copied());
        // Of what is not sound there are no numbers to keep.
        if self.foreign || self.misfit().is_some() {
            return;
        }
        let width = self.width();
        let mut numbers = M::Picture::zeros(width);
        model.picture(seen.at(seen.inputs()), seen.rates(), &mut numbers);
        let numbers = numbers.as_ref().get(..width).unwrap_or_default();
        self.numbers.extend(numbers.iter().map(|x| x.to_f64()));
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

    /// The color of each figure where the model does not say one: the members of a set, `rod[0]`, `rod[1]`, .., have
    /// one together.
    fn colors(&self) -> Vec<Color> {
        let mut kinds = HashMap::new();
        let color = |figure: &Figure<String>| {
            let member = figure.name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
            let (kind, next) = (member.map_or(&*figure.name, |(kind, _)| kind), kinds.len());
            color::of(*kinds.entry(kind.to_owned()).or_insert(next))
        };
        self.figures.iter().map(color).collect()
    }

    /// The frames of a film that has been found sound.
    fn frames(&self) -> impl Iterator<Item = &[f64]> + Clone {
        self.numbers.chunks_exact(self.width().max(1))
    }

    /// The numbers of a figure in all frames of a film that has been found sound.
    fn each<'a>(&'a self, figure: &'a Figure<String>) -> impl Iterator<Item = &'a [f64]> + Clone {
        self.frames().filter_map(|frame| figure.numbers(frame))
    }

    /// The numbers of all frames, as a table for CSV: `t`, and for each number of a figure a column with its place
    /// among them, `rod[0]`. [`Form`](ode_runtime::Form) says what they are.
    ///
    /// # Errors
    /// [`ViewError::OtherModel`] if a frame was of another model, [`ViewError::Misfit`] with the first figure that has
    /// not as many numbers as its form.
    pub fn table(&self) -> Result<Table, ViewError> {
        self.fit()?;
        let columns = self.figures.iter().flat_map(|f| (0..f.len).map(|i| format!("{}[{i}]", f.name)));
        let mut table = Table::with_columns(std::iter::once("t".to_owned()).chain(columns));
        for (time, frame) in self.times.iter().zip(self.frames()) {
            let numbers = self.figures.iter().filter_map(|figure| figure.numbers(frame)).flatten();
            table.push_row(std::iter::once(*time).chain(numbers.copied()));
        }
        Ok(table)
    }
}

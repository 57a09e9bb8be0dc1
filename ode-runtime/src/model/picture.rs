//! What a model looks like: figures, and their numbers at a state.

use crate::model::layout::Block;
use crate::model::system::{At, Rates, System};

/// A model with a picture: its `show` items.
///
/// Nothing is drawn here. A crate that draws asks for the [`figures`](Pictured::figures) once and for their numbers at
/// each state. A model that is written by hand has its figures in a constant: `const FIGURES: &[Figure<&str>] =
/// &[Figure::in_plane("rod", Form::Line, 0, 4)];`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no picture (`Pictured`)",
    label = "shows nothing",
    note = "say in the model what to draw, as in `show rod = line(p, q);`",
    note = "`#[model(show)]` shows bodies, springs and points without saying how"
)]
pub trait Pictured: System {
    /// the numbers of all figures
    type Picture: Block<Self::Real>;

    /// What is drawn, in the order of the model's text. The numbers of the picture end with those of a figure.
    fn figures(&self) -> &[Figure<&str>];
    /// The numbers of all figures, in SI.
    fn picture(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Self::Picture);
}

/// A figure of a picture, with texts of the type `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Figure<T> {
    /// the item's name; inside a sub with its name before it: `arm.rod`
    pub name: T,
    /// what is drawn
    pub form: Form<T>,
    /// points have three coordinates rather than two
    pub space: bool,
    /// red, green and blue, if the model says so
    pub color: Option<[u8; 3]>,
    /// its first number among those of the picture
    pub first: usize,
    /// how many numbers it has
    pub len: usize,
}

/// What is drawn, and from which numbers.
///
/// A pose is a point with a direction: (x, y, cos θ, sin θ) in the plane, and a point with a unit quaternion (w, x, y,
/// z) in space. Lengths are in metres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Form<T> {
    /// a dot of a fixed size: a point
    Point,
    /// two points
    Line,
    /// points that are joined
    Polyline,
    /// the corners of a surface
    Polygon,
    /// its two ends
    Spring,
    /// the outline of a disc: its middle and a radius
    Circle {
        /// the middle is a pose rather than a point
        turns: bool,
    },
    /// its middle and a radius; in space it lies about the z axis of the pose
    Disc {
        /// the middle is a pose rather than a point
        turns: bool,
    },
    /// where it begins, and the vector from there
    Arrow,
    /// the pose of its middle, and its edges
    Box,
    /// its middle and a radius
    Sphere,
    /// the middles of both ends, and a radius
    Cylinder,
    /// a pose; the path of the file
    Mesh(T),
    /// a point, and the number that is written there with its unit
    Text(T),
}

impl<T> Figure<T> {
    /// A figure of the plane with `len` numbers of the picture from the `first` on, as many as its form is drawn from.
    pub const fn in_plane(name: T, form: Form<T>, first: usize, len: usize) -> Self {
        Self { name, form, space: false, color: None, first, len }
    }

    /// The same in space.
    pub const fn in_space(name: T, form: Form<T>, first: usize, len: usize) -> Self {
        Self { name, form, space: true, color: None, first, len }
    }

    /// In this color: red, green and blue.
    pub const fn colored(mut self, color: [u8; 3]) -> Self {
        self.color = Some(color);
        self
    }

    /// Its numbers among those of the picture; none if the picture ends before them.
    pub fn numbers<'a, R>(&self, picture: &'a [R]) -> Option<&'a [R]> {
        picture.get(self.first..self.first.checked_add(self.len)?)
    }

    /// The same figure with other texts.
    pub fn map<'a, U>(&'a self, text: impl Fn(&'a T) -> U) -> Figure<U> {
        let form = match &self.form {
            Form::Point => Form::Point,
            Form::Line => Form::Line,
            Form::Polyline => Form::Polyline,
            Form::Polygon => Form::Polygon,
            Form::Spring => Form::Spring,
            &Form::Circle { turns } => Form::Circle { turns },
            &Form::Disc { turns } => Form::Disc { turns },
            Form::Arrow => Form::Arrow,
            Form::Box => Form::Box,
            Form::Sphere => Form::Sphere,
            Form::Cylinder => Form::Cylinder,
            Form::Mesh(file) => Form::Mesh(text(file)),
            Form::Text(unit) => Form::Text(text(unit)),
        };
        let Self { space, color, first, len, .. } = *self;
        Figure { name: text(&self.name), form, space, color, first, len }
    }
}

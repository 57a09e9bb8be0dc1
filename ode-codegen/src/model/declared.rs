//! What is declared: names with their layouts, and the spaces that positions are points of.

use proc_macro2::Ident;

use crate::chart::{Block, Chart};
use crate::expr::Node;

/// Shape of a value: how its scalars are laid out, row major.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// one number
    Scalar,
    /// n numbers
    Vector(usize),
    /// rows × columns, row major
    Matrix(usize, usize),
    /// numbers with names, such as `.w`, `.x`, `.y`, `.z`
    Fields(&'static [&'static str]),
    /// a literal array
    Array(usize, Box<Shape>),
}

impl Shape {
    /// Number of scalars.
    pub fn len(&self) -> usize {
        match self {
            Shape::Scalar => 1,
            Shape::Vector(n) => *n,
            Shape::Matrix(r, c) => r * c,
            Shape::Fields(names) => names.len(),
            Shape::Array(n, inner) => n * inner.len(),
        }
    }

    /// Has it no scalars?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The suffix of each scalar in a column name: `""`, `".x"`, `"[0]"`, `"[0].x"`, `"[0,1]"`.
    pub fn suffixes(&self) -> Vec<String> {
        match self {
            Shape::Scalar => vec![String::new()],
            Shape::Vector(n @ (2 | 3)) => ["x", "y", "z"][..*n].iter().map(|c| format!(".{c}")).collect(),
            Shape::Vector(n) => (0..*n).map(|i| format!("[{i}]")).collect(),
            Shape::Matrix(r, c) => (0..*r).flat_map(|i| (0..*c).map(move |j| format!("[{i},{j}]"))).collect(),
            Shape::Fields(names) => names.iter().map(|name| format!(".{name}")).collect(),
            Shape::Array(n, inner) => {
                (0..*n).flat_map(|i| inner.suffixes().into_iter().map(move |s| format!("[{i}]{s}"))).collect()
            }
        }
    }
}

/// Where and how a name was declared.
#[derive(Clone)]
pub struct Declared {
    /// the user's token
    pub ident: Ident,
    /// layout of its scalars
    pub shape: Shape,
    /// `Angle`: a dimensionless coordinate or value on the circle
    pub angle: bool,
    /// unit as the user wrote it (`"kg*m^2"`), for documentation; empty when none was given
    pub unit: String,
    /// doc comment, one line each, without the leading space
    pub docs: Vec<String>,
    /// index of its first scalar among those of its kind
    pub first: usize,
}

impl Declared {
    /// Is this scalar, counted among those of its kind, one of it?
    pub fn holds(&self, scalar: usize) -> bool {
        (self.first..self.first + self.shape.len()).contains(&scalar)
    }
}

/// `param`: a field of the struct.
pub struct Param {
    /// name, shape, unit
    pub declared: Declared,
    /// default value of each scalar, in SI
    pub default: Option<Vec<f64>>,
    /// how much of the SI unit one of the declared unit is: builders take values in the declared one
    pub scale: f64,
    /// `SymMat3`: entries below the diagonal are read from above it
    pub symmetric: bool,
}

/// `sub`: a field of the struct, of the child's own type.
pub struct Sub {
    /// the user's name
    pub ident: Ident,
    /// doc comment
    pub docs: Vec<String>,
    /// the child's type as written
    pub ty: syn::Path,
    /// `[Wheel<T>; 4]`: how many
    pub count: Option<usize>,
    /// where each of the child's parameters comes from, scalar by scalar, for each of its elements; `None` where that is
    /// not known because the model has mistakes
    pub elements: Option<Vec<Vec<Supply>>>,
}

/// Where a parameter of a sub comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// a parameter of the whole model
    Parameter(usize),
    /// an expression of the model's parameters
    Given(Node),
}

/// `coord`: position and velocity.
pub struct Coordinate {
    /// position
    pub declared: Declared,
    /// `coord (r, v)`: the velocity's own name
    pub velocity: Option<Ident>,
    /// what its positions are points of
    pub space: Space,
    /// layout of its velocities
    pub rate: Shape,
    /// index of its first velocity
    pub first_rate: usize,
}

impl Coordinate {
    /// Its positions in blocks that move together.
    pub fn blocks(&self) -> Vec<Block> {
        let (mut q, mut v) = (self.declared.first, self.first_rate);
        let mut blocks = Vec::new();
        while q < self.declared.first + self.declared.shape.len() {
            for &chart in self.space.charts() {
                blocks.push(Block { chart, q, v });
                q += chart.positions();
                v += chart.velocities();
            }
        }
        blocks
    }
}

/// What the positions of a coordinate, or of each element of an array, are points of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// numbers and vectors
    Flat,
    /// rotations of the plane
    SO2,
    /// rotations of space with body rates
    SO3,
    /// rotations of space with spatial rates
    SO3World,
    /// motions of space: a point with its velocity, a rotation with its body rate
    SE3,
}

impl Space {
    /// Layout of its positions.
    pub fn positions(self) -> Shape {
        match self {
            Space::Flat => Shape::Scalar,
            Space::SO2 => Shape::Fields(&["cos", "sin"]),
            Space::SO3 | Space::SO3World => Shape::Fields(&["w", "x", "y", "z"]),
            Space::SE3 => Shape::Fields(&["x", "y", "z", "qw", "qx", "qy", "qz"]),
        }
    }

    /// Layout of its velocities.
    pub fn velocities(self) -> Shape {
        match self {
            Space::Flat | Space::SO2 => Shape::Scalar,
            Space::SO3 | Space::SO3World => Shape::Vector(3),
            Space::SE3 => Shape::Array(2, Box::new(Shape::Vector(3))),
        }
    }

    /// Its charts, in order.
    pub fn charts(self) -> &'static [Chart] {
        match self {
            Space::Flat => &[Chart::Line],
            Space::SO2 => &[Chart::Circle],
            Space::SO3 => &[Chart::Rotation],
            Space::SO3World => &[Chart::WorldRotation],
            Space::SE3 => &[Chart::Line, Chart::Line, Chart::Line, Chart::Rotation],
        }
    }
}

/// `state`: what has a rate and no inertia; `algebraic`: what equations determine.
pub struct State {
    /// name, shape, unit
    pub declared: Declared,
    /// determined by equations, without a rate
    pub algebraic: bool,
}

/// `mode`.
pub struct Mode {
    /// name, shape, unit
    pub declared: Declared,
    /// value at the start of a run
    pub start: Vec<f64>,
}

/// `input`.
pub struct Input {
    /// name, shape, unit
    pub declared: Declared,
    /// value where a run gives none
    pub default: Vec<f64>,
    /// `in lo..=hi`, one pair for all its scalars; expressions of parameters
    pub range: Option<(Node, Node)>,
}

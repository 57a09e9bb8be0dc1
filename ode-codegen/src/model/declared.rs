//! What is declared: names with their layouts, and the spaces that positions are points of.

use std::collections::BTreeMap;

use proc_macro2::Ident;

use crate::chart::{Block, Chart};
use crate::expr::Node;
use crate::identifier::bare;

use super::Dimension;

/// Everything that is declared, each kind in the order of the text, with what its scalars are called.
#[derive(Default)]
pub struct Declarations {
    /// parameters; their scalars are `Symbol::P(0..)` in this order
    pub params: Vec<Param>,
    /// coordinates; their scalars are `Symbol::Q(0..)` and `Symbol::V(0..)`
    pub coordinates: Vec<Coordinate>,
    /// first-order states, then algebraic variables; their scalars are `Symbol::Z(0..)`
    pub states: Vec<State>,
    /// modes; their scalars are `Symbol::Mode(0..)` in this order
    pub modes: Vec<Mode>,
    /// inputs; their scalars are `Symbol::U(0..)`
    pub inputs: Vec<Input>,
    /// the root's `sub` items; what they hold stands flat in the lists above
    pub subs: Vec<Sub>,
    /// names of subs as they are shown, `leg.q`, by how the generated code spells them, `leg_q`
    pub shown: BTreeMap<String, String>,
    /// units are checked, in the model or in a sub: time is in seconds, energies are in joules
    pub measured: bool,
}

impl Declarations {
    /// A name as the user writes it: `leg.q` for what the generated code spells `leg_q`.
    pub fn shown(&self, ident: &Ident) -> String {
        let name = bare(ident);
        self.shown.get(&name).cloned().unwrap_or(name)
    }

    /// nq, the number of position scalars.
    pub fn nq(&self) -> usize {
        self.coordinates.iter().map(|c| c.declared.shape.len()).sum()
    }

    /// nv, the number of velocity scalars.
    pub fn nv(&self) -> usize {
        self.coordinates.iter().map(|c| c.rate.len()).sum()
    }

    /// nz, the number of first-order state scalars.
    pub fn nz(&self) -> usize {
        self.states.iter().map(|z| z.declared.shape.len()).sum()
    }

    /// The positions in blocks that move together, in order.
    pub fn blocks(&self) -> Vec<Block> {
        self.coordinates.iter().flat_map(Coordinate::blocks).collect()
    }

    /// The default of every parameter scalar.
    pub(crate) fn defaults(&self) -> Vec<Option<f64>> {
        let scalars = |p: &Param| -> Vec<Option<f64>> {
            match &p.default {
                Some(values) => values.iter().copied().map(Some).collect(),
                None => vec![None; p.declared.shape.len()],
            }
        };
        self.params.iter().flat_map(scalars).collect()
    }

    /// A name of a position scalar: `th`, `r.x`.
    pub(crate) fn position_name(&self, i: usize) -> String {
        let found = self.coordinates.iter().map(|q| &q.declared).find(|d| d.holds(i));
        found.map_or_else(|| format!("q[{i}]"), |declared| self.scalar_name(declared, i))
    }

    /// The written form of a velocity scalar: `der(th)`, `v.x`.
    pub(crate) fn velocity_name(&self, i: usize) -> String {
        let Some(q) = self.coordinate_of(i) else { return format!("v[{i}]") };
        let suffix = q.rate_suffix(i);
        match &q.velocity {
            Some(name) => format!("{}{suffix}", self.shown(name)),
            None => format!("der({}{suffix})", self.shown(&q.declared.ident)),
        }
    }

    /// A name of a state scalar.
    pub(crate) fn state_name(&self, i: usize) -> String {
        let found = self.states.iter().map(|z| &z.declared).find(|d| d.holds(i));
        found.map_or_else(|| format!("z[{i}]"), |declared| self.scalar_name(declared, i))
    }

    fn scalar_name(&self, declared: &Declared, i: usize) -> String {
        let suffix = declared.shape.suffixes().get(i - declared.first).cloned().unwrap_or_default();
        format!("{}{suffix}", self.shown(&declared.ident))
    }

    /// The name of a direction of motion: the coordinate it moves, or its velocity if that is not the rate of a
    /// coordinate.
    pub(crate) fn direction_name(&self, i: usize) -> String {
        match self.coordinate_of(i) {
            Some(q) if q.space == Space::Flat => self.position_name(q.declared.first + i - q.first_rate),
            // a point on the sphere
            Some(q) if q.velocity.is_none() => format!("{}{}", self.shown(&q.declared.ident), q.rate_suffix(i)),
            _ => self.velocity_name(i),
        }
    }

    /// The name of an entry of a step q ⊕ step: the coordinate, or `att.step.x` of a rotation `att`.
    pub(crate) fn step_name(&self, i: usize) -> String {
        match self.coordinate_of(i) {
            Some(q) if q.space != Space::Flat => {
                format!("{}.step{}", self.shown(&q.declared.ident), q.rate_suffix(i))
            }
            _ => self.direction_name(i),
        }
    }

    /// Is a scalar of z algebraic?
    pub(crate) fn is_algebraic(&self, i: usize) -> bool {
        self.states.iter().any(|z| z.algebraic && z.declared.holds(i))
    }

    /// The coordinate a velocity scalar belongs to.
    pub(crate) fn coordinate_of(&self, velocity: usize) -> Option<&Coordinate> {
        self.coordinates.iter().find(|q| (q.first_rate..q.first_rate + q.rate.len()).contains(&velocity))
    }

    /// The velocity of a position scalar, where it is the rate of it.
    pub(crate) fn velocity_of(&self, position: usize) -> Option<usize> {
        let coordinate = self.coordinates.iter().find(|q| q.declared.holds(position))?;
        (coordinate.space == Space::Flat).then_some(coordinate.first_rate + position - coordinate.declared.first)
    }
}

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
    /// what the unit is of; `None` where units are not checked
    pub(crate) dimension: Option<Dimension>,
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
    /// where each of the child's parameters comes from, scalar by scalar, for each of its elements; `None` where that
    /// is not known because the model has mistakes
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
    /// the space of its positions
    pub space: Space,
    /// layout of its velocities
    pub rate: Shape,
    /// index of its first velocity
    pub first_rate: usize,
}

impl Coordinate {
    /// What its velocity is written as: `w`, or `der(q)`.
    pub(crate) fn rate_name(&self) -> String {
        self.velocity.as_ref().map_or_else(|| format!("der({})", self.declared.ident), ToString::to_string)
    }

    /// What a velocity, by its place among all, has behind the name: `.x`, `[1]`.
    fn rate_suffix(&self, velocity: usize) -> String {
        self.rate.suffixes().get(velocity - self.first_rate).cloned().unwrap_or_default()
    }

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

/// The space of the positions of a coordinate, or of each element of an array.
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
    /// points of the sphere, with a body rate without spin
    S2,
}

impl Space {
    /// Layout of its positions.
    pub fn positions(self) -> Shape {
        match self {
            Space::Flat => Shape::Scalar,
            Space::SO2 => Shape::Fields(&["cos", "sin"]),
            Space::SO3 | Space::SO3World => Shape::Fields(&["w", "x", "y", "z"]),
            Space::SE3 => Shape::Fields(&["x", "y", "z", "qw", "qx", "qy", "qz"]),
            Space::S2 => Shape::Fields(&["qw", "qx", "qy", "qz"]),
        }
    }

    /// Layout of its velocities.
    pub fn velocities(self) -> Shape {
        match self {
            Space::Flat | Space::SO2 => Shape::Scalar,
            Space::SO3 | Space::SO3World => Shape::Vector(3),
            Space::SE3 => Shape::Array(2, Box::new(Shape::Vector(3))),
            Space::S2 => Shape::Fields(&["wx", "wy"]),
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
            Space::S2 => &[Chart::Direction],
        }
    }
}

/// `state`: has a rate and no inertia; `algebraic`: is determined by equations.
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
    /// nominal value
    pub default: Vec<f64>,
    /// `in lo..=hi`, one pair for all its scalars; expressions of parameters
    pub range: Option<(Node, Node)>,
}

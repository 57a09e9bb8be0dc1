//! The meaning of a model, after `check`: names are resolved to symbols, shapes to lists of scalars; units agree.
//!
//! Everything a user can get wrong has been reported before a `Model` exists; the phases after this one cannot fail.

mod bodies;
mod declared;
mod dimension;
mod header;
mod picture;

use proc_macro2::{Ident, Span, TokenStream};
use syn::ExprPath;

use crate::chart::Block;
use crate::expr::{Graph, Node, Symbol};

pub use bodies::{Bodies, Body, Frame};
pub use declared::{Coordinate, Declarations, Declared, Input, Mode, Param, Shape, Space, State, Sub, Supply};
pub(crate) use dimension::{Dimension, Exponent};
pub use header::{Emit, Header, Options, Order, SetLengths, Storage};
pub use picture::{Figure, Form};

/// The most unknowns of a dense solve: nalgebra's static dimensions end there.
pub(crate) const MAX_DENSE: usize = 127;

/// A checked model: declarations, and the scalars of its energies, forces and constraints in one graph.
pub struct Model {
    /// the struct's name, attributes and options
    pub header: Header,
    /// all expressions of the model
    pub graph: Graph,
    /// declarations with scalars, and their names
    pub declared: Declarations,
    /// T, V and R
    pub energies: Energies,
    /// bodies in space
    pub space: Bodies,
    /// nonzero entries of the `mass` items: both triangles of M
    pub mass: Vec<MassEntry>,
    /// generalised forces
    pub forces: Vec<Force>,
    /// constraints, those of positions before those of velocities
    pub constraints: Vec<Constraint>,
    /// the equations of states and algebraic variables
    pub flow: Flow,
    /// events in the order of the text
    pub events: Vec<Event>,
    /// `init` and `guess` items
    pub starts: Vec<Start>,
    /// outputs, limits, costs and residuals
    pub observed: Observed,
    /// `require` items
    pub requires: Vec<Require>,
    /// external functions, in the order of the graph
    pub externals: Vec<External>,
}

/// Which way a guard must cross zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// from above: `a < b`
    Falling,
    /// from below: `a > b`
    Rising,
    /// both: `a == b`
    Either,
}

/// `event`.
pub struct Event {
    /// name, with the suffix of its loops
    pub label: String,
    /// a − b of its condition
    pub guard: Node,
    /// which way it must cross zero
    pub crossing: Crossing,
    /// what it assigns: a scalar of q, v, z or the modes, and its new value from those before
    pub resets: Vec<(Symbol, Node)>,
    /// `stop;`
    pub stops: bool,
}

/// A scalar item: `kinetic`, `potential`, `dissipation`, `cost`.
pub struct Energy {
    /// the item's name, or a generated one (`kinetic_0`)
    pub name: String,
    /// its value
    pub value: Node,
    /// the user's expression
    pub span: Span,
    /// what Newton's iterations have of its second derivatives
    pub stiffness: Stiffness,
}

impl Energy {
    /// With the stiffness that it has.
    pub(crate) fn new(name: String, value: Node, span: Span) -> Self {
        Self { name, value, span, stiffness: Stiffness::Exact }
    }
}

/// The stiffness of a potential in the matrix of Newton's iterations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stiffness {
    /// all second derivatives
    #[default]
    Exact,
    /// those of a sum of squares, without the second derivatives of what is squared
    GaussNewton,
    /// the nearest matrix without negative eigenvalues
    Semidefinite,
}

impl Stiffness {
    /// The words of `#[tangent(..)]`.
    pub(crate) const WORDS: [(&'static str, Self); 3] =
        [("exact", Self::Exact), ("gauss_newton", Self::GaussNewton), ("psd", Self::Semidefinite)];
}

/// Functions of the motion that forces follow from.
#[derive(Default)]
pub struct Energies {
    /// `kinetic` items, bodies included
    pub kinetic: Vec<Energy>,
    /// `potential` items, springs and gravity included
    pub potential: Vec<Energy>,
    /// `dissipation` items, spring dampers included
    pub dissipation: Vec<Energy>,
}

/// ż = g and 0 = F.
#[derive(Default)]
pub struct Flow {
    /// g, one for each scalar of the states, then F
    pub rates: Vec<Node>,
    /// a name for each row of F
    pub laws: Vec<String>,
    /// in an element of a model with sets: the states whose rates have a part here. Their sums are the rates, and ż is
    /// not in its rows
    pub shares: Option<Vec<usize>>,
    /// in an element: shares of the equations of algebraic scalars, which other elements have too
    pub balances: Vec<Balance>,
}

/// What an element adds to the equation of an algebraic scalar.
pub struct Balance {
    /// which
    pub scalar: usize,
    /// what is added is of this, if that is known
    pub(crate) dimension: Option<Dimension>,
    /// the user's words for the variable
    pub(crate) at: TokenStream,
}

/// Outputs, limits, costs, residuals and the picture: they do not affect the motion.
#[derive(Default)]
pub struct Observed {
    /// outputs in order of declaration
    pub outputs: Vec<Output>,
    /// path constraints h(x, u) in [lo, hi]
    pub limits: Vec<Limit>,
    /// `cost` items
    pub costs: Vec<Energy>,
    /// `residual` items
    pub fits: Vec<Fit>,
    /// what is shown; `None` if nobody asks for a picture
    pub picture: Option<Vec<Figure>>,
}

/// An entry of M given by a `mass` item, indices among the velocities.
pub struct MassEntry {
    /// row
    pub row: usize,
    /// column
    pub col: usize,
    /// value
    pub value: Node,
}

/// `force f on s = e`: Q = (∂s/∂q)ᵀ e; a torque in space: Q = (∂ω/∂v)ᵀ e; a force along the axes of the body that has
/// the point: Q = (∂ṡ/∂v)ᵀ e, both along these axes.
pub struct Force {
    /// the item's name
    pub name: String,
    /// the argument of `on`: positions s, or rates ω or ṡ along axes that turn
    pub level: Level,
    /// its target, scalar by scalar
    pub on: Vec<Node>,
    /// the force, power-conjugate to `on`
    pub value: Vec<Node>,
    /// the user's name token
    pub span: Span,
}

/// A constraint: rows lhs − rhs.
pub struct Constraint {
    /// the name of its multipliers
    pub ident: Ident,
    /// its name in texts: the user's
    pub label: String,
    /// Φ, or A v + b, scalar by scalar; multipliers are `Symbol::Lambda(first..)`
    pub rows: Vec<Node>,
    /// holonomic rows are of positions, nonholonomic ones of velocities
    pub level: Hold,
    /// the compliance of the rows, one for each
    pub soft: Vec<Soft>,
    /// may its rows depend on others?
    pub redundant: bool,
    /// index of its first row
    pub first: usize,
    /// shape of the equation
    pub shape: Shape,
    /// unit of its multipliers as text; empty if it is not known
    pub unit: String,
    /// what stands on both sides is of this, scalar by scalar, if that is known
    pub(crate) dimensions: Vec<Option<Dimension>>,
    /// doc comment
    pub docs: Vec<String>,
}

/// The level of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hold {
    /// Φ(q, t) = 0
    Position,
    /// A(q, t) v + b(q, t) = 0
    Velocity,
}

/// The compliance of a row: Φ + τ Φ̇ + E λ = 0, or ψ + E λ = 0.
#[derive(Clone, Copy)]
pub struct Soft {
    /// E
    pub compliance: Node,
    /// τ; zero for a row of velocities
    pub relax: Node,
}

/// `init` or `guess` on a position-, velocity- or state-level expression.
pub struct Start {
    /// `init`: exact; `guess`: a starting value
    pub exact: bool,
    /// does it speak of positions or of velocities
    pub level: Level,
    /// text for reports, such as `init theta`
    pub label: String,
    /// the expression that vanishes when it holds: `on − value`, or the rotation from one to the other
    pub rows: Vec<Node>,
    /// the scalars it speaks of; plain coordinates are symbol nodes
    pub on: Vec<Node>,
    /// their values: expressions of parameters (and `t`)
    pub value: Vec<Node>,
    /// the user's target expression
    pub span: Span,
}

/// Level of an initial condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// of q
    Position,
    /// of v
    Velocity,
    /// of z
    State,
}

/// `output`.
pub struct Output {
    /// name, shape, unit
    pub declared: Declared,
    /// value, scalar by scalar; may depend on t, q, v, z, a, ż, u, p and λ
    pub value: Vec<Node>,
}

/// `residual`: rows e of a sum of squares ½ Σ e².
pub struct Fit {
    /// the user's name, or a generated one
    pub ident: Ident,
    /// value, scalar by scalar
    pub value: Vec<Node>,
    /// shape of the value
    pub shape: Shape,
}

/// `limit`.
pub struct Limit {
    /// the user's name
    pub ident: Ident,
    /// value, scalar by scalar
    pub value: Vec<Node>,
    /// shape of the value
    pub shape: Shape,
    /// bounds, expressions of parameters
    pub range: Option<(Node, Node)>,
    /// doc comment
    pub docs: Vec<String>,
}

/// An external function: an `extern fn`, or the table of a `pchip`.
pub struct External {
    /// the user's name, of a table the last word of its path
    pub ident: Ident,
    /// names of its arguments
    pub arguments: Vec<String>,
    /// the Rust items it comes from
    pub source: Source,
}

/// The Rust items an external function comes from.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "a model has a handful of them")]
pub enum Source {
    /// functions over the struct's scalar: `f(x, y)`, and what gives `[T; n]` and `[[T; n]; n]`
    Written {
        /// the function
        value: ExprPath,
        /// its gradient
        gradient: Option<ExprPath>,
        /// its second derivatives
        hessian: Option<ExprPath>,
    },
    /// a function over any scalar, differentiated by dual numbers
    Dual(ExprPath),
    /// a const `[[f64; 2]; N]` of points
    Table(ExprPath),
}

impl Source {
    /// Up to which order its derivatives are known; `None` where all are.
    pub fn orders(&self) -> Option<usize> {
        match self {
            Source::Written { gradient: None, .. } => Some(0),
            Source::Written { hessian: None, .. } => Some(1),
            Source::Written { .. } => Some(2),
            Source::Dual(_) | Source::Table(_) => None,
        }
    }
}

/// `require cond, "text"`.
pub struct Require {
    /// a condition on parameters, see [`Graph::less`] and its like
    pub condition: Node,
    /// the user's words, or the condition as text
    pub message: String,
    /// the first number of the parameters it reads
    pub first: Option<usize>,
}

impl Model {
    /// A name as the user writes it: `leg.q` for what the generated code spells `leg_q`.
    pub fn shown(&self, ident: &Ident) -> String {
        self.declared.shown(ident)
    }

    /// Does a name belong to a sub?
    pub fn nested(&self, ident: &Ident) -> bool {
        self.declared.shown.contains_key(&ident.to_string())
    }

    /// nq, the number of position scalars.
    pub fn nq(&self) -> usize {
        self.declared.nq()
    }
    /// nv, the number of velocity scalars.
    pub fn nv(&self) -> usize {
        self.declared.nv()
    }
    /// The positions in blocks that move together, in order.
    pub fn blocks(&self) -> Vec<Block> {
        self.declared.blocks()
    }
    /// nz, the number of first-order state scalars.
    pub fn nz(&self) -> usize {
        self.declared.nz()
    }
    /// number of mode scalars.
    pub fn modes(&self) -> usize {
        self.declared.modes.iter().map(|c| c.declared.shape.len()).sum()
    }
    /// The number of algebraic scalars, the last of the states.
    pub fn na(&self) -> usize {
        self.declared.states.iter().filter(|c| c.algebraic).map(|c| c.declared.shape.len()).sum()
    }
    /// nu, the number of input scalars.
    pub fn nu(&self) -> usize {
        self.declared.inputs.iter().map(|c| c.declared.shape.len()).sum()
    }
    /// np, the number of parameter scalars.
    pub fn np(&self) -> usize {
        self.declared.params.iter().map(|c| c.declared.shape.len()).sum()
    }
    /// May rows of constraints depend on others?
    pub fn is_redundant(&self) -> bool {
        self.constraints.iter().any(|c| c.redundant)
    }
    /// Are its matrices stored without their zeros? So they are where that is asked for, and beyond the dense solvers.
    pub fn is_sparse(&self) -> bool {
        match self.header.options.storage {
            Some(storage) => storage == Storage::Sparse,
            None => self.unknowns() > MAX_DENSE,
        }
    }
    /// The most unknowns of a solve: velocities, multipliers, and the exact conditions of a start.
    pub fn unknowns(&self) -> usize {
        let exact = |level| {
            let rows = self.starts.iter().filter(|s| s.exact && s.level == level).map(|s| s.rows.len());
            rows.sum::<usize>()
        };
        self.nv() + self.nc() + exact(Level::Position).max(exact(Level::Velocity))
    }
    /// nc, the number of constraint rows.
    pub fn nc(&self) -> usize {
        self.constraints.iter().map(|c| c.rows.len()).sum()
    }
    /// ny, the number of output scalars.
    pub fn ny(&self) -> usize {
        self.observed.outputs.iter().map(|c| c.declared.shape.len()).sum()
    }
}

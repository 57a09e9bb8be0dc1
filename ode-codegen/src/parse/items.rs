//! The items of a model, as they are written.

use proc_macro2::Ident;
use syn::{Block, Expr, LitStr};

use super::loops::For;
use super::sets::{Each, Set};
use super::sub::Sub;
use super::written::{Range, Type, Unit};
use crate::model::{Source, Stiffness};

/// One item with its attributes.
#[derive(Clone)]
pub struct Item {
    /// doc comment, one line each, without the leading space
    pub docs: Vec<String>,
    /// lints silenced by `#[allow(..)]`
    pub allows: Vec<String>,
    /// the item's keyword
    pub keyword: Ident,
    /// `#[port]`: an output that others may hold on to
    pub port: bool,
    /// `#[tangent(psd)]`
    pub tangent: Option<Tangent>,
    /// what it says
    pub kind: Kind,
}

/// The stiffness that an energy has in Newton's iterations.
#[derive(Clone)]
pub struct Tangent {
    /// the word
    pub word: Ident,
    /// what it means
    pub stiffness: Stiffness,
}

impl Item {
    /// Itself, or the items of a literal loop.
    pub fn flat(&self) -> Vec<&Item> {
        match &self.kind {
            Kind::For(each) => each.items.iter().flat_map(Item::flat).collect(),
            _ => vec![self],
        }
    }
}

/// The items of the language.
#[derive(Clone)]
pub enum Kind {
    /// `param`, `coord`, `state`, `algebraic`, `mode`, `input`, `output`
    Declare(Declare),
    /// `event e when a < b { x = e; }`
    Event(Event),
    /// `let name = e;`
    Let(Let),
    /// `kinetic`, `potential`, `dissipation`, `cost`, `residual`
    Energy(Energy),
    /// `mass x = m;`
    Mass(Assign),
    /// `force f on s = e;`, `torque tau on b = e;`
    Force(Force),
    /// `body b on f { mass: m, inertia: j }`
    Body(Bodied),
    /// `spring s on (p, q) { k: k, rest: l, damping: c }`
    Spring(Bodied),
    /// `gravity = e;`
    Gravity(Expr),
    /// `constraint c: a == b;`
    Constraint(Constraint),
    /// `der(z) = g;`, `der(z) += g;`, target without `der`
    Rate(Rate),
    /// `balance y += e;`
    Balance(Rate),
    /// `fix x;`, `fix x along n = e;`
    Fix(Fix),
    /// `init s = e;`, `guess s = e;`
    Start(Start),
    /// `limit h: e in lo..=hi;`
    Limit(Limit),
    /// `show rod = line(p, q) with { color: red };`
    Show(Show),
    /// `require c, "why";`
    Require(Require),
    /// `fn f(x: Real) -> Real { e }`
    Function(Function),
    /// `extern fn f(x: Real) -> Real { dual: path }`
    External(External),
    /// `unit rpm = 0.1 [rad/s];`
    Unit(UnitDeclaration),
    /// `for i in 0..4 { … }`
    For(For),
    /// `set edges: (nodes, nodes);`
    Set(Set),
    /// `for e @ (i, j) in edges { … }`
    Each(Each),
    /// `sub motor: DcMotor<T> with { r: 0.5 };`
    Sub(Sub),
    /// `bind motor.v = volt;`
    Bind(Assign),
    /// an item with a reported mistake: its names are known, so that their uses are not reported too
    Broken(Vec<Ident>),
}

/// The kind of a declared name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// a field of the struct
    Param,
    /// position and velocity
    Coord,
    /// has a rate of its own
    State,
    /// is determined by an equation
    Algebraic,
    /// given from outside during a run
    Input,
    /// computed for the outside
    Output,
    /// constant but where an event changes it
    Mode,
}

impl Role {
    /// The role of an item's keyword.
    pub fn of(keyword: &str) -> Option<Self> {
        Some(match keyword {
            "param" => Role::Param,
            "coord" => Role::Coord,
            "state" => Role::State,
            "mode" => Role::Mode,
            "algebraic" => Role::Algebraic,
            "input" => Role::Input,
            "output" => Role::Output,
            _ => return None,
        })
    }

    /// The word it is declared with.
    pub fn keyword(self) -> &'static str {
        if self == Role::Coord { "coord" } else { self.word() }
    }

    /// The word for messages.
    pub fn word(self) -> &'static str {
        match self {
            Role::Param => "param",
            Role::Coord => "coordinate",
            Role::State => "state",
            Role::Algebraic => "algebraic variable",
            Role::Input => "input",
            Role::Output => "output",
            Role::Mode => "mode",
        }
    }
}

/// One line of declarations: names that share type, unit, range and default.
#[derive(Clone)]
pub struct Declare {
    /// the kind of the names
    pub role: Role,
    /// the names
    pub names: Vec<Name>,
    /// their type, `Real` when none was written
    pub ty: Type,
    /// `[kg*m^2]`
    pub unit: Option<Unit>,
    /// `in lo..=hi`
    pub range: Option<Range>,
    /// `= e`
    pub value: Option<Expr>,
}

/// `x`, or `(r, v)` for a position and the name of its velocity; `x[nodes]` of each member of a set.
#[derive(Clone)]
pub struct Name {
    /// the name
    pub ident: Ident,
    /// the velocity's own name
    pub velocity: Option<Ident>,
    /// the set that has one for each member
    pub over: Option<Ident>,
}

/// `let name: type [unit] = e;`, `let name[i] = e;`
#[derive(Clone)]
pub struct Let {
    /// the name
    pub name: Ident,
    /// which member of a list of this name it defines; nothing for a name of its own
    pub indices: Vec<Expr>,
    /// type if one was written
    pub ty: Option<Type>,
    /// unit if one was written
    pub unit: Option<Unit>,
    /// value
    pub value: Expr,
}

/// The kind of an energy-like item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnergyRole {
    /// T(q, v, t)
    Kinetic,
    /// V(q, t)
    Potential,
    /// R(q, v, t)
    Dissipation,
    /// an integrand for optimizers
    Cost,
    /// rows of a sum of squares
    Residual,
}

impl EnergyRole {
    /// Is it for optimisers, no energy?
    pub(crate) fn is_of_optimisers(self) -> bool {
        matches!(self, EnergyRole::Cost | EnergyRole::Residual)
    }

    /// The item's keyword.
    pub fn word(self) -> &'static str {
        match self {
            EnergyRole::Kinetic => "kinetic",
            EnergyRole::Potential => "potential",
            EnergyRole::Dissipation => "dissipation",
            EnergyRole::Cost => "cost",
            EnergyRole::Residual => "residual",
        }
    }
}

/// `kinetic name = e;`
#[derive(Clone)]
pub struct Energy {
    /// its kind
    pub role: EnergyRole,
    /// the item's name
    pub name: Option<Ident>,
    /// value
    pub value: Expr,
}

/// `target = value`.
#[derive(Clone)]
pub struct Assign {
    /// left of `=`
    pub target: Expr,
    /// right of `=`
    pub value: Expr,
}

/// `target = value`, or a share of it, `target += value`.
#[derive(Clone)]
pub struct Rate {
    /// what changes, or is determined
    pub target: Expr,
    /// all of it, or a share
    pub value: Expr,
    /// how a share counts
    pub share: Option<Share>,
}

/// How a share counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// `+=`
    Added,
    /// `-=`
    Taken,
}

/// `event e when a < b { x = e; stop; }`
#[derive(Clone)]
pub struct Event {
    /// the name
    pub name: Ident,
    /// the condition
    pub condition: Expr,
    /// assignments, `let`s and `stop;`
    pub body: Block,
}

/// `force f on s = e;`
#[derive(Clone)]
pub struct Force {
    /// `torque` instead of `force`
    pub torque: bool,
    /// the item's name
    pub name: Ident,
    /// its target
    pub on: Expr,
    /// value
    pub value: Expr,
}

/// `body name on target { field: value, … }`
#[derive(Clone)]
pub struct Bodied {
    /// the item's name
    pub name: Ident,
    /// frame or pair of points
    pub on: Expr,
    /// the fields between the braces
    pub fields: Vec<(Ident, Expr)>,
}

/// `constraint c: a == b;`
#[derive(Clone)]
pub struct Constraint {
    /// the name
    pub name: Ident,
    /// left of `==`
    pub left: Expr,
    /// right of `==`
    pub right: Expr,
    /// the equation
    pub equation: Expr,
    /// `with { field: value, … }`
    pub with: Vec<(Ident, Expr)>,
    /// `with { redundant }`
    pub redundant: Option<Ident>,
}

/// `fix x;`, `fix x along n = e;`
#[derive(Clone)]
pub struct Fix {
    /// the coordinate, or a part of one
    pub target: Expr,
    /// the direction it is held in
    pub along: Option<Expr>,
    /// its value; its start if none is given
    pub value: Option<Expr>,
}

/// `init s = e;`
#[derive(Clone)]
pub struct Start {
    /// `init` rather than `guess`
    pub exact: bool,
    /// left and right of `=`
    pub assign: Assign,
}

/// `limit h: e in lo..=hi;`
#[derive(Clone)]
pub struct Limit {
    /// the name
    pub name: Ident,
    /// value
    pub value: Expr,
    /// bounds
    pub range: Option<Range>,
}

/// `show rod = line(p, q) with { color: red };`
#[derive(Clone)]
pub struct Show {
    /// the name
    pub name: Ident,
    /// its form: `line`
    pub form: Ident,
    /// what the form is given
    pub arguments: Vec<Expr>,
    /// `with { color: red }`
    pub with: Vec<(Ident, Expr)>,
}

/// `require c, "why";`
#[derive(Clone)]
pub struct Require {
    /// the condition
    pub condition: Expr,
    /// the user's words
    pub message: Option<LitStr>,
}

/// `fn f(x: Real) -> Real { e }`
#[derive(Clone)]
pub struct Function {
    /// the name
    pub name: Ident,
    /// arguments
    pub args: Vec<Argument>,
    /// declared type of the result
    pub ty: Type,
    /// declared unit of the result
    pub unit: Option<Unit>,
    /// the body
    pub body: Block,
}

/// `extern fn mu(slip: Real [m/s]) -> Real { value: crate::mu, gradient: crate::mu_grad }`
#[derive(Clone)]
pub struct External {
    /// the name
    pub name: Ident,
    /// arguments
    pub args: Vec<Argument>,
    /// declared type of the result
    pub ty: Type,
    /// declared unit of the result
    pub unit: Option<Unit>,
    /// the Rust items it comes from
    pub source: Source,
}

/// `x: Real [m]`
#[derive(Clone)]
pub struct Argument {
    /// the name
    pub name: Ident,
    /// its type
    pub ty: Type,
    /// its unit
    pub unit: Option<Unit>,
}

/// `unit rpm = 0.1 [rad/s];`
#[derive(Clone)]
pub struct UnitDeclaration {
    /// the new unit
    pub name: Ident,
    /// how many of the given unit it is; one when not written
    pub scale: Option<Expr>,
    /// the given unit
    pub unit: Unit,
}

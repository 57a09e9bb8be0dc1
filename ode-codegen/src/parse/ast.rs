//! The text of a model: its items with the user's tokens, nothing resolved yet.

use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, Block, Expr, LitStr, Path, Visibility};

use crate::model::{Emit, Order, SetLengths, Shape, Source, Stiffness, Storage};

pub use super::loops::For;
pub use super::sets::{Each, Length, Members, Set};
pub use super::sub::{Child, Sub};
pub use super::written::{Range, Type, TypeKind, Unit};

/// A parsed `struct Name<T> { … }`.
pub struct Model {
    /// doc comment, one line each, without the leading space
    pub docs: Vec<String>,
    /// attributes to repeat on the struct, those of the language taken out
    pub attrs: Vec<Attribute>,
    /// the options of `#[model(..)]`
    pub options: Options,
    /// lints silenced for the whole model
    pub allows: Vec<String>,
    /// `pub`, `pub(crate)` or nothing
    pub vis: Visibility,
    /// name of the struct; `None` when the text has none
    pub name: Option<Ident>,
    /// the scalar type parameter, `None` for an f64 struct
    pub scalar: Option<Ident>,
    /// the const generics
    pub lengths: SetLengths,
    /// items in the order of the text
    pub items: Vec<Item>,
    /// the model as it was written, for the models that are composed with it
    pub tokens: TokenStream,
    /// the models of its subs as far as they are known, in the order of [`Model::parts`]
    pub children: Vec<Child>,
    /// an element of a model with sets: rules about a model as a whole do not hold
    pub element: bool,
    /// the algebraic variables that equations of an element determine, of members with their place in the list
    pub determined: Vec<(String, Option<usize>)>,
    /// the algebraic variables of an element that balances determine
    pub balanced: Vec<String>,
    /// its constraint is what an element adds to rows that others add to: left of `==`
    pub adds: bool,
    /// what `#[model(show)]` draws here, of a model that is in parts
    pub look: Look,
    /// units are checked although none is written here: this is a part of a model that has some
    pub measured: bool,
}

/// What `#[model(show)]` draws in an element of a model with sets.
#[derive(Clone, Default)]
pub struct Look {
    /// the model shows something of its own, perhaps in another element
    pub shows: bool,
    /// which coordinates are points
    pub points: Points,
}

/// Coordinates that are drawn as points where nothing is shown.
#[derive(Clone, Default)]
pub enum Points {
    /// all that are points
    #[default]
    All,
    /// members of these, by their places in the lists
    Members(Vec<(String, usize)>),
    /// those of this sub
    Sub(String),
}

/// A text without a word.
impl Default for Model {
    fn default() -> Self {
        Self {
            docs: Vec::new(),
            attrs: Vec::new(),
            options: Options::default(),
            allows: Vec::new(),
            vis: Visibility::Inherited,
            name: None,
            scalar: None,
            lengths: SetLengths::default(),
            items: Vec::new(),
            tokens: TokenStream::new(),
            children: Vec::new(),
            element: false,
            determined: Vec::new(),
            balanced: Vec::new(),
            adds: false,
            look: Look::default(),
            measured: false,
        }
    }
}

impl Model {
    /// Does it speak of sets?
    pub fn has_sets(&self) -> bool {
        self.items.iter().any(|item| match &item.kind {
            Kind::Set(_) | Kind::Each(_) => true,
            Kind::Declare(d) => d.names.iter().any(|name| name.over.is_some()),
            Kind::Sub(sub) => sub.over.is_some(),
            _ => false,
        })
    }

    /// Are units checked? Only where a parameter, coordinate or state has one, unless the model says otherwise.
    pub fn is_measured(&self) -> bool {
        let measures = |role| matches!(role, Role::Param | Role::Coord | Role::State | Role::Algebraic | Role::Mode);
        let has_unit = |item: &Item| match &item.kind {
            Kind::Declare(d) => measures(d.role) && d.unit.is_some(),
            _ => false,
        };
        match self.options.units {
            UnitRule::Off => false,
            UnitRule::Strict => true,
            UnitRule::Check => self.measured || self.items.iter().any(has_unit),
        }
    }

    /// Fields of the struct as written, for the struct's shape when the model has mistakes.
    pub fn params(&self) -> impl Iterator<Item = Field<'_>> {
        self.items.iter().flat_map(|item| {
            let declare = match &item.kind {
                Kind::Declare(d) if d.role == Role::Param => Some(d),
                _ => None,
            };
            declare.into_iter().flat_map(move |d| {
                d.names.iter().map(move |n| Field { ident: &n.ident, docs: &item.docs, shape: d.ty.shape() })
            })
        })
    }
}

/// A parameter as written.
pub struct Field<'a> {
    /// the user's name
    pub ident: &'a Ident,
    /// its doc comment
    pub docs: &'a [String],
    /// its shape; `None` when the type is not understood
    pub shape: Option<Shape>,
}

/// The options of `#[model(..)]`.
#[derive(Clone)]
pub struct Options {
    /// `derive(..)` paths for the struct
    pub derives: Vec<Path>,
    /// `crate = path`
    pub facade: Option<Path>,
    /// `max_ops = n`
    pub max_ops: Option<usize>,
    /// the derivative self-test is wanted
    pub selftest: bool,
    /// `units = off | check | strict`
    pub units: UnitRule,
    /// `freeze`, `freeze(l, g)`
    pub freeze: Freeze,
    /// `emit(jvp, vjp, hvp, hessian, partials)`
    pub emit: Emit,
    /// `branch_free`
    pub branch_free: bool,
    /// `platform_sines`
    pub platform_sines: bool,
    /// `show`: bodies, springs and points are drawn where no item says how
    pub show: bool,
    /// `order = 1 | 2`
    pub order: Order,
    /// `storage = dense | sparse`
    pub storage: Option<Storage>,
}

/// Which parameters are constants of the code.
#[derive(Clone, Default)]
pub struct Freeze {
    /// every parameter
    pub all: bool,
    /// those of these names
    pub names: Vec<Ident>,
}

impl Freeze {
    /// Is this parameter a constant?
    pub fn holds(&self, name: &Ident) -> bool {
        self.all || self.names.contains(name)
    }
}

/// How units are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitRule {
    /// documentation only
    Off,
    /// checked where a parameter or coordinate has one
    Check,
    /// checked, and every declaration must have one
    Strict,
}

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

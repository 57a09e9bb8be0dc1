//! The text of a model: its items with the user's tokens, nothing resolved yet.

use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, Path, Visibility};

use crate::model::{Emit, Hold, Order, SetLengths, Shape, Storage};

pub use super::body::{Body, Text};
pub use super::items::{
    Argument, Assign, Bodied, Constraint, Declare, Energy, EnergyRole, Event, External, Fix, Force, Function, Item,
    Kind, Let, Limit, Name, Rate, Require, Role, Share, Show, Start, Tangent, UnitDeclaration,
};
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
    /// what they were read from; none where some were left out since
    pub texts: Vec<Text>,
    /// the model as it was written, for the models that are composed with it
    pub tokens: TokenStream,
    /// the models of its subs as far as they are known, in the order of [`Model::parts`]
    pub children: Vec<Child>,
    /// an element of a model with sets: rules about a model as a whole do not hold
    pub element: bool,
    /// an element that is evaluated for each member of a set
    pub repeated: bool,
    /// the algebraic variables that equations of an element determine, of members with their place in the list
    pub determined: Vec<(String, Option<usize>)>,
    /// the algebraic variables of an element that balances determine
    pub balanced: Vec<String>,
    /// its constraint is what an element adds to rows that others add to, left of `==`: to rows of this level, if it
    /// reads no velocity itself
    pub adds: Option<Hold>,
    /// its parameters that are lengths of sets, by which nothing is differentiated
    pub counts: Vec<Ident>,
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
            texts: Vec::new(),
            tokens: TokenStream::new(),
            children: Vec::new(),
            element: false,
            repeated: false,
            determined: Vec::new(),
            balanced: Vec::new(),
            adds: None,
            counts: Vec::new(),
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
    /// `emit(jvp, vjp, hvp, hessian, partials, linearized)`
    pub emit: Emit,
    /// `branch_free`
    pub branch_free: bool,
    /// `prepared`, as written
    pub prepared: Option<Ident>,
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

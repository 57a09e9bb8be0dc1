//! An evaluation of a model's own text, item by item as written. Of the compiler it uses the parser alone.

mod choices;
mod declare;
mod evaluate;
mod events;
mod functions;
mod lists;
mod mechanics;
mod names;
mod point;
mod rows;
mod starts;
mod value;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use ode_codegen::phases::parse::ast;
use rustc_hash::FxHashMap;
use syn::Expr;

pub use events::Event;
pub use names::Names;
pub use point::{Motion, Place, Point, Scalars};
pub use rows::{Hold, Row};
pub use starts::Kind;
pub use value::Value;

use crate::external;

/// A model as it is written.
pub struct Oracle<'a> {
    scopes: Vec<Scope<'a>>,
    /// names of all scalars, as reports show them
    pub names: Names,
    /// blocks of positions
    pub places: Rc<Vec<Place>>,
    kinetic: Vec<Written<'a>>,
    potential: Vec<Written<'a>>,
    dissipation: Vec<Written<'a>>,
    bodies: Vec<(Written<'a>, &'a [(proc_macro2::Ident, Expr)])>,
    springs: Vec<(Written<'a>, &'a [(proc_macro2::Ident, Expr)])>,
    gravity: Option<Written<'a>>,
    masses: Vec<(Written<'a>, &'a Expr)>,
    forces: Vec<(Written<'a>, &'a ast::Force)>,
    constraints: Vec<Constraint<'a>>,
    fixes: Vec<(Written<'a>, &'a ast::Fix)>,
    rates: Vec<(Written<'a>, &'a Expr)>,
    starts: Vec<(Written<'a>, &'a ast::Start, String)>,
    outputs: Vec<(String, Written<'a>)>,
    shown: Vec<(Rc<Env<'a>>, &'a ast::Show)>,
    limits: Vec<Written<'a>>,
    costs: Vec<Written<'a>>,
    fits: Vec<Written<'a>>,
    requires: Vec<Written<'a>>,
    /// of each parameter, with how many numbers it has
    defaults: Vec<(Option<Preset<'a>>, usize)>,
    /// of each input and of each mode
    origins: [Vec<(Option<Preset<'a>>, usize)>; 2],
    /// what parents say of parameters of their subs
    given: Vec<Written<'a>>,
    events: Vec<(Written<'a>, &'a ast::Event)>,
    ranges: [Vec<(usize, Option<Range<'a>>)>; 2],
    first_order: bool,
    /// are there parameters that are constants of the code?
    pub frozen: bool,
    found: OnceCell<Vec<Row>>,
    /// names by where they stand in the text: spelling them anew takes longer than what they mean
    words: RefCell<FxHashMap<usize, Rc<str>>>,
}

/// `lo..=hi`
type Range<'a> = (Written<'a>, Written<'a>);

/// A text with the place it stands in.
#[derive(Clone)]
struct Written<'a> {
    env: Rc<Env<'a>>,
    text: &'a Expr,
}

/// What names mean at a place.
#[derive(Clone)]
struct Env<'a> {
    scope: usize,
    locals: Vec<(String, Local<'a>)>,
}

#[derive(Clone)]
enum Local<'a> {
    Index(i64),
    Text(Written<'a>),
}

/// A model or one of its subs.
struct Scope<'a> {
    prefix: String,
    names: FxHashMap<String, Entry<'a>>,
    units: HashMap<String, f64>,
}

/// What a name of a model means.
#[derive(Clone)]
enum Entry<'a> {
    Position(usize, &'a ast::TypeKind),
    Velocity(usize, &'a ast::TypeKind),
    Parameter(usize, &'a ast::TypeKind),
    Frozen(Preset<'a>, &'a ast::TypeKind),
    State(usize, &'a ast::TypeKind),
    Input(usize, &'a ast::TypeKind),
    Mode(usize, &'a ast::TypeKind),
    Text(Written<'a>),
    /// the members of a list, by their indices
    Members(BTreeMap<Vec<i64>, Entry<'a>>),
    Function(&'a ast::Function),
    External(external::Function),
    Subs(Vec<usize>),
}

/// A parameter's value as it is written, and what its numbers are counted in.
#[derive(Clone)]
struct Preset<'a> {
    text: Written<'a>,
    scale: f64,
}

/// `constraint c: a == b`
struct Constraint<'a> {
    env: Rc<Env<'a>>,
    item: &'a ast::Constraint,
    name: String,
}

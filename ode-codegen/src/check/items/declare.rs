//! `param`, `coord`, `state`, `mode`, `input`, `output`, and the names of everything else.

use proc_macro2::Ident;

use super::super::names::{Global, Sort};
use super::super::scope::{Pending, Wanted};
use super::super::units::Unit;
use super::super::value::Value;
use super::super::{Checker, Dimension, Here, Place};
use super::shaped;
use super::sub::{self, Own};
use crate::diagnostics::{Id, Message, compact, location, text};
use crate::expr::{Node, Symbol};
use crate::identifier::bare;
use crate::model::{Declared, Input, Mode, Param, Shape, Space, State};
use crate::parse::ast::{self, Declare, Item, Kind, Role, TypeKind, UnitRule};
use crate::parse::attributes::ZERO_START;

/// Names the generated code gives to its own methods beside the accessors of coordinates, states, inputs and outputs.
const METHODS: [&str; 17] = [
    "new",
    "from",
    "into",
    "clone",
    "default",
    "eq",
    "fmt",
    "index",
    "index_mut",
    "as_slice",
    "as_mut_slice",
    "array",
    "array_mut",
    "as_ref",
    "as_mut",
    "zeros",
    "energy",
];

/// Names of the builder's own methods.
const BUILDER: [&str; 3] = ["build", "builder", "new"];

/// Registers every name of the model, in the order of the text, and gives coordinates, states, inputs and parameters their
/// symbols.
pub(in crate::check) fn declarations<'a>(c: &mut Checker<'a>, ast: &'a ast::Model) {
    super::freeze::freezable(c, ast);
    sub::bindings(c, ast);
    for (position, item) in ast.items.iter().enumerate() {
        match &item.kind {
            Kind::Sub(part) => sub::declare(c, part, position),
            Kind::Declare(d) => {
                for name in &d.names {
                    declare(c, d, name, item, position, ast);
                }
            }
            Kind::Let(binding) => {
                let added = register(c, &binding.name, Sort::Let, position, None);
                if added {
                    waits(c, &binding.name, Wanted::Let(binding), position, ast, item);
                }
            }
            Kind::Function(function) => {
                let added = register(c, &function.name, Sort::Function, position, None);
                if added {
                    c.functions.insert(c.key(&function.name.to_string()), (position, function));
                }
            }
            Kind::External(external) => {
                let known = c.external(external);
                let sort = if known { Sort::Function } else { Sort::Broken };
                register(c, &external.name, sort, position, None);
            }
            Kind::Constraint(constraint) => {
                let key = ("constraint", c.key(&constraint.name.to_string()));
                c.draft.labels.entry(key).or_insert(constraint.name.span());
            }
            Kind::For(each) => nested(c, each, position),
            Kind::Broken(names) => broken(c, item, names, position),
            _ => {}
        }
    }
}

/// The names of an item that was not understood, so that their uses are not reported too.
fn broken(c: &mut Checker<'_>, item: &Item, names: &[Ident], position: usize) {
    doubt(c, &item.keyword.to_string());
    for name in names {
        // A constraint that was not understood has a multiplier of unknown shape.
        let broken = super::super::Multiplier {
            first: 0,
            shape: Shape::Scalar,
            unit: Unit::Unknown,
            broken: true,
            algebraic: false,
        };
        if item.keyword == "constraint" {
            c.constraints.insert(c.key(&name.to_string()), broken);
        } else {
            let ident = name.clone();
            add_broken(c, ident, position);
        }
    }
}

/// A name that means nothing, unless it is known already.
fn add_broken(c: &mut Checker<'_>, ident: Ident, item: usize) {
    let key = c.key(&ident.to_string());
    let _ = c.names.declare(key, Global { ident, sort: Sort::Broken, item, value: Some(Value::Poison) });
}

/// What an item that was not understood may have said.
fn doubt(c: &mut Checker<'_>, keyword: &str) {
    let silent = matches!(keyword, "input" | "output" | "limit" | "require" | "cost" | "init" | "guess" | "gravity");
    c.reports.doubts.inertia |= !silent;
    c.reports.doubts.constraints |= !silent;
    c.reports.doubts.rates |= keyword == "der" || keyword == "for" || crate::parse::words::is_unknown(keyword);
    c.reports.doubts.coordinates |= matches!(keyword, "coord" | "state") || crate::parse::words::is_unknown(keyword);
}

/// Declarations have no place in a loop: a literal array does the same.
fn nested(c: &mut Checker<'_>, each: &ast::For, position: usize) {
    for item in &each.items {
        match &item.kind {
            Kind::Declare(d) => {
                let word = item.keyword.to_string();
                let message =
                    Message::new(Id::M0128, &item.keyword, format!("a `{word}` cannot be declared in a loop")).help(
                        format!(
                            "declare an array outside: `{word} {}: [Real; {}];`",
                            names(d),
                            each.range.clone().count()
                        ),
                    );
                c.report(message);
                for name in &d.names {
                    let ident = name.ident.clone();
                    add_broken(c, ident, position);
                }
            }
            Kind::Function(_) | Kind::External(_) | Kind::Unit(_) | Kind::Sub(_) => {
                c.report(
                    Message::new(Id::M0128, &item.keyword, "this cannot be declared in a loop").help("move it out"),
                );
            }
            Kind::For(each) => nested(c, each, position),
            Kind::Broken(names) => broken(c, item, names, position),
            _ => {}
        }
    }
}

fn names(d: &Declare) -> String {
    let names: Vec<String> = d.names.iter().map(|n| n.ident.to_string()).collect();
    names.join(", ")
}

/// Adds a name; M0102, M0103 if it cannot be added.
pub(super) fn register(c: &mut Checker<'_>, ident: &Ident, sort: Sort, item: usize, value: Option<Value>) -> bool {
    if ident == "t" {
        let message = Message::new(Id::M0103, ident, "`t` is reserved for time and cannot be declared")
            .help("rename it, e.g. `tau`, `th` or `temp`");
        c.report(message);
        return false;
    }
    let key = c.key(&ident.to_string());
    match c.names.declare(key, Global { ident: ident.clone(), sort, item, value }) {
        Ok(()) => true,
        Err(earlier) => {
            let place = location(earlier.ident.span());
            let message = Message::new(Id::M0102, ident, format!("`{ident}` is declared twice in this model"))
                .note(format!("previous declaration at {place}"));
            c.report(message);
            false
        }
    }
}

/// The value of a name is evaluated when it is asked for.
fn waits<'a>(
    c: &mut Checker<'a>,
    name: &Ident,
    wanted: Wanted<'a>,
    position: usize,
    ast: &'a ast::Model,
    item: &'a Item,
) {
    let allows = ast.allows.iter().chain(&item.allows).cloned().collect();
    let item = match &wanted {
        Wanted::Let(_) => format!("let {name}"),
        Wanted::Output(..) => format!("output {name}"),
        Wanted::Given(..) => format!("bind {name}"),
    };
    let place = Place { item, position, accelerations: true, allows, constant: false };
    let here = Here { scope: c.here.scope, place, ..Here::default() };
    let pending = Pending { kind: Some(wanted), here, lets: Vec::new() };
    c.pending.insert(c.key(&name.to_string()), pending);
}

fn declare<'a>(
    c: &mut Checker<'a>,
    d: &'a Declare,
    name: &'a ast::Name,
    item: &'a Item,
    position: usize,
    ast: &'a ast::Model,
) {
    let options = &ast.options;
    let rule = options.units;
    collisions(c, d.role, name);
    if c.here.scope == 0 && item.allows.iter().any(|a| a == "unused") {
        c.draft.unused.push(name.ident.to_string());
    }
    if d.role == Role::Coord && item.allows.iter().chain(&ast.allows).any(|a| a == ZERO_START) {
        let spelled = bare(&c.spelled(&name.ident));
        c.draft.unstarted.push(spelled);
    }
    let sort = match d.role {
        Role::Param => Sort::Param,
        Role::Coord => Sort::Coord,
        Role::State => Sort::State,
        Role::Mode => Sort::Mode,
        Role::Algebraic => Sort::Algebraic,
        Role::Input => Sort::Input,
        Role::Output => Sort::Output,
    };
    if d.role == Role::Output {
        if !d.ty.tokens.is_empty() {
            no_unit(c, d, name, rule);
        }
        if register(c, &name.ident, sort, position, None) {
            waits(c, &name.ident, Wanted::Output(d, item, &name.ident), position, ast, item);
        }
        return;
    }
    let holds = can_hold(c, d);
    let Some(shape) = d.ty.shape().filter(|_| holds) else {
        c.reports.doubts.coordinates |= matches!(d.role, Role::Coord | Role::State | Role::Algebraic);
        // Items that read it mean nothing: what they lack is no mistake of theirs.
        c.reports.doubts.inertia |= d.role == Role::Param;
        c.reports.doubts.constraints |= d.role == Role::Param;
        register(c, &name.ident, Sort::Broken, position, Some(Value::Poison));
        if let Some(velocity) = &name.velocity {
            register(c, velocity, Sort::Broken, position, Some(Value::Poison));
        }
        return;
    };
    if sub::supplied(c, d, name, position) {
        return;
    }
    no_unit(c, d, name, rule);
    let angle = *d.ty.kind.innermost() == TypeKind::Angle;
    let (unit, scale) = match rule {
        // that it has none was said, and what would follow from it is not
        UnitRule::Strict if lacks_unit(d) && c.supposed.is_none() => (Unit::Unknown, 1.0),
        _ => written_unit(c, d, name),
    };
    let declared = Declared {
        ident: c.spelled(&name.ident),
        shape: shape.clone(),
        angle,
        unit: d.unit.as_ref().map(|u| compact(&u.tokens)).unwrap_or_default(),
        docs: item.docs.clone(),
        first: first(c, d.role),
    };
    if d.role == Role::Coord {
        super::coordinate::coordinate(c, d, name, declared, position, unit);
        return;
    }
    if d.role == Role::Param && options.freeze.holds(&name.ident) {
        let value = super::freeze::frozen(c, d, &declared, unit, scale);
        register(c, &name.ident, sort, position, Some(value));
        return;
    }
    let symbol =
        |c: &mut Checker<'_>, of: fn(u32) -> Symbol| symbols(c, &declared, &d.ty.kind, of, unit, declared.first);
    let value = match d.role {
        Role::Param => symbol(c, Symbol::P),
        Role::State | Role::Algebraic => symbol(c, Symbol::Z),
        Role::Mode => symbol(c, Symbol::Mode),
        _ => symbol(c, Symbol::U),
    };
    if !register(c, &name.ident, sort, position, Some(value)) {
        return;
    }
    match d.role {
        Role::Param => param(c, d, &name.ident, declared, unit, scale),
        Role::State | Role::Algebraic => state(c, d, declared),
        Role::Mode => mode(c, d, declared, unit),
        _ => input(c, d, declared, unit),
    }
}

/// Can a coordinate or state be of this type?
fn can_hold(c: &mut Checker<'_>, d: &Declare) -> bool {
    let innermost = d.ty.kind.innermost();
    let rotation = matches!(innermost, TypeKind::Space(_));
    let holds = match d.role {
        Role::Coord | Role::State | Role::Algebraic | Role::Mode => matches!(
            innermost,
            TypeKind::Real | TypeKind::Angle | TypeKind::Vector(_) | TypeKind::Space(_) | TypeKind::Broken
        ),
        _ => true,
    };
    if !holds {
        let spaces = if d.role == Role::Coord { ", an `SO3`, an `SE3`" } else { "" };
        c.report(
            Message::new(Id::M0107, &d.ty.tokens, format!("`{}` cannot be a {}", text(&d.ty.tokens), d.role.word()))
                .help(format!("a {} is a `Real`, an `Angle`, a vector{spaces} or an array of them", d.role.word())),
        );
    }
    let misplaced = rotation && d.role != Role::Coord;
    if misplaced {
        let what = format!("a rotation is a coordinate or the value of an expression, and no {}", d.role.word());
        c.report(
            Message::new(Id::M0107, &d.ty.tokens, what).help("declare its rotation vector: `Vec3`, and use `exp_so3`"),
        );
    }
    holds && !misplaced
}

/// The unit of a declaration and its size in SI.
fn written_unit(c: &mut Checker<'_>, d: &Declare, name: &ast::Name) -> (Unit, f64) {
    let angle = *d.ty.kind.innermost() == TypeKind::Angle;
    let turn = matches!(d.ty.kind.innermost(), TypeKind::Space(Space::SO3 | Space::SO3World));
    let (unit, scale) = match &d.unit {
        Some(unit) if d.role == Role::Param => c.read_scaled(unit),
        Some(unit) => (c.read_unit(unit), 1.0),
        None => match c.supposed.as_ref().filter(|_| lacks_unit(d)) {
            Some(supposed) if name.ident == supposed.name => (Unit::Known(supposed.dimension), 1.0),
            Some(_) => (Unit::Unknown, 1.0),
            None => (c.unit(Dimension::ONE), 1.0),
        },
    };
    if (angle || turn) && !unit.is_one() {
        let (what, help) = if angle { ("an `Angle`", "write `Real`") } else { ("a rotation", "drop the unit") };
        let what = format!("{what} is dimensionless, but `{}` has unit [{unit}]", name.ident);
        c.report(Message::new(Id::M0507, &name.ident, what).help(help));
    }
    (unit, scale)
}

/// The unit of a declaration, in SI.
pub(super) fn unit_of(c: &mut Checker<'_>, d: &Declare) -> Unit {
    match &d.unit {
        Some(unit) => c.read_scaled(unit).0,
        None => c.unit(Dimension::ONE),
    }
}

/// M0106: a name of the user and a method of the generated code.
pub(super) fn collisions(c: &mut Checker<'_>, role: Role, name: &ast::Name) {
    match role {
        // the parameters of a sub are fields of its own type
        Role::Param if c.here.scope == 0 => field(c, role.word(), &name.ident),
        Role::Param => {}
        Role::Coord | Role::State | Role::Algebraic | Role::Mode | Role::Input | Role::Output => {
            let ident = c.spelled(&name.ident);
            accessor(c, role.word(), &ident);
        }
    }
}

/// M0106 for a name that becomes a field, and so a method of the builder.
pub(super) fn field(c: &mut Checker<'_>, word: &str, ident: &Ident) {
    if BUILDER.contains(&bare(ident).as_str()) {
        collision(c, word, ident);
    }
}

/// M0106 for a name that becomes an accessor: of a coordinate, input, output, constraint or limit.
pub(super) fn accessor(c: &mut Checker<'_>, word: &str, ident: &Ident) {
    let name = bare(ident);
    if METHODS.contains(&name.as_str()) || name.starts_with("set_") {
        collision(c, word, ident);
    }
}

fn collision(c: &mut Checker<'_>, word: &str, ident: &Ident) {
    let name = bare(ident);
    let what = format!("two names collide in the generated API: {word} `{name}` and the built-in method `{name}()`");
    c.report(Message::new(Id::M0106, ident, what).help(format!("rename it, e.g. `{name}_0` or `e_total`")));
}

/// Has the generated API a method of this name?
pub(crate) fn reserved(ident: &Ident) -> bool {
    let name = bare(ident);
    METHODS.contains(&name.as_str()) || BUILDER.contains(&name.as_str()) || name.starts_with("set_")
}

/// M0513: `units = strict` wants a unit on every declaration.
fn no_unit(c: &mut Checker<'_>, d: &Declare, name: &ast::Name, rule: UnitRule) {
    if rule == UnitRule::Strict && lacks_unit(d) && c.supposed.is_none() {
        let message = Message::new(Id::M0513, &name.ident, format!("`{}` has no unit", name.ident))
            .note("the model asks for `units = strict`")
            .help(asked(c, d, &name.ident));
        c.report(message);
    }
}

/// Is there no unit where one could stand?
pub(in crate::check) fn lacks_unit(d: &Declare) -> bool {
    let angle = matches!(d.ty.kind.innermost(), TypeKind::Angle | TypeKind::Space(Space::SO3 | Space::SO3World));
    d.unit.is_none() && !angle
}

/// What to write, and the unit where the uses of the name leave one only.
fn asked(c: &Checker<'_>, d: &Declare, name: &Ident) -> String {
    let Some(dimension) = c.suggested.get(&name.to_string()) else {
        return "write it after the type, `[1]` for a plain number".to_owned();
    };
    let (word, unit) = (d.role.keyword(), Unit::Known(*dimension));
    let ty = if d.ty.tokens.is_empty() { "Real".to_owned() } else { text(&d.ty.tokens) };
    let value = d.value.as_ref().map_or(String::new(), |v| format!(" = {}", text(v)));
    format!("from its uses it must be [{unit}]: write `{word} {name}: {ty} [{unit}]{value};`")
}

/// Number of scalars of a kind so far.
fn first(c: &Checker<'_>, role: Role) -> usize {
    let sum = |all: &mut dyn Iterator<Item = &Declared>| all.map(|d| d.shape.len()).sum();
    match role {
        Role::Param => sum(&mut c.draft.params.iter().map(|p| &p.declared)),
        Role::Coord => sum(&mut c.draft.coordinates.iter().map(|p| &p.declared)),
        Role::State | Role::Algebraic => sum(&mut c.draft.states.iter().map(|p| &p.declared)),
        Role::Mode => sum(&mut c.draft.modes.iter().map(|p| &p.declared)),
        Role::Input | Role::Output => sum(&mut c.draft.inputs.iter().map(|p| &p.declared)),
    }
}

/// The value of a declared name: one symbol a scalar. The halves of a symmetric matrix are one.
pub(super) fn symbols(
    c: &mut Checker<'_>,
    declared: &Declared,
    kind: &TypeKind,
    of: fn(u32) -> Symbol,
    unit: Unit,
    first: usize,
) -> Value {
    let symmetric = *kind.innermost() == TypeKind::SymMat3;
    let upper = |i: usize| {
        let (block, row, column) = (i / 9 * 9, i % 9 / 3, i % 3);
        if symmetric && row > column { block + 3 * column + row } else { i }
    };
    let nodes: Vec<Node> = (0..declared.shape.len()).map(|i| c.graph.symbol(of((first + upper(i)) as u32))).collect();
    shaped(&declared.shape, &mut nodes.into_iter(), unit)
}

fn param(c: &mut Checker<'_>, d: &Declare, name: &Ident, declared: Declared, unit: Unit, scale: f64) {
    let mut default = None;
    if let Some(written) = sub::given(c, name).filter(|_| c.here.scope != 0) {
        // the number stands in the text of the parent
        let parent = c.scope().parent;
        default = c.within(parent, |c| constant(c, written, &declared, unit, scale));
    } else if let Some(written) = &d.value {
        default = constant(c, written, &declared, unit, scale);
    }
    if c.here.scope != 0 {
        let top = c.scope().top;
        c.scopes[top].params.push(Own::Parameter(declared.first..declared.first + declared.shape.len()));
    }
    let symmetric = *d.ty.kind.innermost() == TypeKind::SymMat3;
    if let (true, Some(values)) = (symmetric, &default)
        && values.chunks(9).any(|m| m.len() == 9 && (m[1] != m[3] || m[2] != m[6] || m[5] != m[7]))
    {
        c.report(Message::new(Id::M0509, &d.value, format!("the default of `{}` is not symmetric", declared.ident)));
    }
    c.draft.params.push(Param { declared, default, scale, symmetric });
}

/// The numbers of a default, in SI.
pub(super) fn constant(
    c: &mut Checker<'_>,
    written: &syn::Expr,
    declared: &Declared,
    unit: Unit,
    scale: f64,
) -> Option<Vec<f64>> {
    let name = &declared.ident;
    c.here.place = Place { item: format!("default of {name}"), constant: true, ..Place::default() };
    let value = c.eval_adaptable(written);
    let value = c.expect_shape(value, &declared.shape, written);
    if value.is_poison() {
        return None;
    }
    if value.measured().iter().any(|(_, u)| u.unify(unit).is_none()) {
        let has = value.unit();
        let what = format!("`{name}` is declared with unit [{unit}], but its default has unit [{has}]");
        c.report(
            Message::new(Id::M0507, written, what).help(format!("they differ by a factor of [{}]", has.div(unit))),
        );
        return None;
    }
    // A number without a unit is counted in the declared one.
    let scale = if super::super::literal::is_literal(written) { scale } else { 1.0 };
    let numbers: Option<Vec<f64>> = value.scalars().iter().map(|n| c.graph.value(*n).map(|v| v * scale)).collect();
    if numbers.is_none() {
        c.report(Message::new(
            Id::M0109,
            written,
            format!("the default of `{name}` is not a number: `{}`", text(written)),
        ));
    }
    numbers
}

fn state(c: &mut Checker<'_>, d: &Declare, declared: Declared) {
    no_default(c, d, &declared.ident);
    c.draft.states.push(State { declared, algebraic: d.role == Role::Algebraic });
}

/// M0009: what moves has a start.
pub(super) fn no_default(c: &mut Checker<'_>, d: &Declare, ident: &Ident) {
    let Some(value) = &d.value else { return };
    let written = text(value);
    c.report(
        Message::new(Id::M0009, value, format!("a {} has no default", d.role.word()))
            .help(format!("write `init {ident} = {written};` or `guess {ident} = {written};`")),
    );
}

fn mode(c: &mut Checker<'_>, d: &Declare, declared: Declared, unit: Unit) {
    let start = start(c, d, &declared, unit);
    c.draft.modes.push(Mode { declared, start });
}

/// The numbers after `=`, zeros without.
fn start(c: &mut Checker<'_>, d: &Declare, declared: &Declared, unit: Unit) -> Vec<f64> {
    let zeros = vec![0.0; declared.shape.len()];
    match &d.value {
        Some(written) => constant(c, written, declared, unit, 1.0).unwrap_or(zeros),
        None => zeros,
    }
}

fn input(c: &mut Checker<'_>, d: &Declare, declared: Declared, unit: Unit) {
    let default = start(c, d, &declared, unit);
    c.draft.inputs.push(Input { declared, default, range: None });
}

/// The ranges of inputs, once all parameters are known.
pub(super) fn ranges(c: &mut Checker<'_>, d: &Declare) {
    let Some(range) = &d.range else { return };
    for name in &d.names {
        let ident = c.spelled(&name.ident);
        let Some(at) = c.draft.inputs.iter().position(|u| u.declared.ident == ident) else { continue };
        let unit = match c.global(&name.ident.to_string()).and_then(|g| g.value.as_ref()) {
            Some(value) => value.unit(),
            None => continue,
        };
        c.here.place.item = format!("input {}", name.ident);
        let found = super::outputs::bounds(c, range, &format!("input `{}`", name.ident), &name.ident, unit);
        if let Some(input) = c.draft.inputs.get_mut(at) {
            input.range = found;
        }
    }
}

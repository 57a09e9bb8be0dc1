//! `param`, `coord`, `state`, `mode`, `input` and `output`.

use proc_macro2::Ident;

use super::coordinate::coordinate;
use super::declaring::Declaring;
use super::default::{constant, no_default, numbers};
use super::freeze::frozen;
use super::given::{given, supplied};
use super::register::{register, waits};
use super::reserved::collisions;
use super::symbols::symbols;
use super::unit::{lacks_unit, no_unit, written_unit};
use crate::check::draft::Silenced;
use crate::check::items::bounds::bounds;
use crate::check::names::Sort;
use crate::check::read::Reader;
use crate::check::scope::Own;
use crate::check::values::{Unit, Value};
use crate::check::waiting::Wanted;
use crate::diagnostics::{Id, Message, ZERO_START, compact, text, with_article};
use crate::expr::Symbol;
use crate::identifier::bare;
use crate::model::{Declared, Input, Mode, Param, Space, State};
use crate::parse::ast::{self, Declare, Item, Role, TypeKind, UnitRule};

/// Adds a name, and symbols for its scalars if it has any.
pub(super) fn declare<'a>(
    r: &mut Reader<'a>,
    at: &mut Declaring<'a, '_>,
    d: &'a Declare,
    name: &'a ast::Name,
    item: &'a Item,
    position: usize,
    ast: &'a ast::Model,
) {
    let rule = ast.options.units;
    collisions(r, d.role, name);
    silence(r, at.silenced, d, name, item, &ast.allows);
    if d.role == Role::Output {
        if !d.ty.tokens.is_empty() {
            no_unit(r, at.hints, d, name, rule);
        }
        if register(r, &name.ident, Sort::Output, position, None) {
            waits(r, &name.ident, Wanted::Output(d, item, &name.ident), position, ast, item);
        }
        return;
    }
    let holds = can_hold(r, d);
    let Some(shape) = d.ty.shape().filter(|_| holds) else { return broken(r, d, name, position) };
    if supplied(r, at.bindings, d, name, position) {
        return;
    }
    no_unit(r, at.hints, d, name, rule);
    let (unit, scale) = match rule {
        // the missing definition was reported; its consequences are not
        UnitRule::Strict if lacks_unit(d) && at.hints.supposed.is_none() => (Unit::Unknown, 1.0),
        _ => written_unit(r, at.hints, d, name),
    };
    let declared = Declared {
        ident: r.spelled(&name.ident),
        shape,
        angle: *d.ty.kind.innermost() == TypeKind::Angle,
        unit: d.unit.as_ref().map(|u| compact(&u.tokens)).unwrap_or_default(),
        dimension: unit.dimension(),
        docs: item.docs.clone(),
        first: first(r, d.role),
    };
    if d.role == Role::Coord {
        coordinate(r, d, name, declared, position, unit);
    } else if d.role == Role::Param && ast.options.freeze.holds(&name.ident) {
        let value = frozen(r, d, &declared, unit, scale);
        register(r, &name.ident, Sort::Param, position, Some(value));
    } else {
        variable(r, d, &name.ident, declared, position, (unit, scale));
    }
}

/// The lints that the user allows.
fn silence(r: &mut Reader<'_>, silenced: &mut Silenced, d: &Declare, name: &ast::Name, item: &Item, allows: &[String]) {
    if r.here.scope == 0 && item.allows.iter().any(|a| a == "unused") {
        silenced.unused.push(name.ident.to_string());
    }
    if d.role == Role::Coord && item.allows.iter().chain(allows).any(|a| a == ZERO_START) {
        let spelled = bare(&r.spelled(&name.ident));
        silenced.unstarted.push(spelled);
    }
}

/// A name whose type has a mistake.
fn broken(r: &mut Reader<'_>, d: &Declare, name: &ast::Name, position: usize) {
    r.reports.doubts.coordinates |= matches!(d.role, Role::Coord | Role::State | Role::Algebraic);
    // Items that read it are poisoned; their other mistakes may follow from it.
    r.reports.doubts.inertia |= d.role == Role::Param;
    r.reports.doubts.constraints |= d.role == Role::Param;
    register(r, &name.ident, Sort::Broken, position, Some(Value::Poison));
    if let Some(velocity) = &name.velocity {
        register(r, velocity, Sort::Broken, position, Some(Value::Poison));
    }
}

/// Anything with one symbol per scalar: a parameter, state, mode or input.
fn variable(
    r: &mut Reader<'_>,
    d: &Declare,
    name: &Ident,
    declared: Declared,
    position: usize,
    (unit, scale): (Unit, f64),
) {
    let (sort, symbol): (Sort, fn(u32) -> Symbol) = match d.role {
        Role::Param => (Sort::Param, Symbol::P),
        Role::State => (Sort::State, Symbol::Z),
        Role::Algebraic => (Sort::Algebraic, Symbol::Z),
        Role::Mode => (Sort::Mode, Symbol::Mode),
        Role::Input | Role::Coord | Role::Output => (Sort::Input, Symbol::U),
    };
    let value = symbols(r, &declared, &d.ty.kind, symbol, unit, declared.first);
    if !register(r, name, sort, position, Some(value)) {
        return;
    }
    match d.role {
        Role::Param => param(r, d, name, declared, unit, scale),
        Role::State | Role::Algebraic => state(r, d, declared),
        Role::Mode => mode(r, d, declared, unit),
        Role::Input | Role::Coord | Role::Output => input(r, d, declared, unit),
    }
}

/// Can a coordinate or state be of this type?
fn can_hold(r: &mut Reader<'_>, d: &Declare) -> bool {
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
        r.report(
            Message::new(
                Id::M0107,
                &d.ty.tokens,
                format!("`{}` cannot be {}", text(&d.ty.tokens), with_article(d.role.word())),
            )
            .help(format!(
                "{} is a `Real`, an `Angle`, a vector{spaces} or an array of them",
                with_article(d.role.word())
            )),
        );
    }
    let misplaced = rotation && d.role != Role::Coord;
    if misplaced {
        let (what, help) = match innermost {
            TypeKind::Space(Space::S2) => ("point on the sphere: it is a coordinate", "declare a unit vector: `Vec3`"),
            _ => (
                "rotation: it is a coordinate or the value of an expression",
                "declare its rotation vector: `Vec3`, and use `exp_so3`",
            ),
        };
        let what = format!("`{}` takes no {what}", d.role.word());
        r.report(Message::new(Id::M0107, &d.ty.tokens, what).help(help));
    }
    holds && !misplaced
}

/// Number of scalars of a kind so far.
fn first(r: &Reader<'_>, role: Role) -> usize {
    let sum = |all: &mut dyn Iterator<Item = &Declared>| all.map(|d| d.shape.len()).sum();
    match role {
        Role::Param => sum(&mut r.declared.params.iter().map(|p| &p.declared)),
        Role::Coord => sum(&mut r.declared.coordinates.iter().map(|p| &p.declared)),
        Role::State | Role::Algebraic => sum(&mut r.declared.states.iter().map(|p| &p.declared)),
        Role::Mode => sum(&mut r.declared.modes.iter().map(|p| &p.declared)),
        Role::Input | Role::Output => sum(&mut r.declared.inputs.iter().map(|p| &p.declared)),
    }
}

fn param(r: &mut Reader<'_>, d: &Declare, name: &Ident, declared: Declared, unit: Unit, scale: f64) {
    let mut default = None;
    if let Some(written) = given(r, name).filter(|_| r.here.scope != 0) {
        // the number is in the text of the parent
        let parent = r.scope().parent;
        default = r.within(parent, |r| constant(r, written, &declared, unit, scale));
    } else if let Some(written) = &d.value {
        default = constant(r, written, &declared, unit, scale);
    }
    if r.here.scope != 0 {
        let top = r.scope().top;
        r.scopes[top].params.push(Own::Parameter(declared.first..declared.first + declared.shape.len()));
    }
    let symmetric = *d.ty.kind.innermost() == TypeKind::SymMat3;
    if let (true, Some(values)) = (symmetric, &default)
        && values.chunks(9).any(|m| m.len() == 9 && (m[1] != m[3] || m[2] != m[6] || m[5] != m[7]))
    {
        r.report(Message::new(Id::M0509, &d.value, format!("the default of `{}` is not symmetric", declared.ident)));
    }
    r.declared.params.push(Param { declared, default, scale, symmetric });
}

fn state(r: &mut Reader<'_>, d: &Declare, declared: Declared) {
    no_default(r, d, &declared.ident);
    r.declared.states.push(State { declared, algebraic: d.role == Role::Algebraic });
}

fn mode(r: &mut Reader<'_>, d: &Declare, declared: Declared, unit: Unit) {
    let start = numbers(r, d, &declared, unit);
    r.declared.modes.push(Mode { declared, start });
}

fn input(r: &mut Reader<'_>, d: &Declare, declared: Declared, unit: Unit) {
    let default = numbers(r, d, &declared, unit);
    r.declared.inputs.push(Input { declared, default, range: None });
}

/// The ranges of inputs, once all parameters are known.
pub(crate) fn ranges(r: &mut Reader<'_>, d: &Declare) {
    let Some(range) = &d.range else { return };
    for name in &d.names {
        let ident = r.spelled(&name.ident);
        let Some(at) = r.declared.inputs.iter().position(|u| u.declared.ident == ident) else { continue };
        let unit = match r.global(&name.ident.to_string()).and_then(|g| g.value.as_ref()) {
            Some(value) => value.unit(),
            None => continue,
        };
        r.here.place.item = format!("input {}", name.ident);
        let found = bounds(r, range, &format!("input `{}`", name.ident), &name.ident, unit);
        if let Some(input) = r.declared.inputs.get_mut(at) {
            input.range = found;
        }
    }
}

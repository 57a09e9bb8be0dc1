//! The items of a model in the order of the text: which group of the draft each of them writes.

use proc_macro2::Ident;

use super::declared::{bound, ranges};
use super::{balance, bodies, constraint, energy, event, force, gravity, mass, rate, require, residual, spring, start};
use crate::check::draft::{Draft, Later};
use crate::check::names::Sort;
use crate::check::read::Reader;
use crate::check::scope::{Here, Local, Place};
use crate::check::values::Value;
use crate::diagnostics::{Id, Message, location, text};
use crate::identifier::bare;
use crate::parse::ast::{self, EnergyRole, Item, Kind, Sub};

/// All items in the order of the text; outputs, limits and figures are deferred.
pub(super) fn body<'a>(r: &mut Reader<'a>, draft: &mut Draft<'a>, ast: &'a ast::Model) {
    for (position, item) in ast.items.iter().enumerate() {
        let mistakes = r.reports.count();
        one(r, draft, item, position, &ast.allows);
        if r.reports.count() > mistakes {
            let inert = matches!(&item.kind, Kind::Energy(e) if e.role != ast::EnergyRole::Kinetic)
                || matches!(
                    &item.kind,
                    Kind::Force(_)
                        | Kind::Rate(_)
                        | Kind::Balance(_)
                        | Kind::Spring(_)
                        | Kind::Gravity(_)
                        | Kind::Start(_)
                        | Kind::Require(_)
                        | Kind::Event(_)
                );
            r.reports.doubts.inertia |= !inert && !matches!(item.kind, Kind::Constraint(_));
            r.reports.doubts.constraints |= !inert;
            r.reports.doubts.rates |= matches!(item.kind, Kind::For(_) | Kind::Broken(_));
        }
    }
}

fn one<'a>(r: &mut Reader<'a>, draft: &mut Draft<'a>, item: &'a Item, position: usize, allows: &[String]) {
    let place = Place {
        item: title(item),
        position,
        accelerations: false,
        allows: allows.iter().chain(&item.allows).cloned().collect(),
        constant: false,
        outputs: matches!(item.kind, Kind::Show(_)),
    };
    match &item.kind {
        Kind::Declare(d) if d.role == ast::Role::Output => return draft.later.push(later(r, item, place)),
        Kind::Limit(_) | Kind::Show(_) => return draft.later.push(later(r, item, place)),
        Kind::Fix(_) => {
            r.notes.unread_fix = true;
            return draft.fixes.push(later(r, item, place));
        }
        Kind::For(each) => return rounds(r, draft, each, position, allows),
        _ => r.here.place = place,
    }
    match &item.kind {
        Kind::Declare(d) if r.here.suffix.is_empty() => ranges(r, d),
        Kind::Let(binding) => name(r, binding),
        Kind::Sub(sub) if !sub.declared => in_sub(r, draft, sub),
        Kind::Bind(assign) => bound(r, assign),
        Kind::Energy(energy) if energy.role == EnergyRole::Residual => {
            residual::residual(r, &mut draft.observed.fits, energy);
        }
        Kind::Energy(energy) => {
            let Draft { energies, observed, .. } = draft;
            energy::energy(r, energies, &mut observed.costs, energy, item.tangent.as_ref());
        }
        Kind::Mass(assign) => mass::mass(r, &mut draft.masses, assign),
        Kind::Force(force) => force::force(r, &mut draft.forces, force),
        Kind::Body(body) => {
            let Draft { energies, bodies, requires, .. } = draft;
            bodies::body(r, &mut energies.kinetic, bodies, requires, body);
        }
        Kind::Spring(spring) => {
            spring::spring(r, &mut draft.energies, &mut draft.springs, spring, item.tangent.as_ref());
        }
        Kind::Gravity(value) => gravity::field(r, &mut draft.bodies, value, item),
        Kind::Constraint(constraint) => {
            let Draft { constraints, flow, requires, .. } = draft;
            constraint::constraint(r, constraints, flow, requires, constraint, &item.docs);
        }
        Kind::Rate(rate) => rate::rate(r, &mut draft.flow, rate),
        Kind::Balance(balance) => balance::balance(r, &mut draft.flow, balance),
        Kind::Start(start) => start::start(r, &mut draft.starts, start, item),
        Kind::Require(require) => require::require(r, &mut draft.requires, require),
        Kind::Event(event) => event::event(r, &mut draft.events, event),
        Kind::Declare(_)
        | Kind::Sub(_)
        | Kind::Limit(_)
        | Kind::Show(_)
        | Kind::Fix(_)
        | Kind::For(_)
        | Kind::Function(_)
        | Kind::External(_)
        | Kind::Unit(_)
        | Kind::Set(_)
        | Kind::Each(_)
        | Kind::Broken(_) => {}
    }
}

/// The name of an item in a message: `force drive`.
fn title(item: &Item) -> String {
    let word = &item.keyword;
    match &item.kind {
        Kind::Let(binding) => format!("let {}", binding.name),
        Kind::Energy(energy) => energy.name.as_ref().map_or(word.to_string(), |name| format!("{word} {name}")),
        Kind::Mass(assign) => format!("mass {}", text(&assign.target)),
        Kind::Force(force) => format!("{word} {}", force.name),
        Kind::Body(body) | Kind::Spring(body) => format!("{word} {}", body.name),
        Kind::Constraint(constraint) => format!("constraint {}", constraint.name),
        Kind::Rate(rate) => format!("der({})", text(&rate.target)),
        Kind::Balance(balance) => format!("{word} {}", text(&balance.target)),
        Kind::Fix(fix) => format!("{word} {}", text(&fix.target)),
        Kind::Start(start) => format!("{word} {}", text(&start.assign.target)),
        Kind::Limit(limit) => format!("limit {}", limit.name),
        Kind::Show(show) => format!("show {}", show.name),
        Kind::Event(event) => format!("event {}", event.name),
        _ => word.to_string(),
    }
}

/// `let a = e;`
fn name(r: &mut Reader<'_>, binding: &ast::Let) {
    let name = binding.name.to_string();
    if !binding.indices.is_empty() {
        r.define(binding);
    } else if r.here.suffix.is_empty() {
        r.force(&r.key(&name));
    } else {
        let value = if hides(r, &binding.name) { Value::Poison } else { r.binding(binding) };
        r.here.locals.push((name, Local::Value(value)));
    }
}

/// M0102: names in a loop do not hide a list, whose members are read in loops.
fn hides(r: &mut Reader<'_>, name: &Ident) -> bool {
    let Some(list) = r.global(&name.to_string()).filter(|global| global.sort == Sort::List) else { return false };
    let place = location(list.ident.span());
    let message = Message::new(Id::M0102, name, format!("`{name}` is declared twice in this model"))
        .note(format!("`{name}` is a list, with members defined at {place}"))
        .help(format!("a member has an index: `let {name}[i] = ..;`"));
    r.report(message);
    true
}

/// A deferred item, with all that is needed to read it.
fn later<'a>(r: &Reader<'a>, item: &'a Item, mut place: Place) -> Later<'a> {
    place.accelerations = true;
    Later { item, here: Here { place, ..r.here.clone() } }
}

/// A literal range is unrolled: its items are read once per round.
fn rounds<'a>(r: &mut Reader<'a>, draft: &mut Draft<'a>, each: &'a ast::For, position: usize, allows: &[String]) {
    if !hides(r, &each.index) {
        r.rounds(each, |r, item| one(r, draft, item, position, allows));
    }
}

/// The items of a sub, at its place in the text.
fn in_sub<'a>(r: &mut Reader<'a>, draft: &mut Draft<'a>, sub: &'a Sub) {
    let scopes = r.names.subs.get(&r.key(&sub.name.to_string())).map(|s| s.scopes.clone()).unwrap_or_default();
    for scope in scopes.into_iter().filter(|s| r.scopes[*s].declared).collect::<Vec<_>>() {
        let mistakes = r.reports.count();
        let (child, prefix) = (r.scopes[scope].ast, r.scopes[scope].prefix.clone());
        for (name, _) in &sub.with {
            r.force(&format!("{prefix}{}", bare(name)));
        }
        r.within(scope, |r| body(r, draft, child));
        // A mistake in one element occurs in all of them.
        if r.reports.count() > mistakes {
            return;
        }
    }
}

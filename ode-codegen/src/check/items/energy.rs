//! `kinetic`, `potential`, `dissipation`, `cost` and `residual`.

use proc_macro2::{Ident, Span};
use syn::Expr;

use super::super::units::Unit;
use super::super::{Checker, Dimension};
use crate::diagnostics::{Id, Message, Warning, first_span, text};
use crate::expr::{Node, Symbol};
use crate::identifier::identifier;
use crate::model;
use crate::parse::ast::{Energy, EnergyRole};
use quote::ToTokens;

pub(super) fn energy(c: &mut Checker<'_>, energy: &Energy) {
    if energy.role == EnergyRole::Residual {
        return residual(c, energy);
    }
    let name = match &energy.name {
        Some(name) => c.label(energy.role.word(), name),
        None => format!("{}_{}", energy.role.word(), list(c, energy.role).len()),
    };
    let value = c.eval(&energy.value);
    let Some((node, unit)) = c.expect_scalar(&value, &energy.value) else { return };
    if c.without_accelerations(&[node], &energy.value).is_none() {
        return;
    }
    let wanted = match energy.role {
        EnergyRole::Kinetic | EnergyRole::Potential => Some(("energy", Dimension::JOULE)),
        EnergyRole::Dissipation => Some(("power", Dimension::WATT)),
        EnergyRole::Cost | EnergyRole::Residual => None,
    };
    if wanted.is_some() && alone(c, energy.role.word(), node, &energy.value).is_none() {
        return;
    }
    if let Some((quantity, dimension)) = wanted {
        let what = match &energy.name {
            Some(name) => format!("{} {quantity} `{name}`", energy.role.word()),
            None => format!("{} {quantity}", energy.role.word()),
        };
        if expect_unit(c, &what, unit, dimension, &energy.value).is_none() {
            return;
        }
    }
    match energy.role {
        EnergyRole::Kinetic if c.first_order => {
            let help = "the coefficient of the velocities is a `dissipation` or a `mass`";
            return c.of_second_order(&energy.value, "a first-order model has no kinetic energy", help);
        }
        EnergyRole::Potential if no_velocity(c, node, &energy.value).is_none() => return,
        EnergyRole::Kinetic if quadratic(c, node, &energy.value).is_none() => return,
        EnergyRole::Dissipation if damping(c, node, &energy.value).is_none() => return,
        _ => {}
    }
    let span = span(&energy.value);
    list(c, energy.role).push(model::Energy { name, value: node, span });
}

/// Rows of a sum of squares: of any shape and unit.
fn residual(c: &mut Checker<'_>, energy: &Energy) {
    let ident = match &energy.name {
        Some(name) => {
            let spelled = c.spelled(name);
            super::declare::accessor(c, "residual", &spelled);
            let label = c.label("residual", name);
            c.labelled(name, label)
        }
        None => unnamed(c, span(&energy.value)),
    };
    // what is not understood has a name, and a number
    let (value, shape) = rows(c, energy).unwrap_or((Vec::new(), model::Shape::Scalar));
    c.draft.fits.push(model::Fit { ident, value, shape });
}

fn rows(c: &mut Checker<'_>, energy: &Energy) -> Option<(Vec<Node>, model::Shape)> {
    let value = c.eval(&energy.value);
    if value.is_poison() {
        return None;
    }
    let Some(shape) = value.shape() else {
        let what = format!("a {} cannot be a residual", value.name());
        c.report(Message::new(Id::M0509, &energy.value, what).help("take its `.origin` or `.angle`"));
        return None;
    };
    c.without_accelerations(&value.scalars(), &energy.value)?;
    Some((value.scalars(), shape))
}

/// `residual_0`: the first number that is no name.
fn unnamed(c: &mut Checker<'_>, span: Span) -> Ident {
    let mut number = c.draft.fits.len();
    let name = loop {
        let name = format!("residual_{number}");
        if !c.draft.labels.contains_key(&("residual", name.clone())) {
            break name;
        }
        number += 1;
    };
    let ident = identifier(&name, span);
    c.draft.labels.insert(("residual", name), span);
    ident
}

fn list<'b>(c: &'b mut Checker<'_>, role: EnergyRole) -> &'b mut Vec<model::Energy> {
    match role {
        EnergyRole::Kinetic => &mut c.draft.kinetic,
        EnergyRole::Potential => &mut c.draft.potential,
        EnergyRole::Dissipation => &mut c.draft.dissipation,
        EnergyRole::Cost | EnergyRole::Residual => &mut c.draft.costs,
    }
}

/// M0502: the value of an item has the item's unit.
pub(super) fn expect_unit(
    c: &mut Checker<'_>,
    what: &str,
    has: Unit,
    wanted: Dimension,
    at: &dyn ToTokens,
) -> Option<()> {
    let unit = c.unit(wanted);
    if has.unify(unit).is_some() {
        return Some(());
    }
    let ratio = has.div(unit);
    let mut message =
        Message::new(Id::M0502, at.to_token_stream(), format!("{what} must have unit [{unit}], but has unit [{has}]"))
            .help(format!("it differs from [{unit}] by a factor of [{ratio}]"));
    if ratio == Unit::Known(Dimension::whole([0, 0, 2, 0, 0])) {
        message = message.help("a velocity is the `der` of a position: did you mean `sq(der(x))`?");
    }
    c.report(message);
    None
}

/// M0220: T, V and R are functions of the motion: forces follow from them by differentiating, and what they say of an
/// input or a state would need its rate.
pub(super) fn alone(c: &mut Checker<'_>, word: &str, node: Node, at: &Expr) -> Option<()> {
    let what = match (c.state_of(&[node]), c.input_of(&[node])) {
        (Some(state), _) => format!("`{word}` depends on state `{state}`"),
        (None, Some(input)) => format!("`{word}` depends on input `{input}`"),
        (None, None) => return Some(()),
    };
    let message = Message::new(Id::M0220, at, what)
        .note("energies are functions of coordinates, velocities, parameters and time")
        .help("what a state or an input does to the motion is a `force`");
    c.report(message);
    None
}

/// M0202: a potential has no velocity in it.
fn no_velocity(c: &mut Checker<'_>, node: Node, at: &Expr) -> Option<()> {
    if !c.depends(&[node], |s| matches!(s, Symbol::V(_))) {
        return Some(());
    }
    let message = Message::new(Id::M0202, at, "potential energy depends on a velocity")
        .help("use `dissipation` for Rayleigh damping or `force` for velocity-dependent forces");
    c.report(message);
    None
}

/// M0204: a kinetic energy all of whose velocities are linear gives no inertia.
fn quadratic(c: &mut Checker<'_>, node: Node, at: &Expr) -> Option<()> {
    let velocities: Vec<Symbol> = (0..c.freedom() as u32).map(Symbol::V).collect();
    let momenta = c.graph.gradient(node, &velocities);
    let zero: Vec<bool> = momenta.iter().map(|p| c.graph.is_zero(*p)).collect();
    let moving = zero.iter().any(|z| !z);
    if !moving || c.depends(&momenta, |s| matches!(s, Symbol::V(_))) {
        return Some(());
    }
    let first = zero.iter().position(|z| !z).unwrap_or_default();
    let name = c.velocity_name(first);
    let message =
        Message::new(Id::M0204, at, format!("kinetic energy is linear in `{name}`: M would not depend on it"))
            .help("a term linear in velocities belongs in `force` (gyroscopic) or was meant to be squared");
    c.report(message);
    None
}

/// M0206 and M0209: a dissipation that is not ½ vᵀ D v with D ≥ 0.
fn damping(c: &mut Checker<'_>, node: Node, at: &Expr) -> Option<()> {
    let velocities: Vec<Symbol> = (0..c.freedom() as u32).map(Symbol::V).collect();
    if c.first_order || !c.allowed("nonlinear_dissipation") {
        // Second derivatives are looked at and thrown away.
        let graph = c.graph.clone();
        let forces = c.graph.gradient(node, &velocities);
        let entries: Vec<Node> = forces.iter().flat_map(|f| c.graph.gradient(*f, &velocities)).collect();
        let varies = c.depends(&entries, |s| matches!(s, Symbol::V(_))) && c.vary_with_velocity(&entries);
        if varies && c.first_order {
            c.graph = graph;
            let what = "`dissipation` is not quadratic in the velocities; its coefficient D would depend on v";
            c.of_second_order(at, what, "write `0.5 * c * sq(rate)`");
            return None;
        }
        if varies {
            let what = "`dissipation` is not quadratic in the velocities; its damping matrix D depends on v";
            let lines = ["help: silence with #[allow(nonlinear_dissipation)]"];
            c.warn(Warning::new(Id::M0206, span(at), what, &lines));
        }
        c.graph = graph;
    }
    if !c.allowed("negative_dissipation") && c.negative_somewhere(node) {
        let what = format!("dissipation `{}` can be negative: it is not a damping for all states", text(at));
        c.warn(Warning::new(Id::M0209, span(at), what, &["help: damping is `0.5 * c * sq(rate)` with c >= 0"]));
    }
    Some(())
}

/// The user's expression as one span, its first token where spans cannot be joined.
pub(super) fn span(expr: &Expr) -> Span {
    first_span(&expr.to_token_stream())
}

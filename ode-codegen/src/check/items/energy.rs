//! `kinetic`, `potential`, `dissipation` and `cost`.

use proc_macro2::Span;
use quote::ToTokens;
use syn::Expr;

use super::stiffness::chosen;
use crate::check::read::{Reader, mend};
use crate::check::sampling::{negative_somewhere, vary_with_velocity};
use crate::check::values::{Dimension, Unit, Value};
use crate::diagnostics::{Id, Message, Warning, first_span, text};
use crate::expr::{Node, Symbol};
use crate::model::{self, Energies};
use crate::parse::ast::{Energy, EnergyRole, Tangent};

pub(super) fn energy(
    r: &mut Reader<'_>,
    energies: &mut Energies,
    costs: &mut Vec<model::Energy>,
    energy: &Energy,
    tangent: Option<&Tangent>,
) {
    let name = match &energy.name {
        Some(name) => r.label(energy.role.word(), name),
        None => format!("{}_{}", energy.role.word(), list(energies, costs, energy.role).len()),
    };
    let value = r.eval(&energy.value);
    let wanted = match energy.role {
        EnergyRole::Kinetic | EnergyRole::Potential => Some(("energy", Dimension::JOULE)),
        EnergyRole::Dissipation => Some(("power", Dimension::WATT)),
        EnergyRole::Cost | EnergyRole::Residual => None,
    };
    let called = match (wanted, &energy.name) {
        (Some((quantity, _)), Some(name)) => format!("{} {quantity} `{name}`", energy.role.word()),
        (Some((quantity, _)), None) => format!("{} {quantity}", energy.role.word()),
        (None, _) => energy.role.word().to_owned(),
    };
    if energy.role == EnergyRole::Potential && no_velocity(r, &called, &value, &energy.value).is_none() {
        return;
    }
    let Some((node, unit)) = r.expect_scalar(&value, &energy.value) else { return };
    if r.without_accelerations(&[node], &energy.value).is_none() {
        return;
    }
    if wanted.is_some() && alone(r, energy.role.word(), node, &energy.value).is_none() {
        return;
    }
    if let Some((_, dimension)) = wanted
        && expect_unit(r, &called, unit, dimension, &energy.value).is_none()
    {
        return;
    }
    match energy.role {
        EnergyRole::Kinetic if r.first_order => {
            let help = "the coefficient of the velocities is a `dissipation` or a `mass`";
            return r.of_second_order(&energy.value, "a first-order model has no kinetic energy", help);
        }
        EnergyRole::Kinetic if quadratic(r, node, &energy.value).is_none() => return,
        EnergyRole::Dissipation if damping(r, node, &energy.value).is_none() => return,
        _ => {}
    }
    let Some(stiffness) = chosen(r, tangent, node) else { return };
    let span = span(&energy.value);
    list(energies, costs, energy.role).push(model::Energy { name, value: node, span, stiffness });
}

fn list<'b>(
    energies: &'b mut Energies,
    costs: &'b mut Vec<model::Energy>,
    role: EnergyRole,
) -> &'b mut Vec<model::Energy> {
    match role {
        EnergyRole::Kinetic => &mut energies.kinetic,
        EnergyRole::Potential => &mut energies.potential,
        EnergyRole::Dissipation => &mut energies.dissipation,
        EnergyRole::Cost | EnergyRole::Residual => costs,
    }
}

/// M0502: the value of an item has the item's unit.
pub(super) fn expect_unit(r: &mut Reader<'_>, what: &str, has: Unit, wanted: Dimension, at: &Expr) -> Option<()> {
    let unit = r.unit(wanted);
    if has.unify(unit).is_some() {
        return Some(());
    }
    let message = Message::new(Id::M0502, at, format!("{what} must have unit [{unit}], but has unit [{has}]"));
    let mut message = mend(message, at, has, unit);
    let energy = wanted == Dimension::JOULE || wanted == Dimension::WATT;
    if energy && has.div(unit) == Unit::Known(Dimension::whole([0, 0, 2, 0, 0])) {
        message = message.help("a velocity is the `der` of a position: did you mean `sq(der(x))`?");
    }
    r.report(message);
    None
}

/// M0220: T, V and R are functions of the motion. Forces are their derivatives; a dependence on an input or a state
/// would need its rate.
pub(super) fn alone(r: &mut Reader<'_>, word: &str, node: Node, at: &Expr) -> Option<()> {
    let what = match (r.state_of(&[node]), r.input_of(&[node])) {
        (Some(state), _) => format!("`{word}` depends on state `{state}`"),
        (None, Some(input)) => format!("`{word}` depends on input `{input}`"),
        (None, None) => return Some(()),
    };
    let at = r.culprit(at, |s| matches!(s, Symbol::Z(_) | Symbol::U(_))).unwrap_or(at);
    let message = Message::new(Id::M0220, at, what)
        .note("energies are functions of coordinates, velocities, parameters and time")
        .help("what a state or an input does to the motion is a `force`");
    r.report(message);
    None
}

/// M0202: a potential has no velocity in it, even if its units are wrong.
fn no_velocity(r: &mut Reader<'_>, energy: &str, value: &Value, at: &Expr) -> Option<()> {
    let velocity = |s| matches!(s, Symbol::V(_));
    if !value.is_poison() && !r.graph.any_depends(&value.scalars(), velocity) {
        return Some(());
    }
    let (at, what) = match r.culprit(at, velocity) {
        Some(part) => (part, format!("`{}`, a velocity", text(part))),
        None if value.is_poison() => return None,
        None => (at, "a velocity".to_owned()),
    };
    let message = r
        .paired(Message::new(Id::M0202, at, format!("{energy} depends on {what}")), at)
        .help("use `dissipation` for Rayleigh damping or `force` for velocity-dependent forces");
    r.report(message);
    None
}

/// M0204: a kinetic energy all of whose velocities are linear gives no inertia.
fn quadratic(r: &mut Reader<'_>, node: Node, at: &Expr) -> Option<()> {
    let velocities = r.velocities();
    let momenta = r.graph.gradient(node, &velocities);
    let zero: Vec<bool> = momenta.iter().map(|p| r.graph.is_zero(*p)).collect();
    let moving = zero.iter().any(|z| !z);
    if !moving || r.graph.any_depends(&momenta, |s| matches!(s, Symbol::V(_))) {
        return Some(());
    }
    let first = zero.iter().position(|z| !z).unwrap_or_default();
    let name = r.declared.velocity_name(first);
    let message =
        Message::new(Id::M0204, at, format!("kinetic energy is linear in `{name}`: M would not depend on it"))
            .help("a term linear in velocities belongs in `force` (gyroscopic) or was meant to be squared");
    r.report(message);
    None
}

/// M0206 and M0209: a dissipation that is not ½ vᵀ D v with D ≥ 0.
fn damping(r: &mut Reader<'_>, node: Node, at: &Expr) -> Option<()> {
    let velocities = r.velocities();
    if r.first_order || !r.allowed("nonlinear_dissipation") {
        // Second derivatives are looked at and thrown away.
        let graph = r.graph.clone();
        let forces = r.graph.gradient(node, &velocities);
        let entries: Vec<Node> = forces.iter().flat_map(|f| r.graph.gradient(*f, &velocities)).collect();
        let varies = r.graph.any_depends(&entries, |s| matches!(s, Symbol::V(_)))
            && vary_with_velocity(&r.graph, &r.declared, &entries);
        if varies && r.first_order {
            r.graph = graph;
            let what = "`dissipation` is not quadratic in the velocities; its coefficient D would depend on v";
            r.of_second_order(at, what, "write `0.5 * c * sq(rate)`");
            return None;
        }
        if varies {
            let what = "`dissipation` is not quadratic in the velocities; its damping matrix D depends on v";
            let lines = ["help: silence with #[allow(nonlinear_dissipation)]"];
            r.warn(Warning::new(Id::M0206, span(at), what, &lines));
        }
        r.graph = graph;
    }
    if !r.allowed("negative_dissipation") && negative_somewhere(&r.graph, &r.declared, node) {
        let what = format!("dissipation `{}` can be negative and would then feed energy in", text(at));
        r.warn(Warning::new(Id::M0209, span(at), what, &["help: damping is `0.5 * c * sq(rate)` with c >= 0"]));
    }
    Some(())
}

/// The user's expression as one span, its first token where spans cannot be joined.
pub(super) fn span(expr: &Expr) -> Span {
    first_span(&expr.to_token_stream())
}

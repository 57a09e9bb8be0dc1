//! `force f on s = e;`: Q = (∂s/∂q)ᵀ e for any position-level expression s.

use syn::Expr;

use super::super::space::Frame3;
use super::super::units::Unit;
use super::super::value::{Quantity, Value};
use super::super::{Checker, Dimension};
use crate::diagnostics::{Id, Message, text};
use crate::expr::Symbol;
use crate::model;
use crate::parse::ast::Force;

pub(super) fn force(c: &mut Checker<'_>, force: &Force) {
    let name = c.label("force", &force.name);
    let target = c.eval(&force.on);
    if let (true, Value::Frame3(Frame3 { rotation, .. }) | Value::Rotation(rotation)) = (force.torque, &target) {
        return super::solid::torque(c, force, name, rotation);
    }
    let target = on(c, force, target);
    let value = c.eval(&force.value);
    if target.is_poison() || value.is_poison() {
        return;
    }
    let nodes = target.scalars();
    if position_level(c, force, &nodes).is_none() || c.without_accelerations(&value.scalars(), &force.value).is_none() {
        return;
    }
    if conjugate(c, force, &target, &value).is_none() {
        return;
    }
    if without_velocities(c, force, &value.scalars()).is_none() {
        return;
    }
    let level = model::Level::Position;
    let force = model::Force { name, level, on: nodes, value: value.scalars(), span: force.name.span() };
    c.draft.forces.push(force);
}

/// M0224: where velocities are determined by forces, these do not read them.
pub(super) fn without_velocities(c: &mut Checker<'_>, force: &Force, value: &[crate::expr::Node]) -> Option<()> {
    if !(c.first_order && c.depends(value, |s| matches!(s, Symbol::V(_)))) {
        return Some(());
    }
    let word = if force.torque { "torque" } else { "force" };
    let what = format!("`{word} {}` depends on a velocity, which it is to determine", force.name);
    c.of_second_order(&force.value, what, "what is linear in a velocity is a `dissipation`");
    None
}

/// A torque acts on a frame's angle, a force on a point.
fn on(c: &mut Checker<'_>, force: &Force, target: Value) -> Value {
    match target {
        Value::Frame(frame) if force.torque => Quantity::scalar(frame.angle, c.unit(Dimension::ONE)).into(),
        Value::Rotation(_) => {
            let what = "a force acts on a point, and this is a rotation";
            let message = Message::new(Id::M0509, &force.on, what).help(format!("write `torque {} on ..`", force.name));
            c.wrong(message)
        }
        Value::Frame(_) | Value::Frame3(_) => {
            let b = text(&force.on);
            let message = Message::new(Id::M0509, &force.on, "a force acts on a point, and this is a frame")
                .help(format!("write `{b}.origin` or `{b}.at(p)`"));
            c.wrong(message)
        }
        other => other,
    }
}

/// M0203: the place a force acts on is a position.
pub(super) fn position_level(c: &mut Checker<'_>, force: &Force, nodes: &[crate::expr::Node]) -> Option<()> {
    let word = if force.torque { "torque" } else { "force" };
    let name = &force.name;
    if c.depends(nodes, |s| {
        matches!(s, Symbol::V(_) | Symbol::A(_) | Symbol::Zdot(_) | Symbol::Lambda(_) | Symbol::U(_) | Symbol::Z(_))
    }) {
        let what = match (c.depends(nodes, |s| matches!(s, Symbol::U(_))), c.state_of(nodes)) {
            (true, _) => format!("`{word} {name}` acts on an expression with an input in it"),
            (false, Some(_)) => format!("`{word} {name}` acts on an expression with a state in it"),
            (false, None) => format!("`{word} {name}` acts on a velocity-level expression"),
        };
        let message = Message::new(Id::M0203, &force.on, what)
            .note("virtual work needs a position-level expression s: Q = (ds/dq)^T f")
            .help("use the position whose rate this is");
        c.report(message);
        return None;
    }
    if !c.depends(nodes, |s| matches!(s, Symbol::Q(_))) {
        let message = Message::new(
            Id::M0203,
            &force.on,
            format!("`{word} {name}` acts on `{}`, which does not move", text(&force.on)),
        )
        .note("it does not depend on any coordinate, so the force has no effect")
        .help("act on a coordinate, a point or any position-level expression");
        c.report(message);
        return None;
    }
    Some(())
}

/// M0509 and M0504: same shape, and a product that is an energy.
fn conjugate(c: &mut Checker<'_>, force: &Force, target: &Value, value: &Value) -> Option<()> {
    let word = if force.torque { "torque" } else { "force" };
    if target.shape() != value.shape() {
        let what = format!("expected {}, found {}", target.name(), value.name());
        let message = Message::new(Id::M0509, &force.value, what).note(format!(
            "`{word} {}` acts on `{}`, which is {}",
            force.name,
            text(&force.on),
            target.name()
        ));
        c.report(message);
        return None;
    }
    let joule = c.unit(Dimension::JOULE);
    for ((_, on), (_, has)) in target.measured().into_iter().zip(value.measured()) {
        let wanted = joule.div(on);
        if has.unify(wanted).is_some() {
            continue;
        }
        let what = format!(
            "{word} `{}` must have unit [{wanted}] to be power-conjugate to `{}` [{on}], but has unit [{has}]",
            force.name,
            text(&force.on)
        );
        c.report(Message::new(Id::M0504, &force.value, what).maybe_help(gain(&force.value, has, wanted)));
        return None;
    }
    Some(())
}

/// A plain number where a force is wanted is a gain without its unit.
fn gain(value: &Expr, has: Unit, wanted: Unit) -> Option<String> {
    match has.is_one() && super::super::literal::is_literal(value) {
        true => Some(format!("declare the gain: `param k: Real [{wanted}] = {};`", text(value))),
        false => Some(format!("they differ by a factor of [{}]", has.div(wanted))),
    }
}

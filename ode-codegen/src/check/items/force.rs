//! `force f on s = e;`: Q = (∂s/∂q)ᵀ e for any position-level expression s, or (∂ṡ/∂v)ᵀ e along the axes of a body.

use syn::Expr;

use crate::check::read::{Reader, in_unit, is_literal, mend};
use crate::check::values::{Dimension, Frame3, Quantity, Rotation, Unit, Value};
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Node, Symbol, Triple};
use crate::model;
use crate::parse::ast::Force;

pub(super) fn force(r: &mut Reader<'_>, forces: &mut Vec<model::Force>, force: &Force) {
    let name = r.label("force", &force.name);
    let target = r.eval(&force.on);
    if let (true, Value::Frame3(Frame3 { rotation, .. }) | Value::Rotation(rotation)) = (force.torque, &target) {
        return torque(r, forces, force, name, rotation);
    }
    let target = on(r, force, target);
    let value = r.eval(&force.value);
    if target.is_poison() || value.is_poison() {
        return;
    }
    let nodes = target.scalars();
    if position_level(r, force, &nodes).is_none() || r.without_accelerations(&value.scalars(), &force.value).is_none() {
        return;
    }
    if conjugate(r, force, &target, &value).is_none() {
        return;
    }
    if without_velocities(r, force, &value.scalars()).is_none() {
        return;
    }
    let value = value.scalars();
    let (level, on, value) = match carried(r, &nodes, &value) {
        Some((on, value)) => (model::Level::Velocity, on, value),
        None => (model::Level::Position, nodes, value),
    };
    forces.push(model::Force { name, level, on, value, span: force.name.span() });
}

/// A force along the axes of a frame on a point of it: the point's velocity and the force, both along these axes. It
/// works as f · (Rᵀṙ + ω × p + ṗ), without the products of R with itself that R f · ∂(r + R p)/∂q has.
fn carried(r: &mut Reader<'_>, on: &[Node], value: &[Node]) -> Option<(Vec<Node>, Vec<Node>)> {
    let (on, value) = (Triple::try_from(on).ok()?, Triple::try_from(value).ok()?);
    let (frame, rotation, point, force) = r.notes.points.iter().filter(|p| p.world == on).find_map(|point| {
        let frame = r.notes.frames.get(point.frame)?.clone();
        Some((frame, point.rotation, point.own, r.notes.along(&point.rotation, value)?))
    })?;
    // the point is a position, and so must be what turns it
    if !positions(r, &rotation) {
        return None;
    }
    let (fixed, drift) = (frame.velocity_of(&mut r.graph, point), r.rates(point));
    Some((r.graph.plus(fixed, drift).to_vec(), force.to_vec()))
}

/// Whether these read nothing but coordinates, parameters and time.
fn positions(r: &Reader<'_>, nodes: &[Node]) -> bool {
    !r.graph.any_depends(nodes, |s| !matches!(s, Symbol::Q(_) | Symbol::P(_) | Symbol::Time))
}

/// M0224: in a first-order model forces determine velocities and may not read them.
pub(super) fn without_velocities(r: &mut Reader<'_>, force: &Force, value: &[Node]) -> Option<()> {
    if !(r.first_order && r.graph.any_depends(value, |s| matches!(s, Symbol::V(_)))) {
        return Some(());
    }
    let word = if force.torque { "torque" } else { "force" };
    let what = format!("`{word} {}` depends on a velocity, which it must determine", force.name);
    r.of_second_order(&force.value, what, "write a force that is linear in a velocity as `dissipation`");
    None
}

/// A torque acts on a frame's angle, a force on a point.
fn on(r: &mut Reader<'_>, force: &Force, target: Value) -> Value {
    match target {
        Value::Frame(frame) if force.torque => Quantity::scalar(frame.angle, r.unit(Dimension::ONE)).into(),
        Value::Rotation(_) => {
            let what = "a force acts on a point, and this is a rotation";
            let message = Message::new(Id::M0509, &force.on, what).help(format!("write `torque {} on ..`", force.name));
            r.wrong(message)
        }
        Value::Frame(_) | Value::Frame3(_) => {
            let b = text(&force.on);
            let message = Message::new(Id::M0509, &force.on, "a force acts on a point, and this is a frame")
                .help(format!("write `{b}.origin` or `{b}.at(p)`"));
            r.wrong(message)
        }
        other => other,
    }
}

/// M0203: the place a force acts on is a position.
pub(super) fn position_level(r: &mut Reader<'_>, force: &Force, nodes: &[Node]) -> Option<()> {
    let word = if force.torque { "torque" } else { "force" };
    let name = &force.name;
    if r.graph.any_depends(nodes, |s| {
        matches!(s, Symbol::V(_) | Symbol::A(_) | Symbol::Zdot(_) | Symbol::Lambda(_) | Symbol::U(_) | Symbol::Z(_))
    }) {
        let what = match (r.graph.any_depends(nodes, |s| matches!(s, Symbol::U(_))), r.state_of(nodes)) {
            (true, _) => format!("`{word} {name}` acts on an expression with an input in it"),
            (false, Some(_)) => format!("`{word} {name}` acts on an expression with a state in it"),
            (false, None) => format!("`{word} {name}` acts on a velocity-level expression"),
        };
        let message = Message::new(Id::M0203, &force.on, what)
            .note("virtual work needs a position-level expression s: Q = (ds/dq)^T f")
            .help("use the position whose rate this is");
        r.report(message);
        return None;
    }
    if !r.graph.any_depends(nodes, |s| matches!(s, Symbol::Q(_))) {
        let message = Message::new(
            Id::M0203,
            &force.on,
            format!("`{word} {name}` acts on `{}`, which does not move", text(&force.on)),
        )
        .note("it does not depend on any coordinate, so the force has no effect")
        .help("act on a coordinate, a point or any position-level expression");
        r.report(message);
        return None;
    }
    Some(())
}

/// M0509 and M0504: same shape, and a product that is an energy.
fn conjugate(r: &mut Reader<'_>, force: &Force, target: &Value, value: &Value) -> Option<()> {
    let word = if force.torque { "torque" } else { "force" };
    if target.shape() != value.shape() {
        let what = format!("expected {}, found {}", target.name(), value.name());
        let message = Message::new(Id::M0509, &force.value, what).note(format!(
            "`{word} {}` acts on `{}`, which is {}",
            force.name,
            text(&force.on),
            target.name()
        ));
        r.report(message);
        return None;
    }
    let joule = r.unit(Dimension::JOULE);
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
        r.report(gain(Message::new(Id::M0504, &force.value, what), &force.value, value, has, wanted));
        return None;
    }
    Some(())
}

/// A plain number as force is a gain without its unit.
fn gain(message: Message, written: &Expr, value: &Value, has: Unit, wanted: Unit) -> Message {
    let plain = value.unit().is_one() && is_literal(written);
    match in_unit(written, &value.name(), wanted).filter(|_| plain) {
        Some(gain) => message.help(gain),
        None => mend(message, written, has, wanted),
    }
}

/// `torque m on b = e;`: Q = (∂ω/∂v)ᵀ e, with world components of e.
fn torque(r: &mut Reader<'_>, forces: &mut Vec<model::Force>, force: &Force, name: String, rotation: &Rotation) {
    let value = r.eval(&force.value);
    if value.is_poison() || position_level(r, force, &rotation.matrix).is_none() {
        return;
    }
    let value = r.expect_shape(value, &model::Shape::Vector(3), &force.value);
    let Ok(torque) = Triple::try_from(value.scalars()) else { return };
    if r.without_accelerations(&torque, &force.value).is_none() || without_velocities(r, force, &torque).is_none() {
        return;
    }
    let unit = r.unit(Dimension::JOULE);
    if value.unit().unify(unit).is_none() {
        let has = value.unit();
        let what = format!("torque `{}` must have unit [{unit}], but has unit [{has}]", force.name);
        r.report(mend(Message::new(Id::M0504, &force.value, what), &force.value, has, unit));
        return;
    }
    let own = r.notes.along(&rotation.matrix, torque);
    let own = own.unwrap_or_else(|| r.graph.turn_back(&rotation.matrix, torque));
    forces.push(model::Force {
        name,
        level: model::Level::Velocity,
        on: rotation.rate.to_vec(),
        value: own.to_vec(),
        span: force.name.span(),
    });
}

//! Planar frames: a point and a direction.

use super::{Call, space};
use crate::check::units::Unit;
use crate::check::value::{Frame, Quantity, Value};
use crate::check::{Checker, Dimension};
use crate::diagnostics::{Id, Message};
use crate::expr::{Function as F, Node};

/// `frame2(p, th)`
pub(super) fn frame2(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    if let Some(Value::Frame(turn)) = values.get(1) {
        let Some((origin, unit)) = plane(c, call, values) else { return Value::Poison };
        return Value::Frame(Frame { origin, unit, ..turn.clone() });
    }
    let (point, angle) = (plane(c, call, values), c.scalar(call, values, 1));
    let (Some((origin, unit)), Some((angle, angle_unit))) = (point, angle) else { return Value::Poison };
    let Some(written) = call.args.get(1) else { return Value::Poison };
    if c.dimensionless(call.name, angle_unit, written).is_none() {
        return Value::Poison;
    }
    let (cos, sin) = (c.graph.apply(F::Cos, &[angle]), c.graph.apply(F::Sin, &[angle]));
    let [spin, ..] = c.rates([angle; 3]);
    Value::Frame(Frame { origin, unit, angle, cos, sin, spin })
}

/// The first argument as a point of the plane.
fn plane(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Option<([Node; 2], Unit)> {
    plane_argument(c, call, values, 0)
}

fn plane_argument(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value], i: usize) -> Option<([Node; 2], Unit)> {
    let (elements, unit) = c.vector(call, values, i)?;
    match <[Node; 2]>::try_from(elements) {
        Ok(point) => Some((point, unit)),
        Err(elements) => {
            let written = call.args.get(i)?;
            let what = format!("expected Vec2, found Vec{}: a planar frame has points of the plane", elements.len());
            c.report(Message::new(Id::M0509, written, what));
            None
        }
    }
}

/// The receiver as a frame.
fn frame(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Option<Frame> {
    match values.first() {
        Some(Value::Frame(frame)) => Some(frame.clone()),
        Some(Value::Poison) | None => None,
        Some(other) => {
            let what = format!("`{}` needs a frame, found {}", call.name, other.name());
            let message = Message::new(Id::M0509, call.args.first(), what)
                .help("make one: `let b = frame2(p, th);`, in space `frame(p, rot_z(th))`");
            c.report(message);
            None
        }
    }
}

/// R v
fn rotated(c: &mut Checker<'_>, frame: &Frame, v: [Node; 2]) -> [Node; 2] {
    let (cx, sy) = (c.graph.mul(frame.cos, v[0]), c.graph.mul(frame.sin, v[1]));
    let (sx, cy) = (c.graph.mul(frame.sin, v[0]), c.graph.mul(frame.cos, v[1]));
    [c.graph.sub(cx, sy), c.graph.add(sx, cy)]
}

/// `b.vec(v)`: a direction of the frame in the world
pub(super) fn vec(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    if let Some(Value::Frame3(frame)) = values.first() {
        return space::vec(c, call, frame, values);
    }
    let (frame, v) = (frame(c, call, values), plane_argument(c, call, values, 1));
    let (Some(frame), Some((v, unit))) = (frame, v) else { return Value::Poison };
    Quantity::vector(rotated(c, &frame, v).to_vec(), unit).into()
}

/// `b.at(p)`: a point of the frame in the world
pub(super) fn at(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    if let Some(Value::Frame3(frame)) = values.first() {
        return space::at(c, call, frame, values);
    }
    let (frame, p) = (frame(c, call, values), plane_argument(c, call, values, 1));
    let (Some(frame), Some((p, unit))) = (frame, p) else { return Value::Poison };
    let Some(unit) = c.agree(call, frame.unit, unit) else { return Value::Poison };
    let turned = rotated(c, &frame, p);
    let elements = vec![c.graph.add(frame.origin[0], turned[0]), c.graph.add(frame.origin[1], turned[1])];
    Quantity::vector(elements, unit).into()
}

/// `b.inv()`: the world as the frame sees it; `r.inv()`: the opposite rotation
pub(super) fn inv(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    match values.first() {
        Some(Value::Frame3(frame)) => return Value::Frame3(c.inverse_frame(frame)),
        Some(Value::Rotation(rotation)) => return Value::Rotation(rotation.inverse(&mut c.graph)),
        _ => {}
    }
    let Some(frame) = frame(c, call, values) else { return Value::Poison };
    let back =
        Frame { sin: c.graph.neg(frame.sin), angle: c.graph.neg(frame.angle), spin: c.graph.neg(frame.spin), ..frame };
    let turned = rotated(c, &back, back.origin);
    let origin = [c.graph.neg(turned[0]), c.graph.neg(turned[1])];
    Value::Frame(Frame { origin, ..back })
}

pub(super) fn origin(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    if let Some(origin) = values.first().and_then(|b| space::part(c, b, "origin")) {
        return origin;
    }
    let Some(frame) = frame(c, call, values) else { return Value::Poison };
    Quantity::vector(frame.origin.to_vec(), frame.unit).into()
}

/// `b.rotation` and `.rate`
pub(super) fn part(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some(value) = values.first() else { return Value::Poison };
    if let Some(part) = space::part(c, value, &call.name.to_string()) {
        return part;
    }
    let what = format!("a {} has no `{}`", value.name(), call.name);
    let message = Message::new(Id::M0113, call.name, what).help("frames in space and rotations have it");
    c.wrong(message)
}

pub(super) fn angle(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some(frame) = frame(c, call, values) else { return Value::Poison };
    Quantity::scalar(frame.angle, c.unit(Dimension::ONE)).into()
}

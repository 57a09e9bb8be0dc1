//! Planar frames: a point and a direction.

use super::arguments::{Call, VECTORS};
use super::space;
use crate::check::read::reader::Reader;
use crate::check::values::{Dimension, Frame, Quantity, Unit, Value};
use crate::diagnostics::{Id, Message, with_article};
use crate::expr::{Function as F, Node};

/// `frame2(p, th)`
pub(super) fn frame2(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    if let Some(Value::Frame(turn)) = values.get(1) {
        let Some((origin, unit)) = plane(r, call, values) else { return Value::Poison };
        return Value::Frame(Frame { origin, unit, ..turn.clone() });
    }
    let (point, angle) = (plane(r, call, values), r.scalar(call, values, 1));
    let (Some((origin, unit)), Some((angle, angle_unit))) = (point, angle) else { return Value::Poison };
    let Some(written) = call.args.get(1) else { return Value::Poison };
    if r.dimensionless(call.name, angle_unit, written).is_none() {
        return Value::Poison;
    }
    let (cos, sin) = (r.graph.apply(F::Cos, &[angle]), r.graph.apply(F::Sin, &[angle]));
    let [spin, ..] = r.rates([angle; 3]);
    Value::Frame(Frame { origin, unit, angle, cos, sin, spin })
}

/// The first argument as a point of the plane.
fn plane(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Option<([Node; 2], Unit)> {
    plane_argument(r, call, values, 0)
}

fn plane_argument(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value], i: usize) -> Option<([Node; 2], Unit)> {
    let (elements, unit) = r.vector(call, values, i)?;
    match <[Node; 2]>::try_from(elements) {
        Ok(point) => Some((point, unit)),
        Err(elements) => {
            let written = call.args.get(i)?;
            let what = format!("expected Vec2, found Vec{}: a planar frame has points of the plane", elements.len());
            r.report(Message::new(Id::M0509, written, what));
            None
        }
    }
}

/// The receiver as a frame.
fn frame(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Option<Frame> {
    match values.first() {
        Some(Value::Frame(frame)) => Some(frame.clone()),
        Some(Value::Poison) | None => None,
        Some(other) => {
            let what = format!("`{}` needs a frame, found {}", call.name, other.name());
            let message = Message::new(Id::M0509, call.args.first(), what).help(match call.name == "vec" {
                true => VECTORS,
                false => "make one: `let b = frame2(p, th);`, in space `frame(p, rot_z(th))`",
            });
            r.report(message);
            None
        }
    }
}

/// R v
fn rotated(r: &mut Reader<'_>, frame: &Frame, v: [Node; 2]) -> [Node; 2] {
    let (cx, sy) = (r.graph.mul(frame.cos, v[0]), r.graph.mul(frame.sin, v[1]));
    let (sx, cy) = (r.graph.mul(frame.sin, v[0]), r.graph.mul(frame.cos, v[1]));
    [r.graph.sub(cx, sy), r.graph.add(sx, cy)]
}

/// `b.vec(v)`: a direction of the frame in the world
pub(super) fn vec(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    if let Some(Value::Frame3(frame)) = values.first() {
        return space::vec(r, call, frame, values);
    }
    let (frame, v) = (frame(r, call, values), plane_argument(r, call, values, 1));
    let (Some(frame), Some((v, unit))) = (frame, v) else { return Value::Poison };
    Quantity::vector(rotated(r, &frame, v).to_vec(), unit).into()
}

/// `r.rotate(v)`; a frame of the plane turns vectors as well
pub(super) fn rotate(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    match values.first() {
        Some(Value::Frame(_)) => vec(r, call, values),
        _ => space::rotate(r, call, values),
    }
}

/// `b.at(p)`: a point of the frame in the world
pub(super) fn at(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    if let Some(Value::Frame3(frame)) = values.first() {
        return space::at(r, call, frame, values);
    }
    let (frame, p) = (frame(r, call, values), plane_argument(r, call, values, 1));
    let (Some(frame), Some((p, unit))) = (frame, p) else { return Value::Poison };
    let Some(unit) = r.agree(call, frame.unit, unit) else { return Value::Poison };
    let turned = rotated(r, &frame, p);
    let elements = vec![r.graph.add(frame.origin[0], turned[0]), r.graph.add(frame.origin[1], turned[1])];
    Quantity::vector(elements, unit).into()
}

/// `b.inv()`: the world as the frame sees it; `r.inv()`: the opposite rotation
pub(super) fn inv(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    match values.first() {
        Some(Value::Frame3(frame)) => return Value::Frame3(r.inverse_frame(frame)),
        Some(Value::Rotation(rotation)) => return Value::Rotation(rotation.inverse(&mut r.graph)),
        _ => {}
    }
    let Some(frame) = frame(r, call, values) else { return Value::Poison };
    let back =
        Frame { sin: r.graph.neg(frame.sin), angle: r.graph.neg(frame.angle), spin: r.graph.neg(frame.spin), ..frame };
    let turned = rotated(r, &back, back.origin);
    let origin = [r.graph.neg(turned[0]), r.graph.neg(turned[1])];
    Value::Frame(Frame { origin, ..back })
}

pub(super) fn origin(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    if let Some(origin) = values.first().and_then(|b| space::part(r, b, "origin")) {
        return origin;
    }
    let Some(frame) = frame(r, call, values) else { return Value::Poison };
    Quantity::vector(frame.origin.to_vec(), frame.unit).into()
}

/// `b.rotation` and `.rate`
pub(super) fn part(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some(value) = values.first() else { return Value::Poison };
    if let Some(part) = space::part(r, value, &call.name.to_string()) {
        return part;
    }
    let what = format!("{} has no `{}`", with_article(&value.name()), call.name);
    let message = Message::new(Id::M0113, call.name, what).help("frames in space and rotations have it");
    r.wrong(message)
}

pub(super) fn angle(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some(frame) = frame(r, call, values) else { return Value::Poison };
    Quantity::scalar(frame.angle, r.unit(Dimension::ONE)).into()
}

//! Rotations and frames in space.

use super::arguments::Call;
use crate::check::notes::Attached;
use crate::check::read::reader::Reader;
use crate::check::values::{Dimension, Frame3, Quantity, Rotation, Unit, Value};
use crate::diagnostics::{Id, Message};
use crate::expr::{Function as F, Graph, Node, Triple};

/// The argument as a vector of space.
pub(super) fn vec3_argument(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value], i: usize) -> Option<(Triple, Unit)> {
    let (elements, unit) = r.vector(call, values, i)?;
    match Triple::try_from(elements) {
        Ok(triple) => Some((triple, unit)),
        Err(elements) => {
            let written = call.args.get(i)?;
            let what = format!("expected Vec3, found Vec{}: `{}` works in space", elements.len(), call.name);
            r.report(Message::new(Id::M0509, written, what));
            None
        }
    }
}

/// The argument as a rotation.
fn rotation(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value], i: usize) -> Option<Rotation> {
    match values.get(i)? {
        Value::Rotation(rotation) => Some(rotation.clone()),
        Value::Poison => None,
        other => {
            let what = format!("`{}` needs a rotation, found {}", call.name, other.name());
            let message = Message::new(Id::M0509, call.args.get(i), what)
                .help("rotations are `rot_x(th)`, `rot_y(th)`, `rot_z(th)`, `exp_so3(v)` and their products");
            r.report(message);
            None
        }
    }
}

/// `rot_x(th)`, `rot_y(th)`, `rot_z(th)`
pub(super) fn about(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((angle, unit)) = r.scalar(call, values, 0) else { return Value::Poison };
    let Some(written) = call.args.first() else { return Value::Poison };
    if r.dimensionless(call.name, unit, written).is_none() {
        return Value::Poison;
    }
    let axis = ["rot_x", "rot_y"].iter().position(|name| call.name == name).unwrap_or(2);
    let [rate, ..] = r.rates([angle; 3]);
    Value::Rotation(Rotation::about(&mut r.graph, axis, angle, rate))
}

/// `exp_so3(v)`: about the direction of v, by its length.
///
/// With Stumpff's functions of s = v·v: the quaternion (c₀(s/4), ½ c₁(s/4) v), and
/// ω = v̇ − c₂ v × v̇ + c₃ v × (v × v̇).
pub(super) fn exp(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((v, unit)) = vec3_argument(r, call, values, 0) else { return Value::Poison };
    let Some(written) = call.args.first() else { return Value::Poison };
    if r.dimensionless(call.name, unit, written).is_none() {
        return Value::Poison;
    }
    let rate = r.rates(v);
    let g = &mut r.graph;
    let s = g.inner(v, v);
    let quarter = g.scale(0.25, s);
    let (w, c1) = (stumpff(g, 0, quarter), stumpff(g, 1, quarter));
    let shrink = g.scale(0.5, c1);
    let [x, y, z] = g.times(shrink, v);
    let (c2, c3) = (stumpff(g, 2, s), stumpff(g, 3, s));
    let (once, along) = (g.cross(v, rate), g.inner(v, rate));
    // v × (v × v̇) = v (v·v̇) − s v̇
    let (along, across) = (g.times(along, v), g.times(s, rate));
    let twice = g.minus(along, across);
    let (once, twice) = (g.times(c2, once), g.times(c3, twice));
    let spin = g.minus(rate, once);
    let spin = g.plus(spin, twice);
    Value::Rotation(Rotation::of_quaternion(g, [w, x, y, z], spin))
}

/// cₙ(s)
fn stumpff(g: &mut Graph, n: u8, s: Node) -> Node {
    let n = g.constant(f64::from(n));
    g.apply(F::Stumpff, &[s, n])
}

/// `log_so3(r)`: the vector v of length at most π with `exp_so3(v)` = r.
///
/// From the quaternion (w, u): v = 2 θ/sin θ u with cos θ = w, of q or −q, whichever has w ≥ 0.
pub(super) fn log(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some(rotation) = rotation(r, call, values, 0) else { return Value::Poison };
    let unit = r.unit(Dimension::ONE);
    let g = &mut r.graph;
    let [w, x, y, z] = rotation.quaternion;
    let [zero, one, minus] = [0.0, 1.0, -1.0].map(|n| g.constant(n));
    let flipped = g.less(w, zero);
    let sign = g.select(flipped, minus, one);
    let w = g.mul(sign, w);
    let ratio = g.apply(F::ArcOverSine, &[w, zero]);
    let twice = g.scale(2.0, ratio);
    let factor = g.mul(sign, twice);
    Quantity::vector(g.times(factor, [x, y, z]).to_vec(), unit).into()
}

/// `r.rotate(v)`: components along the rotated axes → components along the fixed ones
pub(super) fn rotate(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let (turning, v) = (rotation(r, call, values, 0), vec3_argument(r, call, values, 1));
    let (Some(turning), Some((v, unit))) = (turning, v) else { return Value::Poison };
    Quantity::vector(r.turned(turning.matrix, v).to_vec(), unit).into()
}

/// `frame(p, r)`: a point and a rotation
pub(super) fn frame(r: &mut Reader<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let (point, turning) = (vec3_argument(r, call, values, 0), rotation(r, call, values, 1));
    let (Some((origin, unit)), Some(turning)) = (point, turning) else { return Value::Poison };
    Value::Frame3(r.frame_at(origin, unit, turning))
}

/// `b.at(p)`: a point of the frame in the world
pub(super) fn at(r: &mut Reader<'_>, call: &Call<'_>, frame: &Frame3, values: &[Value]) -> Value {
    let Some((p, unit)) = vec3_argument(r, call, values, 1) else { return Value::Poison };
    let Some(unit) = r.agree(call, frame.unit, unit) else { return Value::Poison };
    let turned = r.graph.turn(&frame.rotation.matrix, p);
    let (rotation, world) = (frame.rotation.matrix, r.graph.plus(frame.origin, turned));
    let known = |point: &Attached| point.frame == frame.index && point.rotation == rotation && point.world == world;
    // the origin's own velocity is along the axes of the base
    let is_origin = p.iter().all(|&x| r.graph.is_zero(x));
    if !is_origin && !r.notes.points.iter().any(known) {
        r.notes.points.push(Attached { frame: frame.index, rotation, own: p, world });
    }
    Quantity::vector(world.to_vec(), unit).into()
}

/// `b.vec(v)`: a direction of the frame in the world
pub(super) fn vec(r: &mut Reader<'_>, call: &Call<'_>, frame: &Frame3, values: &[Value]) -> Value {
    let Some((v, unit)) = vec3_argument(r, call, values, 1) else { return Value::Poison };
    Quantity::vector(r.turned(frame.rotation.matrix, v).to_vec(), unit).into()
}

/// `b.rotation`, `b.rate`, `b.origin` and `r.rate`
pub(crate) fn part(r: &mut Reader<'_>, value: &Value, name: &str) -> Option<Value> {
    let rate = r.unit(Dimension::whole([0, 0, -1, 0, 0]));
    let found = match (value, name) {
        (Value::Frame3(f), "origin") => Quantity::vector(f.origin.to_vec(), f.unit).into(),
        (Value::Frame3(f), "rotation") => Value::Rotation(f.rotation.clone()),
        (Value::Frame3(Frame3 { rotation, .. }) | Value::Rotation(rotation), "rate") => {
            Quantity::vector(rotation.rate.to_vec(), rate).into()
        }
        _ => return None,
    };
    Some(found)
}

//! Rotations and frames in space.

use super::Call;
use crate::check::space::{Frame3, Rotation};
use crate::check::units::Unit;
use crate::check::value::{Quantity, Value};
use crate::check::{Checker, Dimension};
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Function as F, Graph, Node, Symbol, Triple};

/// The argument as a vector of space.
pub(super) fn vec3_argument(
    c: &mut Checker<'_>,
    call: &Call<'_>,
    values: &[Value],
    i: usize,
) -> Option<(Triple, Unit)> {
    let (elements, unit) = c.vector(call, values, i)?;
    match Triple::try_from(elements) {
        Ok(triple) => Some((triple, unit)),
        Err(elements) => {
            let written = call.args.get(i)?;
            let what = format!("expected Vec3, found Vec{}: `{}` is of space", elements.len(), call.name);
            c.report(Message::new(Id::M0509, written, what));
            None
        }
    }
}

/// The argument as a rotation.
fn rotation(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value], i: usize) -> Option<Rotation> {
    match values.get(i)? {
        Value::Rotation(rotation) => Some(rotation.clone()),
        Value::Poison => None,
        other => {
            let what = format!("`{}` needs a rotation, found {}", call.name, other.name());
            let message = Message::new(Id::M0509, call.args.get(i), what)
                .help("rotations are `rot_x(th)`, `rot_y(th)`, `rot_z(th)`, `exp_so3(v)` and their products");
            c.report(message);
            None
        }
    }
}

/// `rot_x(th)`, `rot_y(th)`, `rot_z(th)`
pub(super) fn about(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((angle, unit)) = c.scalar(call, values, 0) else { return Value::Poison };
    let Some(written) = call.args.first() else { return Value::Poison };
    if c.dimensionless(call.name, unit, written).is_none() {
        return Value::Poison;
    }
    let axis = ["rot_x", "rot_y"].iter().position(|name| call.name == name).unwrap_or(2);
    let [rate, ..] = c.rates([angle; 3]);
    Value::Rotation(Rotation::about(&mut c.graph, axis, angle, rate))
}

/// `exp_so3(v)`: about the direction of v, by its length.
///
/// With Stumpff's functions of s = v·v: the quaternion (c₀(s/4), ½ c₁(s/4) v), and ω = v̇ − c₂ v × v̇ + c₃ v × (v × v̇).
pub(super) fn exp(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some((v, unit)) = vec3_argument(c, call, values, 0) else { return Value::Poison };
    let Some(written) = call.args.first() else { return Value::Poison };
    if c.dimensionless(call.name, unit, written).is_none() {
        return Value::Poison;
    }
    let rate = c.rates(v);
    let g = &mut c.graph;
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
pub(super) fn log(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let Some(rotation) = rotation(c, call, values, 0) else { return Value::Poison };
    let unit = c.unit(Dimension::ONE);
    let g = &mut c.graph;
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
pub(super) fn rotate(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    if let Some(Value::Frame(_)) = values.first() {
        return super::frames::vec(c, call, values);
    }
    let (turning, v) = (rotation(c, call, values, 0), vec3_argument(c, call, values, 1));
    let (Some(turning), Some((v, unit))) = (turning, v) else { return Value::Poison };
    Quantity::vector(c.graph.turn(&turning.matrix, v).to_vec(), unit).into()
}

/// `frame(p, r)`: a point and a rotation
pub(super) fn frame(c: &mut Checker<'_>, call: &Call<'_>, values: &[Value]) -> Value {
    let (point, turning) = (vec3_argument(c, call, values, 0), rotation(c, call, values, 1));
    let (Some((origin, unit)), Some(turning)) = (point, turning) else { return Value::Poison };
    Value::Frame3(c.frame_at(origin, unit, turning))
}

/// `b.at(p)`: a point of the frame in the world
pub(super) fn at(c: &mut Checker<'_>, call: &Call<'_>, frame: &Frame3, values: &[Value]) -> Value {
    let Some((p, unit)) = vec3_argument(c, call, values, 1) else { return Value::Poison };
    let Some(unit) = c.agree(call, frame.unit, unit) else { return Value::Poison };
    let turned = c.graph.turn(&frame.rotation.matrix, p);
    Quantity::vector(c.graph.plus(frame.origin, turned).to_vec(), unit).into()
}

/// `b.vec(v)`: a direction of the frame in the world
pub(super) fn vec(c: &mut Checker<'_>, call: &Call<'_>, frame: &Frame3, values: &[Value]) -> Value {
    let Some((v, unit)) = vec3_argument(c, call, values, 1) else { return Value::Poison };
    Quantity::vector(c.graph.turn(&frame.rotation.matrix, v).to_vec(), unit).into()
}

/// `b.rotation`, `b.rate`, `b.origin` and `r.rate`
pub(in crate::check) fn part(c: &mut Checker<'_>, value: &Value, name: &str) -> Option<Value> {
    let rate = c.unit(Dimension::whole([0, 0, -1, 0, 0]));
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

impl Checker<'_> {
    /// `a * b` of rotations or of frames; `None` where it is neither.
    pub(in crate::check) fn composition(&mut self, e: &syn::ExprBinary, left: &Value, right: &Value) -> Option<Value> {
        match (left, right) {
            (Value::Rotation(a), Value::Rotation(b)) => Some(Value::Rotation(a.then(&mut self.graph, b))),
            (Value::Frame3(a), Value::Frame3(b)) => {
                let Some(unit) = a.unit.unify(b.unit) else {
                    let what = format!("the frames have points of different units: `{}` and `{}`", a.unit, b.unit);
                    return Some(self.wrong(Message::new(Id::M0501, e.op, what)));
                };
                Some(Value::Frame3(self.compose(a, b, unit)))
            }
            (Value::Frame3(a), Value::Rotation(b)) => {
                let here = self.graph.origin_of_space();
                let inner = self.frame_at(here, Unit::Any, b.clone());
                Some(Value::Frame3(self.compose(a, &inner, a.unit)))
            }
            (Value::Rotation(_), Value::Quantity(q)) if q.elements.len() == 3 => {
                let help = format!("write `{}.rotate({})`", text(&e.left), text(&e.right));
                let message =
                    Message::new(Id::M0508, e.op, "`*` composes rotations; it does not turn a vector").help(help);
                Some(self.wrong(message))
            }
            (Value::Frame3(_), Value::Quantity(q)) if q.elements.len() == 3 => {
                let (b, v) = (text(&e.left), text(&e.right));
                let message = Message::new(Id::M0508, e.op, "`*` composes frames; a vector is a point or a direction")
                    .help(format!("write `{b}.at({v})` for a point, `{b}.vec({v})` for a direction"));
                Some(self.wrong(message))
            }
            _ => None,
        }
    }

    /// M0403 where a frame depends on an input: its velocity would need the rate of the input.
    pub(in crate::check) fn moves_by_itself(&mut self, nodes: &[Node], at: &dyn quote::ToTokens) -> Option<()> {
        let name = text(at.to_token_stream());
        if let Some(input) = self.input_of(nodes) {
            let what = format!("`{name}` moves with input `{input}`, whose time derivative is not known");
            let message = Message::new(Id::M0403, at.to_token_stream(), what)
                .help("make the input a coordinate held by a constraint");
            self.report(message);
            return None;
        }
        if self.depends(nodes, |s| matches!(s, Symbol::V(_) | Symbol::A(_) | Symbol::Lambda(_))) {
            let message = Message::new(Id::M0203, at.to_token_stream(), format!("`{name}` depends on a velocity"))
                .note("a body sits on a frame of positions: its velocity follows from them");
            self.report(message);
            return None;
        }
        Some(())
    }
}

//! `body` on a frame of the plane, and which kind of body it is.

use syn::Expr;

use super::energy::{alone, expect_unit};
use super::fields::{fields, number};
use super::solid;
use crate::check::draft::{Bodies, Weight};
use crate::check::read::Reader;
use crate::check::values::{Dimension, Frame, Unit, Value};
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Function as F, Node, Symbol};
use crate::model::{Energy, Figure, Form, Require};
use crate::parse::ast::Bodied;

/// ½ m |der(origin)|² + ½ J der(angle)²
pub(super) fn body(
    r: &mut Reader<'_>,
    kinetic: &mut Vec<Energy>,
    bodies: &mut Bodies,
    requires: &mut Vec<Require>,
    body: &Bodied,
) {
    let name = r.label("kinetic", &body.name);
    if r.first_order {
        let help = "the coefficient of the velocities is a `dissipation` or a `mass`";
        return r.of_second_order(&body.name, "a first-order model has no bodies", help);
    }
    let frame = r.eval(&body.on);
    // what fields it has is not known
    if frame.is_poison() || one_kind(r, bodies, body, &frame).is_none() {
        return;
    }
    if let Value::Frame3(frame) = &frame {
        return solid::body(r, kinetic, bodies, requires, body, &name, frame);
    }
    let fields = fields(r, "body", &body.name, &body.fields, &[("mass", true), ("inertia", true)]);
    let (Some(frame), Some(fields)) = (as_frame(r, &body.on, &frame), fields) else { return };
    let mass = number(r, body, &fields, "mass", Dimension::KILOGRAM);
    let inertia = number(r, body, &fields, "inertia", Dimension::whole([2, 1, 0, 0, 0]));
    let (Some(Some(mass)), Some(Some(inertia))) = (mass, inertia) else { return };
    let pose = [frame.origin[0], frame.origin[1], frame.angle];
    if r.moves_by_itself(&pose, &body.on).is_none() {
        return;
    }
    let [x, y, _] = r.rates(pose);
    let rates = [x, y, frame.spin];
    if let Unit::Known(_) = frame.unit
        && expect_unit(r, &format!("the origin of `{}`", text(&body.on)), frame.unit, Dimension::METRE, &body.on)
            .is_none()
    {
        return;
    }
    if !r.graph.any_depends(&rates, |s| matches!(s, Symbol::V(_))) {
        let message = Message::new(Id::M0212, &body.on, format!("body `{}` does not move", body.name))
            .note("its frame does not depend on any coordinate");
        r.report(message);
        return;
    }
    let (x, y, w) = (r.graph.square(rates[0]), r.graph.square(rates[1]), r.graph.square(rates[2]));
    let speed = r.graph.add(x, y);
    let (linear, angular) = (r.graph.mul(mass, speed), r.graph.mul(inertia, w));
    let twice = r.graph.add(linear, angular);
    let value = r.graph.scale(0.5, twice);
    if alone(r, "body", value, &body.on).is_none() {
        return;
    }
    kinetic.push(Energy::new(name.clone(), value, body.name.span()));
    let figure = r.is_drawn_plainly().then(|| disc(r, &name, &frame, mass, inertia));
    let at = frame.origin.to_vec();
    bodies.weights.push(Weight { name, mass, at, span: body.name.span(), solid: None, figure });
}

/// The disc of a body's mass and inertia, ½ m r² = J; a dot without inertia.
fn disc(r: &mut Reader<'_>, name: &str, frame: &Frame, mass: Node, inertia: Node) -> Figure {
    let (name, [x, y]) = (name.to_owned(), frame.origin);
    if r.graph.is_zero(inertia) {
        return Figure { name, form: Form::Point, space: false, color: None, value: vec![x, y] };
    }
    let twice = r.graph.scale(2.0, inertia);
    let square = r.graph.div(twice, mass);
    let radius = r.graph.apply(F::Root, &[square]);
    let value = vec![x, y, frame.cos, frame.sin, radius];
    Figure { name, form: Form::Disc { turns: true }, space: false, color: None, value }
}

/// M0241: bodies are all of the plane or all of space.
fn one_kind(r: &mut Reader<'_>, bodies: &Bodies, body: &Bodied, frame: &Value) -> Option<()> {
    let space = match frame {
        Value::Frame(_) => false,
        Value::Frame3(_) => true,
        _ => return Some(()),
    };
    let Some(other) = bodies.weights.iter().find(|w| w.solid.is_some() != space) else { return Some(()) };
    let (own, theirs) = if space { ("in space", "in the plane") } else { ("in the plane", "in space") };
    let what = format!("body `{}` moves {own}, body `{}` {theirs}", body.name, other.name);
    let message = Message::new(Id::M0241, &body.on, what)
        .help("a planar body in space sits on `frame(vec3(x, y, 0.0), rot_z(th))`");
    r.report(message);
    None
}

fn as_frame(r: &mut Reader<'_>, at: &Expr, value: &Value) -> Option<Frame> {
    match value {
        Value::Poison => None,
        Value::Frame(frame) => Some(frame.clone()),
        other => {
            let message = Message::new(Id::M0509, at, format!("expected a frame, found {}", other.name()))
                .help("a body sits on a frame: `let b = frame2(p, th);`, in space `let b = frame(p, rot_z(th));`; a point mass is a `kinetic` energy");
            r.report(message);
            None
        }
    }
}

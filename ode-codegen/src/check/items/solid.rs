//! `body` on a frame in space.

use syn::Expr;

use super::energy::{alone, expect_unit};
use super::fields::{fields, number};
use super::require::first;
use crate::check::draft::{Bodies, Weight};
use crate::check::read::Reader;
use crate::check::sampling::equal_everywhere;
use crate::check::values::{Dimension, Frame3, Rotation, Value};
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Function as F, Graph, Node, Square, Symbol, Triple};
use crate::model::{Body, Energy, Figure, Form, Require, Shape};
use crate::parse::ast::Bodied;

/// Tolerance of a minor, relative to the product of its diagonal: below zero only by round-off.
const ROUND_OFF: f64 = 1e-12;

/// ½ m |v|² + ½ ω · J ω, with the velocity v of the centre of mass.
pub(super) fn body(
    r: &mut Reader<'_>,
    kinetic: &mut Vec<Energy>,
    bodies: &mut Bodies,
    requires: &mut Vec<Require>,
    body: &Bodied,
    name: &str,
    frame: &Frame3,
) {
    let known = [("mass", true), ("inertia", true), ("com", false)];
    let Some(fields) = fields(r, "body", &body.name, &body.fields, &known) else { return };
    let mass = number(r, body, &fields, "mass", Dimension::KILOGRAM);
    let inertia = inertia(r, requires, body, &fields);
    let centre = centre(r, body, &fields, frame);
    let (Some(Some(mass)), Some(inertia), Some(centre)) = (mass, inertia, centre) else { return };
    let pose: Vec<Node> = frame.origin.iter().chain(&frame.rotation.matrix).copied().collect();
    if r.moves_by_itself(&pose, &body.on).is_none() {
        return;
    }
    let what = format!("the origin of `{}`", text(&body.on));
    if frame.unit.unify(r.unit(Dimension::METRE)).is_none() {
        expect_unit(r, &what, frame.unit, Dimension::METRE, &body.on);
        return;
    }
    let (frame, centre) = central(r, frame, centre);
    let (velocity, spin) = motion(r, &frame, centre);
    if !r.graph.any_depends(&[velocity, spin].concat(), |s| matches!(s, Symbol::V(_))) {
        let message = Message::new(Id::M0212, &body.on, format!("body `{}` does not move", body.name))
            .note("its frame does not depend on any coordinate");
        r.report(message);
        return;
    }
    let g = &mut r.graph;
    let speed = g.inner(velocity, velocity);
    let momentum = g.turn(&inertia, spin);
    let (linear, angular) = (g.mul(mass, speed), g.inner(spin, momentum));
    let twice = g.add(linear, angular);
    let value = g.scale(0.5, twice);
    let turned = g.turn(&frame.rotation.matrix, centre);
    let at = g.plus(frame.origin, turned);
    if alone(r, "body", value, &body.on).is_none() {
        return;
    }
    let figure = r.is_drawn_plainly().then(|| block(r, name, &frame, at, mass, &inertia));
    let energy = kinetic.len();
    kinetic.push(Energy::new(name.to_owned(), value, body.name.span()));
    let solid = Some(bodies.solids.len());
    bodies.solids.push(Body { frame: frame.index, mass, inertia, centre, kinetic: energy, weight: None });
    bodies.weights.push(Weight { name: name.to_owned(), mass, at: at.to_vec(), span: body.name.span(), solid, figure });
}

/// The block of a body's mass and moments of inertia, m (b² + c²) / 12 = J about the edge a; a dot where the inertia is
/// not along the axes of the frame.
fn block(r: &mut Reader<'_>, name: &str, frame: &Frame3, at: Triple, mass: Node, j: &Square) -> Figure {
    let name = name.to_owned();
    let g = &mut r.graph;
    let diagonal = [1, 2, 5].iter().all(|&k| g.is_zero(j[k])) && !g.is_zero(j[0]);
    if !diagonal {
        return Figure { name, form: Form::Point, space: true, color: None, value: at.to_vec() };
    }
    let edge = |g: &mut Graph, i: usize| {
        let others = g.add(j[4 * ((i + 1) % 3)], j[4 * ((i + 2) % 3)]);
        let difference = g.sub(others, j[4 * i]);
        let six = g.scale(6.0, difference);
        let square = g.div(six, mass);
        // Of a plate, round-off can make it negative.
        let zero = g.constant(0.0);
        let positive = g.less(zero, square);
        let thick = g.select(positive, square, zero);
        g.apply(F::Root, &[thick])
    };
    let edges = [0, 1, 2].map(|i| edge(g, i));
    let value = [&at[..], &frame.rotation.quaternion, &edges].concat();
    Figure { name, form: Form::Box, space: true, color: None, value }
}

/// A frame in which the centre of mass stands still, and where: the body's own, or one that a centre moves along there.
fn central(r: &mut Reader<'_>, frame: &Frame3, centre: Triple) -> (Frame3, Triple) {
    let rates = r.rates(centre);
    if rates.iter().all(|&rate| r.graph.is_zero(rate)) {
        return (frame.clone(), centre);
    }
    let zero = r.graph.constant(0.0);
    let straight = Rotation::about(&mut r.graph, 2, zero, zero);
    let inner = r.frame_at(centre, frame.unit, straight);
    (r.compose(frame, &inner, frame.unit), [zero; 3])
}

/// Velocity of the centre of mass and ω, along axes where their expressions are short.
fn motion(r: &mut Reader<'_>, frame: &Frame3, centre: Triple) -> (Triple, Triple) {
    let zero = r.graph.constant(0.0);
    let Some(placed) = r.notes.frames.get(frame.index).cloned() else { return ([zero; 3], [zero; 3]) };
    (placed.velocity_of(&mut r.graph, centre), placed.spin)
}

/// `com`: the centre of mass, in the axes of the frame; its origin if nothing is said.
fn centre(r: &mut Reader<'_>, body: &Bodied, fields: &[(&'static str, Expr)], frame: &Frame3) -> Option<Triple> {
    let Some((_, written)) = fields.iter().find(|(f, _)| *f == "com") else {
        return Some(r.graph.origin_of_space());
    };
    let value = r.eval_adaptable(written);
    let value = r.expect_shape(value, &Shape::Vector(3), written);
    let centre = Triple::try_from(value.scalars()).ok()?;
    r.without_accelerations(&centre, written)?;
    r.moves_by_itself(&centre, written)?;
    let unit = frame.unit.unify(r.unit(Dimension::METRE)).map_or(Dimension::ONE, |_| Dimension::METRE);
    expect_unit(r, &format!("`com` of `{}`", body.name), value.unit(), unit, written)?;
    Some(centre)
}

/// `inertia`: about the centre of mass, in the axes of the frame.
fn inertia(
    r: &mut Reader<'_>,
    requires: &mut Vec<Require>,
    body: &Bodied,
    fields: &[(&'static str, Expr)],
) -> Option<Square> {
    let (_, written) = fields.iter().find(|(f, _)| *f == "inertia")?;
    let value = r.eval_adaptable(written);
    let zero = r.graph.constant(0.0);
    if let Value::Quantity(q) = &value
        && let Some(number) = q.as_scalar()
    {
        if r.graph.is_zero(number) {
            return Some([zero; 9]);
        }
        let message = Message::new(Id::M0509, written, "expected SymMat3, found Real")
            .note(format!("body `{}` moves in space, where inertia is a matrix", body.name))
            .help(format!("write `diag({0}, {0}, {0})` for a ball", text(written)));
        r.report(message);
        return None;
    }
    let value = r.expect_shape(value, &Shape::Matrix(3, 3), written);
    let matrix = Square::try_from(value.scalars()).ok()?;
    r.without_accelerations(&matrix, written)?;
    expect_unit(r, &format!("`inertia` of `{}`", body.name), value.unit(), Dimension::whole([2, 1, 0, 0, 0]), written)?;
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let (upper, lower) = (matrix[3 * i + j], matrix[3 * j + i]);
        if upper != lower && !equal_everywhere(&r.graph, &r.declared, upper, lower) {
            let what =
                format!("`inertia` of `{}` is not symmetric: entries ({i}, {j}) and ({j}, {i}) differ", body.name);
            let message =
                Message::new(Id::M0205, written, what).help("declare it as `SymMat3`, or write `diag(a, b, c)`");
            r.report(message);
            return None;
        }
    }
    // one node per entry, so that equal entries are recognised
    let matrix = std::array::from_fn(|k| matrix[if k / 3 > k % 3 { 3 * (k % 3) + k / 3 } else { k }]);
    positive(r, requires, body, written, &matrix)?;
    Some(matrix)
}

/// No moment of inertia is negative: checked now for numbers, for parameters when the model is built.
fn positive(r: &mut Reader<'_>, requires: &mut Vec<Require>, body: &Bodied, written: &Expr, j: &Square) -> Option<()> {
    if r.graph.any_depends(j, |s| !matches!(s, Symbol::P(_))) {
        return Some(());
    }
    let condition = no_negative_moment(r, j);
    let first = first(r, condition);
    let values = r.declared.defaults();
    let holds = r.graph.evaluate(&[condition], &|s| match s {
        Symbol::P(i) => values.get(i as usize).copied().flatten().unwrap_or(f64::NAN),
        _ => f64::NAN,
    });
    let known =
        !r.graph.any_depends(j, |s| matches!(s, Symbol::P(i) if values.get(i as usize).copied().flatten().is_none()));
    if known && !r.graph.leaves(&[condition]) && holds.first().is_some_and(|h| *h == 0.0) {
        let what = format!("`inertia` of `{}` has a negative principal moment", body.name);
        let message = Message::new(Id::M0240, written, what)
            .note("no principal minor of a body's inertia is negative")
            .help("inertia is about the centre of mass, not about a joint");
        r.report(message);
        return None;
    }
    if first.is_some() {
        let message = format!("the inertia of body `{}` has a negative principal moment", body.name);
        requires.push(Require { condition, message, first });
    }
    Some(())
}

/// All principal minors of a symmetric matrix are at least zero, up to round-off.
fn no_negative_moment(r: &mut Reader<'_>, j: &Square) -> Node {
    let g = &mut r.graph;
    let zero = g.constant(0.0);
    let mut all = Vec::new();
    for i in 0..3 {
        all.push(g.less_eq(zero, j[4 * i]));
    }
    for (i, k) in [(0, 1), (0, 2), (1, 2)] {
        let (product, square) = (g.mul(j[4 * i], j[4 * k]), g.square(j[3 * i + k]));
        let most = g.scale(1.0 + ROUND_OFF, product);
        all.push(g.less_eq(square, most));
    }
    let minor = g.cross([j[3], j[4], j[5]], [j[6], j[7], j[8]]);
    let determinant = g.inner([j[0], j[1], j[2]], minor);
    let (first, last) = (g.mul(j[0], j[4]), j[8]);
    let diagonal = g.mul(first, last);
    let least = g.scale(-ROUND_OFF, diagonal);
    let mut condition = g.less_eq(least, determinant);
    for one in all {
        condition = g.and(one, condition);
    }
    condition
}

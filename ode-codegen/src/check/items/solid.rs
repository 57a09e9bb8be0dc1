//! `body` on a frame in space, and torques there.

use syn::Expr;

use super::super::space::{Frame3, Rotation};
use super::super::value::Value;
use super::super::{Checker, Dimension};
use super::bodies::{Weight, number};
use super::energy::{alone, expect_unit};
use super::fields::fields;
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Node, Square, Symbol, Triple};
use crate::model::{Body, Energy, Force, Level, Require, Shape};
use crate::parse::ast::{self, Bodied};

/// Of a minor, relative to the product of its diagonal: below zero by round-off alone.
const ROUND_OFF: f64 = 1e-12;

/// ½ m |v|² + ½ ω · J ω, with the velocity v of the centre of mass.
pub(super) fn body(c: &mut Checker<'_>, body: &Bodied, name: &str, frame: &Frame3) {
    let known = [("mass", true), ("inertia", true), ("com", false)];
    let Some(fields) = fields(c, "body", &body.name, &body.fields, &known) else { return };
    let mass = number(c, body, &fields, "mass", Dimension::KILOGRAM);
    let inertia = inertia(c, body, &fields);
    let centre = centre(c, body, &fields, frame);
    let (Some(Some(mass)), Some(inertia), Some(centre)) = (mass, inertia, centre) else { return };
    let pose: Vec<Node> = frame.origin.iter().chain(&frame.rotation.matrix).copied().collect();
    if c.moves_by_itself(&pose, &body.on).is_none() {
        return;
    }
    let what = format!("the origin of `{}`", text(&body.on));
    if frame.unit.unify(c.unit(Dimension::METRE)).is_none() {
        expect_unit(c, &what, frame.unit, Dimension::METRE, &body.on);
        return;
    }
    let (velocity, spin) = motion(c, frame, centre);
    if !c.depends(&[velocity, spin].concat(), |s| matches!(s, Symbol::V(_))) {
        let message = Message::new(Id::M0212, &body.on, format!("body `{}` does not move", body.name))
            .note("its frame does not depend on any coordinate");
        c.report(message);
        return;
    }
    let g = &mut c.graph;
    let speed = g.inner(velocity, velocity);
    let momentum = g.turn(&inertia, spin);
    let (linear, angular) = (g.mul(mass, speed), g.inner(spin, momentum));
    let twice = g.add(linear, angular);
    let value = g.scale(0.5, twice);
    let turned = g.turn(&frame.rotation.matrix, centre);
    let at = g.plus(frame.origin, turned);
    if alone(c, "body", value, &body.on).is_none() {
        return;
    }
    let kinetic = c.draft.kinetic.len();
    c.draft.kinetic.push(Energy { name: name.to_owned(), value, span: body.name.span() });
    let solid = Some(c.draft.bodies.len());
    c.draft.bodies.push(Body { frame: frame.index, mass, inertia, centre, kinetic, weight: None });
    c.draft.weights.push(Weight { name: name.to_owned(), mass, at: at.to_vec(), span: body.name.span(), solid });
}

/// Velocity of the centre of mass and ω, along axes in which they are short.
fn motion(c: &mut Checker<'_>, frame: &Frame3, centre: Triple) -> (Triple, Triple) {
    let zero = c.graph.constant(0.0);
    let Some(placed) = c.draft.frames.get(frame.index).cloned() else { return ([zero; 3], [zero; 3]) };
    (placed.velocity_of(&mut c.graph, centre), placed.spin)
}

/// `com`: the centre of mass, in the axes of the frame; its origin if nothing is said.
fn centre(c: &mut Checker<'_>, body: &Bodied, fields: &[(&'static str, Expr)], frame: &Frame3) -> Option<Triple> {
    let Some((_, written)) = fields.iter().find(|(f, _)| *f == "com") else {
        return Some(c.graph.origin_of_space());
    };
    let value = c.eval_adaptable(written);
    let value = c.expect_shape(value, &Shape::Vector(3), written);
    let centre = Triple::try_from(value.scalars()).ok()?;
    c.without_accelerations(&centre, written)?;
    let unit = frame.unit.unify(c.unit(Dimension::METRE)).map_or(Dimension::ONE, |_| Dimension::METRE);
    expect_unit(c, &format!("`com` of `{}`", body.name), value.unit(), unit, written)?;
    Some(centre)
}

/// `inertia`: about the centre of mass, in the axes of the frame.
fn inertia(c: &mut Checker<'_>, body: &Bodied, fields: &[(&'static str, Expr)]) -> Option<Square> {
    let (_, written) = fields.iter().find(|(f, _)| *f == "inertia")?;
    let value = c.eval_adaptable(written);
    let zero = c.graph.constant(0.0);
    if let Value::Quantity(q) = &value
        && let Some(number) = q.as_scalar()
    {
        if c.graph.is_zero(number) {
            return Some([zero; 9]);
        }
        let message = Message::new(Id::M0509, written, "expected SymMat3, found Real")
            .note(format!("body `{}` moves in space, where inertia is a matrix", body.name))
            .help(format!("write `diag({0}, {0}, {0})` for a ball", text(written)));
        c.report(message);
        return None;
    }
    let value = c.expect_shape(value, &Shape::Matrix(3, 3), written);
    let matrix = Square::try_from(value.scalars()).ok()?;
    c.without_accelerations(&matrix, written)?;
    expect_unit(c, &format!("`inertia` of `{}`", body.name), value.unit(), Dimension::whole([2, 1, 0, 0, 0]), written)?;
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let (upper, lower) = (matrix[3 * i + j], matrix[3 * j + i]);
        if upper != lower && !c.equal_everywhere(upper, lower) {
            let what =
                format!("`inertia` of `{}` is not symmetric: entries ({i}, {j}) and ({j}, {i}) differ", body.name);
            let message =
                Message::new(Id::M0205, written, what).help("declare it as `SymMat3`, or write `diag(a, b, c)`");
            c.report(message);
            return None;
        }
    }
    // one node an entry, so that what is equal is seen to be
    let matrix = std::array::from_fn(|k| matrix[if k / 3 > k % 3 { 3 * (k % 3) + k / 3 } else { k }]);
    positive(c, body, written, &matrix)?;
    Some(matrix)
}

/// No moment of inertia is negative: said here of numbers, asked of parameters when the model is built.
fn positive(c: &mut Checker<'_>, body: &Bodied, written: &Expr, j: &Square) -> Option<()> {
    if c.depends(j, |s| !matches!(s, Symbol::P(_))) {
        return Some(());
    }
    let condition = no_negative_moment(c, j);
    let params = super::outputs::reads(c, condition);
    let values = c.defaults();
    let holds = c.graph.evaluate(&[condition], &|s| match s {
        Symbol::P(i) => values.get(i as usize).copied().flatten().unwrap_or(f64::NAN),
        _ => f64::NAN,
    });
    let known = !c.depends(j, |s| matches!(s, Symbol::P(i) if values.get(i as usize).copied().flatten().is_none()));
    if known && !c.graph.leaves(&[condition]) && holds.first().is_some_and(|h| *h == 0.0) {
        let what = format!("`inertia` of `{}` has a negative principal moment", body.name);
        let message = Message::new(Id::M0240, written, what)
            .note("a body resists turning about every axis: no principal minor of its inertia is below zero")
            .help("inertia is that about the centre of mass, not about a joint");
        c.report(message);
        return None;
    }
    if !params.is_empty() {
        let message = format!("the inertia of body `{}` has a negative principal moment", body.name);
        c.draft.requires.push(Require { condition, message, params });
    }
    Some(())
}

/// All principal minors of a symmetric matrix are at least zero, up to round-off.
fn no_negative_moment(c: &mut Checker<'_>, j: &Square) -> Node {
    let g = &mut c.graph;
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

/// `torque m on b = e;`: Q = (∂ω/∂v)ᵀ e, with world components of e.
pub(super) fn torque(c: &mut Checker<'_>, force: &ast::Force, name: String, rotation: &Rotation) {
    let value = c.eval(&force.value);
    if value.is_poison() || super::force::position_level(c, force, &rotation.matrix).is_none() {
        return;
    }
    let value = c.expect_shape(value, &Shape::Vector(3), &force.value);
    let Ok(torque) = Triple::try_from(value.scalars()) else { return };
    if c.without_accelerations(&torque, &force.value).is_none()
        || super::force::without_velocities(c, force, &torque).is_none()
    {
        return;
    }
    let unit = c.unit(Dimension::JOULE);
    if value.unit().unify(unit).is_none() {
        let has = value.unit();
        let what = format!("torque `{}` must have unit [{unit}], but has unit [{has}]", force.name);
        let message =
            Message::new(Id::M0504, &force.value, what).help(format!("they differ by a factor of [{}]", has.div(unit)));
        c.report(message);
        return;
    }
    let own = c.graph.turn_back(&rotation.matrix, torque);
    c.draft.forces.push(Force {
        name,
        level: Level::Velocity,
        on: rotation.rate.to_vec(),
        value: own.to_vec(),
        span: force.name.span(),
    });
}

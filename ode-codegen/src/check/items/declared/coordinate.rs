//! `coord`: positions, velocities, and the values that stand for them.

use super::default::no_default;
use super::register::register;
use super::reserved::collisions;
use super::symbols::symbols;
use crate::chart::{Block, Chart};
use crate::check::names::Sort;
use crate::check::read::{Point, Reader};
use crate::check::values::{Dimension, Frame, Quantity, Rotation, Unit, Value};
use crate::expr::{Node, Symbol};
use crate::model::{Coordinate, Declared, Shape, Space};
use crate::parse::ast::{self, Declare, TypeKind};

/// Adds the coordinate, and its velocity's name if it has one.
pub(super) fn coordinate(
    r: &mut Reader<'_>,
    d: &Declare,
    name: &ast::Name,
    declared: Declared,
    position: usize,
    unit: Unit,
) {
    no_default(r, d, &name.ident);
    let kind = &d.ty.kind;
    let (rate, first_rate, space) = (rate_shape(kind, &declared.shape), r.declared.nv(), space(kind));
    let velocity = name.velocity.as_ref().map(|v| r.spelled(v));
    let coordinate = Coordinate { declared: declared.clone(), velocity, space, rate, first_rate };
    // before its value, which may have a rate
    r.declared.coordinates.push(coordinate);
    let value = match space {
        Space::Flat => symbols(r, &declared, kind, Symbol::Q, unit, declared.first),
        _ => points(r, kind, (declared.first, first_rate), unit).0,
    };
    if !register(r, &name.ident, Sort::Coord, position, Some(value)) {
        r.reports.doubts.coordinates = true;
        return;
    }
    if let Some(velocity) = &name.velocity {
        collisions(r, d.role, &ast::Name { ident: velocity.clone(), velocity: None, over: None });
        let per_second = unit.div(r.unit(Dimension::SECOND));
        let value = match space {
            Space::Flat => symbols(r, &declared, kind, Symbol::V, per_second, first_rate),
            _ => velocities(r, kind, (declared.first, first_rate), per_second),
        };
        register(r, velocity, Sort::Velocity, position, Some(value));
    }
}

/// The space of the coordinate, or of each of its elements.
fn space(kind: &TypeKind) -> Space {
    match kind.innermost() {
        TypeKind::Space(space) => *space,
        _ => Space::Flat,
    }
}

/// Layout of the velocities of a type.
fn rate_shape(kind: &TypeKind, position: &Shape) -> Shape {
    match kind {
        TypeKind::Space(space) => space.velocities(),
        TypeKind::Array(n, inner) if space(inner) != Space::Flat => {
            Shape::Array(*n, Box::new(rate_shape(inner, position)))
        }
        _ => position.clone(),
    }
}

/// Rotations, motions and points of the sphere from the given position and velocity on, and the places after them.
fn points(r: &mut Reader<'_>, kind: &TypeKind, at: (usize, usize), unit: Unit) -> (Value, (usize, usize)) {
    let (q, v) = at;
    match kind {
        TypeKind::Array(n, inner) => {
            let mut at = at;
            let items = (0..*n)
                .map(|_| {
                    let (value, next) = points(r, inner, at, unit);
                    at = next;
                    value
                })
                .collect();
            (Value::List(items), at)
        }
        TypeKind::Space(Space::SE3) => {
            let origin = [0, 1, 2].map(|i| r.graph.symbol(Symbol::Q((q + i) as u32)));
            let rotation = rotation(r, q + 3, v + 3, false);
            (Value::Frame3(r.frame_at(origin, unit, rotation)), (q + 7, v + 6))
        }
        TypeKind::Space(Space::SO2) => {
            let [cos, sin] = [0, 1].map(|i| r.graph.symbol(Symbol::Q((q + i) as u32)));
            let spin = r.graph.symbol(Symbol::V(v as u32));
            (Value::Frame(Frame::turned(&mut r.graph, cos, sin, spin)), (q + 2, v + 1))
        }
        TypeKind::Space(Space::S2) => {
            let point = Point::of(&mut r.graph, Block { chart: Chart::Direction, q, v });
            (Quantity::vector(point.axis(2).to_vec(), unit).into(), (q + 4, v + 2))
        }
        kind => {
            let world = *kind == TypeKind::Space(Space::SO3World);
            (Value::Rotation(rotation(r, q, v, world)), (q + 4, v + 3))
        }
    }
}

/// The rotation of the quaternion at `q`, with the rate at `v`.
fn rotation(r: &mut Reader<'_>, q: usize, v: usize, world: bool) -> Rotation {
    let quaternion = [0, 1, 2, 3].map(|i| r.graph.symbol(Symbol::Q((q + i) as u32)));
    let rate = [0, 1, 2].map(|i| r.graph.symbol(Symbol::V((v + i) as u32)));
    let mut rotation = Rotation::of_quaternion(&mut r.graph, quaternion, rate);
    if world {
        rotation.rate = r.graph.turn_back(&rotation.matrix, rate);
    }
    rotation
}

/// The value of the velocity's name: body or spatial rates; for a motion the velocity of its point, then its rate; for
/// a point on the sphere its velocity in space.
fn velocities(r: &mut Reader<'_>, kind: &TypeKind, (q, first): (usize, usize), unit: Unit) -> Value {
    let triple = |r: &mut Reader<'_>, first: usize, unit: Unit| -> Value {
        let elements: Vec<Node> = (first..first + 3).map(|i| r.graph.symbol(Symbol::V(i as u32))).collect();
        Quantity::vector(elements, unit).into()
    };
    match kind {
        TypeKind::Array(n, inner) => {
            let each = rate_shape(inner, &Shape::Scalar).len();
            let places = inner.shape().map_or(0, |shape| shape.len());
            Value::List((0..*n).map(|i| velocities(r, inner, (q + i * places, first + i * each), unit)).collect())
        }
        TypeKind::Space(Space::S2) => {
            let point = Point::of(&mut r.graph, Block { chart: Chart::Direction, q, v: first });
            Quantity::vector(point.rate(r), unit).into()
        }
        TypeKind::Space(Space::SE3) => {
            let turning = r.unit(Dimension::ONE).div(r.unit(Dimension::SECOND));
            Value::List(vec![triple(r, first, unit), triple(r, first + 3, turning)])
        }
        TypeKind::Space(Space::SO2) => Quantity::scalar(r.graph.symbol(Symbol::V(first as u32)), unit).into(),
        _ => triple(r, first, unit),
    }
}

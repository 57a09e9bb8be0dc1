//! An equation of two sides: rows of one shape and unit.

use crate::check::read::{Reader, mend_either};
use crate::check::values::{Dimension, Unit, Value};
use crate::diagnostics::{Id, Message, text};
use crate::expr::Node;
use crate::model::{Hold, Shape, Soft};
use crate::parse::ast::Constraint;

/// The rows of an equation with their shape, unit and level, and their compliance.
pub(super) struct Equation {
    pub(super) rows: Vec<Node>,
    pub(super) shape: Shape,
    pub(super) unit: Unit,
    /// of each row
    pub(super) units: Vec<Unit>,
    pub(super) level: Hold,
    pub(super) soft: Vec<Soft>,
}

impl Equation {
    /// Unit of the position the multipliers act on: a joule by it is theirs.
    pub(super) fn conjugate(&self, r: &Reader<'_>) -> Unit {
        match self.level {
            Hold::Position => self.unit,
            Hold::Velocity => self.unit.mul(r.unit(Dimension::SECOND)),
        }
    }
}

/// M0508 and M0505: both sides are of one shape and unit.
pub(super) fn agree(r: &mut Reader<'_>, constraint: &Constraint, left: &Value, right: &Value) -> Option<Unit> {
    let name = &constraint.name;
    if left.shape().is_none() || left.shape() != right.shape() {
        let what =
            format!("both sides of constraint `{name}` must have the same shape: {} and {}", left.name(), right.name());
        let message = Message::new(Id::M0508, &constraint.equation, what);
        let vector = |v: &Value| matches!(v.shape(), Some(Shape::Vector(_)));
        let list = |v: &Value| matches!(v, Value::List(_));
        let message = match (vector(left), vector(right)) {
            _ if list(left) || list(right) => message.help("a vector of numbers is `vec2(x, y)` or `vec3(x, y, z)`"),
            (true, false) => {
                message.help(format!("did you mean `norm({}) == {}`?", text(&constraint.left), text(&constraint.right)))
            }
            (false, true) => {
                message.help(format!("did you mean `{} == norm({})`?", text(&constraint.left), text(&constraint.right)))
            }
            _ => message,
        };
        r.report(message);
        return None;
    }
    let mut unit = Unit::Any;
    for ((_, a), (_, b)) in left.measured().into_iter().zip(right.measured()) {
        let Some(both) = a.unify(b) else {
            let what = format!("both sides of constraint `{name}` must have the same unit: `{a}` and `{b}`");
            let message = Message::new(Id::M0505, &constraint.equation, what);
            r.report(mend_either(message, &[&constraint.left, &constraint.right], a, b));
            return None;
        };
        unit = unit.unify(both).unwrap_or(Unit::Unknown);
    }
    Some(unit)
}

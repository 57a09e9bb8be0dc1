//! `constraint c: a == b;`: rows Φ = a − b.

use super::super::units::Unit;
use super::super::value::Value;
use super::super::{Checker, Multiplier};
use crate::diagnostics::{Message, text};
use crate::expr::{Node, Symbol};
use crate::model;
use crate::parse::ast::Constraint;
use crate::parse::words;
use quote::format_ident;

pub(super) fn constraint(c: &mut Checker<'_>, constraint: &Constraint, docs: &[String]) {
    super::declare::accessor(c, "constraint", &constraint.name);
    let label = c.label("constraint", &constraint.name);
    let found = equation(c, constraint);
    let first = c.draft.constraints.iter().map(|k| k.rows.len()).sum();
    let multiplier = match &found {
        Some((_, shape, unit)) => Multiplier { first, shape: shape.clone(), unit: *unit, broken: false },
        None => Multiplier { first, shape: model::Shape::Scalar, unit: Unit::Unknown, broken: true },
    };
    c.constraints.insert(label.clone(), multiplier);
    let Some((rows, shape, unit)) = found else { return };
    let ident = match c.suffix.is_empty() {
        true => constraint.name.clone(),
        false => format_ident!("{label}", span = constraint.name.span()),
    };
    let unit = match unit {
        Unit::Known(_) => unit.to_string(),
        Unit::Any | Unit::Unknown => String::new(),
    };
    c.draft.constraints.push(model::Constraint { ident, rows, first, shape, unit, docs: docs.to_vec() });
}

/// The rows of an equation with their shape and unit.
fn equation(c: &mut Checker<'_>, constraint: &Constraint) -> Option<(Vec<Node>, model::Shape, Unit)> {
    let (left, right) = (c.eval(&constraint.left), c.eval(&constraint.right));
    if left.is_poison() || right.is_poison() {
        return None;
    }
    let unit = agree(c, constraint, &left, &right)?;
    let shape = left.shape()?;
    let pairs = left.scalars().into_iter().zip(right.scalars());
    let rows: Vec<Node> = pairs.map(|(a, b)| c.graph.sub(a, b)).collect();
    level(c, constraint, &rows)?;
    Some((rows, shape, unit))
}

/// M0508 and M0505: both sides are of one shape and unit.
fn agree(c: &mut Checker<'_>, constraint: &Constraint, left: &Value, right: &Value) -> Option<Unit> {
    let name = &constraint.name;
    if left.shape().is_none() || left.shape() != right.shape() {
        let what =
            format!("both sides of constraint `{name}` must have the same shape: {} and {}", left.name(), right.name());
        let message = Message::new("M0508", &constraint.equation, what);
        let vector = |v: &Value| matches!(v.shape(), Some(model::Shape::Vector(_)));
        let message = match (vector(left), vector(right)) {
            (true, false) => {
                message.help(format!("did you mean `norm({}) == {}`?", text(&constraint.left), text(&constraint.right)))
            }
            (false, true) => {
                message.help(format!("did you mean `{} == norm({})`?", text(&constraint.left), text(&constraint.right)))
            }
            _ => message,
        };
        c.errors.report(message);
        return None;
    }
    let mut unit = Unit::Any;
    for ((_, a), (_, b)) in left.measured().into_iter().zip(right.measured()) {
        let Some(both) = a.unify(b) else {
            let what = format!("both sides of constraint `{name}` must have the same unit: `{a}` and `{b}`");
            let message = Message::new("M0505", &constraint.equation, what)
                .help(format!("they differ by a factor of [{}]", a.div(b)));
            c.errors.report(message);
            return None;
        };
        unit = unit.unify(both).unwrap_or(Unit::Unknown);
    }
    Some(unit)
}

/// Position level, without inputs.
fn level(c: &mut Checker<'_>, constraint: &Constraint, rows: &[Node]) -> Option<()> {
    let name = &constraint.name;
    c.without_accelerations(rows, &constraint.equation)?;
    if let Some(input) = c.input_of(rows) {
        let message =
            Message::new("M0305", &constraint.equation, format!("constraint `{name}` depends on input `{input}`"))
                .note(format!("its time derivative would need der({input})"))
                .help("make the motion a param/time function, or a `force`");
        c.errors.report(message);
        return None;
    }
    if let Some(state) = c.state_of(rows) {
        let message =
            Message::new("M0305", &constraint.equation, format!("constraint `{name}` depends on state `{state}`"))
                .note(format!("its second time derivative would need that of der({state})"))
                .help("make the state a coordinate, or hold it by its rate: `der(z) = ..`");
        c.errors.report(message);
        return None;
    }
    let velocities: Vec<Symbol> = (0..c.freedom() as u32).map(Symbol::V).collect();
    if c.depends(rows, |s| matches!(s, Symbol::V(_))) {
        for row in rows {
            let slopes = c.graph.gradient(*row, &velocities);
            if c.depends(&slopes, |s| matches!(s, Symbol::V(_))) {
                let message = Message::new(
                    "M0304",
                    &constraint.equation,
                    format!("constraint `{name}` is nonlinear in the velocities"),
                )
                .note("only holonomic and Pfaffian (linear) constraints have multipliers that are forces")
                .help("solve for the velocity, or write a `force`");
                c.errors.report(message);
                return None;
            }
        }
        let what = "velocity-level (nonholonomic) constraints";
        let help = "if it is the rate of a position, constrain that position";
        c.errors.report(words::refuse(&constraint.equation, &format!("constraint {name}"), what, help));
        return None;
    }
    if !c.depends(rows, |s| matches!(s, Symbol::Q(_))) {
        let (left, right) = (text(&constraint.left), text(&constraint.right));
        let message = Message::new(
            "M0301",
            &constraint.equation,
            format!("constraint `{name}` does not depend on any coordinate"),
        )
        .note("its Jacobian row would be zero, so the constrained system is always singular");
        let only_params =
            c.depends(rows, |s| matches!(s, Symbol::P(_))) && !c.depends(rows, |s| matches!(s, Symbol::Time));
        let message = match only_params {
            true => {
                message.help(format!("did you mean `require`? it compares parameters: `require {left} <= {right};`"))
            }
            false => message,
        };
        c.errors.report(message);
        return None;
    }
    Some(())
}

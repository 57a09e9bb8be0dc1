//! A `constraint` that determines algebraic variables: rows of F.

use super::equation::agree;
use crate::check::draft::Flow;
use crate::check::names::Multiplier;
use crate::check::read::Reader;
use crate::check::values::Unit;
use crate::diagnostics::{Id, Message};
use crate::expr::{Node, Symbol};
use crate::model::Shape;
use crate::parse::ast::Constraint;

/// An equation with algebraic variables in it determines them: a row of F, without a multiplier.
pub(super) fn law(r: &mut Reader<'_>, flow: &mut Flow, constraint: &Constraint, label: &str) -> bool {
    if !r.declared.states.iter().any(|z| z.algebraic) {
        return false;
    }
    let mistakes = r.reports.count();
    let (left, right) = (r.eval(&constraint.left), r.eval(&constraint.right));
    let sides = [left.scalars(), right.scalars()].concat();
    if r.reports.count() > mistakes || r.algebraic_of(&sides).is_none() {
        return false;
    }
    let multiplier = Multiplier { first: 0, shape: Shape::Scalar, unit: Unit::Unknown, broken: false, algebraic: true };
    r.names.multipliers.insert(label.to_owned(), multiplier);
    if agree(r, constraint, &left, &right).is_none() || r.without_accelerations(&sides, &constraint.equation).is_none()
    {
        r.reports.doubts.rates = true;
        return true;
    }
    if r.first_order && r.graph.any_depends(&sides, |s| matches!(s, Symbol::V(_))) {
        let what = format!(
            "constraint `{}` makes algebraic variables depend on a velocity, which is not known yet",
            constraint.name
        );
        r.of_second_order(&constraint.equation, what, "write a force that is linear in a velocity as `dissipation`");
        r.reports.doubts.rates = true;
        return true;
    }
    if let Some(field) = constraint.with.first().map(|(field, _)| field).or(constraint.redundant.as_ref()) {
        let what = format!("constraint `{}` determines algebraic variables and cannot be compliant", constraint.name);
        r.report(Message::new(Id::M0225, field, what).help("drop `with { .. }`"));
        r.reports.doubts.rates = true;
        return true;
    }
    let suffixes = left.shape().map(|shape| shape.suffixes()).unwrap_or_default();
    let pairs: Vec<(Node, Node)> = left.scalars().into_iter().zip(right.scalars()).collect();
    for ((a, b), suffix) in pairs.into_iter().zip(suffixes) {
        let row = r.graph.sub(a, b);
        flow.laws.push((format!("{label}{suffix}"), constraint.name.clone(), row));
    }
    true
}

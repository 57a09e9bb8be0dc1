//! A `constraint` that determines algebraic variables: rows of F.

use syn::Expr;

use super::equation::agree;
use crate::check::draft::Flow;
use crate::check::names::Multiplier;
use crate::check::read::Reader;
use crate::check::values::Unit;
use crate::diagnostics::{Id, Message};
use crate::expr::{Node, Symbol};
use crate::model::Shape;
use crate::parse::ast::Constraint;

/// What determines algebraic variables depends on what is known before them.
pub(super) fn determines(r: &mut Reader<'_>, nodes: &[Node], written: &Expr, title: &str) -> Option<()> {
    r.without_accelerations(nodes, written)?;
    if r.first_order && r.graph.any_depends(nodes, |s| matches!(s, Symbol::V(_))) {
        let what = format!("{title} makes algebraic variables depend on a velocity, which is not known yet");
        r.of_second_order(written, what, "write a force that is linear in a velocity as `dissipation`");
        return None;
    }
    Some(())
}

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
    let title = format!("constraint `{}`", constraint.name);
    if agree(r, constraint, &left, &right).is_none() || determines(r, &sides, &constraint.equation, &title).is_none() {
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

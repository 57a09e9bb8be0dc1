//! `constraint c: a == b with { compliance: E, relax: tau };`: compliant rows.
//!
//! Φ + τ Φ̇ + E λ = 0 has no entry in G. For explicit methods it is a force: `Forward` adds Gᵀλ to f and writes γ =
//! −λ, and the saddle has 1 on that diagonal, so accelerations, starts and projections need no case for it. For
//! implicit methods it is an equation: E on the diagonal and −Gᵀ in its column give, with the multiplier's sign
//! changed, [K Gᵀ; G −E]. This is quasi-definite and well conditioned for E → 0, where the force alone would be a
//! stiffness 1/E in K. E = 0 is refused: that would be a rigid row, and which rows are rigid is compiled in.

use syn::Expr;

use super::equation::Equation;
use super::fields::fields;
use super::require::first;
use crate::check::motion::seeds;
use crate::check::read::{Reader, mend};
use crate::check::values::{Dimension, Unit};
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Node, Symbol};
use crate::model::{Hold, Require, Soft};
use crate::parse::ast::Constraint;

/// Φ + τ Φ̇ + E λ = 0 with a compliance; Φ / τ + Φ̇ = 0, a row of velocities, with a relaxation time alone.
pub(super) fn yielding(
    r: &mut Reader<'_>,
    requires: &mut Vec<Require>,
    constraint: &Constraint,
    mut equation: Equation,
) -> Option<Equation> {
    if constraint.with.is_empty() {
        return Some(equation);
    }
    if let Some(word) = &constraint.redundant {
        let what = format!("constraint `{}` is compliant and cannot be redundant", constraint.name);
        let message = Message::new(Id::M0313, word, what)
            .note("a compliant row is a force: rows that repeat each other share the load by their compliances")
            .help("write one of the two: `with { redundant }`, or `with { compliance: .. }`");
        r.report(message);
        return None;
    }
    let known = [("compliance", false), ("relax", false)];
    let given = fields(r, "constraint", &constraint.name, &constraint.with, &known)?;
    let written = |field: &str| given.iter().find(|(name, _)| *name == field).map(|(_, value)| value);
    let conjugate = equation.conjugate(r);
    let force = r.unit(Dimension::JOULE).div(conjugate);
    let compliance = match written("compliance") {
        Some(written) => {
            let field = Field { title: "compliance", written, unit: equation.unit.div(force), zero: false };
            Some(field.read(r, requires, constraint, &equation)?)
        }
        None => None,
    };
    let relax = match written("relax") {
        Some(written) if equation.level == Hold::Position => {
            let unit = r.unit(Dimension::SECOND);
            let field = Field { title: "relaxation time", written, unit, zero: compliance.is_some() };
            Some(field.read(r, requires, constraint, &equation)?)
        }
        Some(written) => return nothing_to_relax(r, constraint, written),
        None => None,
    };
    if r.first_order && compliance.is_some() && (relax.is_some() || equation.level == Hold::Velocity) {
        let what =
            format!("the force of constraint `{}` depends on a velocity, which it must determine", constraint.name);
        r.of_second_order(&constraint.name, what, "give only a compliance, or write a `dissipation`");
        return None;
    }
    match (compliance, relax) {
        (Some(compliance), relax) => {
            let zero = r.graph.constant(0.0);
            let relax = relax.unwrap_or_else(|| vec![zero; compliance.len()]);
            let pairs = compliance.into_iter().zip(relax);
            equation.soft = pairs.map(|(compliance, relax)| Soft { compliance, relax }).collect();
        }
        (None, Some(relax)) => relaxed(r, &mut equation, relax),
        (None, None) => {}
    }
    Some(equation)
}

/// M0307
fn nothing_to_relax(r: &mut Reader<'_>, constraint: &Constraint, written: &Expr) -> Option<Equation> {
    let what = format!("constraint `{}` is on velocities, which have nothing to relax to", constraint.name);
    let message = Message::new(Id::M0307, written, what)
        .note("`relax` lets a position error decay: its rate is -1/relax of the error")
        .help("write a force, or constrain the position");
    r.report(message);
    None
}

/// Rows of velocities instead of positions: Φ / τ + Φ̇.
fn relaxed(r: &mut Reader<'_>, equation: &mut Equation, relax: Vec<Node>) {
    let seeds = seeds(&mut r.graph, &r.declared);
    let rates = r.graph.jvp(&equation.rows, &seeds);
    for ((row, rate), relax) in equation.rows.iter_mut().zip(rates).zip(relax) {
        let inverse = r.graph.recip(relax);
        let share = r.graph.mul(*row, inverse);
        *row = r.graph.add(share, rate);
    }
    equation.unit = equation.unit.div(r.unit(Dimension::SECOND));
    equation.level = Hold::Velocity;
}

/// A field of `with`.
struct Field<'a> {
    title: &'static str,
    written: &'a Expr,
    unit: Unit,
    /// may it be zero?
    zero: bool,
}

impl Field<'_> {
    /// One number per row: parameters and numbers, of the right unit and sign.
    fn read(
        &self,
        r: &mut Reader<'_>,
        requires: &mut Vec<Require>,
        constraint: &Constraint,
        equation: &Equation,
    ) -> Option<Vec<Node>> {
        let value = r.eval_adaptable(self.written);
        if value.is_poison() {
            return None;
        }
        let name = format!("the {} of `{}`", self.title, constraint.name);
        let rows = equation.rows.len();
        let scalar = value.scalars().len() == 1;
        if !scalar && value.shape().as_ref() != Some(&equation.shape) {
            let what = format!("{name} is one number, or one for each of its {rows} rows; found {}", value.name());
            r.report(Message::new(Id::M0509, self.written, what));
            return None;
        }
        if let Some((_, has)) = value.measured().into_iter().find(|(_, has)| has.unify(self.unit).is_none()) {
            self.wrong_unit(r, &name, has);
            return None;
        }
        let nodes = value.scalars();
        if r.graph.any_depends(&nodes, |s| !matches!(s, Symbol::P(_))) {
            let message = Message::new(Id::M0307, self.written, format!("{name} depends on more than parameters"))
                .note("it is constant during a run: write a law that changes as a `force` or a `potential`");
            r.report(message);
            return None;
        }
        for node in &nodes {
            self.sign(r, requires, &name, *node)?;
        }
        Some(if scalar { vec![nodes[0]; rows] } else { nodes })
    }

    fn wrong_unit(&self, r: &mut Reader<'_>, name: &str, has: Unit) {
        let message = Message::new(
            Id::M0307,
            self.written,
            format!("{name} must have unit [{}], but has unit [{has}]", self.unit),
        );
        let inverse = r.unit(Dimension::ONE).div(self.unit);
        let message = match self.title == "compliance" && has.unify(inverse).is_some() {
            true => message.help(match self.written {
                Expr::Path(_) => format!("did you give the stiffness? write `1.0 / {}`", text(self.written)),
                _ => format!("did you give the stiffness? write `1.0 / ({})`", text(self.written)),
            }),
            false => mend(message, self.written, has, self.unit),
        };
        r.report(message);
    }

    /// Positive, or not negative: known now, or required when the model is built.
    fn sign(&self, r: &mut Reader<'_>, requires: &mut Vec<Require>, name: &str, node: Node) -> Option<()> {
        let what = if self.zero { "not negative" } else { "positive" };
        let defaults = r.declared.defaults();
        let at = |s: Symbol| match s {
            Symbol::P(i) => defaults.get(i as usize).copied().flatten().unwrap_or(f64::NAN),
            _ => f64::NAN,
        };
        let value = r.graph.evaluate(&[node], &at).first().copied().unwrap_or(f64::NAN);
        if value < 0.0 || value == 0.0 && !self.zero {
            let message = Message::new(Id::M0307, self.written, format!("{name} must be {what}, and is {value}"));
            let message = match value == 0.0 {
                true => message.help("leave it out: without it the row is rigid"),
                false => message,
            };
            r.report(message);
            return None;
        }
        if r.graph.value(node).is_none() {
            let zero = r.graph.constant(0.0);
            let condition = if self.zero { r.graph.less_eq(zero, node) } else { r.graph.less(zero, node) };
            let message = format!("{name} must be {what}");
            requires.push(Require { condition, message, first: first(r, node) });
        }
        Some(())
    }
}

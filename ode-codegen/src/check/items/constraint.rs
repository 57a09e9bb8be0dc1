//! `constraint c: a == b;`: rows Φ = a − b, or A v + b if they contain velocities.
//!
//! A row of velocities has no Φ: it is absent from the position part of a start and zero in `Constraint::phi`. Its
//! tangent row is νA + π ∂ψ/∂q where a holonomic row has πG. Explicit methods and projections see a row of G with a γ,
//! and Newton's method one more equation. Kinds are known after all items are read, so multipliers are numbered by the
//! text and renumbered at the end.

use quote::ToTokens;
use syn::{BinOp, Expr};

use super::declared::accessor;
use super::equation::{Equation, agree};
use super::integrable::integrable;
use super::law::law;
use super::soft::yielding;
use crate::check::draft::Flow;
use crate::check::names::Multiplier;
use crate::check::read::Reader;
use crate::check::values::{Dimension, Unit, Units};
use crate::diagnostics::{Id, Message, text, with_article};
use crate::expr::{Graph, Node, Symbol};
use crate::model::{self, Hold};
use crate::parse::ast::Constraint;
use crate::parse::words::refuse;

pub(super) fn constraint(
    r: &mut Reader<'_>,
    constraints: &mut Vec<model::Constraint>,
    flow: &mut Flow,
    requires: &mut Vec<model::Require>,
    constraint: &Constraint,
    docs: &[String],
) {
    let spelled = r.spelled(&constraint.name);
    accessor(r, "constraint", &spelled);
    let label = r.label("constraint", &constraint.name);
    let adds = r.scope().ast.adds;
    if adds.is_none() && law(r, flow, constraint, &label) {
        return;
    }
    let found = match adds {
        Some(level) => share(r, constraint, level),
        None => equation(r, requires, constraint),
    };
    let conjugate = found.as_ref().map_or(Unit::Unknown, |found| found.conjugate(r));
    let first = constraints.iter().map(|k| k.rows.len()).sum();
    let multiplier = match &found {
        Some(found) => {
            Multiplier { first, shape: found.shape.clone(), unit: conjugate, broken: false, algebraic: false }
        }
        None => Multiplier { first, shape: model::Shape::Scalar, unit: Unit::Unknown, broken: true, algebraic: false },
    };
    r.names.multipliers.insert(label.clone(), multiplier);
    let Some(Equation { rows, shape, units, level, soft, .. }) = found else { return };
    let ident = r.labelled(&constraint.name, label);
    let unit = of_multiplier(r, conjugate);
    let label = r.declared.shown(&ident);
    constraints.push(model::Constraint {
        ident,
        label,
        rows,
        level,
        soft,
        redundant: constraint.redundant.is_some(),
        first,
        shape,
        unit,
        dimensions: units.into_iter().map(Unit::dimension).collect(),
        docs: docs.to_vec(),
    });
}

/// The unit of multipliers that act on a position of this unit, as text.
pub(super) fn of_multiplier(r: &Reader<'_>, conjugate: Unit) -> String {
    match r.unit(Dimension::JOULE).div(conjugate) {
        // A moment is not called an energy.
        Unit::Known(_) if conjugate.is_one() => "N*m".to_owned(),
        unit @ Unit::Known(_) => unit.to_string(),
        Unit::Any | Unit::Unknown => String::new(),
    }
}

/// Rows of positions first, otherwise in the order of the text; multipliers have the numbers of their rows.
pub(crate) fn order(constraints: &mut [model::Constraint], graph: &mut Graph) {
    constraints.sort_by_key(|r| r.level);
    let mut number = vec![0; constraints.iter().map(|r| r.rows.len()).sum()];
    let mut first = 0;
    for constraint in constraints {
        for k in 0..constraint.rows.len() {
            number[constraint.first + k] = (first + k) as u32;
        }
        constraint.first = first;
        first += constraint.rows.len();
    }
    graph.rename(|symbol| match symbol {
        Symbol::Lambda(i) => Symbol::Lambda(number.get(i as usize).copied().unwrap_or(i)),
        other => other,
    });
}

fn equation(r: &mut Reader<'_>, requires: &mut Vec<model::Require>, constraint: &Constraint) -> Option<Equation> {
    let (left, right) = (r.eval(&constraint.left), r.eval(&constraint.right));
    if left.is_poison() || right.is_poison() {
        return None;
    }
    let unit = agree(r, constraint, &left, &right)?;
    let shape = left.shape()?;
    let pairs = left.scalars().into_iter().zip(right.scalars());
    let rows: Vec<Node> = pairs.map(|(a, b)| r.graph.sub(a, b)).collect();
    let level = level(r, constraint, &rows, unit)?;
    if level == Hold::Velocity && constraint.with.is_empty() {
        integrable(r, constraint, &rows);
    }
    let units = vec![unit; rows.len()];
    yielding(r, requires, constraint, Equation { rows, shape, unit, units, level, soft: Vec::new() })
}

/// What an element of a model with sets adds to rows that others add to.
fn share(r: &mut Reader<'_>, constraint: &Constraint, least: Hold) -> Option<Equation> {
    let (name, written) = (&constraint.name, &constraint.left);
    let value = r.eval(written);
    if value.is_poison() {
        return None;
    }
    let Some(shape) = value.shape() else {
        let what = format!("{} cannot be added in constraint `{name}`", with_article(&value.name()));
        r.report(Message::new(Id::M0509, written, what).help("take its `.origin` or `.angle`"));
        return None;
    };
    let rows = value.scalars();
    r.without_accelerations(&rows, written)?;
    let refused = match r.algebraic_of(&rows) {
        Some(variable) => {
            let help = format!("write `balance {variable} += ..;` in the loops whose members add to its equation");
            Some(refuse(written, &variable, "equations of algebraic variables with sums over sets", &help))
        }
        None => {
            let written = Constraint { equation: written.clone(), ..constraint.clone() };
            unrated(r, &written, &rows).or_else(|| nonlinear(r, &written, &rows))
        }
    };
    let moves = r.graph.any_depends(&rows, |s| matches!(s, Symbol::V(_)));
    if let Some(message) = refused {
        r.report(message);
        return None;
    }
    let units: Vec<Unit> = value.measured().into_iter().map(|(_, unit)| unit).collect();
    let unit = units.iter().fold(Unit::Any, |all, unit| all.unify(*unit).unwrap_or(Unit::Unknown));
    let level = if moves { Hold::Velocity } else { least };
    Some(Equation { rows, shape, unit, units, level, soft: Vec::new() })
}

/// Of positions, or linear in the velocities; without inputs.
fn level(r: &mut Reader<'_>, constraint: &Constraint, rows: &[Node], unit: Unit) -> Option<Hold> {
    let name = &constraint.name;
    r.without_accelerations(rows, &constraint.equation)?;
    if let Some(message) = unrated(r, constraint, rows) {
        r.report(message);
        return None;
    }
    if r.graph.any_depends(rows, |s| matches!(s, Symbol::V(_))) {
        if let Some(message) = nonlinear(r, constraint, rows) {
            r.report(message);
            return None;
        }
        return Some(Hold::Velocity);
    }
    if !r.graph.any_depends(rows, |s| matches!(s, Symbol::Q(_))) {
        let message = holds_nothing(&constraint.equation, &name.to_string());
        let only_params = r.graph.any_depends(rows, |s| matches!(s, Symbol::P(_)))
            && !r.graph.any_depends(rows, |s| matches!(s, Symbol::Time));
        r.report(if only_params { compared(message, constraint, rows.len(), unit) } else { message });
        return None;
    }
    Some(Hold::Position)
}

/// M0304
fn nonlinear(r: &mut Reader<'_>, constraint: &Constraint, rows: &[Node]) -> Option<Message> {
    let velocities = r.velocities();
    let is_bent = |r: &mut Reader<'_>, row: Node| {
        let slopes = r.graph.gradient(row, &velocities);
        r.graph.any_depends(&slopes, |s| matches!(s, Symbol::V(_)))
    };
    rows.iter().any(|row| is_bent(r, *row)).then(|| {
        let what = format!("constraint `{}` is nonlinear in the velocities", constraint.name);
        Message::new(Id::M0304, &constraint.equation, what)
            .note("only holonomic and Pfaffian (linear) constraints have multipliers that are forces")
            .help("solve for the velocity, or write a `force`")
    })
}

/// What compares parameters instead of a constraint.
fn compared(message: Message, constraint: &Constraint, rows: usize, unit: Unit) -> Message {
    let (left, right) = (text(&constraint.left), text(&constraint.right));
    let sum = matches!(&constraint.right, Expr::Binary(e) if matches!(e.op, BinOp::Add(_) | BinOp::Sub(_)));
    let right = if sum { format!("({right})") } else { right };
    let size = if rows == 1 { "abs" } else { "norm" };
    let suffix = match unit {
        Unit::Known(dimension) => Units::of(dimension).unwrap_or_default(),
        Unit::Any | Unit::Unknown => "",
    };
    message.help(format!("parameters are compared by `require {size}({left} - {right}) <= tol;`")).note(format!(
        "`tol`, such as `1.0e-9{suffix}`, is what they may differ by: rounding makes computed reals unequal"
    ))
}

/// M0305: rows are differentiated by time, and what they depend on has a known rate.
fn unrated(r: &Reader<'_>, constraint: &Constraint, rows: &[Node]) -> Option<Message> {
    let message = |on: String| {
        Message::new(Id::M0305, &constraint.equation, format!("constraint `{}` depends on {on}", constraint.name))
    };
    if let Some(input) = r.input_of(rows) {
        let message = message(format!("input `{input}`")).note(format!("its time derivative would need der({input})"));
        return Some(message.help("make the motion a param/time function, or a `force`"));
    }
    if r.graph.any_depends(rows, |s| matches!(s, Symbol::Mode(_))) {
        let message = message("a mode".to_owned())
            .note("an event that changes the mode would leave the state off the constraint")
            .help("hold it by a `force`, and switch that");
        return Some(message);
    }
    let state = r.state_of(rows)?;
    let message = message(format!("state `{state}`"))
        .note(format!("its second time derivative would need that of der({state})"))
        .help("make the state a coordinate, or constrain it through its rate: `der(z) = ..`");
    Some(message)
}

/// M0301: no coordinate moves a constraint.
pub(crate) fn holds_nothing(at: &impl ToTokens, name: &str) -> Message {
    Message::new(Id::M0301, at, format!("constraint `{name}` does not depend on any coordinate"))
        .note("its Jacobian row would be zero, so the constrained system is always singular")
}

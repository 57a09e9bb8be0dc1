//! `mass x = m;` and `mass (x, th) = [[a, b], [b, c]];`: entries of M, or of D in a first-order model.

use syn::Expr;

use super::super::units::Unit;
use super::super::{Checker, Dimension};
use super::energy::expect_unit;
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Node, Symbol};
use crate::model::{MassEntry, Shape};
use crate::parse::ast::Assign;

pub(super) fn mass<'a>(c: &mut Checker<'a>, assign: &'a Assign) {
    let Some(targets) = targets(c, &assign.target) else { return };
    let value = c.eval(&assign.value);
    if value.is_poison() || c.without_accelerations(&value.scalars(), &assign.value).is_none() {
        return;
    }
    let n = targets.len();
    let entries = value.measured();
    let whole = if entries.len() == 1 {
        // One number is the mass of every direction.
        let (node, unit) = entries[0];
        let zero = c.graph.constant(0.0);
        (0..n * n).map(|k| if k / n == k % n { (node, unit) } else { (zero, Unit::Any) }).collect()
    } else {
        entries
    };
    let square = match value.shape() {
        Some(Shape::Matrix(r, columns)) => r == n && columns == n,
        Some(Shape::Array(r, inner)) => r == n && inner.len() == n,
        Some(Shape::Scalar) => true,
        _ => false,
    };
    if !square || whole.len() != n * n {
        let what = format!("`mass {}` needs a {n} × {n} matrix, found {}", text(&assign.target), value.name());
        c.report(Message::new(Id::M0509, &assign.value, what).help("write rows: `[[a, b], [b, c]]`"));
        return;
    }
    if symmetric(c, assign, &whole, n).is_none() {
        return;
    }
    for (k, (node, unit)) in whole.into_iter().enumerate() {
        let ((row, row_unit), (col, col_unit)) = (targets[k / n], targets[k % n]);
        let wanted = Unit::Known(Dimension::JOULE).mul(Unit::Known(Dimension::whole([
            0,
            0,
            if c.first_order { 1 } else { 2 },
            0,
            0,
        ])));
        if let Unit::Known(wanted) = wanted.div(row_unit).div(col_unit) {
            let what = format!("mass of `{}`", text(&assign.target));
            if expect_unit(c, &what, unit, wanted, &assign.value).is_none() {
                return;
            }
        }
        if !c.graph.is_zero(node) {
            if super::energy::alone(c, "mass", node, &assign.value).is_none() {
                return;
            }
            c.draft.mass.push(MassEntry { row, col, value: node });
        }
    }
    c.draft.masses.push((targets.into_iter().map(|(row, _)| row).collect(), assign));
}

/// The velocity scalars the target names, with the units of their positions.
fn targets(c: &mut Checker<'_>, target: &Expr) -> Option<Vec<(usize, Unit)>> {
    let parts: Vec<&Expr> = match target {
        Expr::Tuple(tuple) => tuple.elems.iter().collect(),
        Expr::Paren(inner) => vec![&inner.expr],
        other => vec![other],
    };
    let mut found = Vec::new();
    for part in parts {
        let value = c.eval(part);
        if value.is_poison() {
            return None;
        }
        if value.scalars().is_empty() {
            let message = Message::new(Id::M0203, part, "a mass is that of numbers and vectors")
                .note(format!("`{}` is {}", text(part), value.name()))
                .help("the inertia of a rotation is a `body`, or a `kinetic` energy of its rate");
            c.report(message);
            return None;
        }
        for (node, unit) in value.measured() {
            match c.graph.as_symbol(node) {
                Some(Symbol::Q(i)) => found.extend(c.velocity_of(i as usize).map(|v| (v, unit))),
                _ => {
                    let message = Message::new(Id::M0203, part, "a mass is that of coordinates")
                        .note(format!("`{}` is not one", text(part)))
                        .help("the inertia of anything else is a `kinetic` energy");
                    c.report(message);
                    return None;
                }
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

/// M0205
fn symmetric(c: &mut Checker<'_>, assign: &Assign, entries: &[(Node, Unit)], n: usize) -> Option<()> {
    for i in 0..n {
        for j in 0..i {
            let (upper, lower) = (entries[j * n + i].0, entries[i * n + j].0);
            if upper == lower || c.equal_everywhere(upper, lower) {
                continue;
            }
            let message = Message::new(
                Id::M0205,
                &assign.value,
                format!("`mass {}`: the given matrix is not symmetric", text(&assign.target)),
            );
            let message = match (written(&assign.value, j, i), written(&assign.value, i, j)) {
                (Some(a), Some(b)) => message.note(format!("entries ({j},{i}) `{a}` and ({i},{j}) `{b}` differ")),
                _ => message.note(format!("entries ({j},{i}) and ({i},{j}) differ")),
            };
            c.report(message);
            return None;
        }
    }
    Some(())
}

/// The user's words for an entry of `[[..], [..]]`.
fn written(value: &Expr, i: usize, j: usize) -> Option<String> {
    let Expr::Array(rows) = value else { return None };
    let Expr::Array(row) = rows.elems.get(i)? else { return None };
    Some(text(row.elems.get(j)?))
}

//! `mass x = m;` and `mass (x, th) = [[a, b], [b, c]];`: entries of M, or of D in a first-order model.

use syn::Expr;

use super::energy::{alone, expect_unit};
use crate::check::draft::Masses;
use crate::check::read::Reader;
use crate::check::sampling::equal_everywhere;
use crate::check::values::{Dimension, Unit};
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Node, Symbol};
use crate::model::{MassEntry, Shape};
use crate::parse::ast::Assign;

pub(super) fn mass<'a>(r: &mut Reader<'a>, masses: &mut Masses<'a>, assign: &'a Assign) {
    let Some(targets) = targets(r, &assign.target) else { return };
    let value = r.eval(&assign.value);
    if value.is_poison() || r.without_accelerations(&value.scalars(), &assign.value).is_none() {
        return;
    }
    let n = targets.len();
    let entries = value.measured();
    let whole = if entries.len() == 1 {
        // One number is the mass of every direction.
        let (node, unit) = entries[0];
        let zero = r.graph.constant(0.0);
        (0..n * n).map(|k| if k / n == k % n { (node, unit) } else { (zero, Unit::Any) }).collect()
    } else {
        entries
    };
    let square = match value.shape() {
        Some(Shape::Matrix(rows, columns)) => rows == n && columns == n,
        Some(Shape::Array(rows, inner)) => rows == n && inner.len() == n,
        Some(Shape::Scalar) => true,
        _ => false,
    };
    if !square || whole.len() != n * n {
        let what = format!("`mass {}` needs a {n} × {n} matrix, found {}", text(&assign.target), value.name());
        r.report(Message::new(Id::M0509, &assign.value, what).help("write rows: `[[a, b], [b, c]]`"));
        return;
    }
    if symmetric(r, assign, &whole, n).is_none() {
        return;
    }
    for (k, (node, unit)) in whole.into_iter().enumerate() {
        let ((row, row_unit), (col, col_unit)) = (targets[k / n], targets[k % n]);
        let wanted = Unit::Known(Dimension::JOULE).mul(Unit::Known(Dimension::whole([
            0,
            0,
            if r.first_order { 1 } else { 2 },
            0,
            0,
        ])));
        if let Unit::Known(wanted) = wanted.div(row_unit).div(col_unit) {
            let what = format!("mass of `{}`", text(&assign.target));
            if expect_unit(r, &what, unit, wanted, &assign.value).is_none() {
                return;
            }
        }
        if !r.graph.is_zero(node) {
            if alone(r, "mass", node, &assign.value).is_none() {
                return;
            }
            masses.entries.push(MassEntry { row, col, value: node });
        }
    }
    masses.items.push((targets.into_iter().map(|(row, _)| row).collect(), assign));
}

/// The velocity scalars the target names, with the units of their positions.
fn targets(r: &mut Reader<'_>, target: &Expr) -> Option<Vec<(usize, Unit)>> {
    let parts: Vec<&Expr> = match target {
        Expr::Tuple(tuple) => tuple.elems.iter().collect(),
        Expr::Paren(inner) => vec![&inner.expr],
        other => vec![other],
    };
    let mut found = Vec::new();
    for part in parts {
        let value = r.eval(part);
        if value.is_poison() {
            return None;
        }
        if value.scalars().is_empty() {
            let message = Message::new(Id::M0203, part, "a mass is that of numbers and vectors")
                .note(format!("`{}` is {}", text(part), value.name()))
                .help("the inertia of a rotation is a `body`, or a `kinetic` energy of its rate");
            r.report(message);
            return None;
        }
        for (node, unit) in value.measured() {
            match r.graph.as_symbol(node) {
                Some(Symbol::Q(i)) => found.extend(r.declared.velocity_of(i as usize).map(|v| (v, unit))),
                _ if r.on_sphere(&value.scalars()).is_some() => {
                    let written = text(part);
                    let message = Message::new(Id::M0203, part, "a mass is that of numbers and vectors").note(format!(
                        "`{written}` is a point of the sphere, whose velocities are along axes of its own"
                    ));
                    r.report(message.help(format!("add `kinetic = 0.5 * m * der({written}).dot(der({written}));`")));
                    return None;
                }
                _ => {
                    let message = Message::new(Id::M0203, part, "a mass is that of coordinates")
                        .note(format!("`{}` is not one", text(part)))
                        .help("the inertia of anything else is a `kinetic` energy");
                    r.report(message);
                    return None;
                }
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

/// M0205
fn symmetric(r: &mut Reader<'_>, assign: &Assign, entries: &[(Node, Unit)], n: usize) -> Option<()> {
    for i in 0..n {
        for j in 0..i {
            let (upper, lower) = (entries[j * n + i].0, entries[i * n + j].0);
            if upper == lower || equal_everywhere(&r.graph, &r.declared, upper, lower) {
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
            r.report(message);
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

//! M0302 and M0303: no more rows than degrees of freedom, and no dependent rows.

use super::rank::{Matching, matching};
use crate::chart;
use crate::check::reports::Reports;
use crate::check::sampling::values_anywhere;
use crate::check::whole::Whole;
use crate::diagnostics::{Id, Message, location};
use crate::expr::{Graph, Node, Symbol};
use crate::model::Hold;

/// The constraints' Jacobian, structurally.
pub(super) struct Structure {
    /// Φ, or A v + b
    pub(super) rows: Vec<Node>,
    /// the level of each row
    pub(super) levels: Vec<Hold>,
    /// ∂Φ/∂q or A, row by row
    pub(super) jacobian: Vec<Vec<Node>>,
    /// columns with an entry, row by row
    pub(super) pattern: Vec<Vec<usize>>,
    /// constraint of each row
    pub(super) owner: Vec<usize>,
    /// a largest matching of rows to coordinates
    pub(super) matching: Matching,
    /// how many directions of q the holonomic rows hold
    pub(super) held: usize,
    /// rows that may depend on others, which neither matching nor `held` counts
    redundant: Vec<bool>,
}

/// The structure of G.
pub(super) fn structure(whole: &Whole<'_>, graph: &mut Graph) -> Structure {
    let n = whole.declared.nv();
    let blocks = whole.declared.blocks();
    let along = chart::directions(graph, &blocks);
    let velocities: Vec<Symbol> = (0..n as u32).map(Symbol::V).collect();
    let (mut rows, mut levels, mut owner, mut redundant) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    // Compliant rows restrict nothing: they are forces.
    for (k, constraint) in whole.draft.constraints.iter().enumerate().filter(|(_, k)| k.soft.is_empty()) {
        rows.extend(constraint.rows.iter().copied());
        levels.extend(constraint.rows.iter().map(|_| constraint.level));
        owner.extend(constraint.rows.iter().map(|_| k));
        redundant.extend(constraint.rows.iter().map(|_| constraint.redundant));
    }
    let slopes = |(row, level): (&Node, &Hold)| match level {
        Hold::Position => chart::gradient(graph, *row, &along),
        Hold::Velocity => graph.gradient(*row, &velocities),
    };
    let jacobian: Vec<Vec<Node>> = rows.iter().zip(&levels).map(slopes).collect();
    let entries = |row: &Vec<Node>| (0..n).filter(|i| !graph.is_zero(row[*i])).collect();
    let pattern: Vec<Vec<usize>> = jacobian.iter().map(entries).collect();
    let plain = |row: &usize| !redundant[*row];
    let columns = |rows: &mut dyn Iterator<Item = usize>| rows.map(|row| pattern[row].clone()).collect::<Vec<_>>();
    let holonomic = |row: &usize| levels[*row] == Hold::Position;
    let held = matching(&columns(&mut (0..rows.len()).filter(plain).filter(holonomic)), n).rank();
    let matching = matching(&columns(&mut (0..rows.len()).filter(plain)), n);
    Structure { rows, levels, jacobian, pattern, owner, matching, held, redundant }
}

impl Structure {
    /// The rows with an entry in this column.
    pub(super) fn rows_on(&self, column: usize) -> Vec<usize> {
        (0..self.rows.len()).filter(|row| self.pattern[*row].contains(&column)).collect()
    }

    /// The rows that hold something each.
    fn plain(&self) -> Self {
        let kept: Vec<usize> = (0..self.rows.len()).filter(|row| !self.redundant[*row]).collect();
        Self {
            rows: kept.iter().map(|row| self.rows[*row]).collect(),
            levels: kept.iter().map(|row| self.levels[*row]).collect(),
            jacobian: kept.iter().map(|row| self.jacobian[*row].clone()).collect(),
            pattern: kept.iter().map(|row| self.pattern[*row].clone()).collect(),
            owner: kept.iter().map(|row| self.owner[*row]).collect(),
            matching: self.matching.clone(),
            held: self.held,
            redundant: vec![false; kept.len()],
        }
    }
}

/// The rules on the number of rows, the simplest first.
pub(super) fn count(whole: &Whole<'_>, graph: &Graph, reports: &mut Reports<'_>, s: &Structure) {
    for (row, pattern) in s.pattern.iter().enumerate() {
        if pattern.is_empty() {
            empty(whole, reports, s, row);
            return;
        }
    }
    let s = &s.plain();
    if proportional(whole, graph, reports, s) {
        return;
    }
    let n = whole.declared.nv();
    if s.rows.len() > n {
        let what = format!("{} constraint rows for {n} degrees of freedom", s.rows.len());
        let all: Vec<usize> = (0..s.rows.len()).collect();
        surplus(whole, reports, s, &all, what);
    } else if let Some((rows, columns)) = s.matching.crowd(&s.pattern) {
        let names: Vec<String> = columns.iter().map(|i| format!("`{}`", whole.declared.direction_name(*i))).collect();
        let what =
            format!("{} constraint rows on {} degrees of freedom: {}", rows.len(), columns.len(), names.join(", "));
        surplus(whole, reports, s, &rows, what);
    } else {
        dependent(whole, graph, reports, s);
    }
}

/// A row whose coordinates cancel.
fn empty(whole: &Whole<'_>, reports: &mut Reports<'_>, s: &Structure, row: usize) {
    let ident = &whole.draft.constraints[s.owner[row]].ident;
    if s.levels[row] == Hold::Velocity {
        let message = Message::new(Id::M0301, ident, format!("a row of constraint `{ident}` has no velocity in it"))
            .note("the others have, so all are rows A v + b = 0, and a row without A is always singular")
            .help("constrain positions in a `constraint` of their own");
        reports.report(message);
        return;
    }
    let message = Message::new(Id::M0301, ident, format!("constraint `{ident}` does not depend on any coordinate"))
        .note("one of its Jacobian rows is zero, so the constrained system is always singular")
        .help("give only the components that hold something");
    reports.report(message);
}

fn surplus(whole: &Whole<'_>, reports: &mut Reports<'_>, s: &Structure, rows: &[usize], what: String) {
    let mut owners: Vec<usize> = rows.iter().map(|r| s.owner[*r]).collect();
    owners.dedup();
    let describe = |k: &usize| {
        let constraint = &whole.draft.constraints[*k];
        let count = rows.iter().filter(|r| s.owner[**r] == *k).count();
        format!("{} ({count}) declared at {}", constraint.label, location(constraint.ident.span()))
    };
    let list: Vec<String> = owners.iter().map(describe).collect();
    let Some(last) = owners.last().map(|k| whole.draft.constraints[*k].ident.clone()) else { return };
    let message = Message::new(Id::M0302, last, what)
        .note(list.join(", "))
        .help("remove one, mark it `with { redundant }`, or make it compliant: `with { compliance: 1.0e-8 }`");
    reports.report(message);
}

/// M0303, for the first pair found.
fn proportional(whole: &Whole<'_>, graph: &Graph, reports: &mut Reports<'_>, s: &Structure) -> bool {
    for j in 1..s.rows.len() {
        for i in 0..j {
            if s.pattern[i] == s.pattern[j] && rows_are_proportional(graph, s, i, j) {
                report(whole, reports, s, i, j);
                return true;
            }
        }
    }
    false
}

/// Are two rows multiples of each other at every sample point, whatever the parameters are?
fn rows_are_proportional(graph: &Graph, s: &Structure, i: usize, j: usize) -> bool {
    let columns = &s.pattern[i];
    let nodes: Vec<Node> = columns.iter().flat_map(|k| [s.jacobian[i][*k], s.jacobian[j][*k]]).collect();
    let mut tried = 0;
    for point in 0..6 {
        let values = values_anywhere(graph, &nodes, point);
        match parallel(&values) {
            Some(true) => tried += 1,
            Some(false) => return false,
            None => {}
        }
    }
    tried >= 3
}

/// Whether two rows are multiples of each other. Each is measured by its own length; `None` if that vanishes or has no
/// value.
fn parallel(values: &[f64]) -> Option<bool> {
    let (first, second): (Vec<f64>, Vec<f64>) = values.chunks_exact(2).map(|ab| (ab[0], ab[1])).unzip();
    let (a, b) = (unit_length(first)?, unit_length(second)?);
    let pivot = (0..a.len()).max_by(|&k, &l| a[k].abs().total_cmp(&a[l].abs()))?;
    Some((0..a.len()).all(|k| (a[k] * b[pivot] - b[k] * a[pivot]).abs() <= 1e-12))
}

/// M0303 for a row that is a sum of multiples of others at every sample point.
fn dependent(whole: &Whole<'_>, graph: &Graph, reports: &mut Reports<'_>, s: &Structure) {
    let nodes: Vec<Node> = s.jacobian.iter().flatten().copied().collect();
    let mut found: Option<(usize, Vec<usize>)> = None;
    let mut tried = 0;
    for point in 0..6 {
        let values = values_anywhere(graph, &nodes, point);
        let rows: Option<Vec<Vec<f64>>> =
            values.chunks_exact(whole.declared.nv().max(1)).map(|row| unit_length(row.to_vec())).collect();
        let Some(rows) = rows else { continue };
        let Some(sum) = combination(&rows) else { return };
        tried += 1;
        found = Some(sum);
    }
    let Some((row, others)) = found.filter(|_| tried >= 3) else { return };
    let label = |row: &usize| format!("`{}`", whole.draft.constraints[s.owner[*row]].label);
    let mut names: Vec<String> = others.iter().map(label).collect();
    names.dedup();
    let what = format!("a row of constraint {} follows from others: {}", label(&row), names.join(", "));
    let ident = whole.draft.constraints[s.owner[row]].ident.clone();
    let message = Message::new(Id::M0303, ident, what)
        .note(format!("row {row} of G is a linear combination of rows {others:?} in every state"))
        .help("redundant constraints make the multipliers non-unique: delete one, mark it `with { redundant }`, or make it compliant: `with { compliance: 1.0e-8 }`");
    reports.report(message);
}

/// The first row that is a sum of multiples of those before it, and which they are, by Gram–Schmidt orthogonalisation.
fn combination(rows: &[Vec<f64>]) -> Option<(usize, Vec<usize>)> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    // Directions so far, each with the multiples of the rows it is made of.
    let mut basis: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    for (j, row) in rows.iter().enumerate() {
        let (mut rest, mut parts) = (row.clone(), vec![0.0; rows.len()]);
        parts[j] = 1.0;
        // Twice is enough.
        for _ in 0..2 {
            for (direction, made_of) in &basis {
                let share = dot(direction, &rest);
                rest.iter_mut().zip(direction).for_each(|(x, d)| *x -= share * d);
                parts.iter_mut().zip(made_of).for_each(|(x, d)| *x -= share * d);
            }
        }
        let length = dot(&rest, &rest).sqrt();
        if length <= 1e-9 {
            let others = (0..rows.len()).filter(|i| *i != j && parts[*i].abs() > 1e-6).collect();
            return Some((j, others));
        }
        rest.iter_mut().chain(&mut parts).for_each(|x| *x /= length);
        basis.push((rest, parts));
    }
    None
}

fn unit_length(mut row: Vec<f64>) -> Option<Vec<f64>> {
    let norm = row.iter().fold(0.0_f64, |norm, x| norm.hypot(*x));
    row.iter_mut().for_each(|x| *x /= norm);
    row.iter().all(|x| x.is_finite()).then_some(row)
}

fn report(whole: &Whole<'_>, reports: &mut Reports<'_>, s: &Structure, i: usize, j: usize) {
    let (first, second) = (&whole.draft.constraints[s.owner[i]], &whole.draft.constraints[s.owner[j]]);
    let (a, b) = (&first.ident, &second.ident);
    if first.label.starts_with("fix ") || second.label.starts_with("fix ") {
        let names: Vec<String> =
            s.pattern[j].iter().map(|k| format!("`{}`", whole.declared.direction_name(*k))).collect();
        let what = format!("`{}` and `{}` both hold {}", first.label, second.label, names.join(", "));
        let message = Message::new(Id::M0308, b, what)
            .note(format!("`{}` is at {}", first.label, location(a.span())))
            .help("delete one");
        reports.report(message);
        return;
    }
    let what = match a == b {
        true => format!(
            "two rows of constraint `{a}` have the same Jacobian up to a factor (rows {i} and {j} of G are structurally proportional)"
        ),
        false => format!(
            "constraints `{a}` and `{b}` have the same Jacobian up to a factor (rows {i} and {j} of G are structurally proportional)"
        ),
    };
    let place = location(a.span());
    let message = Message::new(Id::M0303, b, what)
        .note(format!("redundant constraints make the multipliers non-unique; `{a}` is declared at {place}"))
        .help("delete one, mark one `with { redundant }`, or make both compliant: `with { compliance: 1.0e-8 }`");
    reports.report(message);
}

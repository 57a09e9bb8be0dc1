//! The generated part of the struct's documentation: what is declared, the mathematics, sparsity and cost.

use std::fmt::Write as _;

use crate::derive::{Equations, Sparse};
use crate::lower::{Call, Program};
use crate::model::{Declared, Model, Order};

use super::names::Names;

/// Matrices of more columns than this are only counted.
const MAX_PICTURE: usize = 40;

/// So many lines of equations are shown.
pub(super) const LINES: usize = 120;

/// What stands before the equations, in Markdown.
pub(super) fn before(model: &Model) -> String {
    let mut out = declared(model);
    constraints(&mut out, model);
    section(&mut out, model, "Outputs", model.observed.outputs.iter().map(|o| (&o.declared, String::new())));
    out.push_str("\n# Equations\n");
    out.trim_start().to_owned()
}

/// What stands behind the equations, in Markdown.
pub(super) fn after(model: &Model, e: &Equations, program: &Program, names: &Names) -> String {
    let mut out = String::new();
    sparsity(&mut out, model, e, names);
    cost(&mut out, program);
    out
}

/// A title, and a line for each name with unit, further words and the user's documentation; nothing without names.
fn section<'a>(
    out: &mut String,
    model: &Model,
    title: &str,
    list: impl ExactSizeIterator<Item = (&'a Declared, String)>,
) {
    if list.len() > 0 {
        let _ = writeln!(out, "\n# {title}\n");
    }
    for (d, further) in list {
        // two stars would be emphasis
        let unit = if d.unit.is_empty() { String::new() } else { format!(" \\[{}\\]", d.unit.replace('*', "\\*")) };
        let docs = d.docs.join(" ");
        let docs = if docs.trim().is_empty() { String::new() } else { format!(": {}", docs.trim()) };
        let _ = writeln!(out, "- `{}`{unit}{further}{docs}", model.shown(&d.ident));
    }
}

/// Coordinates, states, inputs and parameters.
fn declared(model: &Model) -> String {
    let (mut out, all) = (String::new(), &model.declared);
    let coordinates = all.coordinates.iter().map(|c| {
        let velocity = c.velocity.as_ref().map_or(String::new(), |v| format!(", velocity `{}`", model.shown(v)));
        (&c.declared, velocity)
    });
    let title = format!("Coordinates\n\nnq = {}, nv = {}", model.nq(), model.nv());
    section(&mut out, model, &title, coordinates);
    let title = format!("States\n\nnz = {}; ż = g", model.nz());
    section(&mut out, model, &title, all.states.iter().map(|s| (&s.declared, String::new())));
    section(&mut out, model, "Inputs", all.inputs.iter().map(|i| (&i.declared, String::new())));
    let parameters = all.params.iter().map(|p| {
        let values = p.default.as_ref().map(|d| d.iter().map(|x| x / p.scale).collect::<Vec<f64>>());
        let default = match values.as_deref() {
            Some([one]) => format!(" = {one:?}"),
            Some(many) => format!(" = {many:?}").replace('[', "\\[").replace(']', "\\]"),
            None => String::new(),
        };
        (&p.declared, default)
    });
    section(&mut out, model, "Parameters", parameters);
    out.trim_start().to_owned()
}

fn constraints(out: &mut String, model: &Model) {
    if model.constraints.is_empty() {
        return;
    }
    let left = if model.header.options.order == Order::First { "D v" } else { "M a" };
    let _ = writeln!(out, "\n# Constraints\n\nnc = {}; {left} = f + Gᵀ λ with Φ = left − right\n", model.nc());
    for c in &model.constraints {
        let docs = c.docs.join(" ");
        let text = match (docs.trim(), c.redundant) {
            ("", false) => String::new(),
            ("", true) => ": redundant, its multiplier is not unique".to_owned(),
            (docs, false) => format!(": {docs}"),
            (docs, true) => format!(": {docs} (redundant, its multiplier is not unique)"),
        };
        let _ = writeln!(out, "- `{}`{text}", model.shown(&c.ident));
    }
}

fn sparsity(out: &mut String, model: &Model, e: &Equations, names: &Names) {
    let entries = |m: &Sparse| m.entries.iter().map(|&(r, c, _)| (r, c)).collect::<Vec<_>>();
    let mut pictures = String::new();
    if !model.declared.coordinates.is_empty() {
        pictures.push_str(&picture("K", &names.directions, &names.directions, &e.tangent.stiffness));
        pictures.push_str(&picture("D", &names.directions, &names.v, &e.tangent.damping));
    }
    if !model.declared.inputs.is_empty() {
        let moving: Vec<String> = names.directions.iter().chain(&names.z).cloned().collect();
        pictures.push_str(&picture("B", &moving, &names.u, &entries(&e.sensitivities.inputs)));
    }
    if !model.constraints.is_empty() {
        pictures.push_str(&picture("G", &names.constraints, &names.directions, &entries(&e.constraints.jacobian)));
    }
    if !pictures.is_empty() {
        let _ = writeln!(out, "\n# Sparsity\n\n```text\n{pictures}```");
    }
}

/// The calls that do anything, with what each computes.
fn cost(out: &mut String, program: &Program) {
    let _ = writeln!(out, "\n# Cost\n\n| call | operations | gives |\n| --- | --- | --- |");
    for &call in Call::ALL {
        let ops = program[call].ops.total();
        if ops > 0 {
            let about = call.about().replace('[', "\\[").replace(']', "\\]");
            let _ = writeln!(out, "| `{}` | {ops} | {about} |", call.name());
        }
    }
}

/// The first lines of the equations, as a block of text.
pub(super) fn block(equations: &str) -> String {
    let mut lines: Vec<&str> = equations.lines().collect();
    let all = lines.len();
    lines.truncate(LINES);
    let mut text = lines.join("\n") + "\n";
    if all > LINES {
        let _ = writeln!(text, "… {} more lines in EQUATIONS", all - LINES);
    }
    format!("\n```text\n{text}```")
}

/// A matrix of dots and marks, with the names of its rows and columns.
fn picture(symbol: &str, rows: &[String], cols: &[String], entries: &[(usize, usize)]) -> String {
    if cols.len() > MAX_PICTURE || rows.len() > MAX_PICTURE {
        return format!("{symbol}: {} of {} entries\n", entries.len(), rows.len() * cols.len());
    }
    let width = rows.iter().map(|r| r.chars().count()).max().unwrap_or(0);
    let mut out = format!("{symbol:<width$} ");
    for col in cols {
        let _ = write!(out, " {col}");
    }
    out.push('\n');
    for (i, row) in rows.iter().enumerate() {
        let _ = write!(out, "{row:<width$} ");
        for (j, col) in cols.iter().enumerate() {
            let mark = if entries.contains(&(i, j)) { '#' } else { '.' };
            let _ = write!(out, " {mark:>w$}", w = col.chars().count());
        }
        out.push('\n');
    }
    out
}

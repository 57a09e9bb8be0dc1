//! The mathematics of a model as text, with shared subexpressions named rather than repeated.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::derive::{Equations, Sparse};
use crate::expr::{Graph, Node, Printer, Symbol};
use crate::identifier::bare;
use crate::lower::Program;
use crate::model::{Constraint, Declared, Hold, Model, Order};

use super::names::Names;

/// An expression of more operations than this is named where it is used twice.
const SHARE_ABOVE: usize = 4;
/// Matrices of more columns than this are listed entry by entry in the documentation.
const MAX_PICTURE: usize = 40;

/// One named line of mathematics.
struct Line {
    left: String,
    right: Node,
}

/// The `EQUATIONS` text.
pub(super) fn equations(model: &Model, e: &Equations, names: &Names) -> String {
    let mut sections: Vec<(&str, Vec<Line>)> = Vec::new();
    let vector = |symbol: &str, rows: &[String], nodes: &[Node]| -> Vec<Line> {
        nodes.iter().zip(rows).map(|(&n, row)| Line { left: format!("{symbol}[{row}]"), right: n }).collect()
    };
    let matrix = |symbol: &str, rows: &[String], cols: &[String], m: &Sparse| -> Vec<Line> {
        let line =
            |&(r, c, n): &(usize, usize, Node)| Line { left: format!("{symbol}[{}, {}]", rows[r], cols[c]), right: n };
        m.entries.iter().map(line).collect()
    };
    let energy = |symbol: &str, node: Node| vec![Line { left: symbol.to_owned(), right: node }];
    let first_order = model.header.options.order == Order::First;
    if !model.declared.coordinates.is_empty() {
        if !first_order {
            sections.push(("kinetic energy", energy("T", e.energies.energy[0])));
        }
        sections.push(("potential energy", energy("V", e.energies.energy[1])));
    }
    let (title, symbol) = match first_order {
        true => ("coefficient of the velocities (lower triangle)", "D"),
        false => ("mass matrix (lower triangle)", "M"),
    };
    sections.push((title, matrix(symbol, &names.directions, &names.directions, &e.dynamics.mass)));
    let rates = |names: &[String], nodes: &[Node]| -> Vec<Line> {
        names.iter().zip(nodes).map(|(name, &n)| Line { left: format!("der({name})"), right: n }).collect()
    };
    let differential = model.nz() - model.na();
    sections.push(("first-order states", rates(&names.z[..differential], &e.states.rates[..differential])));
    sections.push(("algebraic equations, 0 = F", vector("F", &model.flow.laws, &e.states.rates[differential..])));
    sections.push(("forces", vector("f", &names.directions, &e.dynamics.force)));
    sections.push(("constraints", vector("Phi", &names.constraints, &e.constraints.phi)));
    let laws = |symbol: &str, of: fn(&Constraint) -> bool| -> Vec<Line> {
        let rows = model.constraints.iter().filter(|c| of(c)).flat_map(|c| c.first..c.first + c.rows.len());
        rows.map(|k| Line { left: format!("{symbol}[{}]", names.constraints[k]), right: e.constraints.laws[k] })
            .collect()
    };
    let rolling = laws("psi", |c| c.soft.is_empty() && c.level == Hold::Velocity);
    sections.push(("constraints on velocities", rolling));
    sections.push(("compliant constraints", laws("0", |c| !c.soft.is_empty())));
    sections.push(("constraint Jacobian", matrix("G", &names.constraints, &names.directions, &e.constraints.jacobian)));
    sections.push(("constraints by time", vector("Phi_t", &names.constraints, &e.constraints.phi_t)));
    if !first_order {
        sections.push(("constraint bias", vector("gamma", &names.constraints, &e.constraints.gamma)));
    }
    let moving: Vec<String> = names.directions.iter().chain(&names.z).cloned().collect();
    sections.push(("forces by inputs", matrix("B", &moving, &names.u, &e.sensitivities.inputs)));
    let events: Vec<String> = model.events.iter().map(|event| event.label.clone()).collect();
    sections.push(("guards", vector("g", &events, &e.events.guards)));
    let reset = |event: &crate::model::Event| -> Vec<Line> {
        let new = |&(target, value): &(Symbol, Node)| Line {
            left: format!("{}[{}]", event.label, names.shown(target)),
            right: value,
        };
        event.resets.iter().map(new).collect()
    };
    // new values are said where they are zero too
    let resets: Vec<Line> = model.events.iter().flat_map(reset).collect();
    sections.push(("outputs", vector("y", &names.y, &e.observed.outputs.values)));
    let zero = |n: Node| e.graph.is_zero(n);
    for (_, lines) in &mut sections {
        // energies and rates are listed even if they are zero
        lines.retain(|l| !zero(l.right) || l.left.len() == 1 || l.left.starts_with("der("));
    }
    sections.push(("values after events", resets));
    let motion = match first_order {
        true => "D(q) v = f + G^T lambda, Phi = 0",
        false => "M(q) a = f + G^T lambda, Phi = 0",
    };
    let form = match (model.declared.coordinates.is_empty(), model.declared.states.is_empty()) {
        (_, true) => motion.to_owned(),
        (true, false) => "der(z) = g".to_owned(),
        (false, false) => format!("{motion}, der(z) = g"),
    };
    let mut out = format!("{}: {form}\n", bare(&model.header.name));
    let repeated = model.constraints.iter().filter(|c| c.redundant);
    let mut repeated = repeated.flat_map(|c| c.first..c.first + c.rows.len()).peekable();
    if repeated.peek().is_some() {
        out.push_str("\nmultipliers that are not unique, of redundant constraints and of those that they repeat\n");
    }
    for row in repeated {
        let _ = writeln!(out, "  lambda[{}]", names.constraints[row]);
    }
    let roots: Vec<Node> = sections.iter().flat_map(|(_, lines)| lines.iter().map(|l| l.right)).collect();
    let shared = shared(&e.graph, &roots);
    let symbol = |s| names.shown(s);
    let named = |n: Node| shared.get(&n).map(|k| format!("s{k}"));
    let printer = Printer { graph: &e.graph, symbol: &symbol, named: &named };
    let mut list: Vec<(&Node, &usize)> = shared.iter().collect();
    list.sort_by_key(|(_, k)| **k);
    if !list.is_empty() {
        out.push_str("\nshared terms\n");
        for (node, k) in list {
            let _ = writeln!(out, "  s{k} = {}", printer.definition(*node));
        }
    }
    for (title, lines) in sections.iter().filter(|(_, lines)| !lines.is_empty()) {
        let _ = writeln!(out, "\n{title}");
        for line in lines {
            let _ = writeln!(out, "  {} = {}", line.left, printer.text(line.right));
        }
    }
    out
}

/// Nodes that are used more than once and are long to repeat, numbered in order.
fn shared(graph: &Graph, roots: &[Node]) -> HashMap<Node, usize> {
    let live = graph.reach(roots);
    let len = live.last().map_or(0, |n| n.index() + 1);
    let (mut uses, mut size) = (vec![0_usize; len], vec![0_usize; len]);
    for node in &live {
        for operand in graph.operands(*node) {
            uses[operand.index()] += 1;
        }
    }
    for root in roots {
        uses[root.index()] += 1;
    }
    let mut shared = HashMap::new();
    for node in live {
        let op = graph.op(node);
        if !op.is_operation() {
            continue;
        }
        let i = node.index();
        size[i] = 1 + graph.operands(node).map(|o| size[o.index()]).sum::<usize>();
        if uses[i] > 1 && size[i] > SHARE_ABOVE && !op.is_condition() {
            let next = shared.len();
            shared.insert(node, next);
            size[i] = 0;
        }
    }
    shared
}

/// The generated part of the struct's documentation.
pub(super) fn summary(model: &Model, e: &Equations, program: &Program, names: &Names, equations: &str) -> String {
    let mut out = String::new();
    let row = |out: &mut String, d: &Declared, extra: String| {
        let unit = if d.unit.is_empty() { String::new() } else { format!(" \\[{}\\]", d.unit) };
        let docs = d.docs.join(" ");
        let docs = if docs.trim().is_empty() { String::new() } else { format!(": {}", docs.trim()) };
        let _ = writeln!(out, "- `{}`{unit}{extra}{docs}", model.shown(&d.ident));
    };
    if !model.declared.coordinates.is_empty() || model.declared.states.is_empty() {
        let _ = writeln!(out, "# Coordinates\n\nnq = {}, nv = {}\n", model.nq(), model.nv());
    }
    for c in &model.declared.coordinates {
        let rate = c.velocity.as_ref().map_or(String::new(), |v| format!(", velocity `{}`", model.shown(v)));
        row(&mut out, &c.declared, rate);
    }
    if !model.declared.states.is_empty() {
        let _ = writeln!(out, "\n# States\n\nnz = {}; ż = g\n", model.nz());
        for state in &model.declared.states {
            row(&mut out, &state.declared, String::new());
        }
    }
    if !model.declared.inputs.is_empty() {
        let _ = writeln!(out, "\n# Inputs\n");
        for input in &model.declared.inputs {
            row(&mut out, &input.declared, String::new());
        }
    }
    let _ = writeln!(out, "\n# Parameters\n");
    for p in &model.declared.params {
        let declared = p.default.as_ref().map(|d| d.iter().map(|x| x / p.scale).collect::<Vec<f64>>());
        let default = match declared.as_deref() {
            Some([one]) => format!(" = {one:?}"),
            Some(many) => format!(" = {many:?}").replace('[', "\\[").replace(']', "\\]"),
            None => String::new(),
        };
        row(&mut out, &p.declared, default);
    }
    if !model.constraints.is_empty() {
        let _ = writeln!(
            out,
            "\n# Constraints\n\nnc = {}; {} = f + Gᵀ λ with Φ = left − right\n",
            model.nc(),
            if model.header.options.order == Order::First { "D v" } else { "M a" }
        );
        for c in &model.constraints {
            let docs = c.docs.join(" ");
            let _ = writeln!(
                out,
                "- `{}`{}",
                model.shown(&c.ident),
                match (docs.trim(), c.redundant) {
                    ("", false) => String::new(),
                    ("", true) => ": redundant, its multiplier is not unique".to_owned(),
                    (docs, false) => format!(": {docs}"),
                    (docs, true) => format!(": {docs} (redundant, its multiplier is not unique)"),
                }
            );
        }
    }
    if !model.observed.outputs.is_empty() {
        let _ = writeln!(out, "\n# Outputs\n");
        for output in &model.observed.outputs {
            row(&mut out, &output.declared, String::new());
        }
    }
    let _ = writeln!(out, "\n# Equations\n\n```text\n{}```\n\n# Sparsity\n\n```text", shorten(equations));
    let entries = |m: &Sparse| m.entries.iter().map(|&(r, c, _)| (r, c)).collect::<Vec<_>>();
    if !model.declared.coordinates.is_empty() {
        out.push_str(&picture("K", &names.directions, &names.directions, &e.tangent.stiffness));
        out.push_str(&picture("D", &names.directions, &names.v, &e.tangent.damping));
    }
    if !model.declared.inputs.is_empty() {
        let moving: Vec<String> = names.directions.iter().chain(&names.z).cloned().collect();
        out.push_str(&picture("B", &moving, &names.u, &entries(&e.sensitivities.inputs)));
    }
    if !model.constraints.is_empty() {
        out.push_str(&picture("G", &names.constraints, &names.directions, &entries(&e.constraints.jacobian)));
    }
    let _ = writeln!(out, "```\n\n# Cost\n\nOperations of each fused call:\n");
    for kernel in program.kernels() {
        if kernel.ops.total() > 0 {
            let _ = writeln!(out, "- {}: {}", kernel.name, kernel.ops.total());
        }
    }
    out
}

/// The first lines of a long text.
fn shorten(equations: &str) -> String {
    const LINES: usize = 120;
    let mut lines: Vec<&str> = equations.lines().collect();
    let all = lines.len();
    lines.truncate(LINES);
    let mut text = lines.join("\n") + "\n";
    if all > LINES {
        let _ = writeln!(text, "… {} more lines in EQUATIONS", all - LINES);
    }
    text
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

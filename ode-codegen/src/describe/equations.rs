//! The mathematics of a model as text, with shared subexpressions named rather than repeated.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::derive::{Equations, Sparse};
use crate::expr::{Graph, Node, Printer, Symbol};
use crate::identifier::bare;
use crate::model::{Constraint, Hold, Model, Order};

use super::names::Names;

/// An expression of more operations than this is named where it is used twice.
const SHARE_ABOVE: usize = 4;

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
    let mut out = format!("{}: {}\n", bare(&model.header.name), form(model, e));
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

/// The form of the equations, with the terms that this model has.
fn form(model: &Model, e: &Equations) -> String {
    let mut out: Vec<String> = Vec::new();
    if !model.declared.coordinates.is_empty() || model.declared.states.is_empty() {
        let (matrix, rate) = match model.header.options.order {
            Order::First => ("D", "v"),
            Order::Second => ("M", "a"),
        };
        let of = if e.dynamics.constant_mass { "" } else { "(q)" };
        let reactions = if model.nc() > 0 { " + G^T lambda" } else { "" };
        out.push(format!("{matrix}{of} {rate} = f{reactions}"));
    }
    let rigid = |level| model.constraints.iter().any(|c| c.soft.is_empty() && c.level == level);
    let others = [
        (rigid(Hold::Position), "Phi = 0"),
        (rigid(Hold::Velocity), "psi = 0"),
        (model.nz() > model.na(), "der(z) = g"),
        (model.na() > 0, "0 = F"),
    ];
    out.extend(others.into_iter().filter(|(there, _)| *there).map(|(_, text)| text.to_owned()));
    out.join(", ")
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

//! The equations of a model, in the order in which they are read, before they are spelled.

use crate::derive::{Equations, Sparse};
use crate::expr::{Node, Symbol};
use crate::identifier::bare;
use crate::model::{Constraint, Event, Hold, Model, Order};

use super::letters::Letters;
use super::names::Names;
use super::shared::shared;

/// An index of a row or a column.
pub(crate) enum Index {
    /// a scalar of the model
    Name(String),
    /// a constraint, an event, an output
    Label(String),
}

impl Index {
    /// It in text.
    pub(crate) fn text(&self) -> &str {
        let (Index::Name(text) | Index::Label(text)) = self;
        text
    }
}

/// The left side of an equation.
pub(crate) enum Left {
    /// T
    Symbol(String),
    /// an entry of a vector or a matrix
    Entry(String, Vec<Index>),
    /// the rate of a scalar
    Rate(String),
    /// zero, for a constraint that yields
    Law(String),
    /// a scalar after an event
    After(String, String),
}

/// An equation.
pub(crate) struct Line {
    /// its left side
    pub left: Left,
    /// its right side
    pub right: Node,
}

/// Equations of a kind.
pub(crate) struct Section {
    /// what they are
    pub title: &'static str,
    /// a formula that they are about
    pub formula: Option<String>,
    /// the equations
    pub lines: Vec<Line>,
}

/// Sections, and the terms that they share.
pub(crate) struct Chapter {
    /// what the shared terms are
    pub title: &'static str,
    /// terms that are named, in order
    pub shared: Vec<Node>,
    /// the others
    pub sections: Vec<Section>,
    /// what is left out for its length, and where it is
    pub omitted: Option<String>,
}

/// All equations of a model.
pub(crate) struct Sheet {
    /// the model's name
    pub name: String,
    /// the terms that the equations have
    pub form: Vec<String>,
    /// constraint rows whose multipliers are not unique
    pub repeated: Vec<Left>,
    /// the equations, and how they change with the motion where that is asked for
    pub chapters: Vec<Chapter>,
}

impl Sheet {
    /// That of a model.
    pub(crate) fn of(model: &Model, e: &Equations, names: &Names, letters: &Letters) -> Self {
        let sections = sections(model, e, names);
        let roots: Vec<Node> = sections.iter().flat_map(|s| s.lines.iter().map(|l| l.right)).collect();
        let shared = shared(&e.graph, &roots, &[], &|symbol| letters.name(&names.shown(symbol)).width());
        let repeated = model.constraints.iter().filter(|c| c.redundant);
        let repeated = repeated.flat_map(|c| c.first..c.first + c.rows.len());
        let multiplier = |row: usize| entry("lambda", [label(&names.constraints[row])]);
        Self {
            name: bare(&model.header.name),
            form: form(model, e),
            repeated: repeated.map(multiplier).collect(),
            chapters: vec![Chapter { title: "shared terms", shared, sections, omitted: None }],
        }
    }
}

fn label(text: &str) -> Index {
    Index::Label(text.to_owned())
}

pub(super) fn name(text: &str) -> Index {
    Index::Name(text.to_owned())
}

fn entry<const N: usize>(symbol: &str, indices: [Index; N]) -> Left {
    Left::Entry(symbol.to_owned(), indices.into())
}

/// A vector, with what makes an index of the name of a row.
fn vector(symbol: &str, index: fn(&str) -> Index, rows: &[String], nodes: &[Node]) -> Vec<Line> {
    let line = |(&right, row): (&Node, &String)| Line { left: entry(symbol, [index(row)]), right };
    nodes.iter().zip(rows).map(line).collect()
}

/// The entries of a matrix whose columns are scalars of the model.
pub(super) fn matrix(
    symbol: &str,
    index: fn(&str) -> Index,
    rows: &[String],
    cols: &[String],
    m: &Sparse,
) -> Vec<Line> {
    let line =
        |&(r, c, right): &(usize, usize, Node)| Line { left: entry(symbol, [index(&rows[r]), name(&cols[c])]), right };
    m.entries.iter().map(line).collect()
}

/// The sections that are not empty, without equations that say zero.
fn sections(model: &Model, e: &Equations, names: &Names) -> Vec<Section> {
    let mut sections = motion(model, e, names);
    sections.extend(constraints(model, e, names));
    let moving: Vec<String> = names.directions.iter().chain(&names.z).cloned().collect();
    let events: Vec<String> = model.events.iter().map(|event| event.label.clone()).collect();
    sections.extend([
        ("forces by inputs", matrix("B", name, &moving, &names.u, &e.sensitivities.inputs)),
        ("guards", vector("g", label, &events, &e.events.guards)),
        ("outputs", vector("y", label, &names.y, &e.observed.outputs.values)),
    ]);
    for (_, lines) in &mut sections {
        // energies and rates are listed even if they are zero
        lines.retain(|l| !e.graph.is_zero(l.right) || matches!(l.left, Left::Symbol(_) | Left::Rate(_)));
    }
    let reset = |event: &Event| -> Vec<Line> {
        let left = |target: Symbol| Left::After(event.label.clone(), names.shown(target));
        event.resets.iter().map(|&(target, right)| Line { left: left(target), right }).collect()
    };
    // new values are said where they are zero too
    sections.push(("values after events", model.events.iter().flat_map(reset).collect()));
    let there = sections.into_iter().filter(|(_, lines)| !lines.is_empty());
    there.map(|(title, lines)| Section { title, formula: None, lines }).collect()
}

/// Energies, masses, states and forces.
fn motion(model: &Model, e: &Equations, names: &Names) -> Vec<(&'static str, Vec<Line>)> {
    let mut sections = Vec::new();
    let energy = |symbol: &str, right: Node| vec![Line { left: Left::Symbol(symbol.to_owned()), right }];
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
    sections.push((title, matrix(symbol, name, &names.directions, &names.directions, &e.dynamics.mass)));
    let (rates, algebraic) = e.states.rates.split_at(model.nz() - model.na());
    let rates = names.z.iter().zip(rates).map(|(z, &right)| Line { left: Left::Rate(z.clone()), right });
    sections.push(("first-order states", rates.collect()));
    sections.push(("algebraic equations, 0 = F", vector("F", label, &model.flow.laws, algebraic)));
    sections.push(("forces", vector("f", name, &names.directions, &e.dynamics.force)));
    sections
}

/// Φ, ψ, G, Φₜ and γ.
fn constraints(model: &Model, e: &Equations, names: &Names) -> Vec<(&'static str, Vec<Line>)> {
    let rows = &names.constraints;
    let laws = |left: &dyn Fn(usize) -> Left, of: fn(&Constraint) -> bool| -> Vec<Line> {
        let rows = model.constraints.iter().filter(|c| of(c)).flat_map(|c| c.first..c.first + c.rows.len());
        rows.map(|k| Line { left: left(k), right: e.constraints.laws[k] }).collect()
    };
    let rolling = laws(&|k| entry("psi", [label(&rows[k])]), |c| c.soft.is_empty() && c.level == Hold::Velocity);
    let mut sections = vec![
        ("constraints", vector("Phi", label, rows, &e.constraints.phi)),
        ("constraints on velocities", rolling),
        ("compliant constraints", laws(&|k| Left::Law(rows[k].clone()), |c| !c.soft.is_empty())),
        ("constraint Jacobian", matrix("G", label, rows, &names.directions, &e.constraints.jacobian)),
        ("constraints by time", vector("Phi_t", label, rows, &e.constraints.phi_t)),
    ];
    if model.header.options.order == Order::Second {
        sections.push(("constraint bias", vector("gamma", label, rows, &e.constraints.gamma)));
    }
    sections
}

/// The form of the equations, with the terms that this model has.
fn form(model: &Model, e: &Equations) -> Vec<String> {
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
    out
}

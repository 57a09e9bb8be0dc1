//! M0207 and M0208: declarations without effect.

use crate::check::reports::Reports;
use crate::check::whole::Whole;
use crate::diagnostics::{Id, Warning};
use crate::expr::{Graph, Node, Symbol};
use crate::model::{Declared, Energy};

/// Everything that moves: energies, masses, forces and constraints.
fn dynamics(whole: &Whole<'_>) -> Vec<Node> {
    let d = &whole.draft;
    let energies = |list: &[Energy]| list.iter().map(|e| e.value).collect::<Vec<_>>();
    let mut nodes = energies(&d.energies.kinetic);
    nodes.extend(energies(&d.energies.potential));
    nodes.extend(energies(&d.energies.dissipation));
    nodes.extend(d.masses.entries.iter().map(|m| m.value));
    nodes.extend(d.forces.iter().flat_map(|f| f.on.iter().chain(&f.value).copied()));
    nodes.extend(d.flow.rates.values().map(|(rate, _)| *rate));
    nodes.extend(d.events.iter().flat_map(|e| e.resets.iter().map(|(_, n)| *n).chain([e.guard])));
    nodes.extend(d.flow.laws.iter().map(|(_, _, law)| *law));
    nodes.extend(d.constraints.iter().flat_map(|k| k.rows.iter().copied()));
    nodes.extend(d.constraints.iter().flat_map(|k| &k.soft).flat_map(|s| [s.compliance, s.relax]));
    nodes
}

/// Everything that is looked at.
fn observed(whole: &Whole<'_>) -> Vec<Node> {
    let d = &whole.draft;
    let mut nodes: Vec<Node> = d.observed.outputs.iter().flat_map(|o| o.value.iter().copied()).collect();
    nodes.extend(d.observed.limits.iter().flat_map(|l| l.value.iter().copied()));
    nodes.extend(d.observed.fits.iter().flat_map(|f| f.value.iter().copied()));
    nodes.extend(d.observed.picture.iter().flatten().flat_map(|f| f.value.iter().copied()));
    nodes.extend(d.observed.limits.iter().filter_map(|l| l.range).flat_map(|(a, b)| [a, b]));
    nodes
}

fn scalars(d: &Declared) -> std::ops::Range<usize> {
    d.first..d.first + d.shape.len()
}

/// M0207
pub(super) fn params(whole: &Whole<'_>, graph: &Graph, reports: &mut Reports<'_>) {
    let d = &whole.draft;
    let mut nodes = dynamics(whole);
    nodes.extend(observed(whole));
    nodes.extend(d.observed.costs.iter().map(|e| e.value));
    nodes.extend(d.starts.all.iter().flat_map(|s| s.on.iter().chain(&s.value).copied()));
    nodes.extend(d.requires.iter().map(|r| r.condition));
    nodes.extend(whole.declared.inputs.iter().filter_map(|u| u.range).flat_map(|(a, b)| [a, b]));
    let used = symbols(graph, &nodes);
    let unused = |d: &&Declared| !used.iter().any(|s| matches!(s, Symbol::P(i) if scalars(d).contains(&(*i as usize))));
    let found: Vec<_> =
        whole.declared.params.iter().map(|p| &p.declared).filter(unused).map(|d| d.ident.clone()).collect();
    for ident in found {
        if !silent(whole, &ident.to_string()) {
            let what = format!("param `{ident}` is never used: the model does not depend on it");
            reports.warn(Warning::new(Id::M0207, ident.span(), what, &[]));
        }
    }
}

/// M0208
pub(super) fn inputs(whole: &Whole<'_>, graph: &Graph, reports: &mut Reports<'_>) {
    let mut nodes = dynamics(whole);
    nodes.extend(observed(whole));
    let used = symbols(graph, &nodes);
    let unused = |d: &&Declared| !used.iter().any(|s| matches!(s, Symbol::U(i) if scalars(d).contains(&(*i as usize))));
    let found: Vec<_> =
        whole.declared.inputs.iter().map(|u| &u.declared).filter(unused).map(|d| d.ident.clone()).collect();
    for ident in found {
        if !silent(whole, &ident.to_string()) {
            let what = format!("input `{ident}` has no effect: B has a structurally zero column");
            reports.warn(Warning::new(Id::M0208, ident.span(), what, &[]));
        }
    }
}

fn symbols(graph: &Graph, nodes: &[Node]) -> Vec<Symbol> {
    graph.reach(nodes).into_iter().filter_map(|n| graph.as_symbol(n)).collect()
}

fn silent(whole: &Whole<'_>, name: &str) -> bool {
    whole.declared.shown.contains_key(name)
        || name.starts_with('_')
        || whole.allowed("unused")
        || whole.draft.silenced.unused.iter().any(|u| u == name)
}

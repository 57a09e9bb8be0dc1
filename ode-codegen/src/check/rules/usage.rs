//! M0207 and M0208: what is declared and has no effect.

use crate::check::Checker;
use crate::diagnostics::{Id, Warning};
use crate::expr::{Node, Symbol};
use crate::model::{Declared, Energy};

/// Everything that moves: energies, masses, forces and constraints.
fn dynamics(c: &Checker<'_>) -> Vec<Node> {
    let d = &c.draft;
    let energies = |list: &[Energy]| list.iter().map(|e| e.value).collect::<Vec<_>>();
    let mut nodes = energies(&d.kinetic);
    nodes.extend(energies(&d.potential));
    nodes.extend(energies(&d.dissipation));
    nodes.extend(d.mass.iter().map(|m| m.value));
    nodes.extend(d.forces.iter().flat_map(|f| f.on.iter().chain(&f.value).copied()));
    nodes.extend(d.rates.values().map(|(rate, _)| *rate));
    nodes.extend(d.events.iter().flat_map(|e| e.resets.iter().map(|(_, n)| *n).chain([e.guard])));
    nodes.extend(d.laws.iter().map(|(_, _, law)| *law));
    nodes.extend(d.constraints.iter().flat_map(|k| k.rows.iter().copied()));
    nodes.extend(d.constraints.iter().flat_map(|k| &k.soft).flat_map(|s| [s.compliance, s.relax]));
    nodes
}

/// Everything that is looked at.
fn observed(c: &Checker<'_>) -> Vec<Node> {
    let d = &c.draft;
    let mut nodes: Vec<Node> = d.outputs.iter().flat_map(|o| o.value.iter().copied()).collect();
    nodes.extend(d.limits.iter().flat_map(|l| l.value.iter().copied()));
    nodes.extend(d.fits.iter().flat_map(|f| f.value.iter().copied()));
    nodes.extend(d.limits.iter().filter_map(|l| l.range).flat_map(|(a, b)| [a, b]));
    nodes
}

fn scalars(d: &Declared) -> std::ops::Range<usize> {
    d.first..d.first + d.shape.len()
}

/// M0207
pub(super) fn params(c: &mut Checker<'_>) {
    let d = &c.draft;
    let mut nodes = dynamics(c);
    nodes.extend(observed(c));
    nodes.extend(d.costs.iter().map(|e| e.value));
    nodes.extend(d.starts.iter().flat_map(|s| s.on.iter().chain(&s.value).copied()));
    nodes.extend(d.requires.iter().map(|r| r.condition));
    nodes.extend(d.inputs.iter().filter_map(|u| u.range).flat_map(|(a, b)| [a, b]));
    let used = symbols(c, &nodes);
    let unused = |d: &&Declared| !used.iter().any(|s| matches!(s, Symbol::P(i) if scalars(d).contains(&(*i as usize))));
    let found: Vec<_> = c.draft.params.iter().map(|p| &p.declared).filter(unused).map(|d| d.ident.clone()).collect();
    for ident in found {
        if !silent(c, &ident.to_string()) {
            let what = format!("param `{ident}` is never used: the model does not depend on it");
            c.warn(Warning::new(Id::M0207, ident.span(), what, &[]));
        }
    }
}

/// M0208
pub(super) fn inputs(c: &mut Checker<'_>) {
    let mut nodes = dynamics(c);
    nodes.extend(observed(c));
    let used = symbols(c, &nodes);
    let unused = |d: &&Declared| !used.iter().any(|s| matches!(s, Symbol::U(i) if scalars(d).contains(&(*i as usize))));
    let found: Vec<_> = c.draft.inputs.iter().map(|u| &u.declared).filter(unused).map(|d| d.ident.clone()).collect();
    for ident in found {
        if !silent(c, &ident.to_string()) {
            let what = format!("input `{ident}` has no effect: B has a structurally zero column");
            c.warn(Warning::new(Id::M0208, ident.span(), what, &[]));
        }
    }
}

fn symbols(c: &Checker<'_>, nodes: &[Node]) -> Vec<Symbol> {
    c.graph.reach(nodes).into_iter().filter_map(|n| c.graph.as_symbol(n)).collect()
}

fn silent(c: &Checker<'_>, name: &str) -> bool {
    c.draft.shown.contains_key(name)
        || name.starts_with('_')
        || c.allowed("unused")
        || c.draft.unused.iter().any(|u| u == name)
}

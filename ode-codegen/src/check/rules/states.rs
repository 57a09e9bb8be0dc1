//! M0223: every state has a rate. M0225 and M0243: as many equations as algebraic variables, and one for each.

use super::rank::matching;
use crate::check::reports::Reports;
use crate::check::whole::Whole;
use crate::diagnostics::{Id, Message, location};
use crate::expr::{Graph, Symbol};

/// One equation for each scalar of each state.
pub(super) fn rates(whole: &Whole<'_>, reports: &mut Reports<'_>) {
    for k in 0..whole.declared.states.len() {
        if whole.declared.states[k].algebraic {
            continue;
        }
        let declared = &whole.declared.states[k].declared;
        let scalars = declared.first..declared.first + declared.shape.len();
        let Some(missing) = scalars.into_iter().find(|i| !whole.draft.flow.rates.contains_key(i)) else { continue };
        let (ident, name) = (declared.ident.clone(), whole.declared.state_name(missing));
        let message = Message::new(Id::M0223, &ident, format!("state `{name}` has no rate"))
            .note("nothing else determines how a state changes")
            .help(format!("write `der({name}) = ..;`, or make it a `param` or an `input`"));
        reports.report(message);
    }
}

/// Index 1: the equations determine the algebraic variables, structurally.
pub(super) fn laws(whole: &Whole<'_>, graph: &mut Graph, reports: &mut Reports<'_>) {
    let nz: usize = whole.declared.states.iter().map(|z| z.declared.shape.len()).sum();
    let unknowns: Vec<usize> = (0..nz).filter(|i| whole.declared.is_algebraic(*i)).collect();
    let Some(first) = whole.declared.states.iter().find(|z| z.algebraic).map(|z| z.declared.ident.clone()) else {
        return;
    };
    let laws = &whole.draft.flow.laws;
    if laws.len() != unknowns.len() {
        let (n, m) = (unknowns.len(), laws.len());
        let variables = if n == 1 { "algebraic variable" } else { "algebraic variables" };
        let equations = if m == 1 { "equation" } else { "equations" };
        let mut names: Vec<String> =
            laws.iter().map(|(name, id, _)| format!("{name} ({})", location(id.span()))).collect();
        names.dedup();
        let what = format!("{n} {variables} and {m} {equations} for them");
        let at = laws.last().filter(|_| m > n).map_or(first, |(_, ident, _)| ident.clone());
        let message = Message::new(Id::M0225, at, what);
        let message = if names.is_empty() { message } else { message.note(names.join(", ")) };
        reports.report(
            message.help("each of their scalars needs one row of a `constraint` that contains an algebraic variable"),
        );
        return;
    }
    let symbols: Vec<Symbol> = unknowns.iter().map(|i| Symbol::Z(*i as u32)).collect();
    let pattern: Vec<Vec<usize>> = laws
        .iter()
        .map(|(_, _, law)| {
            let slopes = graph.gradient(*law, &symbols);
            (0..symbols.len()).filter(|k| !graph.is_zero(slopes[*k])).collect()
        })
        .collect();
    let found = matching(&pattern, symbols.len());
    let Some((rows, columns)) = found.crowd(&pattern) else { return };
    let list = |names: Vec<String>| names.join(", ");
    let (equations, variables) = (
        list(rows.iter().map(|r| format!("`{}`", laws[*r].0)).collect()),
        list(columns.iter().map(|k| format!("`{}`", whole.declared.state_name(unknowns[*k]))).collect()),
    );
    let free: Vec<String> = (0..symbols.len())
        .filter(|k| !found.column_of.contains(&Some(*k)))
        .map(|k| format!("`{}`", whole.declared.state_name(unknowns[k])))
        .collect();
    let Some(last) = rows.last().map(|r| laws[*r].1.clone()) else { return };
    let what = format!("the equations do not determine the algebraic variables: {} is left over", list(free));
    let message = Message::new(Id::M0243, last, what)
        .note(format!("{equations}: {} equations for {} of them: {variables}", rows.len(), columns.len()))
        .help("only index 1 is solved: each variable needs an equation of its own that contains it");
    reports.report(message);
}

//! M0223: every state has a rate. M0225 and M0243: as many equations as algebraic variables, and one for each.

use proc_macro2::Ident;

use super::rank::matching;
use crate::check::reports::Reports;
use crate::check::whole::Whole;
use crate::diagnostics::{Id, Message, location};
use crate::expr::{Graph, Node, Symbol};
use crate::identifier::bare;
use crate::model::Shape;

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
    let help = "each of their scalars needs one row of a `constraint` that contains an algebraic variable";
    matched(whole, graph, reports, (&first, help), &unknowns);
}

/// The scalar that each row determines, in an element of a model with sets. Its own are those of the member of its
/// loop; a loop that has equations has those of all that it reads.
pub(super) fn determined(whole: &Whole<'_>, graph: &mut Graph, reports: &mut Reports<'_>) -> Vec<usize> {
    let Some((_, law, row)) = whole.draft.flow.laws.first() else { return Vec::new() };
    if let Some(message) = whole.draft.flow.laws.iter().find_map(|law| of_balances(whole, graph, law)) {
        reports.report(message);
        return Vec::new();
    }
    let mut own = Vec::new();
    for (name, place) in &whole.ast.determined {
        let state = whole.declared.states.iter().find(|z| z.algebraic && bare(&z.declared.ident) == *name);
        let Some(declared) = state.map(|z| &z.declared) else { continue };
        own.extend(match (&declared.shape, place) {
            (Shape::Array(_, inner), Some(place)) => {
                let first = declared.first + place * inner.len();
                first..first + inner.len()
            }
            (shape, _) => declared.first..declared.first + shape.len(),
        });
    }
    if own.is_empty() {
        let what = format!("constraint `{law}` contains an algebraic variable, and its loop has none of its own");
        let message = Message::new(Id::M0225, law, what);
        let message = message.note(
            "such a row is the equation that determines a variable of its member, or of the sub that it stands in",
        );
        reports.report(match of_sub(whole, graph, *row) {
            Some(name) => message
                .help(format!("write the equation of `{name}` in the model that declares it"))
                .help(format!("what loops add to it is `balance {name} += ..;`")),
            None => message
                .help("write it in a loop over all members of the set of its variable, or beside the loops without one")
                .help("what other loops add to an equation is `balance y += ..;`"),
        });
        return own;
    }
    let help =
        "each scalar of a member's algebraic variables that this loop reads needs one row of a `constraint` in it";
    matched(whole, graph, reports, (&law.clone(), help), &own)
}

/// The algebraic variables that a row contains, scalar by scalar.
fn variables(whole: &Whole<'_>, graph: &Graph, row: Node) -> Vec<usize> {
    let read = graph.reach(&[row]).into_iter().filter_map(|node| match graph.as_symbol(node) {
        Some(Symbol::Z(i)) if whole.declared.is_algebraic(i as usize) => Some(i as usize),
        _ => None,
    });
    read.collect()
}

/// The first variable of a row, if all that it contains are of subs.
fn of_sub(whole: &Whole<'_>, graph: &Graph, row: Node) -> Option<String> {
    let read = variables(whole, graph, row);
    let is_inner = |i: &usize| {
        let found = whole.declared.states.iter().map(|z| &z.declared).find(|declared| declared.holds(*i));
        found.is_some_and(|declared| whole.declared.shown(&declared.ident).contains('.'))
    };
    let first = read.first().filter(|_| read.iter().all(is_inner))?;
    Some(whole.declared.state_name(*first))
}

/// M0225: a row that contains no variable but those that balances determine.
fn of_balances(whole: &Whole<'_>, graph: &Graph, (_, law, row): &(String, Ident, Node)) -> Option<Message> {
    let read = variables(whole, graph, *row);
    let is_balanced = |i: &usize| {
        let found = whole.declared.states.iter().map(|z| &z.declared).find(|declared| declared.holds(*i));
        found.is_some_and(|declared| whole.ast.balanced.contains(&bare(&declared.ident)))
    };
    let name = whole.declared.state_name(*read.first().filter(|_| read.iter().all(is_balanced))?);
    let what = format!("`{name}` is determined by balances, so `{law}` cannot determine it too");
    Some(Message::new(Id::M0225, law, what).help(format!("write it as `balance {name} += ..;`")))
}

/// The unknown of each row of F (M0225, M0243).
fn matched(
    whole: &Whole<'_>,
    graph: &mut Graph,
    reports: &mut Reports<'_>,
    (first, help): (&Ident, &str),
    unknowns: &[usize],
) -> Vec<usize> {
    let laws = &whole.draft.flow.laws;
    if laws.len() != unknowns.len() {
        let (n, m) = (unknowns.len(), laws.len());
        let variables = if n == 1 { "algebraic variable" } else { "algebraic variables" };
        let equations = if m == 1 { "equation" } else { "equations" };
        let mut names: Vec<String> =
            laws.iter().map(|(name, id, _)| format!("{name} ({})", location(id.span()))).collect();
        names.dedup();
        let what = format!("{n} {variables} and {m} {equations} for them");
        let at = laws.last().filter(|_| m > n).map_or(first, |(_, ident, _)| ident);
        let message = Message::new(Id::M0225, at, what);
        let message = if names.is_empty() { message } else { message.note(names.join(", ")) };
        reports.report(message.help(help));
        return Vec::new();
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
    let Some((rows, columns)) = found.crowd(&pattern) else {
        return found.column_of.into_iter().flatten().filter_map(|k| unknowns.get(k).copied()).collect();
    };
    let list = |names: Vec<String>| names.join(", ");
    let (equations, variables) = (
        list(rows.iter().map(|r| format!("`{}`", laws[*r].0)).collect()),
        list(columns.iter().map(|k| format!("`{}`", whole.declared.state_name(unknowns[*k]))).collect()),
    );
    let free: Vec<String> = (0..symbols.len())
        .filter(|k| !found.column_of.contains(&Some(*k)))
        .map(|k| format!("`{}`", whole.declared.state_name(unknowns[k])))
        .collect();
    let Some(last) = rows.last().map(|r| laws[*r].1.clone()) else { return Vec::new() };
    let what = format!("the equations do not determine the algebraic variables: {} is left over", list(free));
    let note = match columns.is_empty() {
        true => format!("{equations} contains none of them"),
        false => format!("{equations}: {} equations for {} of them: {variables}", rows.len(), columns.len()),
    };
    let message = Message::new(Id::M0243, last, what)
        .note(note)
        .help("only index 1 is solved: each variable needs an equation of its own that contains it");
    reports.report(message);
    Vec::new()
}

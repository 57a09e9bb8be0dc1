//! `der(z) = g;`: the rate of a first-order state, and `der(z) += g;`, a share of it.

use super::energy::span;
use crate::check::draft::{Draft, Flow};
use crate::check::read::{Reader, mend};
use crate::check::values::{Dimension, Value};
use crate::diagnostics::{Id, Message, location, text};
use crate::expr::{Graph, Node, Symbol};
use crate::model::State;
use crate::parse::ast::{Rate, Share};

pub(super) fn rate(r: &mut Reader<'_>, flow: &mut Flow, assign: &Rate) {
    let target = r.eval(&assign.target);
    let value = r.eval(&assign.value);
    if target.is_poison() {
        r.reports.doubts.rates = true;
        return;
    }
    let Some(scalars) = states(r, assign, &target) else { return };
    let (Some(shape), false) = (target.shape(), value.is_poison()) else {
        return given(r, flow, assign, &scalars, &[]);
    };
    let value = r.expect_shape(value, &shape, &assign.value);
    let nodes = value.scalars();
    if value.is_poison() || r.without_accelerations(&nodes, &assign.value).is_none() {
        return given(r, flow, assign, &scalars, &[]);
    }
    units(r, assign, &target, &value);
    given(r, flow, assign, &scalars, &nodes);
}

/// Algebraic variables are the last of z; both kinds stay in the order of the text.
pub(crate) fn algebraic_last(states: &mut [State], draft: &mut Draft<'_>, graph: &mut Graph) {
    states.sort_by_key(|s| s.algebraic);
    let mut number = vec![0; states.iter().map(|s| s.declared.shape.len()).sum()];
    let mut first = 0;
    for State { declared, .. } in states {
        for k in 0..declared.shape.len() {
            number[declared.first + k] = (first + k) as u32;
        }
        declared.first = first;
        first += declared.shape.len();
    }
    let new = |i: u32| number.get(i as usize).copied().unwrap_or(i);
    let flow = &mut draft.flow;
    flow.rates = std::mem::take(&mut flow.rates).into_iter().map(|(i, rate)| (new(i as u32) as usize, rate)).collect();
    flow.determined.iter_mut().for_each(|i| *i = new(*i as u32) as usize);
    flow.balances =
        std::mem::take(&mut flow.balances).into_iter().map(|(i, of)| (new(i as u32) as usize, of)).collect();
    for (target, _) in draft.events.iter_mut().flat_map(|e| &mut e.resets) {
        if let Symbol::Z(i) = *target {
            *target = Symbol::Z(new(i));
        }
    }
    graph.rename(|symbol| match symbol {
        Symbol::Z(i) => Symbol::Z(new(i)),
        Symbol::Zdot(i) => Symbol::Zdot(new(i)),
        other => other,
    });
}

/// M0221: the argument of `der(..)` must be a state.
fn states(r: &mut Reader<'_>, assign: &Rate, target: &Value) -> Option<Vec<usize>> {
    let state = |n| match r.graph.as_symbol(n) {
        Some(Symbol::Z(i)) => Some(i as usize),
        _ => None,
    };
    let nodes = target.scalars();
    let found: Option<Vec<usize>> = nodes.iter().map(|n| state(*n)).collect();
    if let Some(variable) = r.algebraic_of(&nodes) {
        let what = format!("`der({variable}) = ..` gives a rate, and `{variable}` is algebraic");
        let message = Message::new(Id::M0221, &assign.target, what)
            .note("an equation determines it: `constraint c: a == b;`")
            .help("declare it as a `state`");
        r.report(message);
        r.reports.doubts.rates = true;
        return None;
    }
    if let Some(found) = found.filter(|f| !f.is_empty()) {
        return Some(found);
    }
    let name = text(&assign.target);
    let message = Message::new(
        Id::M0221,
        &assign.target,
        format!("`der({name}) = ..` gives a rate, and `{name}` is not a state"),
    );
    let moves = r.graph.any_depends(&nodes, |s| matches!(s, Symbol::Q(_) | Symbol::V(_)));
    let message = match (moves, r.state_of(&nodes)) {
        (_, Some(state)) => {
            r.reports.doubts.rates = true;
            message.help(format!("left of `=` stands a state alone: `der({state}) = ..;`"))
        }
        (true, None) => message
            .note("inertia and forces determine how a coordinate moves")
            .help("prescribe its motion by a `constraint`, or declare a `state`"),
        (false, None) => message.help("declare it: `state z: Real;`"),
    };
    r.report(message);
    None
}

/// Records the rates; M0222 if one is given twice as a whole. `nodes` is empty after a mistake.
fn given(r: &mut Reader<'_>, flow: &mut Flow, assign: &Rate, scalars: &[usize], nodes: &[Node]) {
    let whole = assign.share.is_none().then(|| span(&assign.target));
    for (k, &i) in scalars.iter().enumerate() {
        let node = nodes.get(k).copied().unwrap_or_else(|| r.graph.constant(0.0));
        let node = signed(&mut r.graph, node, assign.share);
        let (sum, before) = flow.rates.get(&i).map_or((node, None), |&(sum, whole)| (r.graph.add(sum, node), whole));
        flow.rates.insert(i, (sum, whole.or(before)));
        let Some(earlier) = before.filter(|_| whole.is_some()) else { continue };
        let name = r.declared.state_name(i);
        let place = location(earlier);
        let message = Message::new(Id::M0222, &assign.target, format!("the rate of `{name}` is given twice"))
            .note(format!("the first is at {place}"))
            .help(format!("keep one, or write each as a share: `der({name}) += ..;`"));
        r.report(message);
        return;
    }
}

/// A share as it counts.
pub(super) fn signed(graph: &mut Graph, node: Node, share: Option<Share>) -> Node {
    if share == Some(Share::Taken) { graph.neg(node) } else { node }
}

/// M0501: a rate is per second.
fn units(r: &mut Reader<'_>, assign: &Rate, target: &Value, value: &Value) {
    let second = r.unit(Dimension::SECOND);
    for ((_, unit), (_, has)) in target.measured().into_iter().zip(value.measured()) {
        let wanted = unit.div(second);
        if has.unify(wanted).is_some() {
            continue;
        }
        let name = text(&assign.target);
        let what = format!("`der({name})` has unit [{wanted}], but its right-hand side has unit [{has}]");
        r.report(mend(Message::new(Id::M0501, &assign.value, what), &assign.value, has, wanted));
        return;
    }
}

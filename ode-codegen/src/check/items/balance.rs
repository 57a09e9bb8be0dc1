//! `balance y += e;`: a share of the equation that determines an algebraic variable. The sum of all shares vanishes.

use super::energy::span;
use super::law::determines;
use super::rate::signed;
use crate::check::draft::{Balance, Draft, Flow};
use crate::check::read::{Reader, mend};
use crate::check::values::{Unit, Value};
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Node, Symbol};
use crate::identifier::identifier;
use crate::model::Declarations;
use crate::parse::ast::Rate;

pub(super) fn balance(r: &mut Reader<'_>, flow: &mut Flow, share: &Rate) {
    if read(r, flow, share).is_none() {
        r.reports.doubts.rates = true;
    }
}

fn read(r: &mut Reader<'_>, flow: &mut Flow, share: &Rate) -> Option<()> {
    let (target, value) = (r.eval(&share.target), r.eval(&share.value));
    if target.is_poison() {
        return None;
    }
    let scalars = variables(r, share, &target)?;
    let value = r.expect_shape(value, &target.shape()?, &share.value);
    if value.is_poison() {
        return None;
    }
    let name = text(&share.target);
    determines(r, &value.scalars(), &share.value, &format!("balance `{name}`"))?;
    for ((node, unit), i) in value.measured().into_iter().zip(scalars) {
        let node = signed(&mut r.graph, node, share.share);
        let before = flow.balances.get(&i);
        let (before, has) = before.map_or((None, Unit::Any), |before| (Some(before.sum), before.unit));
        let Some(both) = unit.unify(has) else {
            let what = format!("the shares of balance `{name}` must have the same unit: `{has}` and `{unit}`");
            r.report(mend(Message::new(Id::M0505, &share.value, what), &share.value, unit, has));
            return None;
        };
        let sum = before.map_or(node, |before| r.graph.add(before, node));
        flow.balances.insert(i, Balance { sum, unit: both, at: share.target.clone() });
    }
    Some(())
}

/// M0225: what is balanced is an algebraic variable.
fn variables(r: &mut Reader<'_>, share: &Rate, target: &Value) -> Option<Vec<usize>> {
    let variable = |n: Node| match r.graph.as_symbol(n) {
        Some(Symbol::Z(i)) if r.declared.is_algebraic(i as usize) => Some(i as usize),
        _ => None,
    };
    let nodes = target.scalars();
    let found: Option<Vec<usize>> = nodes.iter().map(|n| variable(*n)).collect();
    if let Some(found) = found.filter(|found| !found.is_empty()) {
        return Some(found);
    }
    let name = text(&share.target);
    let message = Message::new(
        Id::M0225,
        &share.target,
        format!("a balance determines an algebraic variable, and `{name}` is none"),
    );
    let message = match (r.algebraic_of(&nodes), r.state_of(&nodes)) {
        (Some(variable), _) => {
            message.help(format!("left of `+=` stands the variable alone: `balance {variable} += ..;`"))
        }
        (None, Some(state)) => message.help(format!("the rate of a state has shares too: `der({state}) += ..;`")),
        (None, None) => match nodes.iter().find_map(|node| r.graph.as_symbol(*node)) {
            Some(Symbol::Q(_)) => message.help(format!("`{name}` is a coordinate: a `force` or `mass` moves it")),
            Some(Symbol::V(_)) => message.help(format!("`{name}` is a velocity: a `force` or `mass` changes it")),
            _ => message.help("declare it: `algebraic y: Real;`"),
        },
    };
    r.report(message);
    None
}

/// In a model that is no element all shares are here: each balance is a row of F.
pub(crate) fn settled(draft: &mut Draft<'_>, declared: &Declarations) {
    let flow = &mut draft.flow;
    for (i, Balance { sum, at, .. }) in std::mem::take(&mut flow.balances) {
        let name = format!("balance {}", declared.state_name(i));
        flow.laws.push((name, identifier("balance", span(&at)), sum));
    }
}

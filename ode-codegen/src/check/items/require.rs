//! `require`: conditions on parameters.

use crate::check::read::{Condition, Reader};
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Node, Symbol};
use crate::model::{self, Declared};
use crate::parse::ast::Require;

/// `require m > 0.0, "why";`: a condition on parameters.
pub(super) fn require(r: &mut Reader<'_>, requires: &mut Vec<model::Require>, require: &Require) {
    let written = &require.condition;
    let node = match r.condition(written) {
        Some(Condition::Node(node)) => node,
        Some(Condition::Known(true)) | None => return,
        Some(Condition::Known(false)) => {
            r.report(Message::new(Id::M0606, written, format!("`{}` is never true", text(written))));
            return;
        }
    };
    if r.graph.any_depends(&[node], |s| !matches!(s, Symbol::P(_))) {
        let message = Message::new(Id::M0110, written, "`require` checks parameters, and this depends on more")
            .note("it is checked once, when the model is built")
            .help("bound a state or an input with `limit`");
        r.report(message);
        return;
    }
    let params = reads(r, node);
    if params.is_empty() && !r.graph.leaves(&[node]) {
        // of frozen parameters: it holds or it never does
        if r.graph.evaluate(&[node], &|_| f64::NAN).first() == Some(&0.0) {
            r.report(Message::new(Id::M0606, written, format!("`{}` is never true", text(written))));
        }
        return;
    }
    let message = require.message.as_ref().map_or_else(|| text(written), syn::LitStr::value);
    defaults(r, require, node, &params);
    requires.push(model::Require { condition: node, message, first: first(r, node) });
}

/// Names of the parameters a node reads, in the order of declaration.
fn reads(r: &Reader<'_>, node: Node) -> Vec<String> {
    let reads = |d: &Declared| r.graph.any_depends(&[node], |s| matches!(s, Symbol::P(i) if d.holds(i as usize)));
    r.declared.params.iter().filter(|p| reads(&p.declared)).map(|p| r.declared.shown(&p.declared.ident)).collect()
}

/// The first of the numbers of parameters that a node reads.
pub(super) fn first(r: &Reader<'_>, node: Node) -> Option<usize> {
    let mut numbers =
        r.declared.params.iter().flat_map(|p| p.declared.first..p.declared.first + p.declared.shape.len());
    numbers.find(|&number| r.graph.any_depends(&[node], |s| matches!(s, Symbol::P(i) if i as usize == number)))
}

/// M0606: the defaults themselves do not fulfil it.
fn defaults(r: &mut Reader<'_>, require: &Require, node: Node, params: &[String]) {
    let all = r
        .declared
        .params
        .iter()
        .filter(|p| params.contains(&r.declared.shown(&p.declared.ident)))
        .all(|p| p.default.is_some());
    // the result of an external function is not known here
    if !all || params.is_empty() || r.graph.leaves(&[node]) {
        return;
    }
    let values = r.declared.defaults();
    let holds = r.graph.evaluate(&[node], &|s| match s {
        Symbol::P(i) => values.get(i as usize).copied().flatten().unwrap_or(f64::NAN),
        _ => f64::NAN,
    });
    if holds.first().is_some_and(|h| *h == 0.0) {
        let message = Message::new(
            Id::M0606,
            &require.condition,
            format!("the default parameters violate `{}`", text(&require.condition)),
        )
        .help("change a default, or leave it out");
        r.report(message);
    }
}

//! `output`, `limit` and `require`, and the bounds of ranges.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::Expr;

use super::super::Checker;
use super::super::condition::Condition;
use super::super::units::Unit;
use super::super::value::Value;
use super::Later;
use crate::diagnostics::{Id, Message, compact, text};
use crate::expr::{Node, Symbol};
use crate::model::{self, Declared};
use crate::parse::ast::{Declare, Item, Kind, Limit, Range, Require, TypeKind};

/// Outputs and limits, now that every multiplier is known.
pub(in crate::check) fn deferred(c: &mut Checker<'_>) {
    for later in std::mem::take(&mut c.draft.later) {
        let Later { item, here } = later;
        c.at(here, |c| match &item.kind {
            Kind::Declare(d) => output(c, d, item),
            Kind::Limit(l) => limit(c, l, item),
            _ => {}
        });
    }
}

fn output(c: &mut Checker<'_>, d: &Declare, item: &Item) {
    for name in &d.names {
        let value = c.force(&c.key(&name.ident.to_string()));
        // a frame is seen by other models alone
        let Some(shape) = value.shape() else { continue };
        let unit = match (&d.unit, value.unit()) {
            (Some(unit), _) => compact(&unit.tokens),
            (None, unit @ Unit::Known(_)) if !unit.is_one() => unit.to_string(),
            _ => String::new(),
        };
        let first = c.draft.outputs.iter().map(|o| o.declared.shape.len()).sum();
        let angle = *d.ty.kind.innermost() == TypeKind::Angle;
        let declared = Declared { ident: c.spelled(&name.ident), shape, angle, unit, docs: item.docs.clone(), first };
        c.draft.outputs.push(model::Output { declared, value: value.scalars() });
    }
}

/// The value of an output.
pub(in crate::check) fn exported(c: &mut Checker<'_>, d: &Declare, item: &Item, name: &Ident) -> Value {
    let Some(written) = &d.value else {
        let message = Message::new(Id::M0009, name, format!("output `{name}` has no value"))
            .help(format!("write `output {name}: Real = ..;`"));
        return c.wrong(message);
    };
    let value = c.eval(written);
    let value = c.declared_value(value, Some(&d.ty), d.unit.as_ref(), name, written);
    if value.is_poison() || value.shape().is_some() || item.port {
        return port(c, item, name, value, written);
    }
    let what = format!("a {} cannot be an output", value.name());
    let help = match value {
        Value::Rotation(_) => "output its vector `log_so3(r)` or a direction `r.rotate(v)`",
        Value::Frame3(_) => "output its `.origin`, `.rate` or a direction `b.vec(v)`",
        _ => "output its `.origin` or `.angle`",
    };
    let message = Message::new(Id::M0509, written, what).help(help).help("as a `#[port]` it is for the models around");
    c.wrong(message)
}

/// M0813: what others hold on to is a position.
fn port(c: &mut Checker<'_>, item: &Item, name: &Ident, value: Value, written: &Expr) -> Value {
    let position = |s: Symbol| matches!(s, Symbol::Q(_) | Symbol::P(_) | Symbol::Time);
    if item.port && c.depends(&value.nodes(), |s| !position(s)) {
        let message = Message::new(Id::M0813, written, format!("port `{name}` is not a position"))
            .note("others hold on to a port with constraints and forces, so it depends on coordinates, parameters and time alone")
            .help("drop `#[port]`: any output can be read");
        return c.wrong(message);
    }
    value
}

fn limit(c: &mut Checker<'_>, limit: &Limit, item: &Item) {
    let spelled = c.spelled(&limit.name);
    super::declare::accessor(c, "limit", &spelled);
    let label = c.label("limit", &limit.name);
    // a limit has derivatives by the state and inputs alone
    c.here.place.accelerations = false;
    let value = c.eval(&limit.value);
    let range = match &limit.range {
        Some(range) => bounds(c, range, &format!("limit `{}`", limit.name), &limit.value, value.unit()),
        None => None,
    };
    if value.is_poison() {
        return;
    }
    if c.without_accelerations(&value.scalars(), &limit.value).is_none() {
        return;
    }
    let Some(shape) = value.shape() else {
        c.report(Message::new(Id::M0509, &limit.value, format!("a {} cannot be limited", value.name())));
        return;
    };
    let ident = c.labelled(&limit.name, label);
    c.draft.limits.push(model::Limit { ident, value: value.scalars(), shape, range, docs: item.docs.clone() });
}

/// Both ends of a range: numbers or expressions of parameters in the unit of what they bound.
pub(super) fn bounds(
    c: &mut Checker<'_>,
    range: &Range,
    what: &str,
    bounded: &dyn ToTokens,
    unit: Unit,
) -> Option<(Node, Node)> {
    let mut ends = Vec::new();
    for written in [&range.low, &range.high] {
        let value = c.eval_adaptable(written);
        let (node, has) = c.expect_scalar(&value, written)?;
        if has.unify(unit).is_none() {
            let name = text(bounded);
            let text = format!("range bound of {what} has unit [{has}], but `{name}` has unit [{unit}]");
            c.report(Message::new(Id::M0512, written, text));
            return None;
        }
        if c.depends(&[node], |s| !matches!(s, Symbol::P(_))) {
            let text = format!("range bound of {what} depends on more than parameters");
            c.report(
                Message::new(Id::M0512, written, text).help("bound a difference: `limit gap: x - y in 0.0..=1.0;`"),
            );
            return None;
        }
        ends.push(node);
    }
    let [low, high] = <[Node; 2]>::try_from(ends).ok()?;
    if let (Some(a), Some(b)) = (c.graph.value(low), c.graph.value(high))
        && a > b
    {
        let text = format!("range of {what} is empty: {a} is above {b}");
        c.report(Message::new(Id::M0512, &range.low, text).help(format!("write `{b:?}..={a:?}`")));
        return None;
    }
    Some((low, high))
}

/// `require m > 0.0, "why";`: a condition on parameters.
pub(super) fn require(c: &mut Checker<'_>, require: &Require) {
    let written = &require.condition;
    let node = match c.condition(written) {
        Some(Condition::Node(node)) => node,
        Some(Condition::Known(true)) | None => return,
        Some(Condition::Known(false)) => {
            c.report(Message::new(Id::M0606, written, format!("`{}` is never true", text(written))));
            return;
        }
    };
    if c.depends(&[node], |s| !matches!(s, Symbol::P(_))) {
        let message = Message::new(Id::M0110, written, "`require` checks parameters, and this depends on more")
            .note("it is checked once, when the model is built")
            .help("bound a state or an input with `limit`");
        c.report(message);
        return;
    }
    let params = reads(c, node);
    if params.is_empty() && !c.graph.leaves(&[node]) {
        // of frozen parameters: it holds or it never does
        if c.graph.evaluate(&[node], &|_| f64::NAN).first() == Some(&0.0) {
            c.report(Message::new(Id::M0606, written, format!("`{}` is never true", text(written))));
        }
        return;
    }
    let message = require.message.as_ref().map_or_else(|| text(written), syn::LitStr::value);
    defaults(c, require, node, &params);
    c.draft.requires.push(model::Require { condition: node, message, params });
}

/// Names of the parameters a node reads, in the order of declaration.
pub(super) fn reads(c: &Checker<'_>, node: Node) -> Vec<String> {
    let reads = |d: &Declared| c.depends(&[node], |s| matches!(s, Symbol::P(i) if d.holds(i as usize)));
    c.draft.params.iter().filter(|p| reads(&p.declared)).map(|p| c.shown(&p.declared.ident)).collect()
}

/// M0606: the defaults themselves do not fulfil it.
fn defaults(c: &mut Checker<'_>, require: &Require, node: Node, params: &[String]) {
    let all =
        c.draft.params.iter().filter(|p| params.contains(&c.shown(&p.declared.ident))).all(|p| p.default.is_some());
    // what a function from outside gives is not known here
    if !all || params.is_empty() || c.graph.leaves(&[node]) {
        return;
    }
    let values = c.defaults();
    let holds = c.graph.evaluate(&[node], &|s| match s {
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
        c.report(message);
    }
}

impl Checker<'_> {
    /// The default of every parameter scalar.
    pub(crate) fn defaults(&self) -> Vec<Option<f64>> {
        let scalars = |p: &model::Param| -> Vec<Option<f64>> {
            match &p.default {
                Some(values) => values.iter().copied().map(Some).collect(),
                None => vec![None; p.declared.shape.len()],
            }
        };
        self.draft.params.iter().flat_map(scalars).collect()
    }
}

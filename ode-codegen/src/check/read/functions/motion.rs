//! Time derivatives.

use super::arguments::Call;
use crate::check::motion::seeds;
use crate::check::read::reader::Reader;
use crate::check::values::{Dimension, Quantity, Unit, Value};
use crate::diagnostics::{Id, Message, text, with_article};
use crate::expr::{Node, Symbol};

/// The total time derivative: q → v, v → a, z → ż, t → 1.
pub(super) fn der(r: &mut Reader<'_>, call: &Call<'_>) -> Value {
    let Some(written) = call.args.first() else { return Value::Poison };
    let value = r.eval(written);
    rate(r, call, value)
}

/// The second time derivative.
pub(super) fn der2(r: &mut Reader<'_>, call: &Call<'_>) -> Value {
    let Some(written) = call.args.first() else { return Value::Poison };
    if !r.here.place.accelerations {
        // A mistake inside comes first.
        if r.eval(written).is_poison() {
            return Value::Poison;
        }
        return r.wrong(unknown_acceleration(r, call));
    }
    let value = r.eval(written);
    let value = rate(r, call, value);
    rate(r, call, value)
}

fn unknown_acceleration(r: &Reader<'_>, call: &Call<'_>) -> Message {
    let message = Message::new(Id::M0404, call.whole, format!("`{}` is only defined in an `output`", text(call.whole)))
        .note("accelerations are unknowns of the model");
    match call.args.first() {
        Some(written) => r.paired(message, written),
        None => message,
    }
}

fn rate(r: &mut Reader<'_>, call: &Call<'_>, value: Value) -> Value {
    let nodes = match &value {
        Value::Poison => return Value::Poison,
        Value::Frame(_) => {
            let message = Message::new(Id::M0508, call.whole, "a frame has no time derivative of its own")
                .help("take `der(b.origin)` or `der(b.angle)`");
            return r.wrong(message);
        }
        Value::Frame3(_) | Value::Rotation(_) => {
            let message = Message::new(
                Id::M0508,
                call.whole,
                format!("{} has no time derivative of its own", with_article(&value.name())),
            )
            .help("take its angular velocity `.rate`, or of a frame `der(b.origin)`");
            return r.wrong(message);
        }
        other => other.scalars(),
    };
    if let Some(message) = unrated(r, call, &nodes) {
        return r.wrong(message);
    }
    let seeds = seeds(&mut r.graph, &r.declared);
    let rates = r.graph.jvp(&nodes, &seeds);
    if r.first_order && r.graph.any_depends(&rates, |s| matches!(s, Symbol::A(_))) {
        let what = format!("`{}`: a first-order model has no accelerations", text(call.whole));
        r.of_second_order(call.whole, what, "use positions and velocities");
        return Value::Poison;
    }
    let mut rates = rates.into_iter();
    let second = r.unit(Dimension::SECOND);
    rebuilt(&value, &mut rates, &|unit| unit.div(second))
}

/// M0403 and M0404: what the nodes depend on has a rate that is known here.
fn unrated(r: &Reader<'_>, call: &Call<'_>, nodes: &[Node]) -> Option<Message> {
    let unknown = |id: Id, what: String| {
        let what = format!("`{}`: the time derivative of {what} is not known", text(call.whole));
        Some(Message::new(id, call.whole, what))
    };
    let depends = |on: fn(Symbol) -> bool| r.graph.any_depends(nodes, on);
    if let Some(input) = r.input_of(nodes) {
        let help = "make the rate an input, or the input a coordinate held by a constraint";
        return unknown(Id::M0403, format!("input `{input}`")).map(|message| message.help(help));
    }
    if depends(|s| matches!(s, Symbol::Lambda(_))) {
        return unknown(Id::M0403, "a multiplier".to_owned());
    }
    if depends(|s| matches!(s, Symbol::A(_))) {
        return unknown(Id::M0404, "an acceleration".to_owned());
    }
    if depends(|s| matches!(s, Symbol::Zdot(_))) {
        return unknown(Id::M0404, "the rate of a state".to_owned());
    }
    if let Some(variable) = r.algebraic_of(nodes) {
        return unknown(Id::M0403, format!("algebraic variable `{variable}`"));
    }
    if r.here.place.accelerations {
        return None;
    }
    if let Some(state) = r.state_of(nodes) {
        let what = format!("`{}`: the rate of a state is only known in an `output`", text(call.whole));
        let help = format!("name the right-hand side of `der({state}) = ..` by a `let` and use that");
        return Some(Message::new(Id::M0404, call.whole, what).help(help));
    }
    depends(|s| matches!(s, Symbol::V(_))).then(|| unknown_acceleration(r, call))
}

/// The value with other scalars and units in the same places.
fn rebuilt(value: &Value, nodes: &mut dyn Iterator<Item = Node>, unit: &dyn Fn(Unit) -> Unit) -> Value {
    match value {
        Value::Quantity(q) => {
            let elements: Vec<Node> = nodes.take(q.elements.len()).collect();
            Quantity { shape: q.shape.clone(), elements, unit: unit(q.unit) }.into()
        }
        Value::List(items) => Value::List(items.iter().map(|v| rebuilt(v, nodes, unit)).collect()),
        Value::Poison | Value::Frame(_) | Value::Frame3(_) | Value::Rotation(_) => Value::Poison,
    }
}

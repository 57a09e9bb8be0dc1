//! Time derivatives.

use super::Call;
use crate::chart::{self, Direction};
use crate::check::value::{Quantity, Value};
use crate::check::{Checker, Dimension};
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Node, Symbol};

/// The total time derivative: q → v, v → a, z → ż, t → 1.
pub(super) fn der(c: &mut Checker<'_>, call: &Call<'_>) -> Value {
    let Some(written) = call.args.first() else { return Value::Poison };
    let value = c.eval(written);
    rate(c, call, value)
}

/// The second time derivative.
pub(super) fn der2(c: &mut Checker<'_>, call: &Call<'_>) -> Value {
    let Some(written) = call.args.first() else { return Value::Poison };
    if !c.here.place.accelerations {
        // A mistake inside comes first.
        if c.eval(written).is_poison() {
            return Value::Poison;
        }
        return refused(c, call);
    }
    let value = c.eval(written);
    let value = rate(c, call, value);
    rate(c, call, value)
}

fn refused(c: &mut Checker<'_>, call: &Call<'_>) -> Value {
    let message = Message::new(Id::M0404, call.whole, format!("`{}` is only defined in an `output`", text(call.whole)))
        .note("accelerations are unknowns of the model");
    c.wrong(message)
}

fn rate(c: &mut Checker<'_>, call: &Call<'_>, value: Value) -> Value {
    let nodes = match &value {
        Value::Poison => return Value::Poison,
        Value::Frame(_) => {
            let message = Message::new(Id::M0508, call.whole, "a frame has no time derivative of its own")
                .help("take `der(b.origin)` or `der(b.angle)`");
            return c.wrong(message);
        }
        Value::Frame3(_) | Value::Rotation(_) => {
            let message =
                Message::new(Id::M0508, call.whole, format!("a {} has no time derivative of its own", value.name()))
                    .help("take its angular velocity `.rate`, or of a frame `der(b.origin)`");
            return c.wrong(message);
        }
        other => other.scalars(),
    };
    if let Some(input) = c.input_of(&nodes) {
        let message = Message::new(
            Id::M0403,
            call.whole,
            format!("`{}`: the time derivative of input `{input}` is not known", text(call.whole)),
        )
        .help("make the rate an input, or the input a coordinate held by a constraint");
        return c.wrong(message);
    }
    if c.depends(&nodes, |s| matches!(s, Symbol::Lambda(_))) {
        let message = Message::new(
            Id::M0403,
            call.whole,
            format!("`{}`: the time derivative of a multiplier is not known", text(call.whole)),
        );
        return c.wrong(message);
    }
    for (what, unknown) in [
        ("an acceleration", c.depends(&nodes, |s| matches!(s, Symbol::A(_)))),
        ("the rate of a state", c.depends(&nodes, |s| matches!(s, Symbol::Zdot(_)))),
    ] {
        if unknown {
            let what = format!("`{}`: the time derivative of {what} is not known", text(call.whole));
            let message = Message::new(Id::M0404, call.whole, what);
            return c.wrong(message);
        }
    }
    if let Some(variable) = c.algebraic_of(&nodes) {
        let what =
            format!("`{}`: the time derivative of algebraic variable `{variable}` is not known", text(call.whole));
        return c.wrong(Message::new(Id::M0403, call.whole, what));
    }
    if !c.here.place.accelerations
        && let Some(state) = c.state_of(&nodes)
    {
        let what = format!("`{}`: the rate of a state is only known in an `output`", text(call.whole));
        let message = Message::new(Id::M0404, call.whole, what)
            .help(format!("name the right-hand side of `der({state}) = ..` by a `let` and use that"));
        return c.wrong(message);
    }
    if !c.here.place.accelerations && c.depends(&nodes, |s| matches!(s, Symbol::V(_))) {
        return refused(c, call);
    }
    let seeds = seeds(c);
    let rates = c.graph.jvp(&nodes, &seeds);
    if c.first_order && c.depends(&rates, |s| matches!(s, Symbol::A(_))) {
        let what = format!("`{}`: a first-order model has no accelerations", text(call.whole));
        c.of_second_order(call.whole, what, "use positions and velocities");
        return Value::Poison;
    }
    let mut rates = rates.into_iter();
    let second = c.unit(Dimension::SECOND);
    rebuilt(&value, &mut rates, &|unit| unit.div(second))
}

/// q → N v, v → a, z → ż, t → 1
pub(crate) fn seeds(c: &mut Checker<'_>) -> Direction {
    let (one, blocks) = (c.graph.constant(1.0), c.blocks());
    let mut seeds = vec![(Symbol::Time, one)];
    seeds.extend(chart::motion(&mut c.graph, &blocks));
    for i in 0..c.freedom() as u32 {
        seeds.push((Symbol::V(i), c.graph.symbol(Symbol::A(i))));
    }
    let nz: usize = c.draft.states.iter().map(|z| z.declared.shape.len()).sum();
    for i in 0..nz as u32 {
        seeds.push((Symbol::Z(i), c.graph.symbol(Symbol::Zdot(i))));
    }
    seeds
}

/// The value with other scalars and units in the same places.
fn rebuilt(
    value: &Value,
    nodes: &mut dyn Iterator<Item = Node>,
    unit: &dyn Fn(crate::check::units::Unit) -> crate::check::units::Unit,
) -> Value {
    match value {
        Value::Quantity(q) => {
            let elements: Vec<Node> = nodes.take(q.elements.len()).collect();
            Quantity { shape: q.shape.clone(), elements, unit: unit(q.unit) }.into()
        }
        Value::List(items) => Value::List(items.iter().map(|v| rebuilt(v, nodes, unit)).collect()),
        Value::Poison | Value::Frame(_) | Value::Frame3(_) | Value::Rotation(_) => Value::Poison,
    }
}

impl Checker<'_> {
    /// The name of an input the nodes depend on.
    pub(in crate::check) fn input_of(&self, nodes: &[Node]) -> Option<String> {
        let found = self.graph.reach(nodes).into_iter().find_map(|n| match self.graph.as_symbol(n) {
            Some(Symbol::U(i)) => Some(i as usize),
            _ => None,
        })?;
        self.draft.inputs.iter().find(|u| u.declared.holds(found)).map(|u| self.shown(&u.declared.ident))
    }
}

//! Forms → graph: each sum and product in the order in which its entries are ready.
//!
//! Parameters come first among themselves. What else is known early is multiplied and added early, so that what is
//! known last waits for one operation. A sum of many terms is gathered in a few sums side by side, each a chain of
//! products that are added as they are made, which is one fused operation where the target has it.

use crate::expr::{Function as F, Graph, Node, Op};

use super::forms::{Form, Forms, Id, Live, Term};

/// Cycles until the result of an addition or a multiplication is there.
const LATENCY: u32 = 4;

/// Sums of more terms than this are gathered in two sums side by side.
const LONG: usize = 4;

/// A value of the new graph.
#[derive(Clone, Copy)]
struct Value {
    node: Node,
    negative: bool,
    /// the cycle at which it is there, if nothing but its operands delays it
    ready: u32,
}

/// A term of a sum: a value, or a product that is not made yet.
#[derive(Clone, Copy)]
enum Part {
    Value(Value),
    Product(Value, Value),
}

/// The graph of the forms.
pub(super) fn write(graph: &Graph, forms: &Forms, Live { order, uses }: Live) -> super::Rearranged {
    let mut writer = Writer { graph: graph.empty(), old: graph, forms, uses, values: vec![None; forms.len()] };
    for id in order {
        let value = writer.form(id);
        writer.values[id.index()] = value;
    }
    let outputs = forms.outputs.iter().map(|&term| writer.node(term)).collect();
    // a sign is no computation
    let apart = forms.apart.iter().filter_map(|term| writer.values[term.of.index()]).map(|v| v.node).collect();
    super::Rearranged { graph: writer.graph, outputs, apart }
}

struct Writer<'a> {
    graph: Graph,
    old: &'a Graph,
    forms: &'a Forms,
    uses: Vec<u32>,
    /// of each form that is written; products that only a sum reads are written there
    values: Vec<Option<Value>>,
}

impl Writer<'_> {
    fn form(&mut self, id: Id) -> Option<Value> {
        self.graph.set_origin(self.forms.origins[id.index()]);
        match self.forms.form(id) {
            Form::Other(op, operands) => Some(self.other(*op, operands)),
            Form::Sum(terms) => Some(self.sum(terms)),
            Form::Product(_) if self.uses[id.index()] == 1 => None,
            Form::Product(factors) => {
                let part = self.product(factors);
                Some(self.made(part))
            }
        }
    }

    /// The value of a form.
    fn value(&mut self, id: Id) -> Value {
        match (self.values[id.index()], self.forms.form(id)) {
            (Some(value), _) => value,
            (None, Form::Product(factors)) => {
                let part = self.product(factors);
                self.made(part)
            }
            // operands are written before their users
            (None, _) => Value { node: self.graph.constant(f64::NAN), negative: false, ready: 0 },
        }
    }

    fn node(&mut self, term: Term) -> Node {
        let value = self.value(term.of);
        if value.negative ^ term.negative { self.opposite(value.node) } else { value.node }
    }

    fn opposite(&mut self, node: Node) -> Node {
        match self.graph.op(node) {
            Op::Constant(bits) => self.graph.constant(-f64::from_bits(bits)),
            _ => self.graph.plain(Op::Unary(F::Neg, node)),
        }
    }

    fn other(&mut self, op: Op, operands: &[Term]) -> Value {
        let ready = operands.iter().filter_map(|t| self.values[t.of.index()]).map(|v| v.ready).max().unwrap_or(0);
        let nodes: Vec<Node> = operands.iter().map(|&t| self.node(t)).collect();
        let node = self.graph.copied(self.old, op, &nodes);
        Value { node, negative: false, ready: ready + delay(op) }
    }

    fn binary(&mut self, f: F, a: Node, b: Node) -> Node {
        self.graph.plain(if f == F::Mul && a == b { Op::Unary(F::Square, a) } else { Op::Binary(f, a, b) })
    }

    /// The product of two values.
    fn times(&mut self, a: Value, b: Value) -> Value {
        let node = self.binary(F::Mul, a.node, b.node);
        Value { node, negative: a.negative ^ b.negative, ready: a.ready.max(b.ready) + LATENCY }
    }

    fn made(&mut self, part: Part) -> Value {
        match part {
            Part::Value(value) => value,
            Part::Product(a, b) => self.times(a, b),
        }
    }

    /// A product, its last multiplication left to the reader: parameters, then the rest as it is ready.
    fn product(&mut self, factors: &[Id]) -> Part {
        let fixed = |id: &Id| self.forms.fixed[id.index()];
        // most are of two of a kind
        if let [a, b] = factors
            && a != b
            && fixed(a) == fixed(b)
        {
            let (a, b) = (self.value(*a), self.value(*b));
            return if b.ready < a.ready { Part::Product(b, a) } else { Part::Product(a, b) };
        }
        let (parameters, others): (Vec<Id>, Vec<Id>) = factors.iter().partition(|id| fixed(id));
        let mut values = Vec::new();
        for group in [parameters, others] {
            let mut part = self.powers(&group);
            while part.len() > 2
                || (part.len() == 2 && self.forms.fixed[group[0].index()] && group.len() < factors.len())
            {
                let product = self.times(part[0], part[1]);
                part.splice(..2, [product]);
                part.sort_by_key(|v| v.ready);
            }
            values.extend(part);
        }
        values.sort_by_key(|v| v.ready);
        while values.len() > 2 {
            let product = self.times(values[0], values[1]);
            values.splice(..2, [product]);
            values.sort_by_key(|v| v.ready);
        }
        match *values.as_slice() {
            [a, b] => Part::Product(a, b),
            [a] => Part::Value(a),
            _ => Part::Value(Value { node: self.graph.constant(1.0), negative: false, ready: 0 }),
        }
    }

    /// The values of some factors, as they are ready; the square of what stands twice.
    fn powers(&mut self, factors: &[Id]) -> Vec<Value> {
        let (mut values, mut twice) = (Vec::with_capacity(factors.len()), Vec::new());
        let mut k = 0;
        while k < factors.len() {
            let factor = factors[k];
            if k + 1 < factors.len() && factors[k + 1].0 == factor.0 {
                twice.push(factor);
                k += 2;
            } else {
                values.push(self.value(factor));
                k += 1;
            }
        }
        if !twice.is_empty() {
            let part = self.product(&twice);
            let root = self.made(part);
            values.push(self.times(root, root));
        }
        values.sort_by_key(|v| v.ready);
        values
    }

    fn sum(&mut self, terms: &[Term]) -> Value {
        let fixed = |t: &&Term| self.forms.fixed[t.of.index()];
        let (parameters, others): (Vec<&Term>, Vec<&Term>) = terms.iter().partition(fixed);
        let mut parts: Vec<Part> = Vec::new();
        if parameters.len() > 1 && !others.is_empty() {
            let sum = parameters.into_iter().map(|&t| self.part(t)).collect();
            parts.push(Part::Value(self.gathered(sum)));
        } else {
            parts.extend(parameters.into_iter().map(|&t| self.part(t)).collect::<Vec<_>>());
        }
        parts.extend(others.into_iter().map(|&t| self.part(t)).collect::<Vec<_>>());
        self.gathered(parts)
    }

    /// A term; a product that nobody else reads is not made yet.
    fn part(&mut self, term: Term) -> Part {
        let part = match (self.values[term.of.index()], self.forms.form(term.of)) {
            (None, Form::Product(factors)) => self.product(factors),
            _ => Part::Value(self.value(term.of)),
        };
        match part {
            Part::Value(v) => Part::Value(Value { negative: v.negative ^ term.negative, ..v }),
            Part::Product(a, b) => Part::Product(Value { negative: a.negative ^ term.negative, ..a }, b),
        }
    }

    /// The sum of some parts.
    fn gathered(&mut self, mut parts: Vec<Part>) -> Value {
        let ready = |part: &Part| match part {
            Part::Value(v) => v.ready,
            Part::Product(a, b) => a.ready.max(b.ready),
        };
        parts.sort_by_key(ready);
        let width = if parts.len() > LONG { 2 } else { 1 };
        let mut sums: Vec<Value> = Vec::new();
        for part in parts {
            let waits = sums.iter().all(|sum| sum.ready > ready(&part));
            if sums.len() < width && waits {
                let value = self.made(part);
                sums.push(value);
                continue;
            }
            // the latest of those that are there, else the one that is there first
            let there = |sum: &Value| sum.ready <= ready(&part);
            let best = sums.iter().enumerate().min_by_key(|(_, sum)| match there(sum) {
                true => (false, u32::MAX - sum.ready),
                false => (true, sum.ready),
            });
            if let Some((k, &sum)) = best {
                sums[k] = self.added(sum, part);
            }
        }
        sums.sort_by_key(|sum| sum.ready);
        let rest = sums.split_off(1.min(sums.len()));
        let first = sums.first().copied();
        let zero = Value { node: self.graph.constant(0.0), negative: false, ready: 0 };
        rest.into_iter().fold(first.unwrap_or(zero), |sum, other| self.added(sum, Part::Value(other)))
    }

    fn added(&mut self, sum: Value, part: Part) -> Value {
        let ready = match part {
            Part::Value(v) => v.ready,
            Part::Product(a, b) => a.ready.max(b.ready),
        };
        let other = self.made(part);
        let (a, b) = (sum.node, other.node);
        let (node, negative) = match (sum.negative, other.negative) {
            (x, y) if x == y => (self.binary(F::Add, a, b), x),
            (false, _) => (self.binary(F::Sub, a, b), false),
            (true, _) => (self.binary(F::Sub, b, a), false),
        };
        Value { node, negative, ready: sum.ready.max(ready) + LATENCY }
    }
}

/// Cycles of an operation that is neither sum nor product.
fn delay(op: Op) -> u32 {
    match op {
        Op::Constant(_) | Op::Symbol(_) => 0,
        Op::Unary(F::Recip | F::RecipOrZero, _) => 13,
        Op::Unary(F::Sqrt | F::Root, _) => 19,
        Op::Unary(..) | Op::Binary(..) | Op::Call(..) => 40,
        _ => LATENCY,
    }
}

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

impl Part {
    fn ready(&self) -> u32 {
        match self {
            Part::Value(v) => v.ready,
            Part::Product(a, b) if a.ready < b.ready => b.ready,
            Part::Product(a, _) => a.ready,
        }
    }
}

/// Stable. Short lists are sorted here: where nothing is optimised the sort of the standard library takes longer.
fn sort<T: Copy>(list: &mut [T], ready: impl Fn(&T) -> u32) {
    if list.len() > 20 {
        list.sort_by_key(ready);
        return;
    }
    let mut k = 1;
    while k < list.len() {
        let (own, mut at) = (list[k], k);
        while at > 0 && ready(&list[at - 1]) > ready(&own) {
            list[at] = list[at - 1];
            at -= 1;
        }
        list[at] = own;
        k += 1;
    }
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
        let forms = self.forms;
        let fixed = |id: &Id| forms.fixed[id.index()];
        // most are of two of a kind
        if let [a, b] = factors
            && a != b
            && fixed(a) == fixed(b)
        {
            let (a, b) = (self.value(*a), self.value(*b));
            return if b.ready < a.ready { Part::Product(b, a) } else { Part::Product(a, b) };
        }
        let mut values = Vec::with_capacity(factors.len());
        let mut group = Vec::with_capacity(factors.len());
        for own in [true, false] {
            group.clear();
            for id in factors {
                if fixed(id) == own {
                    group.push(*id);
                }
            }
            if group.is_empty() {
                continue;
            }
            let mut part = self.powers(&group);
            while part.len() > 2 || (part.len() == 2 && own && group.len() < factors.len()) {
                part[0] = self.times(part[0], part[1]);
                part.remove(1);
                sort(&mut part, |v| v.ready);
            }
            values.append(&mut part);
        }
        sort(&mut values, |v| v.ready);
        while values.len() > 2 {
            values[0] = self.times(values[0], values[1]);
            values.remove(1);
            sort(&mut values, |v| v.ready);
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
        sort(&mut values, |v| v.ready);
        values
    }

    fn sum(&mut self, terms: &[Term]) -> Value {
        let fixed: &[bool] = &self.forms.fixed;
        let mut parts: Vec<Part> = Vec::with_capacity(terms.len());
        for term in terms {
            if fixed[term.of.index()] {
                parts.push(self.part(*term));
            }
        }
        if parts.len() > 1 && parts.len() < terms.len() {
            let sum = self.gathered(&mut parts);
            parts.clear();
            parts.push(Part::Value(sum));
        }
        for term in terms {
            if !fixed[term.of.index()] {
                parts.push(self.part(*term));
            }
        }
        self.gathered(&mut parts)
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
    fn gathered(&mut self, parts: &mut [Part]) -> Value {
        sort(parts, Part::ready);
        let width = if parts.len() > LONG { 2 } else { 1 };
        let none = Value { node: Node(0), negative: false, ready: 0 };
        let (mut sums, mut len) = ([none; 2], 0);
        let mut k = 0;
        while k < parts.len() {
            let part = parts[k];
            k += 1;
            let ready = part.ready();
            let waits = (len == 0 || sums[0].ready > ready) && (len < 2 || sums[1].ready > ready);
            if len < width && waits {
                sums[len] = self.made(part);
                len += 1;
                continue;
            }
            // the latest of those that are there, else the one that is there first
            let place = |sum: Value| match sum.ready <= ready {
                true => (false, u32::MAX - sum.ready),
                false => (true, sum.ready),
            };
            let best = usize::from(len == 2 && place(sums[1]) < place(sums[0]));
            sums[best] = self.added(sums[best], part);
        }
        let zero = self.graph.constant(0.0);
        match (len, sums) {
            (0, _) => Value { node: zero, ..none },
            (1, [sum, _]) => sum,
            (_, [a, b]) if b.ready < a.ready => self.added(b, Part::Value(a)),
            (_, [a, b]) => self.added(a, Part::Value(b)),
        }
    }

    fn added(&mut self, sum: Value, part: Part) -> Value {
        let ready = part.ready();
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

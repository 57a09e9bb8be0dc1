//! Graph → forms: sums and products that nobody else reads join those they stand in.

use crate::expr::{Function as F, Graph, Node, Op};

use super::forms::{Form, Forms, Id, Term};

/// The forms that `outputs` need.
pub(super) fn read(graph: &Graph, outputs: &[Node], apart: &[Node]) -> Forms {
    let roots = [outputs, apart].concat();
    let live = graph.reach(&roots);
    let mut reader = Reader {
        graph,
        uses: uses(graph, &live, &roots),
        terms: vec![Term { of: Id(0), negative: false }; live.last().map_or(0, |n| n.index() + 1)],
        forms: Forms::default(),
    };
    for &node in &live {
        let term = reader.term(node);
        reader.terms[node.index()] = term;
    }
    let Reader { terms, mut forms, .. } = reader;
    forms.outputs = outputs.iter().map(|n| terms[n.index()]).collect();
    forms.set_apart(apart.iter().map(|n| terms[n.index()]).collect());
    forms
}

/// How often each node is read; what is read through a sign is read itself.
fn uses(graph: &Graph, live: &[Node], roots: &[Node]) -> Vec<u32> {
    let mut uses = vec![0; live.last().map_or(0, |n| n.index() + 1)];
    roots.iter().for_each(|root| uses[root.index()] += 1);
    for &node in live.iter().rev() {
        let times = match graph.op(node) {
            Op::Unary(F::Neg, _) => uses[node.index()],
            _ => 1,
        };
        graph.each_operand(node, |operand| uses[operand.index()] += times);
    }
    uses
}

struct Reader<'a> {
    graph: &'a Graph,
    uses: Vec<u32>,
    /// of each node that was read
    terms: Vec<Term>,
    forms: Forms,
}

impl Reader<'_> {
    fn term(&mut self, node: Node) -> Term {
        let positive = |of: Id| Term { of, negative: false };
        match self.graph.op(node) {
            Op::Constant(bits) if f64::from_bits(bits) < 0.0 => {
                let opposite = Op::Constant((-f64::from_bits(bits)).to_bits());
                positive(self.other(node, opposite)).signed(true)
            }
            Op::Unary(F::Neg, a) => self.at(a).signed(true),
            Op::Binary(F::Add, a, b) => self.sum(node, [(a, false), (b, false)]),
            Op::Binary(F::Sub, a, b) => self.sum(node, [(a, false), (b, true)]),
            Op::Binary(F::Mul, a, b) => self.product(node, [a, b]),
            Op::Unary(F::Square, a) => self.product(node, [a, a]),
            op => positive(self.other(node, op)),
        }
    }

    fn other(&mut self, node: Node, op: Op) -> Id {
        let operands = self.graph.operands(node).map(|o| self.at(o)).collect();
        self.forms.id(Form::Other(op, operands), self.graph.origin(node))
    }

    fn at(&self, node: Node) -> Term {
        self.terms[node.index()]
    }

    /// Does a node belong to what reads it? A difference of two inputs stays whole: they may be large and close.
    fn joins(&self, node: Node) -> bool {
        let mut bare = node;
        while let Op::Unary(F::Neg, a) = self.graph.op(bare) {
            bare = a;
        }
        let input = |n: Node| self.graph.as_symbol(n).is_some();
        let difference = matches!(self.graph.op(bare), Op::Binary(F::Sub, a, b) if input(a) && input(b));
        self.uses[bare.index()] == 1 && !difference
    }

    fn sum(&mut self, node: Node, parts: [(Node, bool); 2]) -> Term {
        let mut terms = Vec::with_capacity(2);
        self.terms(parts[0], &mut terms);
        self.terms(parts[1], &mut terms);
        self.forms.sum(terms, self.graph.origin(node))
    }

    fn terms(&self, (part, negative): (Node, bool), terms: &mut Vec<Term>) {
        let term = self.at(part).signed(negative);
        match self.forms.form(term.of) {
            Form::Sum(inner) if self.joins(part) => {
                let (inner, mut k): (&[Term], usize) = (inner, 0);
                while k < inner.len() {
                    terms.push(inner[k].signed(term.negative));
                    k += 1;
                }
            }
            _ => terms.push(term),
        }
    }

    fn product(&mut self, node: Node, parts: [Node; 2]) -> Term {
        // an operand read twice by a square is read by nobody else
        let square = parts[0] == parts[1];
        let mut factors = Vec::with_capacity(2);
        let negative = self.factors(parts[0], square, &mut factors) ^ self.factors(parts[1], square, &mut factors);
        Term { of: self.forms.product(factors, self.graph.origin(node)), negative }
    }

    /// The factors of an operand; says whether it is negative.
    fn factors(&self, part: Node, square: bool, factors: &mut Vec<Id>) -> bool {
        let term = self.at(part);
        match self.forms.form(term.of) {
            Form::Product(inner) if self.joins(part) || (square && self.uses[part.index()] == 2) => {
                let (inner, mut k): (&[Id], usize) = (inner, 0);
                while k < inner.len() {
                    factors.push(inner[k]);
                    k += 1;
                }
            }
            _ => factors.push(term.of),
        }
        term.negative
    }
}

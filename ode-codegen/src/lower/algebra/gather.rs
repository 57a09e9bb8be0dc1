//! What is left of parameters in the sums and products of a kernel with prepared values (`lower/prepared.rs`): those of
//! a product become one factor, and those of a sum one term.

use crate::expr::{Graph, Node, Op};

use super::super::prepared::Prepared;
use super::forms::{Form, Forms, Id, Term};

/// Puts symbols in the place of the largest forms of parameters alone.
pub(super) fn gather(old: &Graph, forms: &mut Forms, prepared: &mut Prepared) {
    let mut gathering = Gathering { old, nodes: Vec::new(), prepared, forms };
    gathering.join();
    gathering.exchange();
}

/// The forms of a kernel.
struct Gathering<'a> {
    old: &'a Graph,
    /// of each form of parameters alone, its expression
    nodes: Vec<Option<Node>>,
    prepared: &'a mut Prepared,
    forms: &'a mut Forms,
}

impl Gathering<'_> {
    /// Makes the parameters of each product one factor, and those of each sum one term.
    fn join(&mut self) {
        for id in self.forms.order() {
            if self.forms.fixed[id.index()] {
                continue;
            }
            let fixed = |of: Id| self.forms.fixed[of.index()];
            let form = match self.forms.form(id) {
                Form::Product(factors) => {
                    let (own, mut rest): (Vec<Id>, Vec<Id>) = factors.iter().partition(|of| fixed(**of));
                    if own.len() < 2 {
                        continue;
                    }
                    rest.push(self.forms.product(own, None));
                    rest.sort_unstable();
                    Form::Product(rest)
                }
                Form::Sum(terms) => {
                    let (own, rest): (Vec<Term>, Vec<Term>) = terms.iter().partition(|term| fixed(term.of));
                    if own.len() < 2 {
                        continue;
                    }
                    let sum = self.forms.sum(own, None);
                    Form::Sum([vec![sum], rest].concat())
                }
                Form::Other(..) => continue,
            };
            self.forms.change(id, form);
        }
    }

    fn exchange(&mut self) {
        let live = self.forms.order();
        self.nodes.resize(self.forms.len(), None);
        for &id in &live {
            let expression = self.forms.fixed[id.index()].then(|| self.expression(id)).flatten();
            self.nodes[id.index()] = expression;
        }
        for &id in &live {
            if self.is_exchanged(id) {
                continue;
            }
            let form = match self.forms.form(id).clone() {
                Form::Other(op, terms) => Form::Other(op, self.terms(terms, true)),
                Form::Sum(terms) => Form::Sum(self.terms(terms, false)),
                Form::Product(factors) => {
                    let terms = factors.into_iter().map(|of| Term { of, negative: false }).collect();
                    let mut factors: Vec<Id> = self.terms(terms, false).into_iter().map(|term| term.of).collect();
                    factors.sort_unstable();
                    Form::Product(factors)
                }
            };
            self.forms.change(id, form);
        }
        let outputs = std::mem::take(&mut self.forms.outputs);
        self.forms.outputs = self.terms(outputs, true);
        let apart = std::mem::take(&mut self.forms.apart);
        self.forms.set_apart(apart);
    }

    /// Has a form the value of parameters alone, and costs an operation?
    fn is_exchanged(&self, id: Id) -> bool {
        let costs = match self.forms.form(id) {
            Form::Other(op, _) => op.is_operation() && !op.is_condition(),
            Form::Sum(_) | Form::Product(_) => true,
        };
        costs && self.node(id).is_some()
    }

    fn node(&self, id: Id) -> Option<Node> {
        self.nodes.get(id.index()).copied().flatten()
    }

    /// What is read instead of some terms; `signed` if a sign would cost an operation, which is then prepared too.
    fn terms(&mut self, mut terms: Vec<Term>, signed: bool) -> Vec<Term> {
        for term in &mut terms {
            let Some(node) = self.node(term.of) else { continue };
            let negative = signed && term.negative && self.prepared.graph().value(node).is_none();
            if negative || self.is_exchanged(term.of) {
                let node = if negative { self.prepared.graph().neg(node) } else { node };
                let symbol = Form::Other(self.prepared.read(node), Vec::new());
                *term = Term { of: self.forms.id(symbol, None), negative: term.negative && !negative };
            }
        }
        terms
    }

    /// A form of parameters alone as an expression of these; none where it calls an external function, which waits for
    /// its branch.
    fn expression(&mut self, id: Id) -> Option<Node> {
        Some(match self.forms.form(id) {
            Form::Other(Op::Call(..), _) => return None,
            Form::Other(Op::Symbol(symbol), _) => self.prepared.meant(*symbol)?,
            Form::Other(op, terms) => {
                let (op, operands) = (*op, self.signed(&terms.clone())?);
                self.prepared.graph().copied(self.old, op, &operands)
            }
            Form::Sum(terms) => {
                let mut nodes = self.signed(&terms.clone())?;
                nodes.sort_unstable();
                self.prepared.graph().sum(nodes)
            }
            Form::Product(factors) => {
                let mut nodes: Vec<Node> = factors.iter().map(|of| self.node(*of)).collect::<Option<_>>()?;
                nodes.sort_unstable();
                let graph = self.prepared.graph();
                let one = graph.constant(1.0);
                nodes.into_iter().fold(one, |product, node| graph.mul(product, node))
            }
        })
    }

    fn signed(&mut self, terms: &[Term]) -> Option<Vec<Node>> {
        let signed = |term: &Term| {
            let node = self.node(term.of)?;
            Some(if term.negative { self.prepared.graph().neg(node) } else { node })
        };
        terms.iter().map(signed).collect()
    }
}

//! Sums and products as lists.

use rustc_hash::FxHashMap;

use crate::expr::{Op, Origin, Symbol};

/// A form, by its place in [`Forms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Id(pub(super) u32);

impl Id {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A form with a sign.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Term {
    pub(super) of: Id,
    pub(super) negative: bool,
}

impl Term {
    /// It, or its opposite.
    pub(super) fn signed(self, negative: bool) -> Self {
        Self { negative: self.negative ^ negative, ..self }
    }
}

/// What a value is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Form {
    /// neither sum nor product: an operation of the graph, with its operands here
    Other(Op, Vec<Term>),
    /// terms in the order in which they were met
    Sum(Vec<Term>),
    /// factors, ascending, powers repeated
    Product(Vec<Id>),
}

/// The forms of a kernel.
#[derive(Clone, Default)]
pub(super) struct Forms {
    pub(super) list: Vec<Form>,
    /// where each comes from
    pub(super) origins: Vec<Option<Origin>>,
    /// does each depend on numbers and parameters alone?
    pub(super) fixed: Vec<bool>,
    pub(super) outputs: Vec<Term>,
    /// what is computed by itself
    pub(super) apart: Vec<Term>,
    /// the form of each list that was made, sorted; only looked up. What a pass makes of a form later has its value.
    ids: FxHashMap<Form, Id>,
}

impl Forms {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn form(&self, id: Id) -> &Form {
        &self.list[id.index()]
    }

    /// The form, the existing one where there is one.
    pub(super) fn id(&mut self, form: Form, origin: Option<Origin>) -> Id {
        match self.ids.get(&form) {
            Some(&id) => id,
            None => self.push(form.clone(), form, origin),
        }
    }

    /// A new form, which is found under a key.
    fn push(&mut self, key: Form, form: Form, origin: Option<Origin>) -> Id {
        self.fixed.push(match &form {
            Form::Other(Op::Symbol(symbol), _) => matches!(symbol, Symbol::P(_)),
            Form::Other(_, terms) | Form::Sum(terms) => terms.iter().all(|t| self.fixed[t.of.index()]),
            Form::Product(factors) => factors.iter().all(|f| self.fixed[f.index()]),
        });
        self.list.push(form);
        self.origins.push(origin);
        let id = Id(self.list.len() as u32 - 1);
        self.ids.insert(key, id);
        id
    }

    /// A number, which is not negative.
    pub(super) fn number(&mut self, value: f64) -> Id {
        self.id(Form::Other(Op::Constant(value.to_bits()), Vec::new()), None)
    }

    /// The sum of some terms. Opposite terms cancel. A difference is the same form under either sign, that under which
    /// it was met first, but not all terms are negative.
    pub(super) fn sum(&mut self, terms: Vec<Term>, origin: Option<Origin>) -> Term {
        let mut kept: Vec<Term> = Vec::with_capacity(terms.len());
        for term in terms {
            match kept.iter().position(|t| *t == term.signed(true)) {
                Some(k) => drop(kept.remove(k)),
                None => kept.push(term),
            }
        }
        let negative = match *kept.as_slice() {
            [] => return Term { of: self.number(0.0), negative: false },
            [term] => return term,
            _ => kept.iter().all(|t| t.negative),
        };
        let sorted = |negative: bool| {
            let mut terms: Vec<Term> = kept.iter().map(|t| t.signed(negative)).collect();
            terms.sort_unstable();
            Form::Sum(terms)
        };
        for negative in [false, true] {
            if let Some(&of) = self.ids.get(&sorted(negative)) {
                return Term { of, negative };
            }
        }
        let key = sorted(negative);
        let form = Form::Sum(kept.iter().map(|t| t.signed(negative)).collect());
        Term { of: self.push(key, form, origin), negative }
    }

    /// The product of some factors.
    pub(super) fn product(&mut self, mut factors: Vec<Id>, origin: Option<Origin>) -> Id {
        factors.sort_unstable();
        match *factors.as_slice() {
            [] => self.number(1.0),
            [factor] => factor,
            _ => self.id(Form::Product(factors), origin),
        }
    }

    /// The forms that a form reads.
    pub(super) fn operands(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let (terms, factors): (&[Term], &[Id]) = match self.form(id) {
            Form::Other(_, terms) | Form::Sum(terms) => (terms, &[]),
            Form::Product(factors) => (&[], factors),
        };
        terms.iter().map(|term| term.of).chain(factors.iter().copied())
    }

    /// Those that the outputs need, operands before their users.
    pub(super) fn live(&self) -> Vec<Id> {
        let mut seen = vec![false; self.len()];
        let (mut order, mut stack) = (Vec::new(), Vec::new());
        for root in self.outputs.iter().chain(&self.apart) {
            stack.push((root.of, false));
            while let Some((id, read)) = stack.pop() {
                if read {
                    order.push(id);
                } else if !std::mem::replace(&mut seen[id.index()], true) {
                    stack.push((id, true));
                    let first = stack.len();
                    stack.extend(self.operands(id).filter(|o| !seen[o.index()]).map(|o| (o, false)));
                    stack[first..].reverse();
                }
            }
        }
        order
    }

    /// How often each form is read: a power counts once for each factor.
    pub(super) fn uses(&self, live: &[Id]) -> Vec<u32> {
        let mut uses = vec![0; self.len()];
        for root in self.outputs.iter().chain(&self.apart) {
            uses[root.of.index()] += 1;
        }
        for &id in live {
            self.operands(id).for_each(|o| uses[o.index()] += 1);
        }
        uses
    }
}

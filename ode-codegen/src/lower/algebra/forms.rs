//! Sums and products as lists.

use crate::expr::{Op, Origin, Symbol};
use crate::places::{Mixed, Places};

/// A form, by its place in [`Forms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Id(pub(super) u32);

impl Id {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A form with a sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// neither sum nor product: an operation of the graph, with its operands here
    Other(Op, Vec<Term>),
    /// terms in the order in which they were met
    Sum(Vec<Term>),
    /// factors, ascending, powers repeated
    Product(Vec<Id>),
}

impl Form {
    /// How many forms it reads.
    fn len(&self) -> usize {
        match self {
            Form::Other(_, terms) | Form::Sum(terms) => terms.len(),
            Form::Product(factors) => factors.len(),
        }
    }

    /// The form that it reads at a place.
    fn operand(&self, place: usize) -> Id {
        match self {
            Form::Other(_, terms) | Form::Sum(terms) => terms.as_slice()[place].of,
            Form::Product(factors) => factors.as_slice()[place],
        }
    }

    /// A number that equal ones share, and sums of the same terms whatever their signs.
    fn hash(&self) -> u32 {
        let mut mixed = match self {
            Form::Other(op, _) => Mixed::default().with(op.hash().into()),
            Form::Sum(_) => Mixed::default(),
            Form::Product(_) => Mixed::default().with(1),
        };
        let mut k = 0;
        while k < self.len() {
            mixed = mixed.with(self.operand(k).0.into());
            k += 1;
        }
        mixed.hash()
    }
}

/// The forms that outputs need.
pub(super) struct Live {
    /// operands before their users
    pub(super) order: Vec<Id>,
    /// how often each form is read: a power counts once for each factor
    pub(super) uses: Vec<u32>,
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
    /// what each was made of, terms sorted: what a pass makes of it later has its value
    made: Vec<Form>,
    places: Places,
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
        let hash = form.hash();
        let made: &[Form] = &self.made;
        match self.places.find(hash, |place| made[place as usize] == form) {
            Some(place) => Id(place),
            None => self.push(hash, form.clone(), form, origin),
        }
    }

    /// A new form, and what it is made of.
    fn push(&mut self, hash: u32, made: Form, form: Form, origin: Option<Origin>) -> Id {
        self.fixed.push(match &form {
            Form::Other(Op::Symbol(symbol), _) => matches!(symbol, Symbol::P(_) | Symbol::Prepared(_)),
            Form::Other(_, terms) | Form::Sum(terms) => terms.iter().all(|t| self.fixed[t.of.index()]),
            Form::Product(factors) => factors.iter().all(|f| self.fixed[f.index()]),
        });
        let id = Id(self.list.len() as u32);
        self.list.push(form);
        self.origins.push(origin);
        self.made.push(made);
        self.places.insert(hash, id.0);
        id
    }

    /// A number, which is not negative.
    pub(super) fn number(&mut self, value: f64) -> Id {
        self.id(Form::Other(Op::Constant(value.to_bits()), Vec::new()), None)
    }

    /// The sum of some terms. Opposite terms cancel. A difference is the same form under either sign, that under which
    /// it was met first, but not all terms are negative.
    pub(super) fn sum(&mut self, terms: Vec<Term>, origin: Option<Origin>) -> Term {
        let mut sorted = terms.clone();
        sorted.sort_unstable_by_key(|t| t.of.0);
        // few sums have opposite terms
        let cancels = sorted.windows(2).any(|pair| pair[0].of == pair[1].of && pair[0].negative != pair[1].negative);
        let mut kept = if cancels { remaining(terms) } else { terms };
        let negative = match *kept.as_slice() {
            [] => return Term { of: self.number(0.0), negative: false },
            [term] => return term,
            _ => kept.iter().all(|t| t.negative),
        };
        // a term that stands twice has one sign
        if cancels {
            sorted.clone_from(&kept);
            sorted.sort_unstable_by_key(|t| t.of.0);
        }
        if negative {
            sorted.iter_mut().chain(&mut kept).for_each(|t| t.negative = !t.negative);
        }
        let form = Form::Sum(sorted);
        let (hash, made): (u32, &[Form]) = (form.hash(), &self.made);
        let found = self.places.find(hash, |place| opposite(&made[place as usize], &form).is_some());
        match found {
            Some(place) => {
                let opposite = opposite(&made[place as usize], &form) == Some(true);
                Term { of: Id(place), negative: negative ^ opposite }
            }
            None => Term { of: self.push(hash, form, Form::Sum(kept), origin), negative },
        }
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

    /// Those that the outputs need, until one is changed.
    pub(super) fn live(&self) -> Live {
        let order = self.order();
        Live { uses: self.uses(&order), order }
    }

    /// Those that the outputs need, operands before their users.
    pub(super) fn order(&self) -> Vec<Id> {
        let list: &[Form] = &self.list;
        let mut all = vec![false; list.len()];
        let seen: &mut [bool] = &mut all;
        // twice the place of a form, and one more where its operands are in order
        let (mut order, mut stack) = (Vec::new(), Vec::new());
        for root in self.outputs.iter().chain(&self.apart) {
            stack.push(2 * root.of.0);
            while let Some(top) = stack.pop() {
                let place = (top / 2) as usize;
                if top % 2 == 1 {
                    order.push(Id(top / 2));
                    continue;
                }
                if seen[place] {
                    continue;
                }
                seen[place] = true;
                stack.push(top + 1);
                let mut k = list[place].len();
                while k > 0 {
                    k -= 1;
                    let operand = list[place].operand(k);
                    if !seen[operand.index()] {
                        stack.push(2 * operand.0);
                    }
                }
            }
        }
        order
    }

    fn uses(&self, live: &[Id]) -> Vec<u32> {
        let list: &[Form] = &self.list;
        let mut all = vec![0; list.len()];
        let uses: &mut [u32] = &mut all;
        for root in self.outputs.iter().chain(&self.apart) {
            uses[root.of.index()] += 1;
        }
        for &id in live {
            let form = &list[id.index()];
            let mut k = form.len();
            while k > 0 {
                k -= 1;
                uses[form.operand(k).index()] += 1;
            }
        }
        all
    }
}

/// The terms without those that are opposite to an earlier one, and without these.
fn remaining(terms: Vec<Term>) -> Vec<Term> {
    let mut kept: Vec<Term> = Vec::with_capacity(terms.len());
    for term in terms {
        match kept.iter().position(|t| t.of == term.of && t.negative != term.negative) {
            Some(k) => drop(kept.remove(k)),
            None => kept.push(term),
        }
    }
    kept
}

/// Is a sum the opposite of another one, or the same? `None` where they differ.
fn opposite(a: &Form, b: &Form) -> Option<bool> {
    let (Form::Sum(a), Form::Sum(b)) = (a, b) else { return None };
    let (a, b): (&[Term], &[Term]) = (a, b);
    if a.len() != b.len() {
        return None;
    }
    let opposite = a[0].negative != b[0].negative;
    let mut k = 0;
    while k < a.len() {
        if a[k].of.0 != b[k].of.0 || (a[k].negative != b[k].negative) != opposite {
            return None;
        }
        k += 1;
    }
    Some(opposite)
}

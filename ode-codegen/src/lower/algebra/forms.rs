//! Sums and products as lists.

use crate::expr::{Op, Origin, Symbol};
use crate::places::{Mixed, Places};

use super::terms::{has_opposite, in_order, opposite, remaining, sorted_terms};

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
    /// Shows each form that it reads, in order.
    fn each(&self, mut see: impl FnMut(Id)) {
        let mut k = 0;
        match self {
            Form::Other(_, terms) | Form::Sum(terms) => {
                let terms: &[Term] = terms;
                while k < terms.len() {
                    see(terms[k].of);
                    k += 1;
                }
            }
            Form::Product(factors) => {
                let factors: &[Id] = factors;
                while k < factors.len() {
                    see(factors[k]);
                    k += 1;
                }
            }
        }
    }

    /// Shows each form that it reads, the last one first.
    fn each_back(&self, mut see: impl FnMut(Id)) {
        match self {
            Form::Other(_, terms) | Form::Sum(terms) => {
                let terms: &[Term] = terms;
                let mut k = terms.len();
                while k > 0 {
                    k -= 1;
                    see(terms[k].of);
                }
            }
            Form::Product(factors) => {
                let factors: &[Id] = factors;
                let mut k = factors.len();
                while k > 0 {
                    k -= 1;
                    see(factors[k]);
                }
            }
        }
    }

    /// A number that equal ones share, and sums of the same terms whatever their signs.
    fn hash(&self) -> u32 {
        let mut mixed = match self {
            Form::Other(op, _) => Mixed::default().with(op.hash().into()),
            Form::Sum(_) => Mixed::default(),
            Form::Product(_) => Mixed::default().with(1),
        };
        self.each(|of| mixed = mixed.with(of.0.into()));
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

/// Factors of a product that is compared with others by all of them: a power of a power has too many.
const LONGEST: usize = 32;

/// The forms of a kernel.
#[derive(Clone, Default)]
pub(super) struct Forms {
    list: Vec<Form>,
    /// where each comes from
    pub(super) origins: Vec<Option<Origin>>,
    /// does each depend on numbers and parameters alone?
    pub(super) fixed: Vec<bool>,
    pub(super) outputs: Vec<Term>,
    /// what is computed by itself
    pub(super) apart: Vec<Term>,
    /// what some were made of, terms sorted: what a pass makes of it later has its value
    made: Vec<Form>,
    /// where that of each form is in `made`, and one more; zero where it is the form itself
    made_at: Vec<u32>,
    places: Places,
}

impl Forms {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn form(&self, id: Id) -> &Form {
        &self.list[id.index()]
    }

    /// Another way to compute a form.
    pub(super) fn change(&mut self, id: Id, form: Form) {
        let before = std::mem::replace(&mut self.list[id.index()], form);
        if self.made_at[id.index()] == 0 {
            self.made.push(before);
            self.made_at[id.index()] = self.made.len() as u32;
        }
    }

    /// What the form at a place was made of.
    fn made_of(&self, place: u32) -> &Form {
        match self.made_at.as_slice()[place as usize] {
            0 => &self.list.as_slice()[place as usize],
            at => &self.made.as_slice()[at as usize - 1],
        }
    }

    /// The form, the existing one where there is one.
    pub(super) fn id(&mut self, form: Form, origin: Option<Origin>) -> Id {
        let hash = form.hash();
        match self.places.find(hash, |place| *self.made_of(place) == form) {
            Some(place) => Id(place),
            None => self.push(hash, None, form, origin),
        }
    }

    /// A new form, and what it is made of, if that is another one.
    fn push(&mut self, hash: u32, made: Option<Form>, form: Form, origin: Option<Origin>) -> Id {
        let (known, mut fixed): (&[bool], bool) = (&self.fixed, true);
        match &form {
            Form::Other(Op::Symbol(symbol), _) => fixed = matches!(symbol, Symbol::P(_) | Symbol::Prepared(_)),
            form => form.each(|of| fixed &= known[of.index()]),
        }
        self.fixed.push(fixed);
        let id = Id(self.list.len() as u32);
        self.list.push(form);
        self.origins.push(origin);
        self.made_at.push(match made {
            Some(made) => {
                self.made.push(made);
                self.made.len() as u32
            }
            None => 0,
        });
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
        let (mut kept, mut sorted) = (terms, None);
        if !in_order(&kept) {
            sorted = Some(sorted_terms(&kept));
        }
        // few sums have opposite terms
        if has_opposite(sorted.as_ref().unwrap_or(&kept)) {
            kept = remaining(kept);
            // a term that stands twice has one sign
            sorted = (!in_order(&kept)).then(|| sorted_terms(&kept));
        }
        let negative = match *kept.as_slice() {
            [] => return Term { of: self.number(0.0), negative: false },
            [term] => return term,
            _ => kept.iter().all(|t| t.negative),
        };
        if negative {
            sorted.iter_mut().flatten().chain(&mut kept).for_each(|t| t.negative = !t.negative);
        }
        let (form, written) = match sorted {
            Some(sorted) => (Form::Sum(sorted), Some(Form::Sum(kept))),
            None => (Form::Sum(kept), None),
        };
        let hash = form.hash();
        match (self.places.find(hash, |place| opposite(self.made_of(place), &form).is_some()), written) {
            (Some(place), _) => {
                let opposite = opposite(self.made_of(place), &form) == Some(true);
                Term { of: Id(place), negative: negative ^ opposite }
            }
            (None, Some(written)) => Term { of: self.push(hash, Some(form), written, origin), negative },
            (None, None) => Term { of: self.push(hash, None, form, origin), negative },
        }
    }

    /// The product of some factors: the existing one of the same factors, however these were multiplied.
    pub(super) fn product(&mut self, mut factors: Vec<Id>, origin: Option<Origin>) -> Id {
        sort(&mut factors);
        match *factors.as_slice() {
            [] => return self.number(1.0),
            [factor] => return factor,
            _ => {}
        }
        let Some(flat) = self.flat(&factors) else { return self.id(Form::Product(factors), origin) };
        let flat = Form::Product(flat);
        let hash = flat.hash();
        match self.places.find(hash, |place| *self.made_of(place) == flat) {
            Some(place) => Id(place),
            None => self.push(hash, Some(flat), Form::Product(factors), origin),
        }
    }

    /// All factors of some, ascending, where there are products among these: x (y s) and y (x s) are one value.
    fn flat(&self, factors: &[Id]) -> Option<Vec<Id>> {
        let is_product = |of: &Id| matches!(self.made_of(of.0), Form::Product(_));
        if !factors.iter().any(is_product) {
            return None;
        }
        let mut all = Vec::with_capacity(2 * factors.len());
        for of in factors {
            match self.made_of(of.0) {
                Form::Product(inner) => all.extend_from_slice(inner),
                _ => all.push(*of),
            }
        }
        sort(&mut all);
        (all.len() <= LONGEST).then_some(all)
    }

    /// What is computed by itself, of these what the outputs need, once.
    pub(super) fn set_apart(&mut self, apart: Vec<Term>) {
        self.apart.clear();
        if apart.is_empty() {
            return;
        }
        let mut needed = vec![false; self.len()];
        self.order().into_iter().for_each(|id| needed[id.index()] = true);
        for term in apart {
            if std::mem::take(&mut needed[term.of.index()]) {
                self.apart.push(term);
            }
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
                list[place].each_back(|operand| {
                    if !seen[operand.0 as usize] {
                        stack.push(2 * operand.0);
                    }
                });
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
            list[id.index()].each(|operand| uses[operand.0 as usize] += 1);
        }
        all
    }
}

/// Puts factors in order.
fn sort(factors: &mut [Id]) {
    match factors {
        // most are two
        [a, b] if a.0 <= b.0 => {}
        [a, b] => std::mem::swap(a, b),
        factors => factors.sort_unstable(),
    }
}

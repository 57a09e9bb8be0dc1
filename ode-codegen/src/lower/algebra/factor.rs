//! Common factors of the terms of a sum: a b + a c = a (b + c).
//!
//! Only products that nobody else reads are taken apart, so that nothing is computed twice.

use super::forms::{Form, Forms, Id, Live, Term};

/// A term with its factors.
#[derive(Clone)]
struct Entry {
    negative: bool,
    factors: Vec<Id>,
}

/// Takes them out of all sums. Were there any?
pub(super) fn factor(forms: &mut Forms, live: &Live) -> bool {
    let (mut found, mut counts) = (false, Counts::default());
    for &id in &live.order {
        let Form::Sum(terms) = forms.form(id) else { continue };
        let mut open = 0;
        for term in terms {
            open += usize::from(live.uses[term.of.index()] == 1 && matches!(forms.form(term.of), Form::Product(_)));
        }
        if open < 2 {
            continue;
        }
        let mut entries = Vec::with_capacity(terms.len());
        for term in terms {
            entries.push(entry(forms, &live.uses, *term));
        }
        if let Some(terms) = gathered(forms, &mut counts, entries) {
            found = true;
            let form = match *terms.as_slice() {
                // the sum was a product: what reads it finds one term
                [term] if !term.negative => forms.form(term.of).clone(),
                _ => Form::Sum(terms),
            };
            forms.change(id, form);
        }
    }
    found
}

fn entry(forms: &Forms, uses: &[u32], term: Term) -> Entry {
    let factors = match forms.form(term.of) {
        Form::Product(factors) if uses[term.of.index()] == 1 => factors.clone(),
        _ => vec![term.of],
    };
    Entry { negative: term.negative, factors }
}

/// The terms with common factors taken out, the most frequent first; `None` where there are none.
fn gathered(forms: &mut Forms, counts: &mut Counts, mut entries: Vec<Entry>) -> Option<Vec<Term>> {
    let mut found = false;
    while let Some(factor) = counts.most_frequent(forms, &entries) {
        found = true;
        let has = |e: &Entry| e.factors.len() > 1 && e.factors.contains(&factor);
        let place = entries.iter().position(has)?;
        let (group, rest): (Vec<Entry>, Vec<Entry>) = entries.into_iter().partition(has);
        entries = rest;
        entries.insert(place, taken_out(forms, counts, group));
    }
    found.then(|| terms(forms, entries))
}

/// How many products hold each factor.
#[derive(Default)]
struct Counts {
    /// by form; zeros between two searches
    counts: Vec<u32>,
    /// those that two products hold
    met: Vec<Id>,
}

impl Counts {
    /// The factor of the most products, of at least two; of equals one that moves, then the first.
    fn most_frequent(&mut self, forms: &Forms, entries: &[Entry]) -> Option<Id> {
        if self.counts.len() < forms.len() {
            self.counts = vec![0; 2 * forms.len()];
        }
        let counts: &mut [u32] = &mut self.counts;
        for Entry { factors, .. } in entries {
            let (factors, mut k): (&[Id], usize) = (factors, 0);
            while factors.len() > 1 && k < factors.len() {
                // a power counts once
                if k == 0 || factors[k - 1].0 != factors[k].0 {
                    counts[factors[k].index()] += 1;
                    if counts[factors[k].index()] == 2 {
                        self.met.push(factors[k]);
                    }
                }
                k += 1;
            }
        }
        let mut best: Option<(u32, bool, std::cmp::Reverse<Id>)> = None;
        for factor in &self.met {
            let own = (counts[factor.index()], !forms.fixed[factor.index()], std::cmp::Reverse(*factor));
            if best.is_none_or(|best| own > best) {
                best = Some(own);
            }
        }
        for Entry { factors, .. } in entries {
            for factor in factors {
                counts[factor.index()] = 0;
            }
        }
        self.met.clear();
        best.map(|(.., factor)| factor.0)
    }
}

/// All that is common to a group, times the sum of what is left.
fn taken_out(forms: &mut Forms, counts: &mut Counts, group: Vec<Entry>) -> Entry {
    let mut common = group[0].factors.clone();
    for entry in &group[1..] {
        let mut left = entry.factors.clone();
        common.retain(|f| left.iter().position(|l| l == f).map(|k| left.remove(k)).is_some());
    }
    let rest: Vec<Entry> = group
        .into_iter()
        .map(|mut entry| {
            for f in &common {
                entry.factors.iter().position(|l| l == f).map(|k| entry.factors.remove(k));
            }
            entry
        })
        .collect();
    let terms = gathered(forms, counts, rest.clone()).unwrap_or_else(|| terms(forms, rest));
    let sum = forms.sum(terms, None);
    common.push(sum.of);
    let product = forms.product(common, None);
    Entry { negative: sum.negative, factors: vec![product] }
}

fn terms(forms: &mut Forms, entries: Vec<Entry>) -> Vec<Term> {
    let term = |e: Entry| Term { of: forms.product(e.factors, None), negative: e.negative };
    entries.into_iter().map(term).collect()
}

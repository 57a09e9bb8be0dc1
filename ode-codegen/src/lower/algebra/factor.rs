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
    let mut found = false;
    for &id in &live.order {
        let Form::Sum(terms) = forms.form(id) else { continue };
        let is_open = |term: &&Term| matches!(forms.form(term.of), Form::Product(_)) && live.uses[term.of.index()] == 1;
        if terms.iter().filter(is_open).nth(1).is_none() {
            continue;
        }
        let entries: Vec<Entry> = terms.iter().map(|&term| entry(forms, &live.uses, term)).collect();
        if let Some(terms) = gathered(forms, entries) {
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
fn gathered(forms: &mut Forms, mut entries: Vec<Entry>) -> Option<Vec<Term>> {
    let mut found = false;
    while let Some(factor) = most_frequent(forms, &entries) {
        found = true;
        let has = |e: &Entry| e.factors.len() > 1 && e.factors.contains(&factor);
        let place = entries.iter().position(has)?;
        let (group, rest): (Vec<Entry>, Vec<Entry>) = entries.into_iter().partition(has);
        entries = rest;
        entries.insert(place, taken_out(forms, group));
    }
    found.then(|| terms(forms, entries))
}

/// The factor of the most products, of at least two; of equals one that moves, then the first.
fn most_frequent(forms: &Forms, entries: &[Entry]) -> Option<Id> {
    let mut all: Vec<Id> = Vec::new();
    for Entry { factors, .. } in entries.iter().filter(|e| e.factors.len() > 1) {
        for (k, factor) in factors.iter().enumerate() {
            // a power counts once
            if k == 0 || factors[k - 1] != *factor {
                all.push(*factor);
            }
        }
    }
    all.sort_unstable();
    let mut best: Option<(usize, bool, Id)> = None;
    for run in all.chunk_by(|a, b| a == b).filter(|run| run.len() > 1) {
        let (count, moves) = (run.len(), !forms.fixed[run[0].index()]);
        if best.is_none_or(|(most, best_moves, _)| (count, moves) > (most, best_moves)) {
            best = Some((count, moves, run[0]));
        }
    }
    best.map(|(.., factor)| factor)
}

/// All that is common to a group, times the sum of what is left.
fn taken_out(forms: &mut Forms, group: Vec<Entry>) -> Entry {
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
    let terms = gathered(forms, rest.clone()).unwrap_or_else(|| terms(forms, rest));
    let sum = forms.sum(terms, None);
    common.push(sum.of);
    let product = forms.product(common, None);
    Entry { negative: sum.negative, factors: vec![product] }
}

fn terms(forms: &mut Forms, entries: Vec<Entry>) -> Vec<Term> {
    let term = |e: Entry| Term { of: forms.product(e.factors, None), negative: e.negative };
    entries.into_iter().map(term).collect()
}

//! The terms of sums: their order, and those that are opposite.

use super::forms::{Form, Term};

/// Are terms ascending?
pub(super) fn in_order(terms: &[Term]) -> bool {
    let mut k = 1;
    while k < terms.len() && terms[k - 1].of.0 <= terms[k].of.0 {
        k += 1;
    }
    k >= terms.len()
}

pub(super) fn sorted_terms(terms: &[Term]) -> Vec<Term> {
    let mut sorted = terms.to_vec();
    sorted.sort_unstable_by_key(|t| t.of.0);
    sorted
}

/// Has a sorted sum two opposite terms?
pub(super) fn has_opposite(terms: &[Term]) -> bool {
    let mut k = 1;
    while k < terms.len() {
        if terms[k - 1].of.0 == terms[k].of.0 && terms[k - 1].negative != terms[k].negative {
            return true;
        }
        k += 1;
    }
    false
}

/// The terms without those that are opposite to an earlier one, and without these.
pub(super) fn remaining(terms: Vec<Term>) -> Vec<Term> {
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
pub(super) fn opposite(a: &Form, b: &Form) -> Option<bool> {
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

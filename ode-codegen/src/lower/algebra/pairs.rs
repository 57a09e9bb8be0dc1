//! Pairs that several products, or several sums, hold: each is computed once.
//!
//! The most frequent pair first, as long as there is one that two lists hold.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::forms::{Form, Forms, Id, Term};

/// Two entries of a list, the smaller first, and whether their signs differ.
type Pair = (Id, Id, bool);

/// Shares those of products, then those of sums.
pub(super) fn share(forms: &mut Forms) {
    for products in [true, false] {
        let mut lists = Lists::of(forms, products);
        while let Some(pair) = lists.best() {
            lists.replace(forms, pair);
        }
        lists.store(forms);
    }
}

struct Lists {
    products: bool,
    lists: Vec<(Id, Vec<Term>)>,
    /// the lists that hold a pair, ascending; only looked up
    holders: FxHashMap<Pair, Vec<usize>>,
    /// pairs of several lists, the best last: the number of lists, whether it is of parameters alone, the first
    ranked: BTreeSet<(usize, bool, Reverse<Pair>)>,
    /// entries that more than one list reads
    shared: Vec<bool>,
    fixed: Vec<bool>,
}

impl Lists {
    fn of(forms: &Forms, products: bool) -> Self {
        let live = forms.live();
        let positive = |of: &Id| Term { of: *of, negative: false };
        let list = |&id: &Id| match forms.form(id) {
            Form::Product(factors) if products => Some((id, factors.iter().map(positive).collect())),
            Form::Sum(terms) if !products => Some((id, terms.clone())),
            _ => None,
        };
        let lists: Vec<(Id, Vec<Term>)> = live.iter().filter_map(list).collect();
        let uses = forms.uses(&live);
        let (holders, ranked) = (FxHashMap::default(), BTreeSet::new());
        let shared = uses.into_iter().map(|n| n > 1).collect();
        let mut all = Self { products, lists, holders, ranked, shared, fixed: forms.fixed.clone() };
        (0..all.lists.len()).for_each(|list| all.count(list, true));
        all
    }

    /// The pairs of a list, each once.
    fn pairs(&self, list: usize) -> Vec<Pair> {
        let shared = |t: &&Term| self.shared[t.of.index()];
        let entries: Vec<Term> = self.lists[list].1.iter().filter(shared).copied().collect();
        let mut pairs = Vec::with_capacity(entries.len() * entries.len().saturating_sub(1) / 2);
        for (k, a) in entries.iter().enumerate() {
            for b in &entries[k + 1..] {
                pairs.push((a.of.min(b.of), a.of.max(b.of), a.negative ^ b.negative));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Adds the pairs of a list to those that are counted, or removes them.
    fn count(&mut self, list: usize, add: bool) {
        for pair in self.pairs(list) {
            let fixed = self.fixed[pair.0.index()] && self.fixed[pair.1.index()];
            let holders = self.holders.entry(pair).or_default();
            let before = holders.len();
            match holders.binary_search(&list) {
                Err(place) if add => holders.insert(place, list),
                Ok(place) if !add => drop(holders.remove(place)),
                _ => continue,
            }
            let now = holders.len();
            if before > 1 {
                self.ranked.remove(&(before, fixed, Reverse(pair)));
            }
            if now > 1 {
                self.ranked.insert((now, fixed, Reverse(pair)));
            }
        }
    }

    fn best(&self) -> Option<Pair> {
        self.ranked.last().map(|(.., Reverse(pair))| *pair)
    }

    /// The pair is a form of its own, which the lists hold instead of it.
    fn replace(&mut self, forms: &mut Forms, pair: Pair) {
        let holders = self.holders.get(&pair).cloned().unwrap_or_default();
        let whole = holders.iter().copied().find(|&list| self.lists[list].1.len() == 2);
        let form = match whole {
            // its first entry may be the pair's second
            Some(list) => places(&self.lists[list].1, pair).map(|(first, _)| {
                let (id, entries) = &self.lists[list];
                Term { of: *id, negative: entries[first].negative }
            }),
            None => None,
        };
        let form = form.unwrap_or_else(|| self.made(forms, pair));
        for list in holders.into_iter().filter(|list| Some(*list) != whole) {
            self.count(list, false);
            let entries = &mut self.lists[list].1;
            if let Some((first, second)) = places(entries, pair) {
                entries[first.min(second)] = form.signed(entries[first].negative);
                entries.remove(first.max(second));
            }
            self.count(list, true);
        }
        self.shared[form.of.index()] = true;
    }

    fn made(&mut self, forms: &mut Forms, (a, b, differ): Pair) -> Term {
        let terms = vec![Term { of: a, negative: false }, Term { of: b, negative: differ }];
        let made = match self.products {
            true => Term { of: forms.product(vec![a, b], None), negative: false },
            false => forms.sum(terms, None),
        };
        self.shared.resize(forms.len(), true);
        self.fixed.extend_from_slice(&forms.fixed[self.fixed.len()..]);
        made
    }

    fn store(self, forms: &mut Forms) {
        for (id, entries) in self.lists {
            let form = if self.products {
                let mut factors: Vec<Id> = entries.into_iter().map(|t| t.of).collect();
                factors.sort_unstable();
                Form::Product(factors)
            } else {
                Form::Sum(entries)
            };
            forms.list[id.index()] = form;
        }
    }
}

/// Where a list holds the first and the second entry of a pair.
fn places(entries: &[Term], (a, b, differ): Pair) -> Option<(usize, usize)> {
    let at = |of: Id| entries.iter().enumerate().filter(move |(_, t)| t.of == of);
    at(a).find_map(|(i, first)| {
        at(b).find(|(j, second)| *j != i && second.negative == first.negative ^ differ).map(|(j, _)| (i, j))
    })
}

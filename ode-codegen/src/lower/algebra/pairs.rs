//! Pairs that several products, or several sums, hold: each is computed once.
//!
//! The most frequent pair first, as long as there is one that two lists hold.

use std::collections::BinaryHeap;

use crate::places::{Mixed, Places};

use super::forms::{Form, Forms, Id, Live, Term};
use super::holders::Holders;

/// Two entries of a list, the smaller first, and whether their signs differ: one number, for quick look-ups.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pair(u64);

impl Pair {
    fn of(a: Term, b: Term) -> Self {
        let (a, b, differ) = (u64::from(a.of.0), u64::from(b.of.0), u64::from(a.negative != b.negative));
        Self(if a < b { a << 33 | b << 1 | differ } else { b << 33 | a << 1 | differ })
    }

    fn entries(self) -> (Id, Id, bool) {
        (Id((self.0 >> 33) as u32), Id((self.0 >> 1) as u32), self.0 & 1 == 1)
    }

    fn hash(self) -> u32 {
        Mixed::default().with(self.0).hash()
    }
}

/// How many lists hold a pair.
#[derive(Clone, Copy)]
struct Count {
    pair: Pair,
    lists: u32,
    /// the last change, which counts a pair that stands twice in a list once
    change: u32,
}

/// Shares those of products, then those of sums. Were there any?
pub(super) fn share(forms: &mut Forms, live: &mut Live) -> bool {
    let mut found = false;
    for products in [true, false] {
        let Some(mut lists) = Lists::of(forms, live, products) else { continue };
        while let Some(pair) = lists.best() {
            lists.replace(forms, pair);
        }
        lists.store(forms);
        (found, *live) = (true, forms.live());
    }
    found
}

struct Lists {
    products: bool,
    lists: Vec<List>,
    /// the entries of all lists, one behind the other
    entries: Vec<Term>,
    holders: Holders,
    counts: Vec<Count>,
    places: Places,
    changes: u32,
    /// pairs of several lists, the best first, with counts that may have changed since: see [`Lists::rank`]
    ranked: BinaryHeap<u128>,
    /// how often each entry is read; of what is made here 2, for several times
    uses: Vec<u32>,
    fixed: Vec<bool>,
}

/// The entries of a form: where they stand among those of all.
struct List {
    of: Id,
    start: usize,
    end: usize,
    /// whether it is another form now
    changed: bool,
}

impl Lists {
    /// `None` where no two lists can hold a pair.
    fn of(forms: &Forms, Live { order, uses }: &Live, products: bool) -> Option<Self> {
        let mut all = Self {
            products,
            lists: Vec::new(),
            entries: Vec::new(),
            holders: Holders::default(),
            counts: Vec::new(),
            places: Places::default(),
            changes: 0,
            ranked: BinaryHeap::new(),
            uses: Vec::new(),
            fixed: Vec::new(),
        };
        let (mut found, mut holding) = (Vec::new(), 0);
        for &id in order {
            found.clear();
            entries(forms.form(id), products, |of| uses.as_slice()[of.index()] > 1, &mut found);
            if found.len() > 1 {
                holding += 1;
                all.count_all(&found);
            }
        }
        if holding < 2 {
            return None;
        }
        all.fixed.clone_from(&forms.fixed);
        for count in &all.counts {
            if count.lists > 1 {
                all.ranked.push(all.rank(count));
            }
        }
        if all.ranked.is_empty() {
            return None;
        }
        all.uses.clone_from(uses);
        // a list that holds no pair yet may hold one of what is made
        for &of in order {
            let start = all.entries.len();
            entries(forms.form(of), products, |_| true, &mut all.entries);
            let end = all.entries.len();
            if end > start {
                all.lists.push(List { of, start, end, changed: false });
            }
        }
        all.holders = Holders::of(all.lists.iter().map(|list| list.start..list.end), &all.entries, all.uses.len());
        Some(all)
    }

    /// Counts the pairs of a list more.
    fn count_all(&mut self, entries: &[Term]) {
        let mut k = 0;
        while k < entries.len() {
            let mut j = k + 1;
            while j < entries.len() {
                self.count(Pair::of(entries[k], entries[j]), true);
                j += 1;
            }
            k += 1;
        }
        self.changes += 1;
    }

    /// The entries of a list.
    fn list(&self, list: usize) -> &[Term] {
        let List { start, end, .. } = self.lists[list];
        &self.entries[start..end]
    }

    /// The entries of a list that others may hold too.
    fn entries(&self, list: usize) -> Vec<Term> {
        let mut entries = Vec::new();
        for term in self.list(list) {
            if self.uses[term.of.index()] > 1 {
                entries.push(*term);
            }
        }
        entries
    }

    /// The place of a pair among all: that of more lists first, then that of parameters alone, then the first one.
    fn rank(&self, count: &Count) -> u128 {
        let (a, b, _) = count.pair.entries();
        let fixed = self.fixed[a.index()] && self.fixed[b.index()];
        u128::from(count.lists) << 65 | u128::from(fixed) << 64 | u128::from(!count.pair.0)
    }

    /// Where a pair is counted.
    fn place(&self, pair: Pair) -> Option<usize> {
        let counts: &[Count] = &self.counts;
        let place = self.places.find(pair.hash(), |place| counts[place as usize].pair == pair);
        place.map(|place| place as usize)
    }

    /// A list more holds a pair, or one less; once for each change.
    fn count(&mut self, pair: Pair, more: bool) -> Option<Count> {
        match self.place(pair) {
            Some(place) => {
                let count = &mut self.counts[place];
                if count.change == self.changes {
                    return None;
                }
                count.change = self.changes;
                count.lists = if more { count.lists + 1 } else { count.lists.saturating_sub(1) };
                Some(*count)
            }
            None => {
                let count = Count { pair, lists: u32::from(more), change: self.changes };
                self.places.insert(pair.hash(), self.counts.len() as u32);
                self.counts.push(count);
                Some(count)
            }
        }
    }

    /// Counts the pairs of a list that hold one of some entries.
    fn recount(&mut self, list: usize, changed: &[Id], more: bool) {
        self.changes += 1;
        let entries = self.entries(list);
        for (i, a) in entries.iter().enumerate().filter(|(_, a)| changed.contains(&a.of)) {
            for (j, b) in entries.iter().enumerate() {
                if i == j {
                    continue;
                }
                if let Some(count) = self.count(Pair::of(*a, *b), more)
                    && count.lists > 1
                {
                    self.ranked.push(self.rank(&count));
                }
            }
        }
    }

    /// The best pair: ranks that are no longer those of their pairs are passed over.
    fn best(&mut self) -> Option<Pair> {
        while let Some(rank) = self.ranked.pop() {
            let pair = Pair(!(rank as u64));
            if self.place(pair).is_some_and(|place| self.rank(&self.counts[place]) == rank) {
                return Some(pair);
            }
        }
        None
    }

    /// The pair is a form of its own, which the lists hold instead of it.
    fn replace(&mut self, forms: &mut Forms, pair: Pair) {
        let (a, b, _) = pair.entries();
        let mut holders: Vec<usize> = self.holders.at(a).iter().map(|list| *list as usize).collect();
        holders.retain(|list| found_in(self.list(*list), pair).is_some());
        let whole = holders.iter().copied().find(|&list| self.list(list).len() == 2);
        let form = match whole {
            // its first entry may be the pair's second
            Some(list) => found_in(self.list(list), pair)
                .map(|(first, _)| Term { of: self.lists[list].of, negative: self.list(list)[first].negative }),
            None => None,
        };
        let form = form.unwrap_or_else(|| self.made(forms, pair));
        // lists will read it
        if std::mem::replace(&mut self.uses[form.of.index()], 2) < 2 {
            for list in self.holders.at(form.of).clone() {
                self.recount(list as usize, &[form.of], true);
            }
        }
        for list in holders.into_iter().filter(|list| Some(*list) != whole) {
            // what it holds may be the form already
            self.recount(list, &[a, b, form.of], false);
            if let Some((first, second)) = found_in(self.list(list), pair) {
                let List { start, end, changed, .. } = &mut self.lists[list];
                let entries = &mut self.entries[*start..*end];
                entries[first.min(second)] = form.signed(entries[first].negative);
                entries[first.max(second)..].rotate_left(1);
                *end -= 1;
                *changed = true;
            }
            self.holders.hold(form.of, list as u32);
            self.recount(list, &[a, b, form.of], true);
        }
    }

    fn made(&mut self, forms: &mut Forms, pair: Pair) -> Term {
        let (a, b, differ) = pair.entries();
        let terms = vec![Term { of: a, negative: false }, Term { of: b, negative: differ }];
        let made = match self.products {
            true => Term { of: forms.product(vec![a, b], None), negative: false },
            false => forms.sum(terms, None),
        };
        self.uses.resize(forms.len(), 2);
        self.fixed.extend_from_slice(&forms.fixed[self.fixed.len()..]);
        made
    }

    fn store(&self, forms: &mut Forms) {
        for (k, list) in self.lists.iter().enumerate().filter(|(_, list)| list.changed) {
            let entries = self.list(k);
            let form = if self.products {
                let mut factors: Vec<Id> = entries.iter().map(|t| t.of).collect();
                factors.sort_unstable();
                Form::Product(factors)
            } else {
                Form::Sum(entries.to_vec())
            };
            forms.change(list.of, form);
        }
    }
}

/// Appends those entries of a product, or of a sum, that are wanted.
fn entries(form: &Form, products: bool, wanted: impl Fn(Id) -> bool, into: &mut Vec<Term>) {
    let mut k = 0;
    match form {
        Form::Product(factors) if products => {
            let factors: &[Id] = factors;
            while k < factors.len() {
                if wanted(factors[k]) {
                    into.push(Term { of: factors[k], negative: false });
                }
                k += 1;
            }
        }
        Form::Sum(terms) if !products => {
            let terms: &[Term] = terms;
            while k < terms.len() {
                if wanted(terms[k].of) {
                    into.push(terms[k]);
                }
                k += 1;
            }
        }
        _ => {}
    }
}

/// Where a list holds the first and the second entry of a pair.
fn found_in(entries: &[Term], pair: Pair) -> Option<(usize, usize)> {
    let (a, b, differ) = pair.entries();
    let mut i = 0;
    while i < entries.len() {
        let mut j = if entries[i].of == a { 0 } else { entries.len() };
        while j < entries.len() {
            if i != j && entries[j].of == b && (entries[j].negative != entries[i].negative) == differ {
                return Some((i, j));
            }
            j += 1;
        }
        i += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// How many lists hold each pair, counted anew.
    fn counted(lists: &Lists) -> BTreeMap<u64, u32> {
        let mut all = BTreeMap::new();
        for list in 0..lists.lists.len() {
            let entries = lists.entries(list);
            let of = |k: usize| entries[k + 1..].iter().map(move |b| (k, *b));
            let mut pairs: Vec<u64> = (0..entries.len()).flat_map(of).map(|(k, b)| Pair::of(entries[k], b).0).collect();
            pairs.sort_unstable();
            pairs.dedup();
            pairs.into_iter().for_each(|pair| *all.entry(pair).or_default() += 1);
        }
        all
    }

    #[test]
    fn counts_are_those_counted_anew_after_each_exchange() {
        // some hold a pair twice, and then what it became twice
        let lists: [&[usize]; 7] =
            [&[0, 0, 0, 0, 4], &[0, 0, 0, 0, 5], &[0, 0], &[1, 1, 2, 2, 4], &[1, 2, 3], &[1, 1, 2, 2, 5, 4], &[5, 3]];
        for products in [true, false] {
            let mut forms = Forms::default();
            let leaves: [Id; 6] = std::array::from_fn(|k| forms.number(k as f64 + 2.0));
            for list in lists {
                let entries: Vec<Id> = list.iter().map(|&k| leaves[k]).collect();
                // odd entries are subtracted, so that pairs differ in their signs
                let signed = |&of: &Id| Term { of, negative: of.0 % 2 == 1 };
                let output = match products {
                    true => Term { of: forms.product(entries, None), negative: false },
                    false => forms.sum(entries.iter().map(signed).collect(), None),
                };
                forms.outputs.push(output);
            }
            let mut lists = Lists::of(&forms, &forms.live(), products).expect("pairs of several lists");
            let mut exchanged = 0;
            while let Some(pair) = lists.best() {
                lists.replace(&mut forms, pair);
                exchanged += 1;
                let held = lists.counts.iter().filter(|count| count.lists > 0);
                let held: BTreeMap<u64, u32> = held.map(|count| (count.pair.0, count.lists)).collect();
                assert_eq!(held, counted(&lists));
            }
            assert!(exchanged > 2);
        }
    }
}

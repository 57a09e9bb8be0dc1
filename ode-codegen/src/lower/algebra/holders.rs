//! Which lists hold an entry.

use std::ops::Range;

use super::forms::{Id, Term};

/// The lists that hold each entry, or held it, ascending.
#[derive(Default)]
pub(super) struct Holders {
    /// the lists that hold each entry at the beginning, entry by entry
    all: Vec<u32>,
    /// where those of each entry are among them
    places: Vec<(u32, u32)>,
    /// where those of each entry are in `asked`, and one more, where somebody asked for them
    asked_at: Vec<u32>,
    asked: Vec<Vec<u32>>,
}

impl Holders {
    /// Those of entries below `len`, where each list has its place among all entries.
    pub(super) fn of(lists: impl Iterator<Item = Range<usize>>, entries: &[Term], len: usize) -> Self {
        let mut places = vec![(0, 0); len].into_boxed_slice();
        let mut k = 0;
        while k < entries.len() {
            places[entries[k].of.index()].1 += 1;
            k += 1;
        }
        let (mut k, mut first) = (0, 0);
        while k < len {
            let (start, end) = &mut places[k];
            let held = *end;
            (*start, *end) = (first, first);
            first += held;
            k += 1;
        }
        let mut all = vec![0; entries.len()].into_boxed_slice();
        for (list, Range { start: mut k, end: last }) in lists.enumerate() {
            while k < last {
                let (start, end) = &mut places[entries[k].of.index()];
                // a power stands in a list several times
                if start == end || all[*end as usize - 1] != list as u32 {
                    all[*end as usize] = list as u32;
                    *end += 1;
                }
                k += 1;
            }
        }
        Self { all: all.into(), places: places.into(), asked_at: vec![0; len], asked: Vec::new() }
    }

    /// Those of an entry, which may be a new one.
    pub(super) fn at(&mut self, entry: Id) -> &mut Vec<u32> {
        let entry = entry.index();
        if entry >= self.asked_at.len() {
            self.asked_at.resize(entry + 1, 0);
        }
        if self.asked_at[entry] == 0 {
            let (start, end) = self.places.get(entry).copied().unwrap_or_default();
            self.asked.push(self.all[start as usize..end as usize].to_vec());
            self.asked_at[entry] = self.asked.len() as u32;
        }
        &mut self.asked[self.asked_at[entry] as usize - 1]
    }

    /// Adds a list to those that hold an entry.
    pub(super) fn hold(&mut self, entry: Id, list: u32) {
        let holders = self.at(entry);
        // most come in order, and a power several times
        match holders.last() {
            Some(last) if *last >= list => {
                if let Err(place) = holders.binary_search(&list) {
                    holders.insert(place, list);
                }
            }
            _ => holders.push(list),
        }
    }
}

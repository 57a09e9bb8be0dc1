//! The rounds of a loop over a literal range.

use super::reader::Reader;
use crate::check::scope::Local;
use crate::parse::ast::{For, Item, Kind, Let};

impl<'a> Reader<'a> {
    /// Reads each item of a loop once per round, with the round's number in place of the index.
    pub(crate) fn rounds(&mut self, each: &'a For, mut read: impl FnMut(&mut Self, &'a Item)) {
        let rounds = if each.items.is_empty() { 0..0 } else { each.range.clone() };
        for i in rounds {
            let mistakes = self.reports.count();
            if self.exhausted() {
                return;
            }
            let depth = self.here.locals.len();
            let outer = self.here.suffix.clone();
            self.here.suffix = format!("{outer}_{i}");
            self.here.locals.push((each.index.to_string(), Local::Index(i)));
            for (k, item) in each.items.iter().enumerate() {
                if !self.step(&item.keyword) {
                    break;
                }
                self.here.rounds.push((i, k));
                read(self, item);
                self.here.rounds.pop();
            }
            self.here.locals.truncate(depth);
            self.here.suffix = outer;
            // A mistake in one round occurs in all of them.
            if self.reports.count() > mistakes {
                return;
            }
        }
    }

    /// The names that `let`s give in a loop above the item that is read, after those of the loops around.
    pub(crate) fn lets_above(&self, each: &'a For, around: &[&'a Let]) -> Vec<&'a Let> {
        let read = self.here.rounds.last().map_or(0, |(_, k)| *k);
        let own = each.items.iter().take(read).filter_map(|item| match &item.kind {
            Kind::Let(binding) if binding.indices.is_empty() => Some(binding),
            _ => None,
        });
        around.iter().copied().chain(own).collect()
    }
}

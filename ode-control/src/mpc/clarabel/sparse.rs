//! A sparse matrix whose values are replaced.

use std::vec::Vec;

use clarabel::algebra::CscMatrix;

use crate::mpc::clarabel::program::Entry;

/// A matrix of the entries that were not zero when it was made.
#[derive(Clone, Debug)]
pub(super) struct Sparse {
    pub(super) matrix: CscMatrix<f64>,
    /// the place of each entry among the values
    places: Vec<Option<usize>>,
}

impl Sparse {
    pub(super) fn of((rows, columns): (usize, usize), entries: &[Entry]) -> Self {
        let mut order: Vec<usize> = (0..entries.len()).filter(|&k| entries[k].2 != 0.0).collect();
        order.sort_by_key(|&k| (entries[k].1, entries[k].0));
        let (mut starts, mut places) = (std::vec![0; columns + 1], std::vec![None; entries.len()]);
        for (place, &k) in order.iter().enumerate() {
            starts[entries[k].1 + 1] += 1;
            places[k] = Some(place);
        }
        for c in 0..columns {
            starts[c + 1] += starts[c];
        }
        let own = order.iter().map(|&k| entries[k].0).collect();
        let values = order.iter().map(|&k| entries[k].2).collect();
        Self { matrix: CscMatrix::new(rows, columns, starts, own, values), places }
    }

    /// Replaces the values, which are those of entries in the same order; false if one that was zero is not now.
    pub(super) fn replace(&mut self, entries: &[Entry]) -> bool {
        let mut fits = entries.len() == self.places.len();
        for (place, &(.., value)) in self.places.iter().zip(entries) {
            match place {
                Some(place) => self.matrix.nzval[*place] = value,
                None => fits &= value == 0.0,
            }
        }
        fits
    }
}

//! The bordered tangent of a large model.

use core::fmt;
use std::cell::RefCell;
use std::sync::Arc;
use std::vec::Vec;

use crate::linalg::filter::{blur, dependent, filtered, shifts, tolerated};
use crate::linalg::sparse::diagonal;
use crate::linalg::sparse::elimination::Elimination;
use crate::linalg::sparse::lu::Lu;
use crate::linalg::sparse::order::Massless;
use crate::linalg::sparse::plan::{Place, Plan};
use crate::linalg::{Iterated, Kkt, Lanes, LanesMut, Singular, Unsolved, solve_by_lane};
use crate::model::layout::Layout;
use crate::numbers::scalar::Real;

/// [`Kkt`] of a large model, with rows that may depend on others if it is `REDUNDANT`.
///
/// Where the tangent is symmetric, but for the factors of its rows of constraints, it is eliminated as such, with half
/// of the products. With sound pivots and independent rows, factorisations and solutions allocate nothing.
pub struct SparseKkt<T, const REDUNDANT: bool = false> {
    elimination: Elimination<T>,
    /// where the nonzeros of the tangent are
    places: Vec<Place>,
    /// entries of L that are in the matrix, with the multiplier in whose row they are
    pairs: Vec<(usize, Option<usize>)>,
    /// what each row of constraints is multiplied by, if that makes the matrix `symmetric`
    multiples: Vec<T>,
    symmetric: bool,
    /// −Gᵀ by rows of constraints: row, unknown, nonzeros below and above the diagonal
    border: Vec<(usize, usize, Option<usize>, usize)>,
    /// whether the pivots of the last elimination kept three digits
    certain: bool,
    lu: Option<Lu>,
    exchanged: bool,
    transposed: bool,
    /// D on the diagonal, by unknown
    shift: Option<Vec<T>>,
    off: Vec<T>,
    lanes: RefCell<Vec<Lanes<T>>>,
}

impl<T: Real, const REDUNDANT: bool> SparseKkt<T, REDUNDANT> {
    /// Writes the matrix, or its transpose, to the room of its factors.
    fn fill(&mut self, values: &[T], transposed: bool) {
        match transposed {
            false => {
                self.elimination.prepare();
                self.elimination.set(self.places.iter(), values.iter());
            }
            true => {
                self.elimination.clear();
                let plan = Arc::clone(&self.elimination.plan);
                for (&place, &value) in self.places.iter().zip(values) {
                    self.elimination.add(plan.mirrored(place), value);
                }
            }
        }
        (self.exchanged, self.transposed, self.shift) = (false, transposed, None);
        (self.symmetric, self.certain) = (false, false);
    }

    /// Adds D for dependent rows, at a point that is `off`.
    fn add_shift(&mut self, layout: &Layout<'_>, values: &[T], off: &[T]) {
        let first = layout.v.len() + layout.z.len();
        let diagonal = diagonal(layout.tangent, values, first + layout.constraints.len());
        let value = |at: Option<usize>| at.map_or(T::ZERO, |k| values[k]);
        let slopes = self.border.iter().map(|&(row, j, below, above)| (first + row, j, value(below), values[above]));
        let tau = blur(slopes.clone(), off, first);
        let shift: Vec<T> = shifts(layout, &diagonal, slopes, first, tau);
        for (unknown, &s) in shift.iter().enumerate() {
            if let Some(own) = self.elimination.own(self.elimination.plan.pivot(unknown)) {
                *own += s;
            }
        }
        self.shift = Some(shift);
    }

    /// Brings a matrix that is symmetric but for factors of the rows of constraints to that form; whether it is.
    fn balance(&mut self) -> bool {
        let Self { elimination, pairs, multiples, .. } = self;
        multiples.fill(T::ZERO);
        let near = |a: T, b: T| (a - b).abs() <= T::from_f64(8.0) * T::EPSILON * a.abs();
        for &(at, row) in pairs.iter() {
            let Some((lower, upper)) = elimination.pair(at) else { return false };
            let below = match row {
                None => *lower,
                Some(row) => {
                    let factor = &mut multiples[row];
                    if *lower != T::ZERO && *upper == T::ZERO {
                        return false;
                    }
                    if *factor == T::ZERO && *lower != T::ZERO {
                        *factor = *upper / *lower;
                    }
                    *lower * *factor
                }
            };
            if !near(*upper, below) {
                return false;
            }
        }
        for (at, _) in pairs.iter().filter(|(_, row)| row.is_some()) {
            if let Some((lower, upper)) = elimination.pair(*at) {
                *lower = *upper;
            }
        }
        let first = elimination.plan.size() - multiples.len();
        for (row, factor) in multiples.iter_mut().enumerate() {
            // of a row that acts on nothing
            if *factor == T::ZERO {
                *factor = T::ONE;
            }
            let pivot = elimination.plan.pivot(first + row);
            if let Some(own) = elimination.own(pivot) {
                *own *= *factor;
            }
        }
        true
    }

    /// Factorises what was filled in; whether pivots are sound.
    fn eliminate(&mut self) -> bool {
        self.symmetric = self.balance();
        self.elimination.factorize(self.symmetric);
        self.certain = self.elimination.sound(T::from_f64(1.0 / 4096.0));
        self.certain || self.elimination.sound(T::PIVOT_TOLERANCE)
    }

    /// Decomposes with exchanges.
    fn exchange(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        let first = layout.v.len() + layout.z.len();
        let n = first + layout.constraints.len();
        if self.lu.is_none() && T::PLAIN {
            let beside = layout.tangent.entries().filter(|(r, c)| r != c);
            self.lu = Lu::new(n, (0..n).map(|i| (i, i)).chain(beside));
        }
        let Some(lu) = self.lu.as_mut() else { return Err(Singular { index: 0 }) };
        let mut diagonal = diagonal(layout.tangent, values, n);
        diagonal.iter_mut().zip(self.shift.iter().flatten()).for_each(|(own, &shift)| *own += shift);
        let beside = layout.tangent.entries().zip(values).filter(|((r, c), _)| r != c).map(|(_, &value)| value);
        lu.factorize(diagonal.into_iter().chain(beside))?;
        (self.exchanged, self.symmetric) = (true, false);
        Ok(())
    }

    /// With sound pivots, or else with exchanges.
    fn decompose(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        if self.eliminate() {
            return Ok(());
        }
        let found = self.elimination.unsound(T::PIVOT_TOLERANCE);
        self.exchange(layout, values).map_err(|singular| Singular { index: found.unwrap_or(singular.index) })
    }

    fn filter(&mut self, layout: &Layout<'_>, values: &[T], transposed: bool, off: &[T]) -> Result<(), Singular> {
        self.fill(values, transposed);
        self.add_shift(layout, values, off);
        self.decompose(layout, values)
    }

    fn filter_here(&mut self, layout: &Layout<'_>, values: &[T], transposed: bool) -> Result<(), Singular> {
        let off = core::mem::take(&mut self.off);
        let done = self.filter(layout, values, transposed, &off);
        self.off = off;
        done
    }

    /// Solves in place; the multipliers are the last of x.
    fn apply<const K: usize>(&self, mut x: [&mut [T]; K]) {
        match &self.lu {
            Some(lu) if self.exchanged => lu.solve(x, self.transposed),
            _ => {
                self.scale(&mut x);
                self.elimination.solve(x);
            }
        }
    }

    /// Multiplies rows of constraints by their factors.
    fn scale<X: Copy + core::ops::Mul<T, Output = X>, const K: usize>(&self, x: &mut [&mut [X]; K]) {
        if self.symmetric {
            let rows = x.iter_mut().rev().flat_map(|x| x.iter_mut().rev()).zip(self.multiples.iter().rev());
            rows.for_each(|(x, &factor)| *x = *x * factor);
        }
    }
}

impl<T: Real, const REDUNDANT: bool> Kkt<T> for SparseKkt<T, REDUNDANT> {
    const REDUNDANT: bool = REDUNDANT;

    fn new(layout: &Layout<'_>) -> Self {
        let first = layout.v.len() + layout.z.len();
        let (nc, tangent) = (layout.constraints.len(), layout.tangent);
        let plan = Arc::new(Plan::new(first + nc, first, Massless::of(layout), tangent.entries()));
        let places: Vec<Place> = tangent.entries().filter_map(|(r, c)| plan.place(r, c)).collect();
        let pair =
            |((r, c), &place): ((usize, usize), &Place)| plan.entry(place).map(|at| (at, r.max(c).checked_sub(first)));
        let mut pairs: Vec<_> = tangent.entries().zip(&places).filter_map(pair).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let above = tangent.entries().enumerate().filter(|(_, (r, c))| *r < first && *c >= first);
        let below = |row, column| tangent.column(column).find(|&(r, _)| r == row).map(|(_, at)| at);
        let mut border: Vec<_> = above.map(|(k, (r, c))| (c - first, r, below(c, r), k)).collect();
        border.sort_unstable();
        Self {
            pairs,
            multiples: std::vec![T::ZERO; nc],
            symmetric: false,
            border,
            certain: false,
            lu: None,
            exchanged: false,
            transposed: false,
            shift: None,
            off: std::vec![T::ZERO; nc],
            lanes: RefCell::new(Vec::new()),
            elimination: Elimination::new(plan, false, &places),
            places,
        }
    }

    fn tolerate(&mut self, phi: &[T], size: T) {
        tolerated(&mut self.off, phi, size);
    }

    fn factorize(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        if REDUNDANT {
            return self.filter_here(layout, values, false);
        }
        self.fill(values, false);
        self.decompose(layout, values)
    }

    fn factorize_by_exchange(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        if REDUNDANT {
            return self.filter_here(layout, values, false);
        }
        self.fill(values, false);
        // numbers that carry derivatives have the order of pivots only
        if T::PLAIN { self.exchange(layout, values) } else { self.decompose(layout, values) }
    }

    fn factorize_transposed(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<bool, Singular> {
        if REDUNDANT {
            return self.filter_here(layout, values, true).map(|()| true);
        }
        self.fill(values, true);
        self.decompose(layout, values).map(|()| true)
    }

    fn soften(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        self.filter(layout, values, false, &[])
    }

    fn soften_transposed(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        self.filter(layout, values, true, &[])
    }

    fn certain(&self) -> bool {
        !self.exchanged && self.shift.is_none() && self.certain
    }

    fn reversed(&self) -> bool {
        // not known after exchanges: whoever asks looks closer
        if self.exchanged {
            return true;
        }
        let negative = |x: &T| *x < T::ZERO;
        let pivots = self.elimination.pivots().filter(|(_, pivot, ..)| negative(pivot)).count();
        let rows = if self.symmetric { self.multiples.iter().filter(|x| negative(x)).count() } else { 0 };
        (pivots + rows) % 2 == 1
    }

    fn negative(&self) -> Option<usize> {
        if self.exchanged || !self.symmetric {
            return None;
        }
        // with D on their diagonal dependent rows have one each too
        let negative = self.elimination.pivots().filter(|(_, pivot, ..)| *pivot < T::ZERO).count();
        negative.checked_sub(self.multiples.len())
    }

    fn prune(&self, l: &mut [T]) {
        let Some(shift) = &self.shift else { return };
        let first = shift.len().saturating_sub(l.len());
        let x: Vec<T> = core::iter::repeat_n(T::ZERO, first).chain(l.iter().copied()).collect();
        let rest = dependent(shift, x, |x| self.apply([x.as_mut_slice()]));
        for ((l, &rest), &s) in l.iter_mut().zip(&rest[first..]).zip(&shift[first..]) {
            // compliant rows have no shift, and multipliers of their own
            if s != T::ZERO {
                *l -= rest;
            }
        }
    }

    fn solve(&self, v: &mut [T], z: &mut [T], l: &mut [T]) -> Result<Iterated, Unsolved> {
        match &self.shift {
            None => self.apply([v, z, l]),
            Some(shift) => {
                let mut x: Vec<T> = v.iter().chain(z.iter()).chain(l.iter()).copied().collect();
                filtered(shift, &mut x, |x| self.apply([x.as_mut_slice()]));
                v.iter_mut().chain(z).chain(l).zip(&x).for_each(|(to, &from)| *to = from);
            }
        }
        Ok(Iterated::default())
    }

    fn solve_lanes(&self, x: LanesMut<'_, T>, one: (&mut [T], &mut [T], &mut [T])) -> Result<(), Unsolved> {
        if self.exchanged || self.shift.is_some() {
            return solve_by_lane(self, x, one);
        }
        self.scale(&mut [&mut *x]);
        self.elimination.run(&mut self.lanes.borrow_mut(), [x]);
        Ok(())
    }
}

impl<T, const REDUNDANT: bool> fmt::Debug for SparseKkt<T, REDUNDANT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SparseKkt").field("unknowns", &self.elimination.plan.size()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::layout::{Order, Pattern};

    const TANGENT: Pattern<'static> =
        Pattern { rows: 3, cols: 3, starts: &[0, 3, 6, 8], indices: &[0, 1, 2, 0, 1, 2, 0, 1] };

    const DIAGONAL: Pattern<'static> = Pattern { rows: 2, cols: 2, starts: &[0, 1, 2], indices: &[0, 1] };

    /// Two velocities and a row, the tangent by columns.
    fn factorized(mass: Pattern<'_>, values: [f64; 8]) -> SparseKkt<f64> {
        let v = &["x", "y"];
        let jacobian = Pattern { rows: 1, cols: 2, starts: &[0, 1, 2], indices: &[0, 0] };
        let layout = Layout {
            name: "Row",
            q: v,
            v,
            directions: v,
            steps: v,
            z: &[],
            algebraic: 0,
            algebraic_jacobian: Pattern::NONE,
            u: &[],
            outputs: &[],
            modes: &[],
            events: &[],
            constraints: &["row"],
            multipliers: &["row.lambda"],
            kinds: &[],
            init_position: &[],
            init_velocity: &[],
            init_position_jacobian: Pattern::NONE,
            init_velocity_jacobian: Pattern::NONE,
            mass,
            jacobian,
            tangent: TANGENT,
            order: Order::Second,
            constant_mass: true,
            rheonomic: false,
        };
        let mut kkt = SparseKkt::<f64>::new(&layout);
        kkt.factorize(&layout, &values).expect("regular");
        kkt
    }

    #[test]
    fn a_matrix_is_eliminated_as_what_it_is() {
        let symmetric = |values| factorized(DIAGONAL, values).symmetric;
        assert!(symmetric([4.0, 1.0, 0.5, 1.0, 3.0, 0.25, -1.0, -0.5]), "a row times −2");
        assert!(!symmetric([4.0, 1.0, 0.5, 1.1, 3.0, 0.25, -1.0, -0.5]), "velocities");
        assert!(!symmetric([4.0, 1.0, 0.5, 1.0, 3.0, 0.25, -1.0, -0.6]), "a row of two multiples");
        assert!(!symmetric([4.0, 1.0, 0.5, 1.0, 3.0, 0.25, 0.0, -0.5]), "a row that does not push");
    }
    #[test]
    fn a_row_gives_inertia_without_exchanges() {
        let values = [4.0, 0.0, 1.0, 0.0, 0.0, -1.0, -1.0, 1.0];
        let first = Pattern { starts: &[0, 1, 1], indices: &[0], ..DIAGONAL };
        assert!(!factorized(first, values).exchanged);
        assert!(factorized(DIAGONAL, values).exchanged, "that y has inertia is not so");
    }
}

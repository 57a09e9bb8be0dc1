//! The symmetric system of accelerations and projections of a large model.

use core::fmt;
use std::cell::RefCell;
use std::sync::Arc;
use std::vec::Vec;

use crate::linalg::filter::{blur, filtered, shifts, tolerated};
use crate::linalg::sparse::diagonal;
use crate::linalg::sparse::elimination::Elimination;
use crate::linalg::sparse::lu::Lu;
use crate::linalg::sparse::order::Massless;
use crate::linalg::sparse::plan::{Place, Plan};
use crate::linalg::{Lanes, Saddle, Singular, by_lane};
use crate::model::layout::{Layout, RowKind};
use crate::numbers::scalar::Real;

/// [`Saddle`] of a large model, with rows that may depend on others if it is `REDUNDANT`.
///
/// With sound pivots and independent rows, factorisations and solutions allocate nothing.
pub struct SparseSaddle<T, const REDUNDANT: bool = false> {
    elimination: Elimination<T>,
    mass: Vec<Place>,
    jacobian: Vec<Place>,
    /// pivots of compliant rows
    compliant: Vec<usize>,
    /// places of G by rows: row, velocity, nonzero
    rows: Vec<(usize, usize, usize)>,
    certain: bool,
    /// M and G of the last sound factors of [`Saddle::quick`], and whether they are still those of the elimination
    factored: [Vec<T>; 2],
    known: bool,
    /// used instead, if it is in charge
    lu: Option<Lu>,
    exchanged: bool,
    /// −D on the diagonal, by unknown
    shift: Option<Vec<T>>,
    off: Vec<T>,
    lanes: RefCell<Vec<Lanes<T>>>,
}

impl<T: Real, const REDUNDANT: bool> SparseSaddle<T, REDUNDANT> {
    /// Writes the matrix to the room of its factors.
    fn fill(&mut self, mass: &[T], jacobian: &[T]) {
        self.elimination.prepare();
        self.elimination.set(self.mass.iter(), mass.iter());
        self.elimination.set(self.jacobian.iter(), jacobian.iter());
        for &pivot in &self.compliant {
            if let Some(own) = self.elimination.own(pivot) {
                *own = -T::ONE;
            }
        }
        (self.known, self.exchanged, self.shift) = (false, false, None);
    }

    /// The same with −D for dependent rows, at a point that is `off`.
    fn fill_shifted(&mut self, layout: &Layout<'_>, mass: &[T], jacobian: &[T], off: &[T]) {
        self.fill(mass, jacobian);
        let nv = layout.v.len();
        let diagonal = diagonal(layout.mass, mass, nv + layout.constraints.len());
        let slopes = self.rows.iter().map(|&(row, c, k)| (nv + row, c, jacobian[k], jacobian[k]));
        let tau = blur(slopes.clone(), off, nv);
        let mut shift: Vec<T> = shifts(layout, &diagonal, slopes, nv, tau);
        for (unknown, s) in shift.iter_mut().enumerate() {
            *s = -*s;
            if let Some(own) = self.elimination.own(self.elimination.plan.pivot(unknown)) {
                *own += *s;
            }
        }
        self.shift = Some(shift);
    }

    /// Whether no pivot of the last elimination is unsound or has the wrong sign.
    fn eliminate(&mut self) -> bool {
        self.elimination.factorize(true);
        let first = self.elimination.plan.multipliers;
        let mut pivots = self.elimination.pivots();
        pivots.all(|(unknown, pivot, scale)| {
            let pivot = if unknown < first { pivot } else { -pivot };
            pivot > T::PIVOT_TOLERANCE * scale.sqrt()
        })
    }

    /// Decomposes the matrix with exchanges.
    fn exchange(&mut self, layout: &Layout<'_>, mass: &[T], jacobian: &[T]) -> Result<(), Singular> {
        (self.certain, self.exchanged) = (false, false);
        let unsound = self.elimination.unsound(T::PIVOT_TOLERANCE).unwrap_or(0);
        let nv = layout.v.len();
        let n = nv + layout.constraints.len();
        let beside = |&(r, c): &(usize, usize)| r != c;
        let lower = || layout.mass.entries().chain(layout.jacobian.entries().map(|(r, c)| (nv + r, c)));
        if self.lu.is_none() && T::PLAIN {
            let diagonal = (0..n).map(|i| (i, i));
            let upper = lower().filter(beside).map(|(r, c)| (c, r));
            self.lu = Lu::new(n, diagonal.chain(lower().filter(beside)).chain(upper));
        }
        let Some(lu) = self.lu.as_mut() else { return Err(Singular { index: unsound }) };
        let mut diagonal = diagonal(layout.mass, mass, n);
        diagonal.iter_mut().zip(self.shift.iter().flatten()).for_each(|(own, &shift)| *own += shift);
        let compliant = (0..n - nv).filter(|&row| layout.kind(row) == RowKind::Compliant);
        compliant.for_each(|row| diagonal[nv + row] -= T::ONE);
        let values = || lower().zip(mass.iter().chain(jacobian)).filter(|(at, _)| beside(at)).map(|(_, &value)| value);
        lu.factorize(diagonal.iter().copied().chain(values()).chain(values())).map_err(|Singular { index }| {
            // the pivot that lost its digits, if there is one, is what the model lacks
            Singular { index: self.elimination.unsound(T::PIVOT_TOLERANCE).unwrap_or(index) }
        })?;
        self.exchanged = true;
        Ok(())
    }

    /// Solves the symmetric system in place.
    fn apply<const K: usize>(&self, x: [&mut [T]; K]) {
        match &self.lu {
            Some(lu) if self.exchanged => lu.solve(x, false),
            _ => self.elimination.solve(x),
        }
    }
}

impl<T: Real, const REDUNDANT: bool> Saddle<T> for SparseSaddle<T, REDUNDANT> {
    const REDUNDANT: bool = REDUNDANT;

    fn new(layout: &Layout<'_>) -> Self {
        let (nv, nc) = (layout.v.len(), layout.constraints.len());
        let jacobian = || layout.jacobian.entries().map(|(r, c)| (nv + r, c));
        let plan = Arc::new(Plan::new(nv + nc, nv, Massless::of(layout), layout.mass.entries().chain(jacobian())));
        let compliant = (0..nc).filter(|&row| layout.kind(row) == RowKind::Compliant);
        let place = |(r, c)| plan.place(r, c).map(|place| plan.below(place));
        let mass: Vec<Place> = layout.mass.entries().filter_map(place).collect();
        let jacobian: Vec<Place> = jacobian().filter_map(place).collect();
        let mut rows: Vec<_> = layout.jacobian.entries().enumerate().map(|(k, (r, c))| (r, c, k)).collect();
        rows.sort_unstable();
        Self {
            compliant: compliant.map(|row| plan.pivot(nv + row)).collect(),
            rows,
            certain: false,
            factored: [std::vec![T::ZERO; layout.mass.nnz()], std::vec![T::ZERO; layout.jacobian.nnz()]],
            known: false,
            lu: None,
            exchanged: false,
            shift: None,
            off: std::vec![T::ZERO; nc],
            lanes: RefCell::new(Vec::new()),
            elimination: Elimination::new(plan, true, &[mass.as_slice(), &jacobian].concat()),
            mass,
            jacobian,
        }
    }

    fn tolerate(&mut self, phi: &[T], size: T) {
        tolerated(&mut self.off, phi, size);
    }

    fn quick(&mut self, mass: &[T], jacobian: &[T]) -> bool {
        if REDUNDANT {
            return false;
        }
        // M and G of points on springs never change
        if self.known && self.factored[0] == mass && self.factored[1] == jacobian {
            return true;
        }
        self.fill(mass, jacobian);
        let sound = self.eliminate();
        // without rows there is no G a + γ
        let three_digits = || self.elimination.sound(T::from_f64(1.0 / 4096.0));
        self.certain = sound && (jacobian.is_empty() || three_digits());
        self.known = sound;
        if sound {
            let [m, g] = &mut self.factored;
            m.copy_from_slice(mass);
            g.copy_from_slice(jacobian);
        }
        sound
    }

    fn factorize(&mut self, layout: &Layout<'_>, mass: &[T], jacobian: &[T]) -> Result<(), Singular> {
        if REDUNDANT {
            let off = core::mem::take(&mut self.off);
            self.fill_shifted(layout, mass, jacobian, &off);
            self.off = off;
            return if self.eliminate() { Ok(()) } else { self.exchange(layout, mass, jacobian) };
        }
        if self.quick(mass, jacobian) { Ok(()) } else { self.factorize_by_exchange(layout, mass, jacobian) }
    }

    fn factorize_by_exchange(&mut self, layout: &Layout<'_>, mass: &[T], jacobian: &[T]) -> Result<(), Singular> {
        if REDUNDANT {
            return self.factorize(layout, mass, jacobian);
        }
        self.fill(mass, jacobian);
        self.eliminate();
        self.exchange(layout, mass, jacobian)?;
        match self.negative() {
            Some((index, _)) => Err(Singular { index }),
            None => Ok(()),
        }
    }

    fn negative(&self) -> Option<(usize, T)> {
        let first = self.elimination.plan.multipliers;
        let clear = |pivot: T, scale: T| pivot.abs() > T::PIVOT_TOLERANCE * scale.sqrt();
        let wrong = self
            .elimination
            .pivots()
            .filter(|&(unknown, pivot, scale)| clear(pivot, scale) && (pivot < T::ZERO) == (unknown < first));
        // Each positive pivot of a multiplier makes up for a negative one of a velocity.
        let unclear = self.elimination.pivots().filter(|&(_, pivot, scale)| !clear(pivot, scale)).count();
        let (motions, rows): (Vec<_>, Vec<_>) = wrong.partition(|&(unknown, ..)| unknown < first);
        let found = motions.first().filter(|_| motions.len() > rows.len() + unclear);
        found.map(|&(unknown, pivot, ..)| (unknown, pivot))
    }

    fn certain(&self) -> bool {
        self.certain
    }

    fn soften(&mut self, layout: &Layout<'_>, mass: &[T], jacobian: &[T]) -> Result<(), Singular> {
        self.certain = false;
        self.fill_shifted(layout, mass, jacobian, &[]);
        if self.eliminate() { Ok(()) } else { self.exchange(layout, mass, jacobian) }
    }

    fn solve(&self, v: &mut [T], l: &mut [T]) {
        match &self.shift {
            None => self.apply([&mut *v, &mut *l]),
            Some(shift) => {
                let mut x: Vec<T> = v.iter().chain(l.iter()).copied().collect();
                filtered(shift, &mut x, |x| self.apply([x.as_mut_slice()]));
                v.iter_mut().chain(l.iter_mut()).zip(&x).for_each(|(to, &from)| *to = from);
            }
        }
        // the symmetric form solves for −y
        l.iter_mut().for_each(|l| *l = -*l);
    }

    fn solve_lanes(&self, v: &mut [Lanes<T>], l: &mut [Lanes<T>], (one_v, one_l): (&mut [T], &mut [T])) {
        if self.exchanged || self.shift.is_some() {
            return by_lane([v, l], [one_v, one_l], |[v, l]| self.solve(v, l));
        }
        self.elimination.run(&mut self.lanes.borrow_mut(), [&mut *v, &mut *l]);
        l.iter_mut().for_each(|l| *l = -*l);
    }
}

impl<T, const REDUNDANT: bool> fmt::Debug for SparseSaddle<T, REDUNDANT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SparseSaddle").field("unknowns", &self.elimination.plan.size()).finish_non_exhaustive()
    }
}

//! Corrections of the bordered tangent without further iteration: they satisfy their equations to round-off, or are an
//! error.

use crate::error::{Cause, Name, Quantity};
use crate::linalg::{Kkt, Measure, unmet};
use crate::model::layout::Layout;
use crate::model::state::copy;
use crate::model::system::Residual;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Work;
use crate::solve::refinement::{CORRECTIONS, PRESSES};
use crate::solve::solvable::Solvable;
use crate::solve::{add, norm, solved, undetermined};

/// A right-hand side, the residual of a solution, the magnitudes of its terms, and the unknowns in one vector.
#[derive(Debug)]
pub(crate) struct Terms<S: Solvable> {
    right: Residual<S>,
    left: Residual<S>,
    size: Residual<S>,
    free: Residual<S>,
}

impl<S: Solvable> Terms<S> {
    pub(crate) fn new(layout: &Layout<'_>) -> Self {
        let zeros = Residual::zeros(layout);
        Self { right: zeros.clone(), left: zeros.clone(), size: zeros.clone(), free: zeros }
    }
}

impl<S: Solvable> Terms<S> {
    /// Solves for `x` as right-hand side with the factors in `kkt`, which are of the tangent `values`, and corrects the
    /// solution to round-off, if necessary with a search for pivots. Values that are not finite are reported elsewhere.
    ///
    /// # Errors
    /// [`Cause::Inaccurate`] naming the equation that keeps a residual, [`Cause::Singular`].
    pub(super) fn solve(
        &mut self,
        layout: &Layout<'_>,
        work: &mut Work,
        (kkt, values): (&mut S::Kkt, &[S::Real]),
        x: &mut Residual<S>,
    ) -> Result<(), Cause> {
        replace(x, &mut self.right);
        solve(layout, kkt, work, x)?;
        // Residuals of dependent rows cannot vanish, so they are not checked here.
        if S::Kkt::REDUNDANT || !finite(x) || self.refine(layout, work, (kkt, values), x)?.is_none() {
            return Ok(());
        }
        let exchanged = kkt.factorize_by_exchange(layout, values);
        exchanged.map_err(|singular| undetermined(layout, layout.z.len(), singular))?;
        replace(&self.right, x);
        solve(layout, kkt, work, x)?;
        if !finite(x) {
            return Ok(());
        }
        let Some((row, residual)) = self.refine(layout, work, (kkt, values), x)? else { return Ok(()) };
        let (nv, last) = (layout.v.len(), layout.v.len() + layout.z.len());
        let (quantity, name) = match row {
            row if row < nv => (Quantity::Force, Name::of(layout.directions, row)),
            row if row < last => (Quantity::Rate, Name::of(layout.z, row - nv)),
            row => (Quantity::Constraint, Name::of(layout.constraints, row - last)),
        };
        Err(Cause::Inaccurate { quantity, name, residual: residual.to_f64() })
    }

    /// Solves for `x` as right-hand side, once. Where rows may depend on others the factors are of a matrix nearby, so
    /// the solution is corrected until corrections are round-off or no longer fall.
    pub(crate) fn press(
        &mut self,
        layout: &Layout<'_>,
        (kkt, values): (&S::Kkt, &[S::Real]),
        x: &mut Residual<S>,
    ) -> Result<(), Cause> {
        if !S::Kkt::REDUNDANT {
            return solve(layout, kkt, &mut Work::default(), x);
        }
        replace(x, &mut self.right);
        solve(layout, kkt, &mut Work::default(), x)?;
        let mut before = S::Real::INFINITY;
        for _ in 0..PRESSES {
            let _ = self.unmet(layout, Measure::Terms, values, x);
            let left = &mut self.left;
            solve(layout, kkt, &mut Work::default(), left)?;
            let change = norm(left.r.as_ref()).max(norm(left.s.as_ref()));
            if !(change < S::Real::from_f64(0.5) * before) {
                return Ok(());
            }
            add(x.r.as_mut(), S::Real::ONE, left.r.as_ref());
            add(x.s.as_mut(), S::Real::ONE, left.s.as_ref());
            add(x.phi.as_mut(), S::Real::ONE, left.phi.as_ref());
            before = change;
        }
        Ok(())
    }

    /// Corrects the solution; returns the row with the largest residual, unless all are satisfied.
    fn refine(
        &mut self,
        layout: &Layout<'_>,
        work: &mut Work,
        (kkt, values): (&S::Kkt, &[S::Real]),
        x: &mut Residual<S>,
    ) -> Result<Option<(usize, S::Real)>, Cause> {
        for _ in 0..CORRECTIONS {
            if self.unmet(layout, Measure::Terms, values, x).is_none() {
                return Ok(None);
            }
            let left = &mut self.left;
            solve(layout, kkt, work, left)?;
            add(x.r.as_mut(), S::Real::ONE, left.r.as_ref());
            add(x.s.as_mut(), S::Real::ONE, left.s.as_ref());
            add(x.phi.as_mut(), S::Real::ONE, left.phi.as_ref());
        }
        Ok(self.unmet(layout, Measure::Largest, values, x))
    }

    /// The row with the largest residual b − A x, unless all are satisfied.
    fn unmet(
        &mut self,
        layout: &Layout<'_>,
        measure: Measure,
        values: &[S::Real],
        x: &Residual<S>,
    ) -> Option<(usize, S::Real)> {
        let (nv, last) = (layout.v.len(), layout.v.len() + layout.z.len());
        let Self { right, left, size, free } = self;
        replace(right, left);
        replace(right, size);
        each(size, |x| *x = x.abs());
        each(free, |x| *x = S::Real::ZERO);
        layout.tangent.visit(values, |r, c, value| {
            if r == c
                && r < last
                && let Some(free) = slot(free, nv, last, r)
            {
                let own = (entry(right, nv, last, r) / value).abs();
                *free = S::Real::select(value.is_zero(), S::Real::ZERO, own);
            }
        });
        let most = |of: &Residual<S>| norm(of.r.as_ref()).max(norm(of.s.as_ref()));
        let (motion, multipliers) = (most(x) + most(free), norm(x.phi.as_ref()));
        layout.tangent.visit(values, |r, c, value| {
            let own = entry(x, nv, last, c);
            let terms = match measure {
                Measure::Terms => own.abs() + entry(free, nv, last, c),
                Measure::Largest if c < last => motion,
                Measure::Largest => multipliers,
            };
            if let Some(left) = slot(left, nv, last, r) {
                *left -= value * own;
            }
            if let Some(size) = slot(size, nv, last, r) {
                *size += value.abs() * terms;
            }
        });
        let rows = left.r.as_ref().iter().zip(size.r.as_ref()).chain(left.s.as_ref().iter().zip(size.s.as_ref()));
        unmet(measure, rows.chain(left.phi.as_ref().iter().zip(size.phi.as_ref())))
    }
}

fn solve<T, S: Solvable<Real = T>, K: Kkt<T>>(
    layout: &Layout<'_>,
    kkt: &K,
    work: &mut Work,
    x: &mut Residual<S>,
) -> Result<(), Cause> {
    solved(layout, work, kkt.solve(x.r.as_mut(), x.s.as_mut(), x.phi.as_mut()))
}

fn replace<S: Solvable>(from: &Residual<S>, to: &mut Residual<S>) {
    copy(&from.r, &mut to.r);
    copy(&from.s, &mut to.s);
    copy(&from.phi, &mut to.phi);
}

fn each<S: Solvable>(x: &mut Residual<S>, change: impl FnMut(&mut S::Real)) {
    x.r.as_mut().iter_mut().chain(x.s.as_mut()).chain(x.phi.as_mut()).for_each(change);
}

fn finite<S: Solvable>(x: &Residual<S>) -> bool {
    x.r.as_ref().iter().chain(x.s.as_ref()).chain(x.phi.as_ref()).all(|x| x.is_finite())
}

/// Entry `i` of those of (v, z, λ), whose second and third begin at `nv` and `last`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn entry<S: Solvable>(x: &Residual<S>, nv: usize, last: usize, i: usize) -> S::Real {
    let found = match i {
        i if i < nv => x.r.as_ref().get(i),
        i if i < last => x.s.as_ref().get(i - nv),
        i => x.phi.as_ref().get(i - last),
    };
    found.copied().unwrap_or(S::Real::ZERO)
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn slot<S: Solvable>(x: &mut Residual<S>, nv: usize, last: usize, i: usize) -> Option<&mut S::Real> {
    match i {
        i if i < nv => x.r.as_mut().get_mut(i),
        i if i < last => x.s.as_mut().get_mut(i - nv),
        i => x.phi.as_mut().get_mut(i - last),
    }
}

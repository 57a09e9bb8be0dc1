//! Corrections of the bordered tangent that no iteration follows: they are as good as their equations, or an error.

use crate::context::{Context, Work};
use crate::error::{Cause, Name, Quantity};
use crate::input::Inputs;
use crate::linalg::{Kkt, Measure, unmet};
use crate::scalar::{Real, Scalar};
use crate::solve::refinement::CORRECTIONS;
use crate::solve::{Tangent, add, norm, undetermined};
use crate::state::{State, copy};
use crate::system::{Layout, Linearize, Residual, Solvable};

/// A right-hand side, what a solution leaves of it, the magnitudes of the terms of that, and the unknowns as they would
/// be one by one.
#[derive(Debug)]
pub(super) struct Terms<S: Solvable> {
    right: Residual<S>,
    left: Residual<S>,
    size: Residual<S>,
    free: Residual<S>,
}

impl<S: Solvable> Terms<S> {
    pub(super) fn new(layout: &Layout<'_>) -> Self {
        let zeros = Residual::zeros(layout);
        Self { right: zeros.clone(), left: zeros.clone(), size: zeros.clone(), free: zeros }
    }
}

impl<S: Solvable + Linearize> Tangent<S> {
    /// Replaces the residual by the correction of the matrix, which is of `x`.
    pub(crate) fn correct_once<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        self.factorize_at(cx, x)?;
        if self.kkt.certain() {
            self.solve_for(cx);
            return Ok(());
        }
        each(&mut self.residual, |x| *x = -*x);
        self.solve_once(cx.system, cx.work)
    }

    /// Makes of the residual, as a right-hand side, the solution with the matrix last factorised, and corrects that
    /// until it is as good as its equations, if need be with a search for pivots. What is not finite is left to others
    /// to name.
    ///
    /// # Errors
    /// [`Cause::Inaccurate`] naming the equation that keeps a residual, [`Cause::Singular`].
    pub(crate) fn solve_once(&mut self, system: &S, work: &mut Work) -> Result<(), Cause> {
        let layout = system.layout();
        replace(&self.residual, &mut self.terms.right);
        solve(&self.kkt, work, &mut self.residual);
        // Residuals of dependent rows cannot vanish, so they are not judged here.
        if S::Kkt::REDUNDANT || !finite(&self.residual) || self.refine(&layout, work).is_none() {
            return Ok(());
        }
        let exchanged = self.kkt.factorize_by_exchange(&layout, self.values.as_ref());
        exchanged.map_err(|singular| undetermined(&layout, layout.z.len(), singular))?;
        replace(&self.terms.right, &mut self.residual);
        solve(&self.kkt, work, &mut self.residual);
        if !finite(&self.residual) {
            return Ok(());
        }
        let Some((row, residual)) = self.refine(&layout, work) else { return Ok(()) };
        let (nv, last) = (layout.v.len(), layout.v.len() + layout.z.len());
        let (quantity, name) = match row {
            row if row < nv => (Quantity::Force, Name::of(layout.directions, row)),
            row if row < last => (Quantity::Rate, Name::of(layout.z, row - nv)),
            row => (Quantity::Constraint, Name::of(layout.constraints, row - last)),
        };
        Err(Cause::Inaccurate { quantity, name, residual: residual.to_f64() })
    }

    /// Corrects the solution; the row that is off most in the end, and by how much, unless all are met.
    fn refine(&mut self, layout: &Layout<'_>, work: &mut Work) -> Option<(usize, S::Real)> {
        for _ in 0..CORRECTIONS {
            self.unmet(layout, Measure::Terms)?;
            let (x, left) = (&mut self.residual, &mut self.terms.left);
            solve(&self.kkt, work, left);
            add(x.r.as_mut(), S::Real::ONE, left.r.as_ref());
            add(x.s.as_mut(), S::Real::ONE, left.s.as_ref());
            add(x.phi.as_mut(), S::Real::ONE, left.phi.as_ref());
        }
        self.unmet(layout, Measure::Largest)
    }

    /// The row of b − A x that is off most, and by how much, unless all are met.
    fn unmet(&mut self, layout: &Layout<'_>, measure: Measure) -> Option<(usize, S::Real)> {
        let (nv, last) = (layout.v.len(), layout.v.len() + layout.z.len());
        let Self { residual: x, values, terms: Terms { right, left, size, free }, .. } = self;
        let (x, values) = (&*x, values.as_ref());
        replace(right, left);
        replace(right, size);
        each(size, |x| *x = x.abs());
        each(free, |x| *x = S::Real::ZERO);
        layout.tangent.visit(values, |r, c, value| {
            if r == c
                && r < last
                && value != S::Real::ZERO
                && let Some(free) = slot(free, nv, last, r)
            {
                *free = (entry(right, nv, last, r) / value).abs();
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

fn solve<T, S: Solvable<Real = T>, K: Kkt<T>>(kkt: &K, work: &mut Work, x: &mut Residual<S>) {
    work.solves += 1;
    kkt.solve(x.r.as_mut(), x.s.as_mut(), x.phi.as_mut());
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
#[inline(always)]
fn entry<S: Solvable>(x: &Residual<S>, nv: usize, last: usize, i: usize) -> S::Real {
    let found = match i {
        i if i < nv => x.r.as_ref().get(i),
        i if i < last => x.s.as_ref().get(i - nv),
        i => x.phi.as_ref().get(i - last),
    };
    found.copied().unwrap_or(S::Real::ZERO)
}

#[inline(always)]
fn slot<S: Solvable>(x: &mut Residual<S>, nv: usize, last: usize, i: usize) -> Option<&mut S::Real> {
    match i {
        i if i < nv => x.r.as_mut().get_mut(i),
        i if i < last => x.s.as_mut().get_mut(i - nv),
        i => x.phi.as_mut().get_mut(i - last),
    }
}

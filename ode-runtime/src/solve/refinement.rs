//! Solutions of M a = f + Gᵀ λ, G a + γ = 0 accurate to round-off, or the reason why there is none. Residuals are
//! evaluated only if pivots lost digits: a residual in every evaluation cost a pendulum a quarter of its time.

use crate::error::{Cause, Name, Quantity};
use crate::linalg::{Inertia, Left, Measure, Motion, Saddle, Singular, Square, inertia, spread};
use crate::model::input::Inputs;
use crate::model::layout::{Block, Layout};
use crate::model::state::{State, sum};
use crate::model::system::Forward;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Dependence, EXACT, add, norm, too_large, undetermined};

/// Corrections with the same factors. Sound pivots keep a third of their digits, so each correction adds as many.
pub(super) const CORRECTIONS: u32 = 3;

/// The same where rows may depend on others.
pub(super) const PRESSES: u32 = 10;

/// The same with factors of another point: each adds as many digits as the two points share.
const FOLLOWS: u32 = 20;

/// Scratch for the residual of a solution.
#[derive(Debug)]
pub(crate) struct Refinement<S: Solvable> {
    force: S::V,
    gamma: S::L,
    force_size: S::V,
    gamma_size: S::L,
}

impl<S: Solvable> Refinement<S> {
    pub(crate) fn new(layout: &Layout<'_>) -> Self {
        let (v, l): (S::V, S::L) = (Block::zeros(layout.v.len()), Block::zeros(layout.constraints.len()));
        Self { force: v.clone(), gamma: l.clone(), force_size: v, gamma_size: l }
    }

    /// Solves again with the factors in `saddle`, which belong to this motion.
    ///
    /// # Errors
    /// As [`Refinement::complete`].
    pub(crate) fn solve(
        &mut self,
        system: &S,
        saddle: &mut S::Saddle,
        motion: Motion<'_, S::Real>,
        a: &mut S::V,
        lambda: &mut S::L,
    ) -> Result<(), Cause> {
        saddle.accelerate(motion.force, motion.gamma, a.as_mut(), lambda.as_mut());
        self.complete(system, saddle, motion, a, lambda)
    }

    /// Corrects a solution with the factors in `saddle` to round-off, if necessary with a search for pivots. Values
    /// that are not finite are reported elsewhere.
    ///
    /// # Errors
    /// [`Cause::Inaccurate`] naming the equation that keeps a residual, [`Cause::Singular`], [`Cause::Inertia`].
    #[inline(never)]
    pub(crate) fn complete(
        &mut self,
        system: &S,
        saddle: &mut S::Saddle,
        motion: Motion<'_, S::Real>,
        a: &mut S::V,
        lambda: &mut S::L,
    ) -> Result<(), Cause> {
        // Residuals of dependent rows cannot vanish, so they are not checked here.
        if S::Saddle::REDUNDANT {
            return Ok(());
        }
        let layout = system.layout();
        if !defined(motion, a.as_ref(), lambda.as_ref()) {
            return Ok(());
        }
        if self.refine(&layout, saddle, motion, a, lambda).is_none() {
            return Ok(());
        }
        let exchanged = saddle.factorize_by_exchange(&layout, motion.mass, motion.jacobian);
        exchanged.map_err(|singular| refused(system, motion.mass, motion.jacobian, singular))?;
        saddle.accelerate(motion.force, motion.gamma, a.as_mut(), lambda.as_mut());
        if !defined(motion, a.as_ref(), lambda.as_ref()) {
            return Ok(());
        }
        let Some((row, residual)) = self.refine(&layout, saddle, motion, a, lambda) else { return Ok(()) };
        let nv = layout.v.len();
        let (quantity, name) = if row < nv {
            (Quantity::Force, Name::of(layout.directions, row))
        } else {
            (Quantity::Constraint, Name::of(layout.constraints, row - nv))
        };
        Err(Cause::Inaccurate { quantity, name, residual: residual.to_f64() })
    }

    /// Solves with redundant rows. Nearly dependent rows converge gradually, until no residual exceeds this share of
    /// its terms; the residuals of contradicting rows do not fall.
    pub(crate) fn press(
        &mut self,
        system: &S,
        saddle: &mut S::Saddle,
        motion: Motion<'_, S::Real>,
        share: S::Real,
        a: &mut S::V,
        lambda: &mut S::L,
    ) {
        saddle.accelerate(motion.force, motion.gamma, a.as_mut(), lambda.as_mut());
        let (layout, mut before) = (system.layout(), S::Real::INFINITY);
        for _ in 0..PRESSES {
            let _ = self.unmet(&layout, motion, Measure::Terms, a, lambda);
            let rows = self.gamma.as_ref().iter().zip(self.gamma_size.as_ref());
            let off = rows.fold(S::Real::ZERO, |most, (left, &size)| most.max(left.abs() / (S::Real::ONE + size)));
            if !(off > S::Real::from_f64(0.01) * share && off < S::Real::from_f64(0.5) * before) {
                return;
            }
            before = off;
            saddle.solve(self.force.as_mut(), self.gamma.as_mut());
            add(a.as_mut(), S::Real::ONE, self.force.as_ref());
            add(lambda.as_mut(), S::Real::ONE, self.gamma.as_ref());
        }
    }

    /// Solves with the factors of a nearby point, until corrections are round-off or no longer fall.
    pub(crate) fn follow(
        &mut self,
        system: &S,
        saddle: &mut S::Saddle,
        motion: Motion<'_, S::Real>,
        a: &mut S::V,
        lambda: &mut S::L,
    ) {
        saddle.accelerate(motion.force, motion.gamma, a.as_mut(), lambda.as_mut());
        let (layout, mut before) = (system.layout(), S::Real::INFINITY);
        for _ in 0..FOLLOWS {
            let _ = self.unmet(&layout, motion, Measure::Terms, a, lambda);
            saddle.solve(self.force.as_mut(), self.gamma.as_mut());
            let change = norm(self.force.as_ref());
            if !(change < S::Real::from_f64(0.5) * before) {
                return;
            }
            add(a.as_mut(), S::Real::ONE, self.force.as_ref());
            add(lambda.as_mut(), S::Real::ONE, self.gamma.as_ref());
            if change <= S::Real::EPSILON * norm(a.as_ref()) {
                return;
            }
            before = change;
        }
    }

    /// Corrects; returns the row with the largest residual, unless all are satisfied.
    fn refine(
        &mut self,
        layout: &Layout<'_>,
        saddle: &S::Saddle,
        motion: Motion<'_, S::Real>,
        a: &mut S::V,
        lambda: &mut S::L,
    ) -> Option<(usize, S::Real)> {
        for _ in 0..CORRECTIONS {
            self.unmet(layout, motion, Measure::Terms, a, lambda)?;
            saddle.solve(self.force.as_mut(), self.gamma.as_mut());
            add(a.as_mut(), S::Real::ONE, self.force.as_ref());
            add(lambda.as_mut(), S::Real::ONE, self.gamma.as_ref());
        }
        self.unmet(layout, motion, Measure::Largest, a, lambda)
    }

    fn unmet(
        &mut self,
        layout: &Layout<'_>,
        motion: Motion<'_, S::Real>,
        measure: Measure,
        a: &S::V,
        lambda: &S::L,
    ) -> Option<(usize, S::Real)> {
        let Self { force, gamma, force_size, gamma_size } = self;
        let mut left = Left {
            force: force.as_mut(),
            gamma: gamma.as_mut(),
            force_size: force_size.as_mut(),
            gamma_size: gamma_size.as_mut(),
        };
        motion.left(layout, a.as_ref(), lambda.as_ref(), measure, &mut left);
        left.unmet(measure)
    }
}

/// Whether all numbers are finite.
fn defined<T: Real>(motion: Motion<'_, T>, a: &[T], lambda: &[T]) -> bool {
    let Motion { mass, jacobian, force, gamma } = motion;
    [mass, jacobian, force, gamma, a, lambda].into_iter().flatten().all(|x| x.is_finite())
}

/// Why [M Gᵀ; G 0] was refused: a value that is not finite, negative inertia, dependent rows, or a singular matrix. The
/// answer does not depend on the solver.
#[cold]
#[inline(never)]
pub(crate) fn refused<S: Solvable>(system: &S, mass: &[S::Real], jacobian: &[S::Real], singular: Singular) -> Cause {
    let layout = system.layout();
    if let Err(cause) = undefined(&layout, mass, jacobian).and_then(|()| positive(system, mass, jacobian)) {
        return cause;
    }
    let plain = undetermined(&layout, 0, singular);
    match plain {
        Cause::Singular { unknown: Quantity::Multiplier, .. } => {
            let rows = || Dependence::<S>::of_jacobian(layout, jacobian, EXACT).cause();
            // Rows that hold something each leave a motion without inertia.
            match signs(system, mass, jacobian) {
                Inertia::Zero { index } => rows().unwrap_or(undetermined(&layout, 0, Singular { index })),
                _ => rows().unwrap_or(plain),
            }
        }
        _ => plain,
    }
}

/// Refuses M and G that are not finite, naming the first entry.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn undefined<T: Real>(layout: &Layout<'_>, mass: &[T], jacobian: &[T]) -> Result<(), Cause> {
    if sum(mass).is_finite() && sum(jacobian).is_finite() { Ok(()) } else { entry(layout, mass, jacobian) }
}

#[cold]
#[inline(never)]
fn entry<T: Real>(layout: &Layout<'_>, mass: &[T], jacobian: &[T]) -> Result<(), Cause> {
    let bad = |values: &[T]| values.iter().position(|x| !x.is_finite());
    if let Some((r, _)) = bad(mass).and_then(|k| layout.mass.entries().nth(k)) {
        return Err(Cause::NonFinite { quantity: Quantity::Mass, name: Name::of(layout.directions, r) });
    }
    if let Some((r, _)) = bad(jacobian).and_then(|k| layout.jacobian.entries().nth(k)) {
        return Err(Cause::NonFinite { quantity: Quantity::Constraint, name: Name::of(layout.constraints, r) });
    }
    Ok(())
}

/// Refuses an M, or in first-order models a D, that is negative along a motion that the constraints allow; zeros are
/// reported elsewhere.
///
/// # Errors
/// [`Cause::Inertia`], [`Cause::Dissipation`].
#[cold]
#[inline(never)]
pub(crate) fn positive<S: Solvable>(system: &S, mass: &[S::Real], jacobian: &[S::Real]) -> Result<(), Cause> {
    let Inertia::Negative { index, value } = signs(system, mass, jacobian) else { return Ok(()) };
    let layout = system.layout();
    let (name, value) = (Name::of(layout.directions, index), value.to_f64());
    Err(if layout.first_order() { Cause::Dissipation { name, value } } else { Cause::Inertia { name, value } })
}

/// What M is along the motions that the constraints allow.
fn signs<S: Solvable>(system: &S, mass: &[S::Real], jacobian: &[S::Real]) -> Inertia<S::Real> {
    let layout = system.layout();
    let (nv, nc) = (layout.v.len(), layout.constraints.len());
    if too_large::<S>(nv + nc) {
        let mut saddle = S::Saddle::new(&layout);
        let refused = saddle.factorize(&layout, mass, jacobian).err();
        return match (saddle.negative(), refused) {
            (Some((index, value)), _) => Inertia::Negative { index, value },
            (None, Some(Singular { index })) if index < nv => Inertia::Zero { index },
            _ => Inertia::Positive,
        };
    }
    let mut room = S::Assembly::new(&layout);
    let (mut v, mut l): (S::V, S::L) = (Block::zeros(nv), Block::zeros(nc));
    let (a, _) = room.room((nv + nc) * (nv + nc));
    // a model that names no matrix for its start
    if a.len() < (nv + nc) * (nv + nc) {
        return Inertia::Positive;
    }
    spread(&layout, mass, jacobian, a);
    inertia(a, v.as_mut(), l.as_mut())
}

/// [`positive`] for M or D at `x`, for callers that do not solve with it.
pub(crate) fn inertial<S: Solvable, U: Inputs<S>>(cx: Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
    let layout = cx.system.layout();
    let (mut u, mut forward) = (S::U::zeros(layout.u.len()), Forward::zeros(&layout));
    cx.input(x.moment(), &mut u)?;
    cx.system.forward(x.at(&u), &mut forward);
    let (mass, jacobian) = (forward.mass.as_ref(), forward.jacobian.as_ref());
    undefined(&layout, mass, jacobian)?;
    positive(cx.system, mass, jacobian)
}

//! Projection onto the constraints, nearest in the metric of the mass matrix.
//!
//! Positions by Newton's method on `[M −Gᵀ; G 0] [δ; y] = [0; −Φ]`, q ← q ⊕ δ, with G of each iterate and M of the first, or of
//! each where the model has a function for that ([`Solvable::correction`]); velocities, of second-order models, by one such solve with
//! Φ̇ = G v + Φₜ in place of Φ. Momentum in directions the constraints leave free does not change.
//!
//! Nonholonomic rows have nothing to bring back in q: δ is a displacement they allow, A δ = 0, and A v + b = 0 is restored with Φ̇ = 0.

use crate::error::{Cause, Level, Name, Quantity};
use crate::input::Inputs;
use crate::linalg::{Field, Saddle};
use crate::method::{Context, Estimate};
use crate::scalar::{Real, Scalar};
use crate::solve::acceleration::factorize;
use crate::solve::{add, norm, worst};
use crate::state::{State, copy, finite};
use crate::system::{Block, Constraint, Forward, RowKind, Solvable};

/// When and how far to project.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection<T> {
    /// what max |Φ| and max |Φ̇|, A v + b included, may be after a step, in the units of the constraints
    pub tolerance: T,
    /// fraction of the tolerance from which on a state is projected, and to which: most projections then cost one iteration
    pub margin: T,
    /// Newton iterations allowed
    pub iterations: u32,
    /// whether errors are tested without their part across the constraints, which the projection takes back, as Simbody does
    pub estimate: bool,
    /// what a correction is measured in
    pub metric: Metric,
}

/// What the smallest correction is smallest in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// M: momentum in directions the constraints leave free does not change
    #[default]
    Mass,
    /// the weights of [`Setup::weights`](crate::Setup::weights), a diagonal in the place of M; of ones where none are given
    Weights,
}

impl<T: Real> Projection<T> {
    /// Holds the constraints to `tolerance`, projecting what is off by more than a tenth of it.
    pub fn to(tolerance: T) -> Self {
        Self { tolerance, margin: T::from_f64(0.1), iterations: 10, estimate: false, metric: Metric::Mass }
    }

    pub(crate) fn check(&self) -> Result<(), Cause> {
        if !(self.tolerance > T::ZERO && self.tolerance.is_finite()) {
            return Err(Cause::Invalid { setting: "projection tolerance", value: self.tolerance.to_f64() });
        }
        if !(self.margin > T::ZERO && self.margin <= T::ONE) {
            return Err(Cause::Invalid { setting: "projection margin", value: self.margin.to_f64() });
        }
        if self.iterations == 0 {
            return Err(Cause::Invalid { setting: "projection iterations", value: 0.0 });
        }
        Ok(())
    }
}

/// What was brought back to the constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Projected {
    /// positions
    pub positions: bool,
    /// velocities
    pub velocities: bool,
}

/// Storage for projections.
pub struct Projector<S: Solvable> {
    u: S::U,
    q: S::Q,
    step: S::V,
    y: S::L,
    constraint: Constraint<S>,
    forward: Forward<S>,
    saddle: S::Saddle,
    /// the diagonal of the metric, where it is not M
    weights: Option<S::V>,
    /// whether the metric of this projection is in `forward`
    measured: bool,
}

impl<S: Solvable> core::fmt::Debug for Projector<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Projector").field("constraint", &self.constraint).finish_non_exhaustive()
    }
}

impl<S: Solvable> Projector<S> {
    /// Storage in the shape of `system`.
    pub fn new(system: &S) -> Self {
        let layout = system.layout();
        Self {
            u: Block::zeros(layout.u.len()),
            q: Block::zeros(layout.q.len()),
            step: Block::zeros(layout.v.len()),
            y: Block::zeros(layout.constraints.len()),
            constraint: Constraint::zeros(&layout),
            forward: Forward::zeros(&layout),
            saddle: S::Saddle::new(&layout),
            weights: None,
            measured: false,
        }
    }

    /// Measures corrections by weights, one for each velocity, instead of M.
    ///
    /// # Errors
    /// [`Cause::Invalid`] for a weight that is not positive; [`Cause::Singular`] naming a coordinate that M has no diagonal entry for.
    pub fn weigh(&mut self, system: &S, weights: S::V) -> Result<(), Cause> {
        let layout = system.layout();
        let sound = |weight: &&S::Real| !(**weight > S::Real::ZERO && weight.is_finite());
        if let Some(&bad) = weights.as_ref().iter().find(sound) {
            return Err(Cause::Invalid { setting: "weight of the projection", value: bad.to_f64() });
        }
        if weights.as_ref().len() != layout.v.len() {
            let value = weights.as_ref().len() as f64;
            return Err(Cause::Invalid { setting: "number of weights of the projection", value });
        }
        let missing = (0..layout.v.len()).find(|&c| !layout.mass.entries().any(|entry| entry == (c, c)));
        if let Some(column) = missing {
            let name = Name::of(layout.motion(), column);
            return Err(Cause::Singular { unknown: Quantity::Acceleration, name });
        }
        self.weights = Some(weights);
        Ok(())
    }

    /// M, or the weights in its place, at `x`.
    fn metric<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        let Some(weights) = &self.weights else { return self.inertia(cx, x) };
        let layout = cx.system.layout();
        for ((r, c), slot) in layout.mass.entries().zip(self.forward.mass.as_mut()) {
            *slot = weights.as_ref().get(c).copied().filter(|_| r == c).unwrap_or(S::Real::ZERO);
        }
        Ok(())
    }

    /// M at `x`.
    fn inertia<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        cx.input(x.moment(), &mut self.u)?;
        cx.system.forward(x.at(&self.u), &mut self.forward);
        Ok(())
    }

    /// G, Φ̇ and the metric at `x`, factorised, for [`Projector::tangent`].
    pub(crate) fn linearize<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        self.drift(cx, x)?;
        self.metric(cx, x)?;
        self.factorize(cx)
    }

    /// Takes from an error of q and of v the parts across the constraints: G e = 0 afterwards, and the change is the smallest in the metric.
    pub(crate) fn tangent<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        error: &mut Estimate<S>,
    ) -> Result<(), Cause> {
        let layout = cx.system.layout();
        let first_order = layout.first_order();
        for (i, e) in [&mut error.q, &mut error.v].into_iter().enumerate() {
            if i == 1 && first_order {
                continue;
            }
            self.y.as_mut().fill(S::Real::ZERO);
            for ((r, c), &g) in layout.jacobian.entries().zip(self.constraint.jacobian.as_ref()) {
                // no projection of positions takes back what is off along nonholonomic rows
                let held = i == 1 || layout.kind(r) == RowKind::Holonomic;
                if let (true, Some(y), Some(&e)) = (held, self.y.as_mut().get_mut(r), e.as_ref().get(c)) {
                    *y -= g * e;
                }
            }
            self.step.as_mut().fill(S::Real::ZERO);
            self.solve(cx)?;
            add(e.as_mut(), S::Real::ONE, self.step.as_ref());
        }
        Ok(())
    }

    /// max |Φ| and max |Φ̇| of `x`.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] naming the constraint.
    #[inline(always)]
    pub fn drift<U: Inputs<S>>(&mut self, cx: &Context<'_, S, U>, x: &State<S>) -> Result<(S::Real, S::Real), Cause> {
        let layout = cx.system.layout();
        cx.system.constraint(x.at(&self.u), &mut self.constraint);
        finite(self.constraint.phi.as_ref(), Quantity::Constraint, layout.constraints)?;
        finite(self.constraint.rate.as_ref(), Quantity::Constraint, layout.constraints)?;
        Ok((norm(self.constraint.phi.as_ref()), norm(self.constraint.rate.as_ref())))
    }

    /// Brings `x` back to the constraints where it is off by more than the margin; what was.
    ///
    /// # Errors
    /// [`Cause::Projection`] naming the constraint that stays violated; [`Cause::Singular`], [`Cause::NonFinite`].
    #[inline(always)]
    pub fn project<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        how: &Projection<S::Real>,
        x: &mut State<S>,
    ) -> Result<Projected, Cause> {
        let (phi, mut rate) = self.drift(cx, x)?;
        if cx.system.layout().first_order() {
            // velocities are found anew where the positions end
            rate = S::Real::ZERO;
        }
        let enough = how.margin * how.tolerance;
        if phi <= enough && rate <= enough {
            return Ok(Projected::default());
        }
        self.bring_back(cx, how, phi > enough, x)
    }

    /// Positions, and the velocities that are off then.
    #[inline(never)]
    fn bring_back<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        how: &Projection<S::Real>,
        positions: bool,
        x: &mut State<S>,
    ) -> Result<Projected, Cause> {
        self.measured = false;
        self.positions(cx, how, x)?;
        // Velocities are off where the positions were.
        let enough = how.margin * how.tolerance;
        let velocities = !cx.system.layout().first_order() && norm(self.constraint.rate.as_ref()) > enough;
        if velocities {
            self.velocities(cx, how, x)?;
        }
        Ok(Projected { positions, velocities })
    }

    /// Brings `x` back after a reset: velocities always, positions where it has moved them off the constraints, from max |Φ| of `off`.
    ///
    /// # Errors
    /// As [`Projector::project`].
    pub(crate) fn land<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        how: Option<&Projection<S::Real>>,
        off: S::Real,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        let (phi, rate) = self.drift(cx, x)?;
        if phi <= off && rate == S::Real::ZERO {
            return Ok(());
        }
        // An impulse obeys M, whatever else measures drift.
        self.inertia(cx, x)?;
        self.measured = true;
        // As far as it goes; what is asked for is what the run asks for.
        let least = S::Real::from_f64(10.0) * S::Real::PIVOT_TOLERANCE;
        let tolerance = how.map_or(least, |how| how.tolerance.max(least));
        let how = Projection { margin: S::Real::EPSILON, ..Projection::to(tolerance) };
        if phi > off {
            self.positions(cx, &how, x)?;
        }
        let how = Projection { tolerance: tolerance.max(S::Real::PIVOT_TOLERANCE * rate), ..how };
        self.velocities(cx, &how, x)
    }

    fn positions<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        how: &Projection<S::Real>,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        let mut off = norm(self.constraint.phi.as_ref());
        for _ in 0..how.iterations {
            if off <= how.margin * how.tolerance {
                return Ok(());
            }
            for (y, &phi) in self.y.as_mut().iter_mut().zip(self.constraint.phi.as_ref()) {
                *y = -phi;
            }
            self.correct(cx, x)?;
            cx.system.retract(&x.q, &self.step, &mut self.q);
            copy(&self.q, &mut x.q);
            let before = off;
            (off, _) = self.drift(cx, x)?;
            // At round-off iterations no longer help.
            if off <= how.tolerance && !(off < S::Real::from_f64(0.5) * before) {
                return Ok(());
            }
        }
        if off <= how.tolerance {
            return Ok(());
        }
        Err(self.failure(cx, Level::Position))
    }

    fn velocities<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        how: &Projection<S::Real>,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        // Linear, so one solve does; a second one polishes where the first is ill conditioned.
        for _ in 0..2 {
            if norm(self.constraint.rate.as_ref()) <= how.margin * how.tolerance {
                return Ok(());
            }
            for (y, &rate) in self.y.as_mut().iter_mut().zip(self.constraint.rate.as_ref()) {
                *y = -rate;
            }
            self.correct(cx, x)?;
            add(x.v.as_mut(), S::Real::ONE, self.step.as_ref());
            self.drift(cx, x)?;
        }
        if norm(self.constraint.rate.as_ref()) <= how.tolerance {
            return Ok(());
        }
        Err(self.failure(cx, Level::Velocity))
    }

    /// The step that changes the constraints by `y`: by the model's own function, or with the metric and G of `constraint`.
    #[inline(always)]
    fn correct<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        if S::DIRECT
            && !self.measured
            && self.weights.is_none()
            && cx.system.correction(x.at(&self.u), &self.y, &mut self.step)
        {
            cx.work.factorizations += 1;
            return finite(self.step.as_ref(), Quantity::Coordinate, cx.system.layout().motion());
        }
        self.assemble(cx, x)
    }

    #[inline(never)]
    fn assemble<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        if !self.measured {
            self.metric(cx, x)?;
            self.measured = true;
        }
        self.step.as_mut().fill(S::Real::ZERO);
        self.factorize(cx)?;
        self.solve(cx)
    }

    fn factorize<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>) -> Result<(), Cause> {
        cx.work.factorizations += 1;
        if self.saddle.quick(self.forward.mass.as_ref(), self.constraint.jacobian.as_ref()) {
            return Ok(());
        }
        factorize(cx.system, &self.forward, &self.constraint.jacobian, &mut self.saddle)
    }

    fn solve<U: Inputs<S>>(&mut self, cx: &Context<'_, S, U>) -> Result<(), Cause> {
        self.saddle.solve(self.step.as_mut(), self.y.as_mut());
        finite(self.step.as_ref(), Quantity::Coordinate, cx.system.layout().motion())
    }

    fn failure<U: Inputs<S>>(&self, cx: &Context<'_, S, U>, level: Level) -> Cause {
        let rows = match level {
            Level::Position => self.constraint.phi.as_ref(),
            Level::Velocity => self.constraint.rate.as_ref(),
        };
        let (index, residual) = worst(rows);
        let constraint = Name::of(cx.system.layout().constraints, index);
        Cause::Projection { level, constraint, residual: residual.to_f64() }
    }
}

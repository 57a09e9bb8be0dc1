//! Projection onto the constraints, to the nearest point in the metric of the mass matrix.
//!
//! Positions by Newton's method on `[M −Gᵀ; G 0] [δ; y] = [0; −Φ]`, q ← q ⊕ δ, with G of each iterate and M of the
//! first, or of each if the model has a function for it ([`Solvable::correction`]). Velocities, in second-order models,
//! by one such solve with Φ̇ = G v + Φₜ instead of Φ. Momentum in directions that the constraints leave free does not
//! change. If that function fails, or the iterations do not converge, the projection restarts with the matrix.
//!
//! Nonholonomic rows do not restrict q: δ is a displacement they allow, A δ = 0, and A v + b = 0 is restored together
//! with Φ̇ = 0.

use crate::error::{Cause, Level, Name, Quantity};
use crate::linalg::Saddle;
use crate::model::input::Inputs;
use crate::model::layout::{Block, RowKind};
use crate::model::state::{State, copy, finite};
use crate::model::system::{Constraint, Forward};
use crate::numbers::field::Field;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::acceleration::check;
use crate::solve::context::{Context, Estimate};
use crate::solve::factors::{cross, size};
use crate::solve::projection::{Metric, Projected, ProjectedBy, Projection, See};
use crate::solve::restoration::{Drift, Restoration, Steps};
use crate::solve::solvable::Solvable;
use crate::solve::{add, norm};

/// Storage for projections.
#[derive(Debug)]
pub struct Projector<S: Solvable> {
    restoration: Restoration<S>,
    saddle: Weighted<S>,
}

/// max |Φ| and max |Φ̇| of `x`, with storage of its own.
///
/// # Errors
/// [`Cause::NonFinite`] naming the constraint.
pub(crate) fn drift<S: Solvable>(system: &S, x: &State<S>) -> Result<(S::Real, S::Real), Cause> {
    let Drift { phi, rate } = Restoration::new(system).finite_drift(system, x)?;
    Ok((phi, rate))
}

/// The matrix [M −Gᵀ; G 0], or with weights instead of M.
#[derive(Debug)]
struct Weighted<S: Solvable> {
    u: S::U,
    forward: Forward<S>,
    saddle: S::Saddle,
    /// the diagonal of the metric, if it is not M
    weights: Option<S::V>,
    /// whether the metric of this projection is in `forward`
    measured: bool,
    /// the error for dependent rows at an iterate, in case the independent ones are not enough
    crossed: Option<Cause>,
}

impl<S: Solvable> Projector<S> {
    /// Storage in the shape of `system`.
    pub fn new(system: &S) -> Self {
        let layout = system.layout();
        Self {
            restoration: Restoration::new(system),
            saddle: Weighted {
                u: Block::zeros(layout.u.len()),
                forward: Forward::zeros(&layout),
                saddle: S::Saddle::new(&layout),
                weights: None,
                measured: false,
                crossed: None,
            },
        }
    }

    /// Measures corrections by weights, one for each velocity, instead of M.
    ///
    /// # Errors
    /// [`Cause::Invalid`] for a weight that is not positive; [`Cause::Singular`] with a coordinate without a diagonal
    /// entry in M.
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
            let name = Name::of(layout.directions, column);
            return Err(Cause::Singular { unknown: Quantity::Acceleration, name });
        }
        self.saddle.weights = Some(weights);
        Ok(())
    }

    /// Storage for projections as `how` says, by these weights or ones if it measures by weights.
    ///
    /// # Errors
    /// Settings out of range; those of [`Projector::weigh`].
    pub(crate) fn fit(system: &S, how: Option<&Projection<S::Real>>, weights: Option<S::V>) -> Result<Self, Cause> {
        let mut projector = Self::new(system);
        let Some(how) = how else { return Ok(projector) };
        how.check()?;
        if how.metric == Metric::Weights {
            let mut ones = S::V::zeros(system.layout().v.len());
            ones.as_mut().fill(S::Real::ONE);
            projector.weigh(system, weights.unwrap_or(ones))?;
        }
        Ok(projector)
    }

    /// The diagonal metric, if it is not M.
    pub(crate) fn weights(&self) -> Option<&S::V> {
        self.saddle.weights.as_ref()
    }

    /// Measures by these weights, which another projector has found sound, or by M.
    pub(crate) fn measure(&mut self, weights: Option<&S::V>) {
        self.saddle.weights = weights.cloned();
    }

    /// Its projections, if there are any.
    pub(crate) fn told<'a>(&'a self, how: Option<&'a Projection<S::Real>>) -> Option<ProjectedBy<'a, S>> {
        how.map(|how| ProjectedBy { how, weights: self.weights() })
    }

    /// G, Φ̇ and the metric at `x`, factorised, for [`Projector::tangent`].
    pub(crate) fn linearize<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        self.drift(cx, x)?;
        self.saddle.metric(cx, x)?;
        self.saddle.factorize(cx, &self.restoration.constraint, &x.q)
    }

    /// Removes from an error of q and of v the parts across the constraints: G e = 0 afterwards, by the smallest change
    /// in the metric.
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
            let Restoration { step, y, constraint, .. } = &mut self.restoration;
            y.as_mut().fill(S::Real::ZERO);
            for ((r, c), &g) in layout.jacobian.entries().zip(constraint.jacobian.as_ref()) {
                // projection does not move positions along nonholonomic rows
                let held = i == 1 || layout.kind(r) == RowKind::Holonomic;
                if let (true, Some(y), Some(&e)) = (held, y.as_mut().get_mut(r), e.as_ref().get(c)) {
                    *y -= g * e;
                }
            }
            self.saddle.solve(cx.system, step, y)?;
            add(e.as_mut(), S::Real::ONE, step.as_ref());
        }
        Ok(())
    }

    /// Factorises with the metric at one state and G at another, for [`Projector::solve`]; returns the constraints of
    /// the other.
    pub(crate) fn bind<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        inertia: &State<S>,
        x: &State<S>,
    ) -> Result<&Constraint<S>, Cause> {
        self.drift(cx, x)?;
        self.saddle.metric(cx, inertia)?;
        self.saddle.factorize(cx, &self.restoration.constraint, &x.q)?;
        Ok(&self.restoration.constraint)
    }

    /// Solves `[M −Gᵀ; G 0] [x; y] = [v; l]` in place, with the factors of [`Projector::bind`].
    pub(crate) fn solve(&self, v: &mut S::V, l: &mut S::L) {
        self.saddle.saddle.solve(v.as_mut(), l.as_mut());
    }

    /// max |Φ| and max |Φ̇| of `x`.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] naming the constraint.
    pub fn drift<U: Inputs<S>>(&mut self, cx: &Context<'_, S, U>, x: &State<S>) -> Result<(S::Real, S::Real), Cause> {
        let Drift { phi, rate } = self.restoration.finite_drift(cx.system, x)?;
        Ok((phi, rate))
    }

    /// Brings `x` back to the constraints if it exceeds the margin; returns what was done.
    ///
    /// # Errors
    /// [`Cause::Projection`] naming the constraint that stays violated; [`Cause::Singular`], [`Cause::NonFinite`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn project<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        how: &Projection<S::Real>,
        x: &mut State<S>,
    ) -> Result<Projected, Cause> {
        if S::DIRECT
            && self.saddle.weights.is_none()
            && let Some(projected) = Self::quick(cx, how, x, |_, _| ())
        {
            return Ok(projected);
        }
        self.thorough(&mut cx.lend(), how, x, &mut |_, _| ())
    }

    /// The same; `seen` is shown each iteration.
    pub(crate) fn project_seen<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        how: &Projection<S::Real>,
        x: &mut State<S>,
        seen: See<'_, S>,
    ) -> Result<Projected, Cause> {
        let direct = S::DIRECT && self.saddle.weights.is_none();
        // Iterations that do not come to an end are not part of the projection.
        if direct
            && Self::quick(cx, how, &mut x.clone(), |_, _| ()).is_some()
            && let Some(projected) = Self::quick(cx, how, x, |level, at| seen(level, at, at))
        {
            return Ok(projected);
        }
        let first = x.clone();
        self.thorough(&mut cx.lend(), how, x, &mut |level, at| seen(level, &first, at))
    }

    /// By the model's own function; `None` if it fails.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn quick<U: Inputs<S>>(
        cx: &mut Context<'_, S, U>,
        how: &Projection<S::Real>,
        x: &mut State<S>,
        seen: impl FnMut(Level, &State<S>),
    ) -> Option<Projected> {
        let mut steps = Direct { system: cx.system, found: 0, seen };
        // A local value, not behind references, can be in registers.
        let (mut restoration, mut moved) = (Restoration::new(cx.system), x.clone());
        let projected = restoration.project(cx.system, how, &mut moved, &mut steps).ok()?;
        if projected != Projected::default() {
            cx.work.factorizations += steps.found;
            copy(&moved.q, &mut x.q);
            copy(&moved.v, &mut x.v);
        }
        Some(projected)
    }

    /// By the matrix, with the metric of the first iterate.
    #[inline(never)]
    fn thorough<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        how: &Projection<S::Real>,
        x: &mut State<S>,
        seen: &mut dyn FnMut(Level, &State<S>),
    ) -> Result<Projected, Cause> {
        let Self { restoration, saddle } = self;
        (saddle.measured, saddle.crossed) = (false, None);
        let (system, layout) = (cx.system, cx.system.layout());
        finite(x.q.as_ref(), Quantity::Coordinate, layout.q)?;
        finite(x.v.as_ref(), Quantity::Velocity, layout.v)?;
        let projected = restoration.project(system, how, x, &mut Solved { saddle: &mut *saddle, cx, seen });
        projected.map_err(|stopped| saddle.crossed.unwrap_or_else(|| restoration.cause(system, stopped)))
    }

    /// Brings `x` back after a reset: velocities always, positions if the reset moved them off the constraints, judged
    /// by max |Φ| in `off`.
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
        let Self { restoration, saddle } = self;
        // An impulse obeys M, whatever else measures drift.
        saddle.inertia(cx, x)?;
        (saddle.measured, saddle.crossed) = (true, None);
        // As closely as possible; the run's tolerance decides whether it is enough.
        let least = S::Real::from_f64(10.0) * S::Real::PIVOT_TOLERANCE;
        let tolerance = how.map_or(least, |how| how.tolerance.max(least));
        let system = cx.system;
        let mut steps = Solved { saddle: &mut *saddle, cx, seen: &mut |_, _| () };
        let how = Projection { margin: S::Real::EPSILON, ..Projection::to(tolerance) };
        let left = Drift { phi, rate };
        let left = if phi > off { restoration.positions(system, &how, left, x, &mut steps) } else { Ok(left) };
        let landed = left.and_then(|left| {
            let tolerance = tolerance.max(S::Real::PIVOT_TOLERANCE * rate).max(apart::<S>(left.phi, x));
            restoration.velocities(system, &Projection { tolerance, ..how }, left.rate, x, &mut steps)
        });
        landed.map_err(|stopped| saddle.crossed.unwrap_or_else(|| restoration.cause(system, stopped)))
    }
}

/// Steps by the model's own function, counted.
struct Direct<'a, S, F> {
    system: &'a S,
    found: u64,
    seen: F,
}

impl<S: Solvable, F: FnMut(Level, &State<S>)> Steps<S> for Direct<'_, S, F> {
    type Error = ();
    const LOCAL: bool = true;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn find(&mut self, level: Level, restoration: &mut Restoration<S>, x: &State<S>) -> Result<(), ()> {
        (self.seen)(level, x);
        let Restoration { u, y, step, .. } = restoration;
        self.found += 1;
        if self.system.correction(x.at(u), y, step) { Ok(()) } else { Err(()) }
    }
}

/// Steps by the matrix, with the metric of the first iterate and G of each.
struct Solved<'a, 'b, S: Solvable, U> {
    saddle: &'a mut Weighted<S>,
    cx: &'a mut Context<'b, S, U>,
    seen: &'a mut dyn FnMut(Level, &State<S>),
}

impl<S: Solvable, U: Inputs<S>> Steps<S> for Solved<'_, '_, S, U> {
    type Error = Cause;

    fn find(&mut self, level: Level, restoration: &mut Restoration<S>, x: &State<S>) -> Result<(), Cause> {
        let Self { saddle, cx, seen } = self;
        seen(level, x);
        if !saddle.measured {
            saddle.metric(cx, x)?;
            saddle.measured = true;
        }
        let Restoration { step, y, constraint, .. } = restoration;
        saddle.factorize(cx, constraint, &x.q)?;
        saddle.solve(cx.system, step, y)
    }
}

impl<S: Solvable> Weighted<S> {
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

    fn factorize<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        constraint: &Constraint<S>,
        q: &S::Q,
    ) -> Result<(), Cause> {
        cx.work.factorizations += 1;
        if self.saddle.quick(self.forward.mass.as_ref(), constraint.jacobian.as_ref()) {
            return Ok(());
        }
        self.saddle.tolerate(constraint.phi.as_ref(), size(q));
        // If rows are dependent for an instant, the iterations show whether they are consistent.
        match cross(cx.system, &self.forward.mass, &constraint.jacobian, &mut self.saddle) {
            Ok(crossed) => self.crossed = crossed,
            Err(cause) => return Err(check(&self.forward, cx.system).err().unwrap_or(cause)),
        }
        Ok(())
    }

    /// δ for y.
    fn solve(&mut self, system: &S, step: &mut S::V, y: &mut S::L) -> Result<(), Cause> {
        step.as_mut().fill(S::Real::ZERO);
        self.saddle.solve(step.as_mut(), y.as_mut());
        finite(step.as_ref(), Quantity::Coordinate, system.layout().directions)
    }
}

/// The difference of velocities that redundant rows require if positions are off by `phi`: phi times the speed, over a
/// length of the mechanism, or over 1 if those are large.
fn apart<S: Solvable>(phi: S::Real, x: &State<S>) -> S::Real {
    let length = norm(x.q.as_ref()).min(S::Real::ONE);
    if S::Saddle::REDUNDANT && length > S::Real::ZERO { phi * norm(x.v.as_ref()) / length } else { S::Real::ZERO }
}

//! Newton's method on the whole residual of an implicit step.
//!
//! A method's history formula is affine in its unknown ξ: δa = ρ δξ, δv = ν δξ, q = qₙ ⊕ s with δs = π δξ, and for first-order
//! states δż = ρ δζ, δz = σ δζ. So [`Weights`] say both which tangent to ask for and how to update, and one loop serves all.

use crate::error::{Cause, Level, Name, Quantity};
use crate::input::Inputs;
use crate::linalg::Kkt;
use crate::method::Context;
use crate::scalar::{Real, Scalar};
use crate::solve::{add, norm, undetermined};
use crate::state::{State, finite};
use crate::system::{Block, Constraint, Layout, Linearize, Residual, RowKind, Solvable, Weights};

/// Limits of Newton's iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newton<T> {
    /// iterations allowed
    pub iterations: u32,
    /// convergence when the error left in each coordinate and first-order state is below `tolerance` (1 + |value|). Corrections
    /// are measured in q, not in the unknown: a residual divided by β h² drowns in round-off as h shrinks. Where convergence is
    /// only linear (inputs that depend on the state), velocities are good to `tolerance` / h.
    pub tolerance: T,
    /// and when max |Φ| and max |A v + b|, unscaled, are below this, in the units of the constraints
    pub constraint: T,
}

impl<T: Real> Default for Newton<T> {
    fn default() -> Self {
        let tolerance = T::PIVOT_TOLERANCE;
        Self { iterations: 20, tolerance, constraint: T::from_f64(10.0) * tolerance }
    }
}

impl<T: Real> Newton<T> {
    /// Refuses limits that cannot be met.
    ///
    /// # Errors
    /// [`Cause::Invalid`] naming the limit.
    pub fn check(&self) -> Result<(), Cause> {
        if self.iterations == 0 {
            return Err(Cause::Invalid { setting: "Newton iterations", value: 0.0 });
        }
        for (setting, value) in [("Newton tolerance", self.tolerance), ("constraint tolerance", self.constraint)] {
            if !(value > T::ZERO && value.is_finite()) {
                return Err(Cause::Invalid { setting, value: value.to_f64() });
            }
        }
        Ok(())
    }
}

/// Storage for the residual, its tangent, and corrections.
pub struct Tangent<S: Solvable + Linearize> {
    /// inputs of the last evaluation
    pub(crate) u: S::U,
    /// total step s from qₙ
    pub(crate) step: S::V,
    /// residual, then correction
    pub(crate) residual: Residual<S>,
    /// values of the weighted tangent
    pub(crate) values: S::Tangent,
    pub(crate) kkt: S::Kkt,
    constraint: Constraint<S>,
    /// product of the tangent with a velocity
    drift: Residual<S>,
    /// the last correction of q, as a step and as a change of its entries
    moved: S::V,
    change: S::Q,
}

impl<S: Solvable + Linearize> core::fmt::Debug for Tangent<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Tangent")
            .field("residual", &self.residual)
            .field("values", &self.values)
            .finish_non_exhaustive()
    }
}

impl<S: Solvable + Linearize> Tangent<S> {
    /// Storage in the shape of `system`.
    pub fn new(system: &S) -> Self {
        let layout = system.layout();
        Self {
            u: Block::zeros(layout.u.len()),
            step: Block::zeros(layout.v.len()),
            residual: Residual::zeros(&layout),
            values: Block::zeros(layout.tangent.nnz()),
            kkt: S::Kkt::new(&layout),
            constraint: Constraint::zeros(&layout),
            drift: Residual::zeros(&layout),
            moved: Block::zeros(layout.v.len()),
            change: Block::zeros(layout.q.len()),
        }
    }

    /// Iterates `x` until the residual at x.t vanishes; `x` and `self.step` hold the first guess, `from` is qₙ.
    ///
    /// With [`Level::Velocity`] the rows of holonomic constraints are Φ̇ = 0 in place of Φ = 0.
    ///
    /// # Errors
    /// [`Cause::Newton`], [`Cause::Singular`], [`Cause::NonFinite`].
    pub(crate) fn solve<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        limits: &Newton<S::Real>,
        level: Level,
        weights: Weights<S::Real>,
        from: &S::Q,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        let (mut last, mut name) = (S::Real::ZERO, Name::new(""));
        for iteration in 0..limits.iterations {
            self.linearize(cx, level, weights, x)?;
            self.correct(cx)?;
            let (size, at) = self.update(cx, weights, from, x);
            if !size.is_finite() {
                return Err(Cause::NonFinite { quantity: Quantity::Coordinate, name: at });
            }
            cx.work.iterations += 1;
            // The error left is at most the next correction, and θ δ bounds that one for linear convergence and better.
            let left = if iteration > 0 && size < last { size * (size / last) } else { size };
            (last, name) = (size, at);
            // A correction of round-off size cannot be improved on, whatever units Φ has.
            let exhausted = size <= S::Real::from_f64(16.0) * S::Real::EPSILON;
            if exhausted || left <= limits.tolerance && self.holds(cx, limits, level, x)? {
                return Ok(());
            }
        }
        let correction = (last / limits.tolerance).to_f64();
        Err(Cause::Newton { iterations: limits.iterations, name, correction })
    }

    /// Residual and weighted tangent at `x`.
    pub(crate) fn linearize<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        level: Level,
        weights: Weights<S::Real>,
        x: &State<S>,
    ) -> Result<(), Cause> {
        cx.input(x.moment(), &mut self.u)?;
        cx.system.tangent(x.at(&self.u), x.rates(), weights, &self.step, &mut self.residual, &mut self.values);
        cx.work.tangents += 1;
        let layout = cx.system.layout();
        if level == Level::Velocity && !layout.constraints.is_empty() {
            cx.system.constraint(x.at(&self.u), &mut self.constraint);
            let rows = self.residual.phi.as_mut().iter_mut().zip(self.constraint.rate.as_ref());
            for (_, (phi, &rate)) in rows.enumerate().filter(|(row, _)| layout.kind(*row) == RowKind::Holonomic) {
                *phi = rate;
            }
            self.border(&layout, weights.velocity);
        }
        self.finite(&layout)
    }

    /// Writes ν G where the tangent has π G, in the rows of holonomic constraints; both patterns run down the columns.
    fn border(&mut self, layout: &Layout<'_>, nu: S::Real) {
        let (nv, last) = (layout.v.len(), layout.v.len() + layout.z.len());
        let held = |row: usize| layout.kind(row) == RowKind::Holonomic;
        let entries = layout.tangent.entries().zip(self.values.as_mut());
        let below = entries.filter(|((r, c), _)| *r >= last && *c < nv && held(*r - last));
        let jacobian = layout.jacobian.entries().zip(self.constraint.jacobian.as_ref());
        let mut jacobian = jacobian.filter(|((r, _), _)| held(*r)).peekable();
        for ((r, c), value) in below {
            *value = jacobian.next_if(|(place, _)| *place == (r - last, c)).map_or(S::Real::ZERO, |(_, &g)| nu * g);
        }
    }

    /// Replaces the residual by the correction.
    pub(crate) fn correct<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>) -> Result<(), Cause> {
        let layout = cx.system.layout();
        cx.work.factorizations += 1;
        if let Err(singular) = self.kkt.factorize(&layout, self.values.as_ref()) {
            if let Some((r, _)) =
                self.values.as_ref().iter().position(|x| !x.is_finite()).and_then(|k| layout.tangent.entries().nth(k))
            {
                return Err(row_not_finite(&layout, r));
            }
            return Err(undetermined(&layout, layout.z.len(), singular));
        }
        let Residual { r, s, phi } = &mut self.residual;
        for x in r.as_mut().iter_mut().chain(s.as_mut()).chain(phi.as_mut()) {
            *x = -*x;
        }
        self.kkt.solve(r.as_mut(), s.as_mut(), phi.as_mut());
        Ok(())
    }

    /// Applies the correction; its size in q and z against 1 + |value|, and the name of the largest.
    pub(crate) fn update<U: Inputs<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        w: Weights<S::Real>,
        from: &S::Q,
        x: &mut State<S>,
    ) -> (S::Real, Name) {
        let Residual { r: dv, s: dz, phi: dl } = &self.residual;
        add(x.a.as_mut(), w.rates, dv.as_ref());
        add(x.v.as_mut(), w.velocity, dv.as_ref());
        let differential = cx.system.layout().differential();
        add(x.zdot.as_mut().get_mut(..differential).unwrap_or_default(), w.rates, dz.as_ref());
        add(x.z.as_mut(), w.state, dz.as_ref());
        add(x.lambda.as_mut(), S::Real::ONE, dl.as_ref());
        add(self.step.as_mut(), w.position, dv.as_ref());
        cx.system.retract(from, &self.step, &mut x.q);

        let layout = cx.system.layout();
        // A velocity-level unknown does not move q within the step: measure it by v itself.
        let by_velocity = w.position == S::Real::ZERO;
        let unit = if by_velocity { w.velocity } else { w.position };
        for (moved, &d) in self.moved.as_mut().iter_mut().zip(dv.as_ref()) {
            *moved = unit * d;
        }
        let (index, mut size, names) = if by_velocity {
            let (index, size) = largest(self.moved.as_ref(), x.v.as_ref());
            (index, size, layout.motion())
        } else {
            cx.system.qdot(&x.q, &self.moved, &mut self.change);
            let (index, size) = largest(self.change.as_ref(), x.q.as_ref());
            (index, size, layout.q)
        };
        let mut name = Name::of(names, index);
        for (i, (&d, &z)) in dz.as_ref().iter().zip(x.z.as_ref()).enumerate() {
            let own = (w.state * d).abs() / (S::Real::ONE + z.abs());
            if !(own <= size) {
                (size, name) = (own, Name::of(layout.z, i));
            }
        }
        (size, name)
    }

    /// Keeps the product of the first nv columns of the tangent with `v`.
    pub(crate) fn drift(&mut self, layout: &Layout<'_>, v: &S::V) {
        let Residual { r, s, phi } = &mut self.drift;
        for x in r.as_mut().iter_mut().chain(s.as_mut()).chain(phi.as_mut()) {
            *x = S::Real::ZERO;
        }
        let (nv, nz) = (layout.v.len(), layout.z.len());
        for ((row, col), &value) in layout.tangent.entries().zip(self.values.as_ref()) {
            let Some(&v) = v.as_ref().get(col) else { break };
            let slot = match row {
                row if row < nv => r.as_mut().get_mut(row),
                row if row < nv + nz => s.as_mut().get_mut(row - nv),
                row => phi.as_mut().get_mut(row - nv - nz),
            };
            if let Some(slot) = slot {
                *slot += value * v;
            }
        }
    }

    /// Adds that product to the residual.
    pub(crate) fn add_drift(&mut self) {
        let one = S::Real::ONE;
        add(self.residual.r.as_mut(), one, self.drift.r.as_ref());
        add(self.residual.s.as_mut(), one, self.drift.s.as_ref());
        add(self.residual.phi.as_mut(), one, self.drift.phi.as_ref());
    }

    /// Whether the constraints hold at the last iterate.
    fn holds<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        limits: &Newton<S::Real>,
        level: Level,
        x: &State<S>,
    ) -> Result<bool, Cause> {
        let layout = cx.system.layout();
        if layout.constraints.is_empty() {
            return Ok(true);
        }
        cx.system.constraint(x.at(&self.u), &mut self.constraint);
        let Constraint { phi, rate, .. } = &mut self.constraint;
        for (row, (phi, &rate)) in phi.as_mut().iter_mut().zip(rate.as_ref()).enumerate() {
            if level == Level::Velocity || layout.kind(row) == RowKind::Nonholonomic {
                *phi = rate;
            }
        }
        finite(phi.as_ref(), Quantity::Constraint, layout.constraints)?;
        Ok(norm(phi.as_ref()) <= limits.constraint)
    }

    fn finite(&self, layout: &Layout<'_>) -> Result<(), Cause> {
        finite(self.residual.r.as_ref(), Quantity::Force, layout.motion())?;
        finite(self.residual.s.as_ref(), Quantity::Rate, layout.z)?;
        finite(self.residual.phi.as_ref(), Quantity::Constraint, layout.constraints)
    }
}

/// Index and size of the largest change, each against 1 + |value|; NaN is the largest.
fn largest<T: Real>(changes: &[T], values: &[T]) -> (usize, T) {
    let mut largest = (0, T::ZERO);
    for (i, (&change, &value)) in changes.iter().zip(values).enumerate() {
        let size = change.abs() / (T::ONE + value.abs());
        if !(size <= largest.1) {
            largest = (i, size);
        }
    }
    largest
}

/// A tangent entry of this row, ordered (v, z, λ), is not finite.
fn row_not_finite(layout: &Layout<'_>, row: usize) -> Cause {
    let (nv, nz) = (layout.v.len(), layout.z.len());
    let (quantity, name) = if row < nv {
        (Quantity::Force, Name::of(layout.motion(), row))
    } else if row < nv + nz {
        (Quantity::Rate, Name::of(layout.z, row - nv))
    } else {
        (Quantity::Constraint, Name::of(layout.constraints, row - nv - nz))
    };
    Cause::NonFinite { quantity, name }
}

//! The linearisations of a search for an equilibrium.

use crate::analysis::inverse::least_forces;
use crate::analysis::statics::outcome::Unsettled;
use crate::error::{Cause, Level, Name, Quantity};
use crate::linalg::{Motion, Saddle};
use crate::model::input::Inputs;
use crate::model::layout::{Block, Layout, RowKind};
use crate::model::linearize::{Linearize, Weights};
use crate::model::state::{State, copy};
use crate::model::system::{Constraint, Forward, Residual, System};
use crate::numbers::field::Field;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Refinement, Tangent, add, factorize, largest, norm, tolerate, worst};

/// The initial multipliers of a search. The tangent contains them, −∂(Gᵀλ)/∂q, so the path to an equilibrium depends on
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Begin {
    /// Those that best balance the forces; if M is singular, those of the start.
    #[default]
    LeastForces,
    /// Those of the start, to continue from a result or to follow one of several equilibria.
    Given,
}

/// Storage of a search.
pub(super) struct Search<S: Solvable + Linearize> {
    tangent: Tangent<S>,
    constraint: Constraint<S>,
    /// residual of the last evaluation
    last: Residual<S>,
    /// the correction of its predecessor, and room for the next one with the same factors
    delta: Residual<S>,
    simplified: Residual<S>,
    step: S::V,
    change: S::Q,
    carried: Option<Carried<S>>,
}

/// Velocities and accelerations that drivers impose.
pub(super) struct Carried<S: Solvable> {
    forward: Forward<S>,
    constraint: Constraint<S>,
    saddle: S::Saddle,
    refinement: Refinement<S>,
    step: S::V,
    u: S::U,
    lambda: S::L,
    /// the state a short time later
    point: State<S>,
}

impl<S: Solvable> Carried<S> {
    pub(super) fn new(system: &S) -> Self {
        let layout = system.layout();
        Self {
            forward: Forward::zeros(&layout),
            constraint: Constraint::zeros(&layout),
            saddle: S::Saddle::new(&layout),
            refinement: Refinement::new(&layout),
            step: Block::zeros(layout.v.len()),
            u: Block::zeros(layout.u.len()),
            lambda: Block::zeros(layout.constraints.len()),
            point: State::neutral(system),
        }
    }

    /// The v of least kinetic energy with G v + Φₜ = 0 at `point`.
    fn velocity<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>) -> Result<(), Cause> {
        let x = &mut self.point;
        cx.input(x.moment(), &mut self.u)?;
        x.v.as_mut().fill(S::Real::ZERO);
        cx.system.constraint(x.at(&self.u), &mut self.constraint);
        cx.system.forward(x.at(&self.u), &mut self.forward);
        cx.work.factorizations += 1;
        let _ = tolerate(cx.system, x.at(&self.u), &mut self.saddle);
        factorize(cx.system, &self.forward.mass, &self.forward.jacobian, &mut self.saddle)?;
        let (mass, jacobian) = (self.forward.mass.as_ref(), self.forward.jacobian.as_ref());
        self.step.as_mut().fill(S::Real::ZERO);
        let (force, gamma) = (self.step.as_ref(), self.constraint.rate.as_ref());
        let motion = Motion { mass, jacobian, force, gamma };
        self.refinement.solve(cx.system, &mut self.saddle, motion, &mut x.v, &mut self.lambda)
    }

    /// That v at `x`, and in a how it changes along itself: (v(t − 2ε) − 8 v(t − ε) + 8 v(t + ε) − v(t + 2ε))/(12 ε).
    fn carry<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &mut State<S>) -> Result<(), Cause> {
        self.point.copy_from(x);
        self.velocity(cx)?;
        copy(&self.point.v, &mut x.v);
        x.a.as_mut().fill(S::Real::ZERO);
        if cx.system.layout().first_order() {
            return Ok(());
        }
        // A thousandth of the step that changes coordinates by their size: then ε⁴ and the round-off of a difference
        // quotient are alike.
        let number = S::Real::from_f64;
        let fastest = norm(x.v.as_ref()) / (S::Real::ONE + norm(x.q.as_ref()));
        let epsilon = S::Real::EPSILON.powf(number(0.2)) / (S::Real::ONE + fastest);
        for (k, weight) in [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)] {
            let ahead = number(k) * epsilon;
            self.point.t = x.t + ahead;
            self.step.as_mut().fill(S::Real::ZERO);
            add(self.step.as_mut(), ahead, x.v.as_ref());
            cx.system.retract(&x.q, &self.step, &mut self.point.q);
            self.velocity(cx)?;
            add(x.a.as_mut(), number(weight) / (number(12.0) * epsilon), self.point.v.as_ref());
        }
        Ok(())
    }
}

/// How a tangent is evaluated.
type Evaluate<S, U> =
    fn(&mut Tangent<S>, &mut Context<'_, S, U>, Level, Weights<<S as System>::Real>, &State<S>) -> Result<(), Cause>;

impl<S: Solvable + Linearize> Search<S> {
    pub(super) fn new(system: &S, carried: Option<Carried<S>>) -> Self {
        let layout = system.layout();
        Self {
            tangent: Tangent::new(system),
            constraint: Constraint::zeros(&layout),
            last: Residual::zeros(&layout),
            delta: Residual::zeros(&layout),
            simplified: Residual::zeros(&layout),
            step: Block::zeros(layout.v.len()),
            change: Block::zeros(layout.q.len()),
            carried,
        }
    }

    /// The multipliers to begin with at `x`.
    pub(super) fn begin<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        how: Begin,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        if let Some(carried) = &mut self.carried {
            carried.carry(cx, x)?;
        }
        if how == Begin::Given {
            return Ok(());
        }
        let given = x.lambda.clone();
        match least_forces(cx.system, cx.inputs, x) {
            Ok(_) => Ok(()),
            // an equilibrium has no use for M
            Err(
                Cause::Singular { .. } | Cause::Inertia { .. } | Cause::Dissipation { .. } | Cause::Inaccurate { .. },
            ) => {
                x.lambda = given;
                Ok(())
            }
            Err(other) => Err(other),
        }
    }

    /// Residual and tangent at `x`, whose v and a become those of the drivers in a steady motion.
    pub(super) fn linearize<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        self.evaluate(cx, x, Tangent::linearize)
    }

    /// Residual and the matrix of Newton's iterations at `x`, with v and a likewise.
    pub(super) fn approach<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &mut State<S>) -> Result<(), Cause> {
        self.evaluate(cx, x, Tangent::approach)
    }

    fn evaluate<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
        tangent: Evaluate<S, U>,
    ) -> Result<(), Cause> {
        if let Some(carried) = &mut self.carried {
            carried.carry(cx, x)?;
        }
        let (one, zero) = (S::Real::ONE, S::Real::ZERO);
        let weights = Weights { rates: zero, velocity: zero, position: one, state: one };
        tangent(&mut self.tangent, cx, Level::Position, weights, x)?;
        let layout = cx.system.layout();
        copy_residual(&self.tangent.residual, &mut self.last);
        let rolls = |row: usize| layout.kind(row) == RowKind::Nonholonomic;
        if (0..layout.constraints.len()).any(rolls) {
            cx.system.constraint(x.at(&self.tangent.u), &mut self.constraint);
            self.allow(&layout);
        }
        Ok(())
    }

    /// Writes A δ = 0 into the rows of nonholonomic constraints; both patterns run down the columns.
    fn allow(&mut self, layout: &Layout<'_>) {
        let (nv, first) = (layout.v.len(), layout.v.len() + layout.z.len());
        let rolls = |row: usize| layout.kind(row) == RowKind::Nonholonomic;
        for (row, phi) in self.tangent.residual.phi.as_mut().iter_mut().enumerate().filter(|(row, _)| rolls(*row)) {
            *phi = S::Real::ZERO;
            let values = self.tangent.values.as_mut().iter_mut();
            for ((_, c), value) in layout.tangent.entries().zip(values).filter(|((r, _), _)| *r == first + row) {
                let jacobian = layout.jacobian.entries().zip(self.constraint.jacobian.as_ref());
                let entry = jacobian.into_iter().find(|(place, _)| c < nv && *place == (row, c));
                *value = entry.map_or(S::Real::ZERO, |(_, &a)| a);
            }
        }
    }

    /// The Newton correction, into `delta`.
    pub(super) fn correct<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>) -> Result<(), Cause> {
        self.tangent.correct(cx).map_err(coordinate)?;
        copy_residual(&self.tangent.residual, &mut self.delta);
        Ok(())
    }

    /// The size of the correction at `trial` by the last factors; residual and matrix are then those there.
    pub(super) fn next<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        trial: &mut State<S>,
    ) -> Result<S::Real, Cause> {
        self.approach(cx, trial)?;
        let Self { tangent, simplified, change, .. } = self;
        copy_residual(&tangent.residual, simplified);
        let Residual { r, s, phi } = simplified;
        for x in r.as_mut().iter_mut().chain(s.as_mut()).chain(phi.as_mut()) {
            *x = -*x;
        }
        tangent.apply(cx.system, cx.work, r, s, phi)?;
        let (name, size) = measure(cx.system, trial, simplified, change);
        if size.is_finite() { Ok(size) } else { Err(Cause::NonFinite { quantity: Quantity::Coordinate, name }) }
    }

    /// The largest entry of the last correction in q and z against 1 + |value| at `x`, with its name.
    pub(super) fn size(&mut self, system: &S, x: &State<S>) -> (Name, S::Real) {
        measure(system, x, &self.delta, &mut self.change)
    }

    /// `to`, which is `x`, with `factor` times the last correction.
    pub(super) fn advance(&mut self, system: &S, x: &State<S>, factor: S::Real, to: &mut State<S>) {
        self.step.as_mut().fill(S::Real::ZERO);
        add(self.step.as_mut(), factor, self.delta.r.as_ref());
        system.retract(&x.q, &self.step, &mut to.q);
        add(to.z.as_mut(), factor, self.delta.s.as_ref());
        add(to.lambda.as_mut(), factor, self.delta.phi.as_ref());
    }

    /// Nonzeros of the tangent of the last evaluation.
    #[cfg(feature = "std")]
    pub(super) fn values(&self) -> &[S::Real] {
        self.tangent.values.as_ref()
    }

    /// The residual of the last evaluation.
    #[cfg(feature = "std")]
    pub(super) fn last(&self) -> &Residual<S> {
        &self.last
    }

    /// Makes this the last correction, in the order (v, z, λ).
    #[cfg(feature = "std")]
    pub(super) fn put(&mut self, correction: &[S::Real]) {
        let Residual { r, s, phi } = &mut self.delta;
        let places = r.as_mut().iter_mut().chain(s.as_mut()).chain(phi.as_mut());
        places.zip(correction).for_each(|(to, &x)| *to = x);
    }

    /// The row with the largest residual at the last evaluation, and that residual.
    pub(super) fn residual(&self, layout: &Layout<'_>) -> (Name, S::Real) {
        let Residual { r, s, phi } = &self.last;
        let rows = [(r.as_ref(), layout.directions), (s.as_ref(), layout.z), (phi.as_ref(), layout.constraints)];
        let start = (Name::new(""), S::Real::ZERO);
        rows.into_iter().fold(start, |(name, largest), (values, names)| {
            let (index, value) = worst(values);
            if value.abs() > largest { (Name::of(names, index), value.abs()) } else { (name, largest) }
        })
    }

    /// The nonholonomic row with a speed of its own, if the state should be at rest.
    pub(super) fn moving(&self, layout: &Layout<'_>) -> Option<Unsettled> {
        let limit = S::Real::PIVOT_TOLERANCE;
        let rows = self.last.phi.as_ref().iter().enumerate();
        let mut rolling = rows.filter(|(row, _)| layout.kind(*row) == RowKind::Nonholonomic);
        let (row, &speed) = rolling.find(|(_, speed)| !self.carries() && !(speed.abs() <= limit))?;
        Some(Unsettled::Moving { row: Name::of(layout.constraints, row), speed: speed.to_f64() })
    }

    /// Whether drivers move the model.
    pub(super) fn carries(&self) -> bool {
        self.carried.is_some()
    }
}

/// A singular tangent leaves a position or a state undetermined.
pub(super) fn coordinate(cause: Cause) -> Cause {
    match cause {
        Cause::Singular { unknown: Quantity::Acceleration, name } => {
            Cause::Singular { unknown: Quantity::Coordinate, name }
        }
        Cause::Singular { unknown: Quantity::Rate, name } => Cause::Singular { unknown: Quantity::State, name },
        other => other,
    }
}

/// The largest entry of a correction in q and z against 1 + |value|, with its name; NaN is the largest.
fn measure<S: Solvable>(system: &S, x: &State<S>, delta: &Residual<S>, change: &mut S::Q) -> (Name, S::Real) {
    let layout = system.layout();
    system.qdot(&x.q, &delta.r, change);
    let (q, size) = largest(change.as_ref(), x.q.as_ref());
    let (z, other) = largest(delta.s.as_ref(), x.z.as_ref());
    // NaN is the largest
    if other <= size || !size.is_finite() { (Name::of(layout.q, q), size) } else { (Name::of(layout.z, z), other) }
}

fn copy_residual<S: Solvable>(from: &Residual<S>, to: &mut Residual<S>) {
    copy(&from.r, &mut to.r);
    copy(&from.s, &mut to.s);
    copy(&from.phi, &mut to.phi);
}

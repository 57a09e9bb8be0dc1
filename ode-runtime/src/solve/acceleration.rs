//! Accelerations, rates and multipliers of a state: M a = f + Gᵀ λ, G a + γ = 0, ż = g; of a first-order model its
//! velocities, D v = f + Gᵀ λ, G v + Φₜ = 0, by the same solve.

use crate::error::{Cause, Quantity};
use crate::linalg::{LANES, LanesMut, Motion, Saddle, put, take};
use crate::model::input::Inputs;
use crate::model::layout::Block;
use crate::model::state::{Moment, State, copy, finite, sum};
use crate::model::system::{At, Forward};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::algebraic::Algebraic;
use crate::solve::context::Context;
use crate::solve::factors::{continues, contradiction, cross, factorize, near, size, slack, solves};
use crate::solve::nearest::Nearest;
use crate::solve::refinement::undefined;
use crate::solve::solvable::{Solvable, SolvedColumns};
use crate::solve::{Refinement, add, norm};

/// Storage for evaluations of the explicit path.
#[derive(Debug)]
pub struct Acceleration<S: Solvable> {
    u: S::U,
    forward: Forward<S>,
    saddle: S::Saddle,
    refinement: Refinement<S>,
    algebraic: Algebraic<S>,
    /// where rows that may depend on others are told apart, in models that have such rows
    nearest: Option<Nearest<S>>,
    /// whether dependent rows are refused, as at a start, or accepted if they are consistent
    strict: bool,
}

impl<S: Solvable> Acceleration<S> {
    /// Storage in the shape of `system`.
    pub fn new(system: &S) -> Self {
        let layout = system.layout();
        Self {
            u: Block::zeros(layout.u.len()),
            forward: Forward::zeros(&layout),
            saddle: S::Saddle::new(&layout),
            refinement: Refinement::new(&layout),
            algebraic: Algebraic::new(&layout),
            nearest: S::Saddle::REDUNDANT.then(|| Nearest::new(&layout)),
            strict: false,
        }
    }

    /// The same for a start, where multipliers must be unique unless the model is marked `redundant`.
    pub(crate) fn strict(system: &S) -> Self {
        Self { strict: true, ..Self::new(system) }
    }

    /// Evaluates at `at` with u(t, x) into `a`, `zdot` and `lambda`. In first-order models `a` receives the velocities,
    /// and only inputs see those of `at`.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] with the force, inertia, constraint or input; [`Cause::Singular`] with the coordinate
    /// without inertia; [`Cause::Dependent`] with the constraints that depend on each other; [`Cause::Inertia`] with a
    /// coordinate of negative inertia, [`Cause::Dissipation`] in first-order models; [`Cause::Inaccurate`] with an
    /// equation whose digits are lost; [`Cause::Algebraic`] with an algebraic variable whose equations have no solution
    /// near its value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn evaluate<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        a: &mut S::V,
        zdot: &mut S::Z,
        lambda: &mut S::L,
    ) -> Result<(), Cause> {
        if self.straight(cx, at, a, zdot, lambda) { Ok(()) } else { self.assemble(cx, at, a, zdot, lambda) }
    }

    /// The same by the model's own function, counted; false if it fails.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn straight<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        a: &mut S::V,
        zdot: &mut S::Z,
        lambda: &mut S::L,
    ) -> bool {
        let done = self.quick(cx, at, a, zdot, lambda) && all_finite::<S>(a, zdot, lambda);
        if done {
            cx.work.evaluated(1);
        }
        done
    }

    /// The same by the model's own function; false if it has none, or if the output must not be read. The output need
    /// not be finite.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn quick<U: Inputs<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        at: Moment<'_, S>,
        a: &mut S::V,
        zdot: &mut S::Z,
        lambda: &mut S::L,
    ) -> bool {
        let Moment { t, q, v, z, modes } = at;
        S::DIRECT
            && cx.system.layout().algebraic == 0
            && cx.input(at, &mut self.u).is_ok()
            && cx.system.accelerations(At { t, q, v, z, u: &self.u, modes }, a, zdot, lambda)
    }

    /// The same with the derivatives by the state and the inputs: [`Solvable::acceleration_partials`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn straight_partials<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        (a, zdot, lambda): (&mut S::V, &mut S::Z, &mut S::L),
        columns: SolvedColumns<'_, S>,
    ) -> bool {
        let Moment { t, q, v, z, modes } = at;
        let done = S::DIRECT
            && cx.input(at, &mut self.u).is_ok()
            && cx.system.acceleration_partials(At { t, q, v, z, u: &self.u, modes }, a, zdot, lambda, columns)
            && all_finite::<S>(a, zdot, lambda);
        if done {
            cx.work.evaluated(1);
        }
        done
    }

    /// The same by separate evaluations, each of which may fail; leaves the factors of the saddle.
    #[inline(never)]
    pub(crate) fn assemble<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        a: &mut S::V,
        zdot: &mut S::Z,
        lambda: &mut S::L,
    ) -> Result<(), Cause> {
        cx.input(at, &mut self.u)?;
        self.algebraic.solve(cx.system, at, &self.u, cx.work)?;
        let Moment { t, q, v, modes, .. } = at;
        let (system, forward) = (cx.system, &mut self.forward);
        system.forward(At { t, q, v, z: &self.algebraic.z, u: &self.u, modes }, forward);
        cx.work.evaluated(1);
        // The two paths do not merge again, so the result of the fast one stays in registers.
        if self.saddle.quick(forward.mass.as_ref(), forward.jacobian.as_ref()) {
            self.saddle.accelerate(forward.force.as_ref(), forward.gamma.as_ref(), a.as_mut(), lambda.as_mut());
            if !self.saddle.certain() {
                self.refinement.complete(system, &mut self.saddle, motion(forward), a, lambda)?;
            }
            self.conclude(system, at, a, zdot, lambda)
        } else {
            self.pivot(system, at, a, zdot, lambda)
        }
    }

    /// Solves `[M −Gᵀ; G 0] [x; y] = [v; l]` in place at the point of the last [`Acceleration::assemble`], by its
    /// factors. Where rows may depend on others these are of a point nearby, so the solution is corrected.
    pub(crate) fn solve(&mut self, system: &S, v: &mut S::V, l: &mut S::L) {
        let Self { forward, saddle, refinement, .. } = self;
        if !S::Saddle::REDUNDANT {
            return saddle.solve(v.as_mut(), l.as_mut());
        }
        let (force, mut gamma) = (v.clone(), l.clone());
        gamma.as_mut().iter_mut().for_each(|x| *x = -*x);
        let motion = Motion { force: force.as_ref(), gamma: gamma.as_ref(), ..motion(forward) };
        refinement.follow(system, saddle, motion, v, l);
    }

    /// The same for several right-hand sides, in the room of one solution.
    pub(crate) fn solve_lanes(
        &mut self,
        system: &S,
        (v, l): (LanesMut<'_, S::Real>, LanesMut<'_, S::Real>),
        (one_v, one_l): (&mut S::V, &mut S::L),
    ) {
        if !S::Saddle::REDUNDANT {
            return self.saddle.solve_lanes(v, l, (one_v.as_mut(), one_l.as_mut()));
        }
        for k in 0..LANES {
            take(k, v, one_v.as_mut());
            take(k, l, one_l.as_mut());
            self.solve(system, one_v, one_l);
            put(k, v, one_v.as_ref());
            put(k, l, one_l.as_ref());
        }
    }

    /// The states, with solved algebraic variables, and the inputs of the last [`Acceleration::assemble`].
    pub(crate) fn point(&self) -> (&S::Z, &S::U) {
        (&self.algebraic.z, &self.u)
    }

    /// Continues with pivoting.
    #[inline(never)]
    fn pivot(
        &mut self,
        system: &S,
        at: Moment<'_, S>,
        a: &mut S::V,
        zdot: &mut S::Z,
        lambda: &mut S::L,
    ) -> Result<(), Cause> {
        if S::Saddle::REDUNDANT {
            return self.apart(system, at, a, zdot, lambda);
        }
        let Self { forward, saddle, refinement, strict, .. } = self;
        let crossed = match *strict {
            true => factorize(system, &forward.mass, &forward.jacobian, saddle).map(|()| None),
            false => cross(system, &forward.mass, &forward.jacobian, saddle),
        };
        if crossed.is_err() {
            check(forward, system)?;
        }
        let crossed = crossed?;
        let motion = motion(forward);
        match crossed {
            None if !saddle.certain() => refinement.solve(system, saddle, motion, a, lambda)?,
            _ => saddle.accelerate(motion.force, motion.gamma, a.as_mut(), lambda.as_mut()),
        }
        self.conclude(system, at, a, zdot, lambda)?;
        let Forward { jacobian, gamma, .. } = &self.forward;
        let solved = || solves::<S>(&system.layout(), jacobian, gamma, a, slack(S::Real::ZERO));
        match crossed {
            Some(cause) if !solved() || !self.leads(system, at, a) => Err(cause),
            _ => Ok(()),
        }
    }

    /// The same where rows may depend on others.
    fn apart(
        &mut self,
        system: &S,
        at: Moment<'_, S>,
        a: &mut S::V,
        zdot: &mut S::Z,
        lambda: &mut S::L,
    ) -> Result<(), Cause> {
        let Self { u, forward, saddle, refinement, algebraic, nearest, .. } = self;
        let Moment { t, q, v, modes, .. } = at;
        let point = At { t, q, v, z: &algebraic.z, u, modes };
        let Some(nearest) = nearest else { return Ok(()) };
        let moved = nearest.factorize(system, point, &forward.mass, saddle);
        let off = nearest.tolerate(system, point, saddle);
        near(system, point, off)?;
        if moved {
            refinement.follow(system, saddle, motion(forward), a, lambda);
        } else {
            if let Err(cause) = factorize(system, &forward.mass, &forward.jacobian, saddle) {
                check(forward, system)?;
                return Err(cause);
            }
            refinement.press(system, saddle, motion(forward), slack(off), a, lambda);
        }
        self.conclude(system, at, a, zdot, lambda)?;
        let (Forward { jacobian, gamma, .. }, layout) = (&self.forward, system.layout());
        match solves::<S>(&layout, jacobian, gamma, a, slack(off)) {
            true => Ok(()),
            false => contradiction::<S>(layout, jacobian, gamma, a, off),
        }
    }

    /// Whether accelerations that dependent rows leave open are those of the motion.
    #[cold]
    fn leads(&self, system: &S, at: Moment<'_, S>, a: &S::V) -> bool {
        let (layout, one) = (system.layout(), S::Real::ONE);
        let Moment { t, q, v, modes, .. } = at;
        let pace = (one + norm(v.as_ref())) / size(q);
        let ahead = S::Real::EPSILON.powf(S::Real::from_f64(1.0 / 3.0)) / pace;
        let (mut step, mut next, mut faster) = (S::V::zeros(layout.v.len()), q.clone(), v.clone());
        add(step.as_mut(), ahead, v.as_ref());
        add(step.as_mut(), S::Real::from_f64(0.5) * ahead * ahead, a.as_ref());
        system.retract(q, &step, &mut next);
        add(faster.as_mut(), ahead, a.as_ref());
        let mut there = Forward::zeros(&layout);
        let at = At { t: t + ahead, q: &next, v: &faster, z: &self.algebraic.z, u: &self.u, modes };
        system.forward(at, &mut there);
        // The allowed error in the free direction, relative to the fastest.
        let allowed = S::Real::from_f64(1e-3) * ahead * norm(v.as_ref()) / size(q) * (one + norm(a.as_ref()));
        continues::<S>(layout, &self.forward.jacobian, (&there.jacobian, &there.gamma), a, allowed)
    }

    /// Completes the solution.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn conclude(
        &mut self,
        system: &S,
        at: Moment<'_, S>,
        a: &mut S::V,
        zdot: &mut S::Z,
        lambda: &mut S::L,
    ) -> Result<(), Cause> {
        let forward = &mut self.forward;
        if system.layout().first_order() && !system.layout().z.is_empty() {
            // rates may read the velocities just found
            let Moment { t, q, modes, .. } = at;
            system.forward(At { t, q, v: a, z: &self.algebraic.z, u: &self.u, modes }, forward);
        }
        copy(&forward.zdot, zdot);
        system.layout().still(zdot.as_mut());
        if all_finite::<S>(a, zdot, lambda) {
            return Ok(());
        }
        check(forward, system)?;
        finite(a.as_ref(), Quantity::Acceleration, system.layout().directions)?;
        finite(lambda.as_ref(), Quantity::Multiplier, system.layout().constraints)
    }
}

impl<S: Solvable> Acceleration<S> {
    /// Evaluates the accelerations (velocities in first-order models), rates and multipliers of `x`.
    ///
    /// # Errors
    /// As [`Acceleration::evaluate`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn settle<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &mut State<S>) -> Result<(), Cause> {
        self.rates(cx, x)?;
        self.complete(cx.system, &mut x.z);
        Ok(())
    }

    /// Writes the algebraic variables of the last evaluation to its states.
    #[inline]
    pub(crate) fn complete(&self, system: &S, z: &mut S::Z) {
        if system.layout().algebraic > 0 {
            copy(&self.algebraic.z, z);
        }
    }

    /// As [`Acceleration::settle`], but algebraic variables stay as they are.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn rates<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &mut State<S>) -> Result<(), Cause> {
        let (at, a, zdot, lambda) = x.split();
        if !self.straight(cx, at, a, zdot, lambda) {
            self.rates_by_parts(&mut cx.lend(), x)?;
        }
        if cx.system.layout().first_order() {
            copy(&x.a, &mut x.v);
            x.a.as_mut().fill(S::Real::ZERO);
        }
        Ok(())
    }

    #[inline(never)]
    fn rates_by_parts<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &mut State<S>) -> Result<(), Cause> {
        let (at, a, zdot, lambda) = x.split();
        let Err(cause) = self.assemble(cx, at, a, zdot, lambda) else { return Ok(()) };
        // If the point is not finite, the model is not the reason.
        let layout = cx.system.layout();
        finite(x.q.as_ref(), Quantity::Coordinate, layout.q)?;
        finite(x.v.as_ref(), Quantity::Velocity, layout.v)?;
        finite(x.z.as_ref(), Quantity::State, layout.z)?;
        Err(cause)
    }
}

// A layout is a large constant, and passing a reference to it copies it first. So it is built where it is needed, and
// functions on rare paths take the system.

#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn all_finite<S: Solvable>(a: &S::V, zdot: &S::Z, lambda: &S::L) -> bool {
    (sum(a.as_ref()) + sum(zdot.as_ref()) + sum(lambda.as_ref())).is_finite()
}

/// The parts of an evaluation that accelerations are solved from.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn motion<S: Solvable>(forward: &Forward<S>) -> Motion<'_, S::Real> {
    Motion {
        mass: forward.mass.as_ref(),
        jacobian: forward.jacobian.as_ref(),
        force: forward.force.as_ref(),
        gamma: forward.gamma.as_ref(),
    }
}

/// Finds the first value of an evaluation that is not finite.
#[inline(never)]
pub(super) fn check<S: Solvable>(forward: &Forward<S>, system: &S) -> Result<(), Cause> {
    let layout = system.layout();
    finite(forward.force.as_ref(), Quantity::Force, layout.directions)?;
    finite(forward.zdot.as_ref(), Quantity::Rate, layout.z)?;
    finite(forward.gamma.as_ref(), Quantity::Constraint, layout.constraints)?;
    undefined(&layout, forward.mass.as_ref(), forward.jacobian.as_ref())
}

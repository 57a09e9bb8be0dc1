//! Steps that a user writes, of one evaluation of accelerations, with derivatives by dual numbers.

#[cfg(feature = "second-order")]
use ode_runtime::StepHessian;
#[cfg(feature = "second-order")]
use ode_runtime::Wide;
use ode_runtime::integrators::{Explicit, SemiExplicitEuler};
use ode_runtime::linalg::{DMatrix, SVector};
use ode_runtime::variation::Several;
use ode_runtime::{Dual, Optimizable, Order, Scalar, Solvable, State, StepError, StepMap};

use crate::optimal::error::PlanError;
use crate::optimal::evaluation::Evaluation;
use crate::optimal::shooting::coordinates::Coordinates;
use crate::optimal::shooting::{Interval, Point, Shoot};
use crate::optimal::transcription::Wanted;
use crate::stages::Stage;

/// A discrete step of your own: where q and v are at its end, by those of its beginning and the accelerations there.
///
/// Written once for all numbers, it is differentiated twice by dual numbers, exactly; the accelerations have the
/// model's own derivatives. [`Screw`](crate::Screw) is one, and [`OwnSteps`] makes them a transcription.
pub trait OwnStep {
    /// Writes q (nq) and v (nv) of the end. They come as those of the semi-explicit Euler method, v⁺ = v + h a and q ⊕
    /// h v⁺, so that only what moves in another way is to be written. Rotations are to be unit quaternions, (w, x, y,
    /// z).
    fn step<T: Scalar>(&self, from: Known<'_, T>, q: &mut [T], v: &mut [T]);
}

/// What is known where a step begins, in the units of the model.
#[derive(Clone, Copy, Debug)]
pub struct Known<'k, T> {
    /// the length of the step
    pub h: f64,
    /// coordinates, nq
    pub q: &'k [T],
    /// velocities, nv
    pub v: &'k [T],
    /// accelerations, nv
    pub a: &'k [T],
}

/// Multiple shooting by an [`OwnStep`]: a [`Transcription`](crate::Transcription) for every solver. States of first
/// order move by Euler's method; steps are not projected on constraints.
///
/// With [`OwnSteps::of`] second derivatives are Gauss and Newton's, of `residual` items; with [`OwnSteps::exact`] they
/// are exact.
pub struct OwnSteps<'a, S: Optimizable, P, F> {
    system: &'a S,
    /// of the semi-explicit Euler method: they know the accelerations
    steps: P,
    own: F,
    coordinates: Coordinates,
    a: Vec<f64>,
    end: State<S>,
}

impl<S: Optimizable, P, F> core::fmt::Debug for OwnSteps<'_, S, P, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("OwnSteps").finish_non_exhaustive()
    }
}

type Euler = SemiExplicitEuler<Explicit>;

impl<'a, S, F> OwnSteps<'a, S, StepMap<'a, S, Euler, Several>, F>
where
    S: Optimizable<Real = f64> + Solvable,
    F: OwnStep,
{
    /// These steps of a model, with Gauss and Newton's second derivatives.
    ///
    /// # Errors
    /// [`PlanError::Scheme`] for models of first order and points of the sphere.
    pub fn of(system: &'a S, own: F) -> Result<Self, PlanError> {
        let steps = StepMap::of(system, Euler::explicit(), &[])?;
        Self::with(system, steps, own)
    }
}

#[cfg(feature = "second-order")]
impl<'a, 'h, S, T, D, F> OwnSteps<'a, S, (StepMap<'a, S, Euler, Several>, StepHessian<'h, D, Euler>), F>
where
    S: Optimizable<Real = f64> + Solvable,
    T: Wide<Lane = f64>,
    D: Optimizable<Real = Dual<f64, T>> + Solvable,
    F: OwnStep,
{
    /// The same with exact second derivatives, of a model that is generic over its numbers: `dual` is the one over
    /// `Dual<f64>`, or over `Dual<f64, F64x8>` for eight columns at once.
    ///
    /// # Errors
    /// As [`OwnSteps::of`].
    pub fn exact(system: &'a S, dual: &'h D, own: F) -> Result<Self, PlanError> {
        let map = StepMap::of(system, Euler::explicit(), &[])?;
        Self::with(system, (map, StepHessian::of(dual, Euler::explicit())?), own)
    }
}

impl<'a, S: Optimizable<Real = f64> + Solvable, P, F: OwnStep> OwnSteps<'a, S, P, F> {
    fn with(system: &'a S, steps: P, own: F) -> Result<Self, PlanError> {
        let layout = system.layout();
        let refused = |what| PlanError::Scheme { what, instead: "take a `StepMap`" };
        if layout.order == Order::First {
            return Err(refused("steps of your own of a model of first order"));
        }
        let coordinates = Coordinates::of(system).ok_or(refused("steps of your own of points of the sphere"))?;
        let (a, end) = (vec![0.0; layout.v.len()], State::neutral(system));
        Ok(Self { system, steps, own, coordinates, a, end })
    }

    /// q and v at the end of a step, one after the other.
    fn made<T: Scalar>(&self, from: Known<'_, T>) -> (Vec<T>, Vec<T>) {
        let h = T::from_f64(from.h);
        let mut v: Vec<T> = from.v.iter().zip(from.a).map(|(&v, &a)| v + h * a).collect();
        let step: Vec<T> = v.iter().map(|&v| h * v).collect();
        let mut q = from.q.to_vec();
        self.coordinates.retract(from.q, &step, &mut q);
        self.own.step(from, &mut q, &mut v);
        (q, v)
    }

    /// How the end moves, (δq, v), where (δq, v, a) of the beginning do by `d`.
    fn moved<T: Scalar>(&self, (x, h): (&State<S>, f64), d: impl Fn(usize) -> T) -> Vec<T> {
        let fixed = |x: &[f64]| x.iter().map(|&x| T::from_f64(x)).collect::<Vec<_>>();
        let n = self.a.len();
        let shifted = |x: &[f64], first: usize| {
            x.iter().enumerate().map(|(i, &x)| T::from_f64(x) + d(first + i)).collect::<Vec<_>>()
        };
        let (from, step) = (fixed(x.q.as_ref()), (0..n).map(&d).collect::<Vec<_>>());
        let (mut q, v, a) = (from.clone(), shifted(x.v.as_ref(), n), shifted(&self.a, 2 * n));
        self.coordinates.retract(&from, &step, &mut q);
        let (q, v) = self.made(Known { h, q: &q, v: &v, a: &a });
        let mut out = vec![T::ZERO; n];
        self.coordinates.local(&fixed(self.end.q.as_ref()), &q, &mut out);
        out.extend(v);
        out
    }
}

impl<S, P, F, const N: usize, const U: usize> Shoot<N, U> for OwnSteps<'_, S, P, F>
where
    S: Optimizable<Real = f64> + Solvable,
    P: Shoot<N, U, System = S>,
    F: OwnStep,
{
    type System = S;
    const COSTS: bool = P::COSTS;

    fn check(&self, system: &S) -> Result<(), PlanError> {
        self.steps.check(system)
    }

    fn end(&mut self, at: Point<'_, S>, h: f64) -> Result<&State<S>, PlanError> {
        let Point { x, .. } = at;
        self.end.copy_from(self.steps.end(at, h)?);
        let ends = self.end.v.as_ref().iter().zip(x.v.as_ref());
        self.a.iter_mut().zip(ends).for_each(|(a, (end, v))| *a = (end - v) / h);
        let (q, v) = self.made(Known { h, q: x.q.as_ref(), v: x.v.as_ref(), a: &self.a });
        self.end.q.as_mut().copy_from_slice(&q);
        self.end.v.as_mut().copy_from_slice(&v);
        let sound = self.end.check(&self.system.layout()).and_then(|()| self.end.entered(self.system));
        self.end = sound.map_err(|cause| StepError { time: x.t, step: h, cause })?;
        Ok(&self.end)
    }

    fn vary_length(&mut self, varies: bool) -> Result<(), PlanError> {
        let what = "a free horizon by steps of your own";
        let instead = "take `(map, hessian)` of an explicit method, or `Collocation::exact`";
        if varies { Err(PlanError::Scheme { what, instead }) } else { Ok(()) }
    }

    fn step(
        &mut self,
        at: Point<'_, S>,
        interval: Interval,
        costate: &SVector<f64, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        let (x, h) = (at.x, interval.h);
        Shoot::<N, U>::end(self, at, h)?;
        let n = self.a.len();
        let unit = |i: usize, j: usize| f64::from(u8::from(i == j));
        // the end by (δq, v, a)
        let mut by = DMatrix::<f64>::zeros(2 * n, 3 * n);
        for c in 0..3 * n {
            let moved = self.moved((x, h), |i| Dual::new(0.0, unit(i, c)));
            by.column_mut(c).iter_mut().zip(moved).for_each(|(by, moved)| *by = moved.eps);
        }
        // what accelerations weigh, as velocities of the other method have it; states of first order move as there
        let mut weights = *costate;
        for i in 0..2 * n {
            weights[i] = match i.checked_sub(n) {
                Some(i) => (0..2 * n).map(|r| costate[r] * by[(r, 2 * n + i)]).sum::<f64>() / h,
                None => 0.0,
            };
        }
        self.steps.step(at, interval, &weights, stage)?;
        // (δq, v, a) by (x, u)
        let rates = DMatrix::<f64>::from_fn(3 * n, N + U, |r, c| {
            let Some(i) = r.checked_sub(2 * n) else { return unit(r, c) };
            let end = if c < N { stage.a[(n + i, c)] } else { stage.b[(n + i, c - N)] };
            (end - unit(n + i, c)) / h
        });
        let moved = &by * &rates;
        for r in 0..2 * n {
            (0..N).for_each(|c| stage.a[(r, c)] = moved[(r, c)]);
            (0..U).for_each(|c| stage.b[(r, c)] = moved[(r, N + c)]);
        }
        if P::COSTS && costate.iter().any(|y| *y != 0.0) {
            let mut bent = DMatrix::<f64>::zeros(3 * n, 3 * n);
            for (r, c) in (0..3 * n).flat_map(|r| (0..=r).map(move |c| (r, c))) {
                let seeded = |i: usize| Dual::new(Dual::new(0.0, unit(i, r)), Dual::constant(unit(i, c)));
                let moved = self.moved((x, h), seeded);
                let second = moved.iter().zip(costate.iter()).map(|(x, y)| y * x.eps.eps).sum::<f64>();
                (bent[(r, c)], bent[(c, r)]) = (second, second);
            }
            let bent = rates.transpose() * bent * &rates;
            for (r, c) in (0..N + U).flat_map(|r| (0..N + U).map(move |c| (r, c))) {
                stage.add_second((r, c), bent[(r, c)]);
            }
        }
        Ok(())
    }

    fn curve(
        &mut self,
        on: &mut Evaluation<'_, S>,
        at: Point<'_, S>,
        wanted: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        self.steps.curve(on, at, wanted, stage)
    }
}

//! Steps with their derivatives, as solvers ask for them.

use ode_runtime::integrators::Vary;
use ode_runtime::linalg::SVector;
use ode_runtime::variation::Columns;
use ode_runtime::{Optimizable, Solvable, State, StepMap};

use crate::optimal::error::PlanError;
use crate::optimal::node::gram;
use crate::stages::Stage;

/// The second derivatives that a solver wants beside A and B.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "second-order"), allow(dead_code, reason = "squares need no more than the terms"))]
pub struct Wanted<'w, const N: usize> {
    /// of the step: with this costate of its end
    pub(super) costate: &'w SVector<f64, N>,
    /// weights of costs and of rows of squares
    pub(super) terms: (&'w [f64], &'w [f64]),
    /// weights of limits
    pub(super) limits: &'w [f64],
}

/// What linearises the steps of a problem: a [`StepMap`], for Gauss and Newton's second derivatives, or one with a
/// [`StepHessian`](ode_runtime::StepHessian), `(map, hessian)`, for exact ones; an [`Ilqr`] is between them.
pub trait Shooting<S: Optimizable, const N: usize, const U: usize>: Linearize<S, N, U> {}

impl<S: Optimizable, L: Linearize<S, N, U>, const N: usize, const U: usize> Shooting<S, N, U> for L {}

/// A [`StepMap`] with a [`StepHessian`](ode_runtime::StepHessian), of which only costs and limits are differentiated
/// twice, not the motion: iterative LQR, and Gauss and Newton's method for costs that are no sums of squares.
///
/// An iteration takes less time than with `(map, hessian)`, and the second derivatives of convex costs stay convex;
/// more iterations are needed. W. Li, E. Todorov, Iterative linear quadratic regulator design for nonlinear biological
/// movement systems, ICINCO 2004.
#[derive(Clone, Debug)]
pub struct Ilqr<L, H>(
    /// the map
    pub L,
    /// the second derivatives
    pub H,
);

/// A model, and room for what is evaluated of it.
type On<'e, S> = (&'e S, &'e mut Evaluator<S>);

/// The work of [`Shooting`].
pub trait Linearize<S: Optimizable, const N: usize, const U: usize> {
    /// Whether second derivatives of costs and limits are known. Otherwise there are only those of rows of squares,
    /// without the curvature of the rows.
    const COSTS: bool;

    /// Writes A, B and the second derivatives of the interval that begins with `x` and `u`.
    fn linearize(
        &mut self,
        on: On<'_, S>,
        at: (&State<S>, &S::U, f64),
        wanted: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError>;

    /// Writes the second derivatives of a node without an interval.
    fn curve(
        &mut self,
        on: On<'_, S>,
        at: (&State<S>, &S::U),
        wanted: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError>;
}

/// What gives A and B.
#[cfg_attr(not(feature = "second-order"), allow(unreachable_pub, reason = "a bound of exact second derivatives"))]
pub trait Jacobians<S: Optimizable, const N: usize, const U: usize> {
    /// Writes A and B of a step.
    fn jacobians(&mut self, at: (&State<S>, &S::U, f64), stage: &mut Stage<f64, N, U>) -> Result<(), PlanError>;
}

impl<S, M, K, const N: usize, const U: usize> Jacobians<S, N, U> for StepMap<'_, S, M, K>
where
    S: Optimizable<Real = f64> + Solvable,
    M: Vary<S>,
    K: Columns,
{
    fn jacobians(&mut self, (x, u, h): (&State<S>, &S::U, f64), stage: &mut Stage<f64, N, U>) -> Result<(), PlanError> {
        let step = self.step(x, u.clone(), h)?;
        let (a, b) = (step.a(), step.b());
        stage.a = core::array::from_fn(|c| core::array::from_fn(|r| a.entry(r, c))).into();
        stage.b = core::array::from_fn(|c| core::array::from_fn(|r| b.entry(r, c))).into();
        Ok(())
    }
}

impl<S, M, K, const N: usize, const U: usize> Linearize<S, N, U> for StepMap<'_, S, M, K>
where
    S: Optimizable<Real = f64> + Solvable,
    M: Vary<S>,
    K: Columns,
{
    const COSTS: bool = false;

    fn linearize(
        &mut self,
        on: On<'_, S>,
        (x, u, h): (&State<S>, &S::U, f64),
        wanted: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        self.jacobians((x, u, h), stage)?;
        self.curve(on, (x, u), wanted, stage)
    }

    fn curve(
        &mut self,
        on: On<'_, S>,
        at: (&State<S>, &S::U),
        wanted: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        let gram = on.1.gram::<N, U>(on.0, at, wanted.terms.1);
        (stage.xx, stage.ux, stage.uu) = (gram.xx, gram.ux, gram.uu);
        Ok(())
    }
}

#[cfg(feature = "second-order")]
mod exact {
    use ode_runtime::integrators::Vary;
    use ode_runtime::{Dual, Optimizable, Solvable, State, StepHessian, Wide};

    use super::{Ilqr, Jacobians, Linearize, On, Wanted};
    use crate::optimal::error::PlanError;
    use crate::stages::Stage;

    impl<T, S, D, L, M, const N: usize, const U: usize> Linearize<S, N, U> for (L, StepHessian<'_, D, M>)
    where
        T: Wide<Lane = f64>,
        S: Optimizable<Real = f64> + Solvable,
        D: Optimizable<Real = Dual<T>> + Solvable,
        L: Jacobians<S, N, U>,
        M: Vary<D>,
    {
        const COSTS: bool = true;

        fn linearize(
            &mut self,
            on: On<'_, S>,
            (x, u, h): (&State<S>, &S::U, f64),
            wanted: Wanted<'_, N>,
            stage: &mut Stage<f64, N, U>,
        ) -> Result<(), PlanError> {
            self.0.jacobians((x, u, h), stage)?;
            self.curve(on, (x, u), wanted, stage)?;
            let found = self.1.step(x, u, h, wanted.costate.as_slice())?;
            add(stage, |r, c| found.entry(r, c));
            Ok(())
        }

        fn curve(
            &mut self,
            (_, evaluator): On<'_, S>,
            at: (&State<S>, &S::U),
            wanted: Wanted<'_, N>,
            stage: &mut Stage<f64, N, U>,
        ) -> Result<(), PlanError> {
            functions(&mut self.1, &mut evaluator.second, at, wanted, stage)
        }
    }

    impl<T, S, D, L, M, const N: usize, const U: usize> Linearize<S, N, U> for Ilqr<L, StepHessian<'_, D, M>>
    where
        T: Wide<Lane = f64>,
        S: Optimizable<Real = f64> + Solvable,
        D: Optimizable<Real = Dual<T>> + Solvable,
        L: Jacobians<S, N, U>,
        M: Vary<D>,
    {
        const COSTS: bool = true;

        fn linearize(
            &mut self,
            on: On<'_, S>,
            (x, u, h): (&State<S>, &S::U, f64),
            wanted: Wanted<'_, N>,
            stage: &mut Stage<f64, N, U>,
        ) -> Result<(), PlanError> {
            self.0.jacobians((x, u, h), stage)?;
            self.curve(on, (x, u), wanted, stage)
        }

        fn curve(
            &mut self,
            (_, evaluator): On<'_, S>,
            at: (&State<S>, &S::U),
            wanted: Wanted<'_, N>,
            stage: &mut Stage<f64, N, U>,
        ) -> Result<(), PlanError> {
            functions(&mut self.1, &mut evaluator.second, at, wanted, stage)
        }
    }

    /// Writes the second derivatives of costs, limits and rows of squares.
    fn functions<T, S, D, M, const N: usize, const U: usize>(
        hessian: &mut StepHessian<'_, D, M>,
        out: &mut [f64],
        at: (&State<S>, &S::U),
        wanted: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError>
    where
        T: Wide<Lane = f64>,
        S: Optimizable<Real = f64> + Solvable,
        D: Optimizable<Real = Dual<T>> + Solvable,
        M: Vary<D>,
    {
        let n = N + U;
        out.fill(0.0);
        let (costs, squares) = wanted.terms;
        hessian.functions(at, (costs, wanted.limits, squares), out)?;
        stage.xx.fill(0.0);
        stage.ux.fill(0.0);
        stage.uu.fill(0.0);
        add(stage, |r, c| out[r * n + c]);
        Ok(())
    }

    /// Adds a symmetric matrix by (x, u).
    fn add<const N: usize, const U: usize>(stage: &mut Stage<f64, N, U>, entry: impl Fn(usize, usize) -> f64) {
        for c in 0..N {
            (0..N).for_each(|r| stage.xx[(r, c)] += entry(r, c));
            (0..U).for_each(|r| stage.ux[(r, c)] += entry(N + r, c));
        }
        for c in 0..U {
            (0..U).for_each(|r| stage.uu[(r, c)] += entry(N + r, N + c));
        }
    }
}

//! Steps with first derivatives, and Gauss and Newton's second ones.

use ode_runtime::integrators::Vary;
use ode_runtime::linalg::SVector;
use ode_runtime::variation::Columns;
use ode_runtime::{Cause, Optimizable, Solvable, State, StepMap};

use crate::optimal::alike::alike;
use crate::optimal::error::PlanError;
use crate::optimal::evaluation::Evaluation;
use crate::optimal::shooting::{Interval, Point, Shoot};
use crate::optimal::transcription::Wanted;
use crate::stages::Stage;

/// What gives A and B.
#[cfg_attr(not(feature = "second-order"), allow(unreachable_pub, reason = "a bound of exact second derivatives"))]
pub trait Jacobians<const N: usize, const U: usize> {
    /// the model
    type System: Optimizable<Real = f64> + Solvable;

    /// Refuses a map of another model.
    fn check(&self, system: &Self::System) -> Result<(), PlanError>;

    /// The end of the step `h`.
    fn end(&mut self, at: Point<'_, Self::System>, h: f64) -> Result<&State<Self::System>, PlanError>;

    /// Writes A and B of a step; not what a free horizon adds to them.
    fn jacobians(
        &mut self,
        at: Point<'_, Self::System>,
        interval: Interval,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError>;
}

impl<S, M, K, const N: usize, const U: usize> Jacobians<N, U> for StepMap<'_, S, M, K>
where
    S: Optimizable<Real = f64> + Solvable,
    M: Vary<S>,
    K: Columns,
{
    type System = S;

    fn check(&self, system: &S) -> Result<(), PlanError> {
        alike(system, self.system())
    }

    fn end(&mut self, Point { x, u, .. }: Point<'_, S>, h: f64) -> Result<&State<S>, PlanError> {
        Ok(StepMap::end(self, x, u.clone(), h)?)
    }

    fn jacobians(
        &mut self,
        Point { x, u, .. }: Point<'_, S>,
        Interval { h, share }: Interval,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        let step = StepMap::jacobians(self, x, u.clone(), h)?;
        let (a, b) = (step.a(), step.b());
        // a map may have been made for fewer columns
        let states = N - usize::from(share.is_some());
        let (columns, wanted) = (a.shape().1 + b.shape().1, states + U);
        if columns != wanted {
            let (setting, wanted) = ("number of columns of a step's derivatives", wanted as f64);
            return Err(Cause::OutOfRange { setting, value: columns as f64, low: wanted, high: wanted }.into());
        }
        stage.a.data.0.iter_mut().take(states).enumerate().for_each(|(c, column)| a.read(c, column));
        stage.b.data.0.iter_mut().enumerate().for_each(|(c, column)| b.read(c, column));
        Ok(())
    }
}

impl<S, M, K, const N: usize, const U: usize> Shoot<N, U> for StepMap<'_, S, M, K>
where
    S: Optimizable<Real = f64> + Solvable,
    M: Vary<S>,
    K: Columns,
{
    type System = S;
    const COSTS: bool = false;

    fn check(&self, system: &S) -> Result<(), PlanError> {
        Jacobians::<N, U>::check(self, system)
    }

    fn end(&mut self, at: Point<'_, S>, h: f64) -> Result<&State<S>, PlanError> {
        Jacobians::<N, U>::end(self, at, h)
    }

    fn vary_length(&mut self, varies: bool) -> Result<(), PlanError> {
        steady(varies)
    }

    fn step(
        &mut self,
        at: Point<'_, S>,
        interval: Interval,
        _: &SVector<f64, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        Jacobians::jacobians(self, at, interval, stage)
    }

    /// Jᵀ W J of the rows of squares.
    fn curve(
        &mut self,
        on: &mut Evaluation<'_, S>,
        Point { k, .. }: Point<'_, S>,
        Wanted { squares, .. }: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        let Evaluation { posed, evaluator, .. } = on;
        stage.clear_second();
        evaluator.known_squares(squares, posed.terms.at(k).1, |weight, row| {
            // rows have few nonzeros
            for (r, slope) in row.iter() {
                row.iter().for_each(|(c, other)| stage.add_second((r, c), weight * slope * other));
            }
        });
        Ok(())
    }
}

/// Refuses steps whose length varies where only first derivatives are known.
pub(super) fn steady(varies: bool) -> Result<(), PlanError> {
    let what = "a free horizon without second derivatives of the motion";
    let instead = "take `(map, hessian)` or `Collocation::exact`";
    if varies { Err(PlanError::Scheme { what, instead }) } else { Ok(()) }
}

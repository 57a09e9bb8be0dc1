//! What gives the second derivatives of the Lagrangian of an interval, point by point.

use ode_runtime::Optimizable;
use ode_runtime::linalg::DMatrix;

use crate::optimal::collocation::equations::Spot;
use crate::optimal::collocation::sizes::Sizes;
use crate::optimal::error::PlanError;
use crate::optimal::evaluation::Evaluation;

/// Weights of costs and of rows of squares; those of limits; and multipliers of the equations of a point.
pub(super) type Weighed<'w> = (((&'w [f64], &'w [f64]), &'w [f64]), &'w [f64]);

/// What each column of a point varies by, and μ.
pub(super) type Rates<'r> = (&'r DMatrix<f64>, Option<&'r DMatrix<f64>>);

/// What gives second derivatives by the beginning and the inputs of an interval.
pub trait Curvature<S: Optimizable> {
    /// Whether those of costs and limits are known.
    const COSTS: bool;

    /// Refuses a model over dual numbers that is another one.
    fn check(&self, system: &S, sizes: &Sizes) -> Result<(), PlanError> {
        let _ = (system, sizes);
        Ok(())
    }

    /// Adds those of a point.
    fn add(
        &mut self,
        on: &mut Evaluation<'_, S>,
        at: (&Sizes, &Spot<S>),
        rates: Rates<'_>,
        weighed: Weighed<'_>,
        add: impl FnMut(usize, usize, f64),
    ) -> Result<(), PlanError>;
}

/// Gauss and Newton's: Jᵀ W J of the rows of squares.
#[derive(Clone, Copy, Debug)]
pub struct Squares;

impl<S: Optimizable<Real = f64>> Curvature<S> for Squares {
    const COSTS: bool = false;

    fn add(
        &mut self,
        on: &mut Evaluation<'_, S>,
        (sizes, spot): (&Sizes, &Spot<S>),
        (rates, _): Rates<'_>,
        (((_, squares), _), _): Weighed<'_>,
        mut add: impl FnMut(usize, usize, f64),
    ) -> Result<(), PlanError> {
        on.evaluator.squares(on.system, (&spot.x, &spot.u), squares, |weight, row| {
            let slope = |c: usize| row.iter().map(|(d, slope)| slope * rates[(sizes.column(d), c)]).sum::<f64>();
            let slopes = (0..rates.ncols()).map(slope).collect::<Vec<_>>();
            for (r, one) in slopes.iter().enumerate() {
                slopes.iter().enumerate().for_each(|(c, other)| add(r, c, weight * one * other));
            }
        });
        Ok(())
    }
}

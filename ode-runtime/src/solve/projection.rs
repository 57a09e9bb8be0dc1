//! The settings of a projection, and its result.

use crate::error::{Cause, Level};
use crate::model::state::State;
use crate::model::system::System;
use crate::numbers::scalar::Real;

/// When and how far to project.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection<T> {
    /// largest |Φ| and |Φ̇|, including A v + b, after a step, in the units of the constraints
    pub tolerance: T,
    /// fraction of the tolerance above which a state is projected, and which the projection reaches: most projections
    /// then need one iteration
    pub margin: T,
    /// Newton iterations allowed
    pub iterations: u32,
    /// whether error control ignores the part across the constraints, which the projection removes, as in Simbody
    pub estimate: bool,
    /// the metric of corrections
    pub metric: Metric,
}

/// What the smallest correction is smallest in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// M: momentum in directions that the constraints leave free does not change
    #[default]
    Mass,
    /// the weights of [`Setup::weights`](crate::Setup::weights), a diagonal instead of M; ones by default
    Weights,
}

impl<T: Real> Projection<T> {
    /// Keeps the constraints to `tolerance`; projects states that exceed a tenth of it.
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

/// A projection, by its settings and its metric.
#[derive(Debug)]
pub struct ProjectedBy<'a, S: System> {
    /// when and how far
    pub how: &'a Projection<S::Real>,
    /// the diagonal of the metric, if that is not M
    pub weights: Option<&'a S::V>,
}

/// What is shown the iterations of a projection: the level of each, the state at which its metric is, and that from
/// which it leads on.
pub(super) type See<'a, S> = &'a mut dyn FnMut(Level, &State<S>, &State<S>);

/// What was brought back to the constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Projected {
    /// positions
    pub positions: bool,
    /// velocities
    pub velocities: bool,
}

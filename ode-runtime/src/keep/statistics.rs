//! What a run has done, counted.

use crate::error::{Cause, Level};
use crate::model::history::{History, Parts};
use crate::numbers::scalar::Real;
use crate::solve::Projected;
use crate::solve::context::Work;
use crate::step_size::LargestError;

/// What a run has done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// steps taken
    pub taken: u64,
    /// steps attempted
    pub attempted: u64,
    /// attempts whose error was too large
    pub error_failures: u64,
    /// attempts without a proposal: those that did not converge and those that could not be evaluated
    pub attempt_failures: u64,
    /// attempts whose iterations, Newton's, those of algebraic variables or of a linear solver, did not converge
    pub convergence_failures: u64,
    /// attempts during which the model could not be evaluated: a singular matrix, values that are not finite
    pub realization_failures: u64,
    /// steps after which a projection was needed
    pub projections: u64,
    /// those of positions
    pub position_projections: u64,
    /// those of velocities
    pub velocity_projections: u64,
    /// attempts whose proposal could not be projected
    pub projection_failures: u64,
    /// those that failed at the velocities
    pub velocity_projection_failures: u64,
    /// restarts: sample instants and changes by hand
    pub restarts: u64,
    /// events
    pub events: u64,
    /// size of the first step; 0 before it
    pub first_step: f64,
    /// the largest error estimate of a step without error control; none if the method has no estimate
    pub largest_error: Option<LargestError>,
    /// evaluations, iterations, factorisations
    pub work: Work,
}

impl Statistics {
    /// An attempt failed before it gave a proposal.
    pub(crate) fn failed(&mut self, cause: &Cause) {
        self.attempt_failures += 1;
        match cause {
            Cause::Newton { .. } | Cause::Algebraic { .. } | Cause::Unsolved { .. } => self.convergence_failures += 1,
            _ => self.realization_failures += 1,
        }
    }

    /// A proposal was projected, or could not be.
    pub(crate) fn projected(&mut self, outcome: &Result<Projected, Cause>) {
        match outcome {
            Ok(Projected { positions, velocities }) => {
                self.projections += u64::from(*positions || *velocities);
                self.position_projections += u64::from(*positions);
                self.velocity_projections += u64::from(*velocities);
            }
            Err(cause) => {
                self.projection_failures += 1;
                let velocity = matches!(cause, Cause::Projection { level: Level::Velocity, .. });
                self.velocity_projection_failures += u64::from(velocity);
            }
        }
    }
}

impl<T: Real> History<T> for Statistics {
    fn visit(&mut self, parts: &mut dyn Parts<T>) {
        let Work {
            evaluations,
            tangents,
            residuals,
            iterations,
            factorizations,
            solves,
            linear_iterations,
            linear_residual,
            convergence_failures,
            rate,
        } = &mut self.work;
        let (mut bits, mut residual) = (rate.to_bits(), linear_residual.to_bits());
        for (name, count) in [
            ("steps taken", &mut self.taken),
            ("steps attempted", &mut self.attempted),
            ("error test failures", &mut self.error_failures),
            ("attempt failures", &mut self.attempt_failures),
            ("convergence failures", &mut self.convergence_failures),
            ("realization failures", &mut self.realization_failures),
            ("projections", &mut self.projections),
            ("position projections", &mut self.position_projections),
            ("velocity projections", &mut self.velocity_projections),
            ("projection failures", &mut self.projection_failures),
            ("velocity projection failures", &mut self.velocity_projection_failures),
            ("restarts", &mut self.restarts),
            ("events", &mut self.events),
            ("evaluations", evaluations),
            ("tangents", tangents),
            ("residuals", residuals),
            ("iterations", iterations),
            ("factorizations", factorizations),
            ("solves", solves),
            ("iterations of linear solvers", linear_iterations),
            ("failures of Newton's iterations", convergence_failures),
            // An f64 for every scalar type.
            ("bits of the rate of convergence", &mut bits),
            ("bits of the largest residual of linear solvers", &mut residual),
        ] {
            parts.count(name, count);
        }
        (*rate, *linear_residual) = (f64::from_bits(bits), f64::from_bits(residual));
        let mut first = [T::from_f64(self.first_step)];
        parts.numbers("first step", &mut first);
        let [first] = first;
        self.first_step = first.to_f64();
    }
}

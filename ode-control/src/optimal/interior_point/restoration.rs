//! Restoration: where no step is acceptable, steps that only reduce what is violated.

use crate::optimal::error::PlanError;
use crate::optimal::interior_point::InteriorPoint;
use crate::optimal::interior_point::direction::Violations;
use crate::optimal::motion::Motion;
use crate::optimal::transcription::Transcription;

/// Steps of one restoration.
const STEPS: usize = 100;
/// The share of the violation that may remain.
const ENOUGH: f64 = 0.9;
/// Halvings of one step.
const HALVINGS: usize = 30;

impl<T: Transcription<N, U>, const N: usize, const U: usize> InteriorPoint<'_, T, N, U> {
    /// Moves to a point that is less violated and that the filter allows, by Gauss and Newton's shortest steps.
    ///
    /// # Errors
    /// [`PlanError::Stalled`] with the most violated condition if there is none; [`PlanError::NoDescent`] if none is
    /// violated.
    pub(super) fn restore(&mut self, optimality: f64) -> Result<(), PlanError> {
        if self.worst().violation <= self.tolerance {
            return Err(self.stuck(optimality));
        }
        let entry = self.point.merit(self.mu);
        self.filter.forbid(entry);
        for _ in 0..STEPS {
            self.violations = Violations::of(&self.point);
            self.direction.flatten(0.0);
            let solved = self.direction.factor(&self.point, &self.violations, (self.mu, 0.0))
                && self.direction.solve(&self.point, &self.violations, self.mu);
            if !(solved && self.reduce()) {
                break;
            }
            self.linearize()?;
            let now = self.point.merit(self.mu);
            if now.violation <= ENOUGH * entry.violation && self.filter.allows(now) {
                self.estimate_costates();
                return Ok(());
            }
        }
        Err(self.stuck(optimality))
    }

    fn stuck(&self, optimality: f64) -> PlanError {
        let Motion { cost, knots, .. } = &self.point.motion;
        self.worst().stuck(self.tolerance, (optimality, *cost), knots)
    }

    /// Makes as much of the step as reduces the violation.
    fn reduce(&mut self) -> bool {
        let from = self.point.merit(self.mu).violation;
        let (mut alpha, dual) = self.longest();
        for _ in 0..HALVINGS {
            self.place((alpha, dual));
            let Self { evaluation, transcription, trial, .. } = self;
            let evaluated = trial.motion.evaluate(evaluation, transcription).is_ok();
            if evaluated && trial.merit(self.mu).violation <= (1.0 - 1e-4 * alpha) * from {
                core::mem::swap(&mut self.point, &mut self.trial);
                self.share = alpha;
                return true;
            }
            alpha *= 0.5;
        }
        false
    }
}

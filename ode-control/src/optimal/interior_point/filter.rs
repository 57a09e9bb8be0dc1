//! A filter: pairs of violation and objective that a step must improve upon.
//!
//! A. Wächter, L. T. Biegler, On the implementation of an interior-point filter line-search algorithm for large-scale
//! nonlinear programming, Mathematical Programming 106 (2006), §2.3, with its constants.

/// Share of the violation by which it must fall, or by which the objective must.
const MARGIN: f64 = 1e-5;
const SLOPE_POWER: f64 = 2.3;
const VIOLATION_POWER: f64 = 1.1;
/// Share of the expected decrease that is asked for.
const ARMIJO: f64 = 1e-8;

/// Violation θ of a point, and its objective φ with the barrier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Merit {
    pub(super) violation: f64,
    pub(super) objective: f64,
}

/// Points that may not be returned to.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    corners: Vec<Merit>,
    highest: f64,
    lowest: f64,
}

/// What a step was accepted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// the objective falls as its slope says
    Objective,
    /// it is better than what the filter has
    Filter,
}

impl Filter {
    /// An empty one, from the violation at the first guess.
    pub(super) fn new(violation: f64) -> Self {
        Self { corners: Vec::new(), highest: 1e4 * violation.max(1.0), lowest: 1e-4 * violation.max(1.0) }
    }

    /// Forgets all points, for another objective.
    pub(super) fn clear(&mut self) {
        self.corners.clear();
    }

    /// Whether the filter allows a point.
    pub(super) fn allows(&self, trial: Merit) -> bool {
        let better = |corner: &Merit| trial.violation < corner.violation || trial.objective < corner.objective;
        // NaN is not allowed
        trial.violation <= self.highest && trial.objective.is_finite() && self.corners.iter().all(better)
    }

    /// Whether `alpha` times a step from `from` with this slope of the objective may be expected to reduce it.
    fn descends(&self, from: Merit, slope: f64, alpha: f64) -> bool {
        from.violation <= self.lowest
            && slope < 0.0
            && alpha * (-slope).powf(SLOPE_POWER) > from.violation.powf(VIOLATION_POWER)
    }

    /// Why a trial point is acceptable, if it is.
    pub(super) fn accepts(&self, from: Merit, trial: Merit, slope: f64, alpha: f64) -> Option<Reason> {
        if !self.allows(trial) {
            return None;
        }
        // Differences below round-off are none. An objective near 0 is a sum of terms that are not: what costs nothing
        // at the optimum would never be seen to fall.
        let noise = 10.0 * f64::EPSILON * from.objective.abs().max(1.0);
        if self.descends(from, slope, alpha) {
            let falls = trial.objective - from.objective - noise <= ARMIJO * alpha * slope;
            return falls.then_some(Reason::Objective);
        }
        let better = trial.violation <= (1.0 - MARGIN) * from.violation
            || trial.objective - from.objective - noise <= -MARGIN * from.violation;
        better.then_some(Reason::Filter)
    }

    /// The shortest part of a step that is worth a trial.
    pub(super) fn shortest(&self, from: Merit, slope: f64) -> f64 {
        let mut part = MARGIN;
        if slope < 0.0 {
            part = part.min(MARGIN * from.violation / -slope);
            if from.violation <= self.lowest {
                part = part.min(from.violation.powf(VIOLATION_POWER) / (-slope).powf(SLOPE_POWER));
            }
        }
        0.05 * part
    }

    /// Forbids what is not better than a point.
    pub(super) fn forbid(&mut self, point: Merit) {
        let Merit { violation, objective } = point;
        self.corners.push(Merit { violation: (1.0 - MARGIN) * violation, objective: objective - MARGIN * violation });
    }
}

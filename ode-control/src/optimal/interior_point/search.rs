//! The search: from the guess to an optimum.

use core::ops::ControlFlow;

use ode_runtime::Observable;

use crate::optimal::error::PlanError;
use crate::optimal::evaluation::{Worst, directions};
use crate::optimal::interior_point::InteriorPoint;
use crate::optimal::interior_point::bounded::Bounded;
use crate::optimal::interior_point::direction::{Violations, largest};
use crate::optimal::interior_point::filter::{Filter, Merit, Reason};
use crate::optimal::interior_point::point::Row;
use crate::optimal::plan::SearchStep;
use crate::optimal::transcription::Transcription;

/// Steps of a barrier problem end where its error is this many μ.
const SOLVED: f64 = 10.0;
/// By which factor, and to which power, μ falls.
const FALL: (f64, f64) = (0.2, 1.5);
/// The share of the way to a bound that a step may go, at least.
const TO_BOUND: f64 = 0.99;
/// Damping of second derivatives that are not convex: the first, its growth, its decay, and the largest.
const DAMPING: (f64, f64, f64, f64) = (1e-4, 8.0, 1.0 / 3.0, 1e20);
/// Corrections of second order for one step.
const CORRECTIONS: usize = 4;
/// First costates that are larger than that are no help.
const COSTATE: f64 = 1e3;

impl<T: Transcription<N, U>, const N: usize, const U: usize> InteriorPoint<'_, T, N, U> {
    pub(super) fn search(&mut self, mut progress: impl FnMut(&SearchStep) -> ControlFlow<()>) -> Result<(), PlanError> {
        if !self.begun {
            self.begin()?;
            self.begun = true;
        }
        let mut optimality = f64::NAN;
        for count in 0..=self.allowed {
            self.linearize()?;
            optimality = self.error(0.0);
            let step = self.told(optimality);
            self.iterations.push(step);
            if progress(&step).is_break() {
                return Err(PlanError::Stopped { count });
            }
            if optimality <= self.tolerance {
                // gains are those of this point
                self.violations = Violations::of(&self.point);
                self.convexify();
                return Ok(());
            }
            if count == self.allowed {
                break;
            }
            while self.mu > 0.1 * self.tolerance && self.error(self.mu) <= SOLVED * self.mu {
                self.mu = (FALL.0 * self.mu).min(self.mu.powf(FALL.1)).max(0.1 * self.tolerance);
                self.filter.clear();
            }
            self.violations = Violations::of(&self.point);
            if !(self.convexify() && self.advance()) {
                self.restore(optimality)?;
            }
        }
        Err(self.worst().unfinished((self.allowed, self.tolerance), optimality))
    }

    /// Evaluates the guess; makes the rows of limits, and costates that fit the slopes of the costs best.
    fn begin(&mut self) -> Result<(), PlanError> {
        let Self { evaluation, transcription, point, .. } = self;
        point.motion.evaluate(evaluation, transcription)?;
        point.begin_rows(evaluation, transcription)?;
        self.trial = self.point.clone();
        self.filter = Filter::new(self.point.merit(self.mu).violation);
        self.linearize()?;
        self.estimate_costates();
        Ok(())
    }

    /// Costates that fit the slopes of costs and bounds best, with the steps as they are linearised.
    pub(super) fn estimate_costates(&mut self) {
        let mut none = Violations::of(&self.point);
        none.gaps.iter_mut().for_each(|gap| gap.fill(0.0));
        none.miss.fill(0.0);
        none.rows.iter_mut().flatten().for_each(|row| *row = 0.0);
        self.direction.flatten(1.0);
        let found = self.direction.factor(&self.point, &none, (self.mu, 0.0))
            && self.direction.solve(&self.point, &none, self.mu);
        if found && self.direction.costates.iter().all(|costate| costate.amax() <= COSTATE) {
            self.point.costates.clone_from(&self.direction.costates);
        }
    }

    pub(super) fn linearize(&mut self) -> Result<(), PlanError> {
        let Self { direction, evaluation, transcription, point, .. } = self;
        direction.linearize(evaluation, transcription, point)
    }

    /// How far the conditions of the optimum with the barrier μ are from being met.
    fn error(&self, mu: f64) -> f64 {
        let point = &self.point;
        let scale = |sum: f64, count: usize| (sum / count.max(1) as f64).max(100.0) / 100.0;
        let forces: f64 = point.bounded().map(|x| x.below + x.above).sum();
        let bounded = 2 * point.bounded().count();
        let costates: f64 = point.costates.iter().map(|costate| costate.lp_norm(1)).sum();
        let stationarity = self.direction.stationarity(point);
        let complementarity = largest(point.bounded(), |x| x.complementarity(mu));
        let Worst { violation, .. } = self.worst();
        let all = [
            stationarity / scale(forces + costates, bounded + N * point.costates.len()),
            complementarity / scale(forces, bounded),
            violation,
        ];
        all.into_iter().fold(0.0, |worst: f64, x| if x <= worst { worst } else { x })
    }

    /// The most violated condition.
    pub(super) fn worst(&self) -> Worst {
        let system = self.evaluation.system;
        self.point.worst(&directions(&self.evaluation), system.limit_bounds().names)
    }

    fn told(&self, optimality: f64) -> SearchStep {
        let Worst { violation, .. } = self.worst();
        SearchStep {
            number: self.iterations.len(),
            cost: self.point.motion.cost,
            violation,
            optimality,
            barrier: self.mu,
            damping: self.damping,
            step: self.share,
        }
    }

    /// Factors the problem, with as much damping as makes it convex. Returns false if none does.
    fn convexify(&mut self) -> bool {
        let (first, growth, decay, most) = DAMPING;
        let before = self.damping;
        let mut damping = 0.0;
        let mut solved = |damping: f64| {
            self.direction.factor(&self.point, &self.violations, (self.mu, damping))
                && self.direction.solve(&self.point, &self.violations, self.mu)
        };
        while !solved(damping) {
            damping = match damping {
                0.0 if before == 0.0 => first,
                0.0 => (before * decay).max(1e-20),
                // far from any that sufficed before
                _ if before == 0.0 => damping * 100.0,
                _ => damping * growth,
            };
            if damping > most {
                return false;
            }
        }
        // an undamped problem leaves the memory of how much was needed
        self.damping = if damping > 0.0 { damping } else { before * decay };
        true
    }

    /// Makes as much of the step as the filter accepts. Returns false if that is too little.
    fn advance(&mut self) -> bool {
        let (mu, from) = (self.mu, self.point.merit(self.mu));
        let slope = self.direction.slope(&self.point, &self.violations, mu);
        let (longest, dual) = self.longest();
        let shortest = self.filter.shortest(from, slope);
        let mut alpha = longest;
        let mut first = true;
        while alpha >= shortest.min(longest) && alpha > 1e-14 {
            let found = self.try_step((alpha, dual), from, slope, alpha);
            let found = match found {
                Err(trial) if first && trial.is_some_and(|trial| trial.violation >= from.violation) => {
                    self.corrected(alpha, dual, from, slope)
                }
                found => found.ok(),
            };
            if let Some(reason) = found {
                if reason == Reason::Filter {
                    self.filter.forbid(from);
                }
                core::mem::swap(&mut self.point, &mut self.trial);
                self.share = alpha;
                return true;
            }
            (alpha, first) = (0.5 * alpha, false);
        }
        false
    }

    /// Evaluates the trial point of a step, and asks the filter. The merit of a point that is refused is told, if it
    /// could be evaluated.
    fn try_step(&mut self, parts: (f64, f64), from: Merit, slope: f64, alpha: f64) -> Result<Reason, Option<Merit>> {
        self.place(parts);
        let Self { evaluation, transcription, trial, .. } = self;
        trial.motion.evaluate(evaluation, transcription).map_err(|_| None)?;
        let merit = trial.merit(self.mu);
        self.filter.accepts(from, merit, slope, alpha).ok_or(Some(merit))
    }

    /// Corrections of second order: steps that also remove what a full step leaves violated.
    fn corrected(&mut self, alpha: f64, dual: f64, from: Merit, slope: f64) -> Option<Reason> {
        let original = self.violations.clone();
        let (mut share, mut last) = (alpha, from.violation);
        for _ in 0..CORRECTIONS {
            self.violations = self.violations.corrected(share, &Violations::of(&self.trial));
            if !self.direction.solve(&self.point, &self.violations, self.mu) {
                break;
            }
            share = self.longest().0;
            match self.try_step((share, dual), from, slope, alpha) {
                Ok(reason) => return Some(reason),
                Err(Some(trial)) if trial.violation <= 0.99 * last => last = trial.violation,
                Err(_) => break,
            }
        }
        self.violations = original;
        self.direction.solve(&self.point, &self.violations, self.mu);
        None
    }

    /// The longest parts of the steps of variables and multipliers that stay inside the bounds.
    pub(super) fn longest(&self) -> (f64, f64) {
        let (mu, tau) = (self.mu, (1.0 - self.mu).max(TO_BOUND));
        let (point, direction) = (&self.point, &self.direction);
        let (mut alpha, mut dual) = (1.0_f64, 1.0_f64);
        let mut see = |bounded: &Bounded, dx: f64| {
            let (primal, multipliers) = bounded.longest(dx, mu, tau);
            (alpha, dual) = (alpha.min(primal), dual.min(multipliers));
        };
        for (boxes, u) in point.boxes.iter().zip(&direction.inputs) {
            boxes.iter().zip(u).for_each(|(bounded, &du)| see(bounded, du));
        }
        for (k, i, row) in point.active() {
            see(&row.slack, direction.slack(&point.motion.nodes[k], (k, i), &self.violations));
        }
        (alpha, dual)
    }

    /// Writes the variables of the trial point: those of the point, moved by parts of their steps.
    pub(super) fn place(&mut self, (alpha, dual): (f64, f64)) {
        let Self { evaluation, point, trial, direction, violations, mu, .. } = self;
        for (k, to) in trial.motion.knots.iter_mut().enumerate() {
            point.motion.knots[k].plus(evaluation.system, &(direction.states[k] * alpha), to);
        }
        for (k, to) in trial.costates.iter_mut().enumerate().skip(1) {
            *to = point.costates[k] + (direction.costates[k] - point.costates[k]) * alpha;
        }
        for (k, u) in trial.motion.inputs.iter_mut().enumerate() {
            for (i, u) in u.iter_mut().enumerate() {
                let moved = point.boxes[k][i].moved(direction.inputs[k][i], *mu, (alpha, dual));
                (trial.boxes[k][i], *u) = (moved, moved.value);
            }
        }
        for (k, i, row) in point.active() {
            let step = direction.slack(&point.motion.nodes[k], (k, i), violations);
            let slack = row.slack.moved(step, *mu, (alpha, dual));
            let new = direction.multiplier(row, step, *mu);
            let multiplier = row.multiplier + alpha * (new - row.multiplier);
            trial.rows[k][i] = Row { slack, multiplier, active: true };
        }
    }
}

//! The search: sweeps back over the horizon, and forward with as much of their steps as reduces the cost.

use core::ops::ControlFlow;

use ode_runtime::Observable;
use ode_runtime::linalg::SVector;

use crate::optimal::ddp::Ddp;
use crate::optimal::ddp::lagrangian::Lagrangian;
use crate::optimal::ddp::sweep::At;
use crate::optimal::error::PlanError;
use crate::optimal::evaluation::{Worst, directions};
use crate::optimal::motion::Motion;
use crate::optimal::plan::SearchStep;
use crate::optimal::transcription::Transcription;
use crate::stages::times;

/// Halvings of one step.
const HALVINGS: usize = 12;
/// The share of an expected fall that is asked for, and of an expected rise that is allowed, as Crocoddyl has them.
const SHARES: (f64, f64) = (0.1, 2.0);
/// Damping of second derivatives: the first, its growth, its decay, and the largest.
const DAMPING: (f64, f64, f64, f64) = (1e-6, 10.0, 0.1, 1e12);
/// Steps shorter than that are followed by more damping.
const SHORT: f64 = 0.1;
/// How well inner problems of the augmented Lagrangian are solved at first, and how much better each time.
const INNER: (f64, f64) = (1e-2, 0.1);

impl<T: Transcription<N, U>, const N: usize, const U: usize> Ddp<'_, T, N, U> {
    pub(super) fn search(&mut self, mut progress: impl FnMut(&SearchStep) -> ControlFlow<()>) -> Result<(), PlanError> {
        if !self.begun {
            self.begin()?;
            self.begun = true;
        }
        self.merit = self.lagrangian.merit(&self.motion);
        self.sweep.forget();
        self.damping = 0.0;
        let mut optimality = f64::INFINITY;
        for count in 0..=self.allowed {
            if !self.convexify()? {
                return Err(self.stuck(optimality));
            }
            optimality = self.error();
            let step = self.told(optimality);
            self.iterations.push(step);
            if progress(&step).is_break() {
                return Err(PlanError::Stopped { count });
            }
            if optimality <= self.tolerance {
                // the multipliers and the gains of this point
                self.lagrangian.adopt(&self.motion);
                return self.undamped();
            }
            if count == self.allowed {
                break;
            }
            let solved = self.lagrangian.any() && self.inner_error() <= self.inner.max(self.tolerance);
            if solved && !(self.tighten() && self.convexify()?) {
                return Err(self.stuck(optimality));
            }
            while !self.advance() {
                if !(self.damp() && self.convexify()?) {
                    return Err(self.stuck(optimality));
                }
            }
        }
        Err(self.worst().unfinished((self.allowed, self.tolerance), optimality))
    }

    /// The error of a search that finds no step.
    fn stuck(&self, optimality: f64) -> PlanError {
        let Motion { cost, knots, .. } = &self.motion;
        self.worst().stuck(self.tolerance, (optimality, *cost), knots)
    }

    /// Evaluates the guess, with its inputs inside their bounds.
    fn begin(&mut self) -> Result<(), PlanError> {
        let Self { evaluation, transcription, bounds, motion, .. } = self;
        for (u, bounds) in motion.inputs.iter_mut().zip(bounds) {
            u.iter_mut().zip(bounds).for_each(|(u, (low, high))| *u = u.max(*low).min(*high));
        }
        motion.evaluate(evaluation, transcription)?;
        let restricted = transcription.restricted(evaluation, (&motion.knots, &motion.nodes))?;
        self.lagrangian = Lagrangian::new(evaluation, restricted);
        self.lagrangian.begin(motion);
        self.inner = INNER.0;
        self.trial = self.motion.clone();
        Ok(())
    }

    /// The backward sweep, with as much damping as makes the problem convex. Returns false if none does.
    fn convexify(&mut self) -> Result<bool, PlanError> {
        loop {
            let Self { sweep, evaluation, transcription, bounds, lagrangian, motion, damping, .. } = self;
            if sweep.backward((evaluation, transcription), At { bounds, lagrangian, motion }, *damping)? {
                self.expected = sweep.expected();
                return Ok(true);
            }
            if !self.damp() {
                return Ok(false);
            }
        }
    }

    /// The backward sweep once more, if the last one was damped: with as little damping as makes the problem convex.
    fn undamped(&mut self) -> Result<(), PlanError> {
        if self.damping > 0.0 {
            let found = core::mem::replace(&mut self.damping, 0.0);
            self.convexify()?;
            self.damping = found;
        }
        Ok(())
    }

    /// More damping. Returns false if there is none.
    fn damp(&mut self) -> bool {
        let (first, growth, _, most) = DAMPING;
        self.damping = (self.damping * growth).max(first);
        self.damping <= most
    }

    /// How far inputs and steps are from those of a minimum of the augmented Lagrangian.
    fn inner_error(&self) -> f64 {
        let gaps = self.motion.gaps.iter().fold(0.0_f64, |worst, gap| worst.max(gap.amax()));
        self.sweep.stationarity.max(gaps)
    }

    fn error(&self) -> f64 {
        self.inner_error().max(self.lagrangian.unmet(&self.motion))
    }

    /// The next multipliers, and a better inner solution. Returns false if no larger weight of violations helps.
    fn tighten(&mut self) -> bool {
        self.inner = (self.inner.max(self.tolerance) * INNER.1).max(self.tolerance);
        let more = self.lagrangian.advance(&self.motion);
        self.merit = self.lagrangian.merit(&self.motion);
        self.sweep.forget();
        more
    }

    /// Makes as much of the step as reduces the cost as expected. Returns false if that is too little.
    fn advance(&mut self) -> bool {
        let noise = 10.0 * f64::EPSILON * self.merit.abs();
        let mut alpha = 1.0;
        for _ in 0..HALVINGS {
            let expected = self.expected.of(alpha);
            let share = if expected <= 0.0 { SHARES.0 } else { SHARES.1 };
            let merit = match self.roll(alpha) {
                Ok(()) => self.lagrangian.merit(&self.trial),
                Err(_) => f64::NAN,
            };
            // written so that NaN fails
            if merit - self.merit <= share * expected + noise {
                core::mem::swap(&mut self.motion, &mut self.trial);
                (self.merit, self.share) = (merit, alpha);
                self.sweep.forget();
                self.ease(alpha);
                return true;
            }
            alpha *= 0.5;
        }
        false
    }

    /// Less damping after a long step, more after a short one.
    fn ease(&mut self, alpha: f64) {
        let (first, _, decay, _) = DAMPING;
        if alpha < SHORT {
            self.damp();
        } else if alpha == 1.0 {
            self.damping = if self.damping * decay < first { 0.0 } else { self.damping * decay };
        }
    }

    /// Writes the motion with a share of the step to the trial: inputs follow their feedback, and 1 − α of each gap
    /// stays open.
    ///
    /// # Errors
    /// A step that cannot be made, a cost that is not finite.
    fn roll(&mut self, alpha: f64) -> Result<(), PlanError> {
        let Self { evaluation, transcription, bounds, motion, trial, sweep, .. } = self;
        let system = evaluation.system;
        let mut end = motion.last().clone();
        trial.cost = 0.0;
        for (k, policy) in sweep.policies.iter().enumerate() {
            let off: SVector<f64, N> = trial.knots[k].minus(system, &motion.knots[k]);
            let du = times(&policy.gain, &off) + policy.push * alpha;
            for (i, &(low, high)) in bounds[k].iter().enumerate() {
                trial.inputs[k][i] = (motion.inputs[k][i] + du[i]).max(low).min(high);
            }
            let at = (k, &trial.knots[k], &trial.inputs[k]);
            transcription.interval(evaluation, at, &mut trial.nodes[k], &mut end)?;
            trial.cost += trial.nodes[k].cost;
            trial.gaps[k] = motion.gaps[k] * (1.0 - alpha);
            let next = &mut trial.knots[k + 1];
            end.plus(system, &-trial.gaps[k], next);
        }
        trial.finish(evaluation, transcription)
    }

    fn worst(&self) -> Worst {
        let system = self.evaluation.system;
        let mut worst = Worst::of(&self.motion.gaps, &self.motion.miss, &directions::<T::System, N>(&self.evaluation));
        self.lagrangian.see(&self.motion, system.limit_bounds().names, &mut worst);
        worst
    }

    fn told(&self, optimality: f64) -> SearchStep {
        SearchStep {
            number: self.iterations.len(),
            cost: self.motion.cost,
            violation: self.worst().violation,
            optimality,
            barrier: if self.lagrangian.any() { 1.0 / self.lagrangian.weight() } else { 0.0 },
            damping: self.damping,
            step: self.share,
        }
    }
}

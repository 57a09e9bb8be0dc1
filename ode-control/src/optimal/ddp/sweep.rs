//! The backward sweep: the motion is linearised at a point, and the best change of each stage's inputs is found from
//! what is left after it.

use ode_runtime::Optimizable;
use ode_runtime::linalg::{SMatrix, SVector};

use crate::optimal::ddp::boxed::{Boxed, clamp};
use crate::optimal::ddp::lagrangian::Lagrangian;
use crate::optimal::error::PlanError;
use crate::optimal::evaluation::Evaluation;
use crate::optimal::motion::Motion;
use crate::optimal::transcription::{Transcribe, Wanted};
use crate::stages::{Policy, Stage, Value, add_outer, forward, times, transposed_times};

/// The problem at a point, to second order, and the changes of inputs that it asks for.
#[derive(Clone, Debug)]
pub(super) struct Sweep<const N: usize, const U: usize> {
    /// of the last node only what its state costs
    stages: Vec<Stage<f64, N, U>>,
    pub(super) policies: Vec<Policy<f64, N, U>>,
    /// from this one on stages are those of the point
    known: usize,
    /// Vₓ of the first state
    pub(super) first: SVector<f64, N>,
    /// how far inputs are from being the best ones
    pub(super) stationarity: f64,
    damping: f64,
    limits: Vec<f64>,
}

/// What a sweep reads.
#[derive(Debug)]
pub(super) struct At<'s, S: Optimizable, const N: usize, const U: usize> {
    pub(super) bounds: &'s [[(f64, f64); U]],
    pub(super) lagrangian: &'s Lagrangian<N>,
    pub(super) motion: &'s Motion<S, N, U>,
}

impl<S: Optimizable, const N: usize, const U: usize> Clone for At<'_, S, N, U> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Optimizable, const N: usize, const U: usize> Copy for At<'_, S, N, U> {}

/// How a step of a share α changes what is minimised, to second order: slope α + ½ curvature α².
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected {
    slope: f64,
    curvature: f64,
}

impl Expected {
    pub(super) fn none() -> Self {
        Self { slope: 0.0, curvature: 0.0 }
    }

    pub(super) fn of(self, alpha: f64) -> f64 {
        alpha * (self.slope + 0.5 * alpha * self.curvature)
    }
}

impl<const N: usize, const U: usize> Sweep<N, U> {
    pub(super) fn new(intervals: usize) -> Self {
        Self {
            stages: vec![Stage::zero(); intervals + 1],
            policies: vec![Policy::none(); intervals],
            known: intervals + 1,
            first: SVector::zeros(),
            stationarity: f64::INFINITY,
            damping: 0.0,
            limits: Vec::new(),
        }
    }

    /// Forgets the linearised motion, because the point has changed.
    pub(super) fn forget(&mut self) {
        self.known = self.stages.len();
    }

    /// Finds the best changes of the inputs, with `damping` on the diagonal of the second derivatives. Each stage is
    /// linearised once for a point, with Vₓ of its end as the costate. Returns false where Q_uu is not positive
    /// definite.
    ///
    /// # Errors
    /// What cannot be differentiated.
    pub(super) fn backward<T: Transcribe<N, U>>(
        &mut self,
        on: (&mut Evaluation<'_, T::System>, &mut T),
        at: At<'_, T::System, N, U>,
        damping: f64,
    ) -> Result<bool, PlanError> {
        let (evaluation, transcription) = on;
        let n = self.policies.len();
        if self.known > n {
            self.linearize((evaluation, transcription), at, n, &SVector::zeros())?;
        }
        self.damping = damping;
        let last = &self.stages[n];
        let mut left = Value { xx: last.xx + SMatrix::identity() * damping, x: last.x };
        let (mut worst, mut costates) = (0.0_f64, 0.0);
        for k in (0..n).rev() {
            let rate = left.gradient(&at.motion.gaps[k]);
            if k < self.known {
                self.linearize((evaluation, transcription), at, k, &rate)?;
            }
            let (u, bounds) = (&at.motion.inputs[k], &at.bounds[k]);
            let low = SVector::from_fn(|i, _| bounds[i].0 - u[i]);
            let high = SVector::from_fn(|i, _| bounds[i].1 - u[i]);
            costates += left.x.iter().map(|x| x.abs()).sum::<f64>();
            let Some(slope) = self.best(k, &mut left, &rate, (&low, &high)) else { return Ok(false) };
            // how far a step against the slope leads, inside the bounds
            worst = worst.max(clamp(&-slope, &low, &high).amax());
        }
        self.first = left.x;
        self.stationarity = worst * 100.0 / (costates / (n * N) as f64).max(100.0);
        Ok(true)
    }

    /// Writes the best change of the inputs of a stage between bounds; `left`, of its end, becomes that of its
    /// beginning. Returns Q_u, and nothing where there is no best change.
    fn best(
        &mut self,
        k: usize,
        left: &mut Value<f64, N>,
        rate: &SVector<f64, N>,
        bounds: (&SVector<f64, U>, &SVector<f64, U>),
    ) -> Option<SVector<f64, U>> {
        let (stage, policy) = (&self.stages[k], &mut self.policies[k]);
        policy.end = *left;
        let mut joined = stage.joined(left);
        (0..U).for_each(|i| joined.uu[(i, i)] += self.damping);
        let slope = stage.u + transposed_times(&stage.b, rate);
        let boxed = Boxed::of(&joined.uu, &slope, bounds)?;
        left.x = stage.x + times(&joined.transposed, rate) + times(&joined.xu, &boxed.u);
        let rows = &mut joined.xu;
        boxed.gain(rows);
        (policy.gain, policy.push) = (rows.transpose(), boxed.u);
        stage.close(left, &mut joined.transposed, rows);
        if self.damping > 0.0 {
            add_outer(&mut left.xx, &(*rows * self.damping), rows);
            (0..N).for_each(|i| left.xx[(i, i)] += self.damping);
        }
        left.is_finite().then_some(slope)
    }

    /// Writes a stage: its step, and its cost with limits and the end to second order.
    fn linearize<T: Transcribe<N, U>>(
        &mut self,
        (on, transcription): (&mut Evaluation<'_, T::System>, &mut T),
        At { lagrangian, motion, .. }: At<'_, T::System, N, U>,
        k: usize,
        costate: &SVector<f64, N>,
    ) -> Result<(), PlanError> {
        let (stage, node, x) = (&mut self.stages[k], &motion.nodes[k], &motion.knots[k]);
        lagrangian.curvature(k, node, &mut self.limits);
        let wanted = Wanted { costate, limits: &self.limits, squares: &node.squares };
        match motion.inputs.get(k) {
            Some(u) => transcription.linearize(on, (k, x, u), wanted, stage)?,
            None => transcription.curve(on, x, wanted, stage)?,
        }
        (stage.x, stage.u) = (node.x, node.u);
        lagrangian.add(k, node, stage);
        match motion.gaps.get(k) {
            Some(gap) => stage.c = *gap,
            None => lagrangian.add_end(&motion.miss, stage),
        }
        self.known = k;
        Ok(())
    }

    /// What a step is expected to change, along the motion as it is linearised.
    pub(super) fn expected(&self) -> Expected {
        let (mut slope, mut curvature) = (0.0, 0.0);
        let mut x = SVector::<f64, N>::zeros();
        forward(&self.stages, &self.policies, &SVector::zeros(), |k, u, next| {
            let stage = &self.stages[k];
            slope += stage.x.dot(&x) + stage.u.dot(u);
            curvature += x.dot(&times(&stage.xx, &x)) + u.dot(&(times(&stage.ux, &x) * 2.0 + times(&stage.uu, u)));
            curvature += self.damping * (x.norm_squared() + u.norm_squared());
            x = *next;
        });
        let last = &self.stages[self.policies.len()];
        slope += last.x.dot(&x);
        curvature += x.dot(&(last.xx * x)) + self.damping * x.norm_squared();
        Expected { slope, curvature }
    }

    /// K of u = uₖ − K (x ⊖ xₖ) in each interval.
    pub(super) fn gains(&self) -> Vec<SMatrix<f64, U, N>> {
        self.policies.iter().map(|policy| -policy.gain).collect()
    }

    /// Vₓ of every node.
    pub(super) fn costates(&self) -> Vec<SVector<f64, N>> {
        [self.first].into_iter().chain(self.policies.iter().map(|policy| policy.end.x)).collect()
    }
}

//! Gradients of what a run has cost: its steps, taken back.

use std::vec::Vec;

use crate::error::{Cause, StepError};
use crate::integrators::{Adjoint, Attempted, Covector, Vary};
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::numbers::scalar::{Real, Scalar};
use crate::run::finite::finite_by;
use crate::run::reversible::passed::Passed;
use crate::run::reversible::{Jump, Made, Point, Reversible};
use crate::run::sensitivities::by::Along;
use crate::run::simulation::Simulation;
use crate::solve::context::{Context, Work};
use crate::solve::explain::explain;
use crate::solve::solvable::Solvable;
use crate::variation::{Controls, ForwardMode, Saltation, Seed, Several, Transition, Varied};

/// The derivative of a cost.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CostGradient<T> {
    /// the cost
    pub value: T,
    /// its derivative, an entry for each of [`names`](Reversible::names)
    pub by: Vec<T>,
    /// steps that were made again because the states at which they begin were not kept
    pub remade: u64,
}

impl<S, M, U> Reversible<'_, S, M, U>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    /// What the run has cost, with the derivative of that. A cost is a sum over the states that the run has passed:
    /// `cost` is asked for the share of each, from the last to the first, and adds the derivative of the share by the
    /// state to a covector of zeros.
    ///
    /// A step is taken back at a few times its own cost, whatever the number of parameters. States that were not kept
    /// are made again, on the way back from the last: none if no more steps were made than checkpoints are kept; each
    /// at most once for up to c²/8 steps with c checkpoints, at most twice for c³/32. Afterwards the run may go on;
    /// a later gradient covers the whole run again, from the same checkpoints.
    ///
    /// # Errors
    /// Why a step or an event has no derivative: [`Cause::Grazing`], [`Cause::Simultaneous`], [`Cause::VaryingMode`];
    /// [`Cause::Invalid`] for a share that is not finite, [`Cause::NonFinite`] by what the gradient is not.
    pub fn gradient(
        &mut self,
        cost: impl FnMut(&Passed<'_, S>, &mut Covector<S>) -> S::Real,
    ) -> Result<CostGradient<S::Real>, StepError> {
        // on the way back inputs are those of earlier knots
        self.held = self.run.inputs.held();
        let gradient = self.take_back(cost);
        self.kept.release();
        self.hold(self.made.len());
        gradient
    }

    fn take_back(
        &mut self,
        mut cost: impl FnMut(&Passed<'_, S>, &mut Covector<S>) -> S::Real,
    ) -> Result<CostGradient<S::Real>, StepError> {
        let (system, zero) = (self.run.system, S::Real::ZERO);
        let parameters = self.along.iter().any(|along| along.parameter().is_some());
        let mut adjoint = Adjoint::new(system, self.numbers.columns().collect(), parameters);
        let (mut share, mut remade) = (Covector::zeros(system), 0);
        let last = self.made.len();
        let steps = |made: &[Made<S::Real>], n: usize| {
            [n.checked_sub(1), Some(n)].map(|k| k.and_then(|k| made.get(k)).map_or(zero, |step| step.h))
        };
        // where a step ends, and where it begins
        let mut end = (self.run.state.clone(), self.run.memory.clone());
        let mut at = end.clone();
        let mut u = S::U::zeros(system.layout().u.len());
        self.run.inputs.evaluate(system, end.0.moment(), &mut u);
        let state = &end.0;
        let passed = Passed { system, state, u: &u, index: last, last, steps: steps(&self.made, last) };
        let mut value = cost(&passed, &mut share);
        check(value, &share).map_err(|cause| self.run.failure(zero, cause))?;
        adjoint.state.add(&share);
        for n in (0..last).rev() {
            share.clear();
            let mut failed = (zero, end.0.t);
            let step = self.interrupt(&mut adjoint, n + 1, &mut end.0).and_then(|happened| {
                let step = self.reach(n, &mut at, &mut remade, &mut failed)?;
                self.run.inputs.evaluate(system, at.0.moment(), &mut u);
                let state = &at.0;
                let passed = Passed { system, state, u: &u, index: n, last, steps: steps(&self.made, n) };
                let own = cost(&passed, &mut share);
                failed = (zero, at.0.t);
                check(own, &share)?;
                value += own;
                failed = (step.h, at.0.t);
                self.back(&mut adjoint, step, &at, (&mut end, happened))
            });
            step.map_err(|cause| {
                let cause = explain(system, &at.0, failed.0, cause);
                StepError { time: failed.1.to_f64(), step: failed.0.to_f64(), cause }
            })?;
            adjoint.state.add(&share);
            core::mem::swap(&mut end, &mut at);
        }
        self.begin(&mut adjoint, &end.0).map_err(|cause| self.run.failure(zero, cause))?;
        let totals = adjoint.totals();
        let mut own = self.numbers.chosen(&totals.own);
        let Covector { q, v, z, .. } = &adjoint.state;
        let blocks = self.start.q.iter().zip(&self.start.v).zip(&self.start.z);
        let by = self.along.iter().zip(blocks).map(|(along, ((dq, dv), dz))| {
            let beside = match *along {
                Along::Input(_) => own.next().copied(),
                Along::Parameter(i) => totals.parameters.as_ref().get(i).copied(),
                _ => None,
            };
            let first = [(q.as_ref(), dq.as_ref()), (v.as_ref(), dv.as_ref()), (z.as_ref(), dz.as_ref())];
            let products = first.into_iter().flat_map(|(w, dx)| w.iter().zip(dx).map(|(&w, &dx)| w * dx));
            products.fold(beside.unwrap_or(zero), |sum, x| sum + x)
        });
        let by: Vec<S::Real> = by.collect();
        let finite = by.iter().zip(&self.names).try_for_each(|(&x, name)| finite_by(&[&[x]], || Some(name.as_str())));
        finite.map_err(|cause| self.run.failure(zero, cause))?;
        Ok(CostGradient { value, by, remade })
    }

    /// Takes the covectors back to the state at which the run begins.
    fn begin(&self, adjoint: &mut Adjoint<S>, x: &State<S>) -> Result<(), Cause> {
        let Simulation { system, method, inputs, .. } = &self.run;
        let mut work = Work::default();
        let mut cx = Context { system: *system, inputs: &self.numbers.of(inputs), work: &mut work };
        if !self.fresh {
            return adjoint.begin_given(&mut cx, x);
        }
        adjoint.begin(method, &mut cx, x)?;
        self.sampled(adjoint, x)
    }

    /// Takes the covectors back to a state at which a controller has been sampled, if the inputs are one.
    fn sampled(&self, adjoint: &mut Adjoint<S>, x: &State<S>) -> Result<(), Cause> {
        let Simulation { system, inputs, .. } = &self.run;
        if !inputs.holds() {
            return Ok(());
        }
        let cx = Context { system: *system, inputs: &self.numbers.at_instant(inputs), work: &mut Work::default() };
        adjoint.sampled(&cx, x)
    }

    /// Takes the covectors back through what interrupted the motion before step `next`. `end` is the state there, and
    /// becomes that before an event.
    fn interrupt(
        &mut self,
        adjoint: &mut Adjoint<S>,
        next: usize,
        end: &mut State<S>,
    ) -> Result<Option<Passage>, Cause> {
        let jump = self.jumps.binary_search_by_key(&next, |jump| jump.next);
        let jump = jump.ok().and_then(|place| self.jumps.get(place));
        if jump.is_none() && self.knot(next).is_none() {
            return Ok(None);
        }
        let Simulation { system, method, inputs, .. } = &self.run;
        let (system, mut work) = (*system, Work::default());
        let mut cx = Context { system, inputs: &self.numbers.of(inputs), work: &mut work };
        adjoint.begin(method, &mut cx, end)?;
        let Some(&Jump { event, within, ref before, ref after, .. }) = jump else { return Ok(Some(Passage::Knot)) };
        end.copy_from(before);
        let (layout, mut seeds) = (system.layout(), Vec::new());
        let (nv, nz) = (layout.v.len(), layout.z.len());
        seeds.resize(2 * nv + nz, Seed::STATE);
        let parameters: Vec<usize> = self.along.iter().filter_map(|along| along.parameter()).collect();
        seeds.extend(parameters.iter().map(|&i| Seed { parameter: Some(i), ..Seed::STATE }));
        seeds.extend(self.numbers.columns().map(|column| Seed { input: Some(column), ..Seed::STATE }));
        let chain = ForwardMode::new(system, Several(seeds.len()), seeds);
        let mut columns = Varied { q: chain.zeros_v(system), v: chain.zeros_v(system), z: chain.zeros_z(system) };
        let set = |block: Option<&mut [S::Real]>, i: usize| {
            block.and_then(|block| block.get_mut(i)).into_iter().for_each(|x| *x = S::Real::ONE);
        };
        for i in 0..nv {
            set(columns.q.get_mut(i).map(AsMut::as_mut), i);
            set(columns.v.get_mut(nv + i).map(AsMut::as_mut), i);
        }
        for i in 0..nz {
            set(columns.z.get_mut(2 * nv + i).map(AsMut::as_mut), i);
        }
        let of = Transition { event, within, before, after: &after.0 };
        Saltation::new(system).apply(&mut cx, &of, &chain, &mut columns)?;
        adjoint.back_by(&columns, &parameters);
        Ok(Some(Passage::Event))
    }

    /// Takes the covectors of `end` back over a step from a state; its memory is not that of the step if
    /// something `happened` there, and the state before a knot is made again.
    fn back(
        &mut self,
        adjoint: &mut Adjoint<S>,
        step: Made<S::Real>,
        (x, m): &Point<S, M>,
        (end, happened): (&mut Point<S, M>, Option<Passage>),
    ) -> Result<(), Cause> {
        let Simulation { system, method, inputs, scratch, proposal, projection, projector, .. } = &mut self.run;
        let mut work = Work::default();
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut work };
        let told = happened.is_none() && projection.is_none() && method.recall(*system, x, (&end.0, &end.1), scratch);
        if !told {
            proposal.attempt(method, &mut cx, (x, m), step.h, scratch)?;
            proposal.x.t = step.end;
        }
        let mut unprojected = None;
        if happened == Some(Passage::Knot) {
            unprojected = Some(proposal.x.clone());
            if let Some(projection) = projection {
                projector.project(&mut cx, projection, &mut proposal.x)?;
            }
            proposal.finish(method, &mut cx)?;
            end.0.copy_from(&proposal.x);
            self.sampled(adjoint, &end.0)?;
        }
        let Simulation { system, method, inputs, scratch, proposal, projection, projector, .. } = &mut self.run;
        let mut cx = Context { system: *system, inputs: &self.numbers.of(inputs), work: &mut work };
        let proposed = unprojected.as_ref().unwrap_or(if told { &end.0 } else { &proposal.x });
        let made = Attempted { proposed, end: &end.0, scratch, projection: projector.told(projection.as_ref()) };
        adjoint.back(method, &mut cx, ((x, m), step.h), made)
    }
}

/// An error if a share of a cost or its derivative is not finite.
fn check<S: Solvable + Sensitive>(share: S::Real, by: &Covector<S>) -> Result<(), Cause> {
    let blocks = by.blocks().into_iter().chain([by.u.as_ref(), by.parameters.as_ref()]);
    let (setting, value) = match blocks.flatten().find(|x| !x.is_finite()) {
        _ if !share.is_finite() => ("share of a cost", share),
        Some(&by) => ("derivative of a share of a cost", by),
        None => return Ok(()),
    };
    Err(Cause::Invalid { setting, value: value.to_f64() })
}

/// What has interrupted the motion at the end of a step.
#[derive(Clone, Copy, PartialEq)]
enum Passage {
    Event,
    Knot,
}

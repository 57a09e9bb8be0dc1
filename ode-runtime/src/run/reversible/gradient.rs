//! Gradients of what a run has cost: its steps, taken back.

use core::ops::Range;
use std::string::String;
use std::vec::Vec;

use crate::error::unknown::UnknownName;
use crate::error::{Cause, StepError};
use crate::integrators::{Adjoint, Attempted, Covector, Vary};
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::numbers::scalar::{Real, Scalar};
use crate::run::finite::finite_by;
use crate::run::interruption::{Interruption, Located};
use crate::run::reversible::passed::{Before, Passed, PassedCovector};
use crate::run::reversible::{Jump, Point, Reversible};
use crate::run::sensitivities::by::Chosen;
use crate::run::simulation::Simulation;
use crate::solve::context::{Context, Work};
use crate::solve::explain::explain;
use crate::solve::solvable::Solvable;
use crate::variation::{AnyControls, Controls, ForwardMode, Saltation, Seed, Several, Transition, Varied, unit_column};

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
    names: Vec<String>,
}

impl<T: Copy> CostGradient<T> {
    /// The derivative by one of [`names`](Reversible::names).
    ///
    /// # Errors
    /// The name that does not exist, with the most similar one.
    pub fn at(&self, name: &str) -> Result<T, UnknownName> {
        let found = self.names.iter().zip(&self.by).find(|(own, _)| *own == name);
        let unknown = || UnknownName::new("direction", name, self.names.iter().map(String::as_str));
        found.map(|(_, &by)| by).ok_or_else(unknown)
    }
}

/// What a cost adds up to on the way back.
struct Sweep<S: Solvable + Sensitive, F> {
    cost: F,
    adjoint: Adjoint<S>,
    share: PassedCovector<S>,
    value: S::Real,
    remade: u64,
    /// the inputs at the state that is passed
    u: S::U,
    /// the step that is taken back, and where it begins
    at: [S::Real; 2],
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
    /// [`Cause::Invalid`] for a share or a sum of shares that is not finite, [`Cause::NonFinite`] by what the gradient
    /// is not.
    pub fn gradient(
        &mut self,
        cost: impl FnMut(&Passed<'_, S>, &mut PassedCovector<S>) -> S::Real,
    ) -> Result<CostGradient<S::Real>, StepError> {
        // on the way back inputs are those of earlier knots
        self.held = self.run.inputs.held();
        let gradient = self.take_back(cost);
        self.kept.release();
        self.hold(self.made.len());
        gradient
    }

    fn take_back<F>(&mut self, cost: F) -> Result<CostGradient<S::Real>, StepError>
    where
        F: FnMut(&Passed<'_, S>, &mut PassedCovector<S>) -> S::Real,
    {
        let (system, zero) = (self.run.system, S::Real::ZERO);
        let parameters = by_parameters(&self.along);
        // the state that is passed, and the one before it
        let mut end = (self.run.state.clone(), self.run.memory.clone());
        let mut at = end.clone();
        let mut sweep = Sweep {
            cost,
            adjoint: Adjoint::new(system, self.numbers.asked(), parameters),
            share: PassedCovector::zeros(system),
            value: zero,
            remade: 0,
            u: self.inputs_at(&end.0),
            at: [zero; 2],
        };
        for n in (0..=self.made.len()).rev() {
            sweep.at = [zero, end.0.t];
            self.pass(n, &mut sweep, (&mut end, &mut at)).map_err(|cause| {
                let [h, t] = sweep.at;
                let begin = if n == 0 { &end.0 } else { &at.0 };
                StepError { time: t.to_f64(), step: h.to_f64(), cause: explain(system, begin, h, cause) }
            })?;
            if n > 0 {
                core::mem::swap(&mut end, &mut at);
                sweep.u = self.inputs_at(&end.0);
            }
        }
        let Sweep { adjoint, value, remade, .. } = sweep;
        let by = self.along(&adjoint);
        finite(&by, &self.names).map_err(|cause| self.run.failure(zero, cause))?;
        Ok(CostGradient { value, by, remade, names: self.names.clone() })
    }

    /// The derivative by each of what the run is differentiated by, from the covector of its start.
    fn along(&self, adjoint: &Adjoint<S>) -> Vec<S::Real> {
        let totals = adjoint.totals();
        let mut by = totals_of(&self.along, self.numbers.chosen(&totals.own), totals.parameters.as_ref());
        let Covector { q, v, z, .. } = &adjoint.state;
        let (q, v, z) = (q.as_ref(), v.as_ref(), z.as_ref());
        for (k, by) in by.iter_mut().enumerate() {
            let Varied { q: dq, v: dv, z: dz } = &self.start;
            for (w, dx) in [(q, block(dq, k)), (v, block(dv, k)), (z, block(dz, k))] {
                add_products(by, w, dx);
            }
        }
        by
    }

    /// The inputs at a state.
    fn inputs_at(&self, x: &State<S>) -> S::U {
        let mut u = S::U::zeros(self.run.system.layout().u.len());
        self.run.inputs.evaluate(self.run.system, x.moment(), &mut u);
        u
    }

    /// Adds the share of state n, `end`, and takes the covectors back from there to the state before, `at`; the first
    /// state to where the run begins.
    fn pass<F>(
        &mut self,
        n: usize,
        sweep: &mut Sweep<S, F>,
        (end, at): (&mut Point<S, M>, &mut Point<S, M>),
    ) -> Result<(), Cause>
    where
        F: FnMut(&Passed<'_, S>, &mut PassedCovector<S>) -> S::Real,
    {
        let interruption = self.interruption_before(n);
        let Some(last) = n.checked_sub(1) else {
            self.share(n, None, sweep, &end.0)?;
            return self.begin(&mut sweep.adjoint, &end.0);
        };
        let step = self.reach(last, at, &mut sweep.remade, &mut sweep.at)?;
        let begin = [step.h, at.0.t];
        sweep.at = begin;
        let told = self.again(step, interruption, at, end)?;
        sweep.at = [S::Real::ZERO, end.0.t];
        self.share(n, interruption, sweep, &end.0)?;
        sweep.at = begin;
        let Sweep { adjoint, share, .. } = sweep;
        if let Some(interruption) = interruption {
            self.hold(n);
            self.begin_anew(adjoint, &end.0)?;
            self.hold(last);
            match interruption {
                Interruption::Event(place) => self.cross(place, adjoint, share.event_time, &mut end.0)?,
                Interruption::Sample => {
                    end.0.copy_from(&self.run.proposal.x);
                    self.sampled(adjoint, &end.0)?;
                }
            }
            adjoint.state.add(&share.before);
        }
        let Simulation { system, method, inputs, scratch, proposal, fresh, projection, projector, .. } = &mut self.run;
        let mut cx = Context { system: *system, inputs: &self.numbers.of(inputs), work: &mut Work::default() };
        let proposed = match interruption {
            Some(Interruption::Sample) => &*fresh,
            _ if told => &end.0,
            _ => &proposal.x,
        };
        let made = Attempted { proposed, end: &end.0, scratch, projection: projector.told(projection.as_ref()) };
        adjoint.back(method, &mut cx, ((&at.0, &at.1), step.h), made)
    }

    /// Asks for the share of state n, and adds it and its derivative by the state.
    fn share<F>(
        &self,
        n: usize,
        interruption: Option<Interruption<usize>>,
        sweep: &mut Sweep<S, F>,
        state: &State<S>,
    ) -> Result<(), Cause>
    where
        F: FnMut(&Passed<'_, S>, &mut PassedCovector<S>) -> S::Real,
    {
        let Sweep { cost, adjoint, share, value, u, .. } = sweep;
        let before = match interruption {
            None => None,
            Some(Interruption::Event(place)) => self.jumps.get(place).map(|jump| &jump.before),
            Some(Interruption::Sample) => Some(&self.run.proposal.x),
        };
        let u_before = before.map(|before| self.inputs_at(before));
        let before = before.zip(u_before.as_ref()).map(|(state, u)| Before { state, u });
        let size = |k: Option<usize>| k.and_then(|k| self.made.get(k)).map_or(S::Real::ZERO, |step| step.h);
        let steps = [size(n.checked_sub(1)), size(Some(n))];
        let (system, last) = (self.run.system, self.made.len());
        share.clear();
        let own = cost(&Passed { system, state, u, before, index: n, last, steps }, share);
        share.check(own)?;
        *value += own;
        if !value.is_finite() {
            return Err(Cause::Invalid { setting: "sum of the shares of a cost", value: value.to_f64() });
        }
        adjoint.state.add(share);
        Ok(())
    }

    /// Takes the covectors back to the state at which the run begins.
    fn begin(&self, adjoint: &mut Adjoint<S>, x: &State<S>) -> Result<(), Cause> {
        let Simulation { system, method, inputs, .. } = &self.run;
        let mut work = Work::default();
        let mut cx = Context { system: *system, inputs: &self.numbers.of(inputs), work: &mut work };
        match self.fresh {
            true => adjoint.begin(method, &mut cx, x)?,
            false => adjoint.begin_given(&mut cx, x)?,
        }
        self.sampled_first.as_ref().map_or(Ok(()), |x| self.sampled(adjoint, x))
    }

    /// Takes the covectors back to a state at which the motion begins anew.
    fn begin_anew(&self, adjoint: &mut Adjoint<S>, x: &State<S>) -> Result<(), Cause> {
        let Simulation { system, method, inputs, .. } = &self.run;
        let mut work = Work::default();
        let mut cx = Context { system: *system, inputs: &self.numbers.of(inputs), work: &mut work };
        adjoint.begin(method, &mut cx, x)
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

    /// Takes the covectors back through an event, and what a cost varies with its time by. The state after it becomes
    /// that before it.
    fn cross(&self, place: usize, adjoint: &mut Adjoint<S>, by_time: S::Real, end: &mut State<S>) -> Result<(), Cause> {
        let Some(&Jump { event: Located { event, within, size }, ref before, ref after, .. }) = self.jumps.get(place)
        else {
            return Ok(());
        };
        let Simulation { system, inputs, .. } = &self.run;
        let (system, mut work) = (*system, Work::default());
        let inputs = self.numbers.of(inputs);
        let mut cx = Context { system, inputs: &AnyControls(&inputs), work: &mut work };
        end.copy_from(before);
        let layout = system.layout();
        let entries = 2 * layout.v.len() + layout.z.len();
        let among = inputs.numbers_at(&layout, before.t);
        let (seeds, parameters, totals) = seeds(entries, &self.along, &self.numbers.asked(), &among);
        let chain = ForwardMode::new(system, Several(seeds.len()), seeds);
        let mut columns = chain.zeros(system);
        for k in 0..entries {
            unit_column::<S, Several>(&mut columns, k, k);
        }
        let of = Transition { event, within, size, before, after: &after.0 };
        let delays = Saltation::new(system).apply(&mut cx, &of, &chain, &mut columns)?;
        adjoint.back_by(&columns, (&parameters, &totals), (&delays, by_time));
        Ok(())
    }
}

// What follows knows neither model nor method, so it is compiled once.

fn by_parameters(along: &[Chosen]) -> bool {
    along.iter().any(|along| along.parameter().is_some())
}

/// The total of each of what a run is differentiated by that is no part of its start, zero of the others.
fn totals_of<T: Real>(along: &[Chosen], own: &[T], parameters: &[T]) -> Vec<T> {
    let mut own = own.iter();
    let total = along.iter().map(|along| match *along {
        Chosen::Input(_) => own.next().copied(),
        Chosen::Parameter(i) => parameters.get(i).copied(),
        _ => None,
    });
    total.map(|total| total.unwrap_or(T::ZERO)).collect()
}

fn block<T, B: AsRef<[T]>>(blocks: &[B], k: usize) -> &[T] {
    blocks.get(k).map_or(&[], AsRef::as_ref)
}

fn add_products<T: Real>(sum: &mut T, w: &[T], dx: &[T]) {
    for (&w, &dx) in w.iter().zip(dx) {
        *sum += w * dx;
    }
}

fn finite<T: Real>(by: &[T], names: &[String]) -> Result<(), Cause> {
    by.iter().zip(names).try_for_each(|(&x, name)| finite_by(&[&[x]], || Some(name.as_str())))
}

/// What columns of an event are derivatives by: entries of the state, then parameters, then numbers of inputs `among`
/// those `asked` for. With it the parameters, and the places of the numbers among those asked for.
fn seeds<T: Real>(
    entries: usize,
    along: &[Chosen],
    asked: &[usize],
    among: &Range<usize>,
) -> (Vec<Seed<T>>, Vec<usize>, Vec<usize>) {
    let (mut seeds, mut totals) = (Vec::new(), Vec::new());
    seeds.resize(entries, Seed::STATE);
    let mut parameters: Vec<usize> = along.iter().filter_map(|along| along.parameter()).collect();
    // one that is asked for twice has one total
    parameters.sort_unstable();
    parameters.dedup();
    seeds.extend(parameters.iter().map(|&i| Seed { parameter: Some(i), ..Seed::STATE }));
    for (total, &number) in asked.iter().enumerate() {
        if among.contains(&number) {
            totals.push(total);
            seeds.push(Seed { input: Some(number), ..Seed::STATE });
        }
    }
    (seeds, parameters, totals)
}

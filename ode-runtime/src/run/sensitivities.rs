//! A run with its forward sensitivities: what the state changes by when its start, inputs or parameters do.

use std::string::{String, ToString};
use std::vec::Vec;

use crate::error::unknown::UnknownName;
use crate::error::{Cause, RunError, StepError};
use crate::events::Outcome;
use crate::integrators::{Stepped, Vary, settle};
use crate::linalg::DMatrix;
use crate::model::layout::Layout;
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::numbers::scalar::Scalar;
use crate::run::simulation::Simulation;
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::variation::{Chain, Controls, Forward, RateVariation, Seed, Several, StateVariation, Varied};

/// What a run is differentiated by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct By {
    wanted: Vec<Wanted>,
}

#[derive(Clone, Debug, PartialEq)]
enum Wanted {
    Start(Option<String>),
    Input(Option<String>),
    Parameter(Option<String>),
}

/// One direction: an entry of the state at the start, of the inputs or of the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Along {
    Position(usize),
    Velocity(usize),
    State(usize),
    Input(usize),
    Parameter(usize),
}

impl By {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Each entry of the state at the start: q along its tangent directions, v and z. The start itself is not solved
    /// again.
    pub fn start(mut self) -> Self {
        self.wanted.push(Wanted::Start(None));
        self
    }

    /// One entry of it, by the name of the direction, the velocity or the state.
    pub fn start_of(mut self, name: &str) -> Self {
        self.wanted.push(Wanted::Start(Some(name.to_string())));
        self
    }

    /// Each input, constant over the run.
    pub fn inputs(mut self) -> Self {
        self.wanted.push(Wanted::Input(None));
        self
    }

    /// One input.
    pub fn input(mut self, name: &str) -> Self {
        self.wanted.push(Wanted::Input(Some(name.to_string())));
        self
    }

    /// Each parameter.
    pub fn parameters(mut self) -> Self {
        self.wanted.push(Wanted::Parameter(None));
        self
    }

    /// One parameter.
    pub fn parameter(mut self, name: &str) -> Self {
        self.wanted.push(Wanted::Parameter(Some(name.to_string())));
        self
    }

    /// The directions of a model, with their names.
    fn of<S: Sensitive>(&self, system: &S) -> Result<Vec<(Along, String)>, UnknownName> {
        let (layout, names) = (system.layout(), system.derivatives().parameter_names);
        let mut all = Vec::new();
        for wanted in &self.wanted {
            let (what, name, groups): (_, _, Vec<Group<'_>>) = match wanted {
                Wanted::Start(name) => ("entry of the state", name, starts(&layout)),
                Wanted::Input(name) => ("input", name, std::vec![(layout.u, Along::Input)]),
                Wanted::Parameter(name) => ("parameter", name, std::vec![(names, Along::Parameter)]),
            };
            let before = all.len();
            for (names, along) in &groups {
                let chosen = names.iter().enumerate().filter(|(_, own)| name.as_ref().is_none_or(|name| name == *own));
                all.extend(chosen.map(|(i, own)| (along(i), (*own).to_string())));
            }
            if let (Some(name), true) = (name, all.len() == before) {
                let known = groups.iter().flat_map(|(names, _)| names.iter().copied());
                return Err(UnknownName::new(what, name, known));
            }
        }
        Ok(all)
    }
}

/// Names, and what they are the names of.
type Group<'a> = (&'a [&'a str], fn(usize) -> Along);

/// The entries of a state that may be chosen: algebraic variables, and the velocities of first-order models, follow
/// from others.
fn starts<'a>(layout: &Layout<'a>) -> Vec<Group<'a>> {
    let free = layout.z.get(..layout.differential()).unwrap_or_default();
    let mut groups: Vec<Group<'a>> = std::vec![(layout.directions, Along::Position)];
    if !layout.first_order() {
        groups.push((layout.v, Along::Velocity));
    }
    groups.push((free, Along::State));
    groups
}

/// The chain of a run.
type Columned<S> = Forward<S, Several>;
/// The variations of a step by it.
type Made<S, M> = Stepped<S, Columned<S>, <M as Vary<S>>::Varied<Columned<S>>>;

/// A run with its forward sensitivities, step by step as the run makes them, step sizes held.
pub struct Sensitivities<'a, S, M, U>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    run: Simulation<'a, S, M, U>,
    chain: Columned<S>,
    at: StateVariation<S, Columned<S>>,
    rates: Option<RateVariation<S, Columned<S>>>,
    memory: M::Varied<Columned<S>>,
    /// state and memory before a step
    before: (State<S>, M::Memory),
    names: Vec<String>,
}

impl<S, M, U> core::fmt::Debug for Sensitivities<'_, S, M, U>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Sensitivities").field("run", &self.run).field("by", &self.names).finish_non_exhaustive()
    }
}

impl<'a, S, M, U> Simulation<'a, S, M, U>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    /// The run from here on, with the sensitivities of its state.
    ///
    /// # Errors
    /// [`RunError::Name`] for a direction that does not exist; [`RunError::Evaluation`] if the state cannot be
    /// linearised.
    pub fn vary(self, by: &By) -> Result<Sensitivities<'a, S, M, U>, RunError> {
        let system = self.system;
        let (along, names): (Vec<Along>, Vec<String>) = by.of(system)?.into_iter().unzip();
        let seed = |along: &Along| match *along {
            Along::Input(i) => Seed { input: Some(i), ..Seed::STATE },
            Along::Parameter(i) => Seed { parameter: Some(i), ..Seed::STATE },
            _ => Seed::STATE,
        };
        let mut chain = Forward::new(system, Several(along.len()), along.iter().map(seed).collect());
        let mut at = Varied { q: chain.zeros_v(system), v: chain.zeros_v(system), z: chain.zeros_z(system) };
        for (k, along) in along.iter().enumerate() {
            let (block, i) = match *along {
                Along::Position(i) => (at.q.get_mut(k).map(AsMut::as_mut), i),
                Along::Velocity(i) => (at.v.get_mut(k).map(AsMut::as_mut), i),
                Along::State(i) => (at.z.get_mut(k).map(AsMut::as_mut), i),
                Along::Input(_) | Along::Parameter(_) => continue,
            };
            if let Some(entry) = block.and_then(|block: &mut [S::Real]| block.get_mut(i)) {
                *entry = S::Real::ONE;
            }
        }
        let mut work = self.statistics.work;
        let mut cx = Context { system, inputs: &self.inputs, work: &mut work };
        let rates = Some(settle(&mut cx, &self.state, &mut chain, &mut at)?);
        let memory = self.method.begin(&mut cx, &self.state, &mut chain, &mut at)?;
        let before = (self.state.clone(), self.memory.clone());
        Ok(Sensitivities { run: self, chain, at, rates, memory, before, names })
    }
}

impl<'a, S, M, U> Sensitivities<'a, S, M, U>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    /// The run.
    pub fn run(&self) -> &Simulation<'a, S, M, U> {
        &self.run
    }

    /// What it is differentiated by, column by column.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Steps until `time`, as [`Simulation::advance_to`].
    ///
    /// # Errors
    /// As [`Simulation::advance_to`], and why a step cannot be linearised; the state is that of the last step before.
    pub fn advance_to(&mut self, time: S::Real) -> Result<(), StepError> {
        self.run.ahead("time to advance to", time)?;
        let before = self.run.statistics.attempted;
        while self.run.state.t < time && self.run.ended.is_none() {
            self.step_towards(time)?;
            self.run.within_limit(before, S::Real::ZERO)?;
        }
        self.run.arrived(time)
    }

    /// Makes one step, as [`Simulation::step_towards`].
    ///
    /// # Errors
    /// As [`Simulation::step_towards`], and why the step cannot be linearised; state and sensitivities are as before.
    pub fn step_towards(&mut self, time: S::Real) -> Result<Outcome, StepError> {
        if let Some(end) = self.run.ended.and_then(Outcome::end) {
            return Err(self.run.failure(S::Real::ZERO, end));
        }
        if !(time >= self.run.state.t) {
            self.run.ahead("time to step towards", time)?;
        }
        self.before.0.copy_from(&self.run.state);
        self.before.1.clone_from(&self.run.memory);
        let proposed = self.run.propose(time)?;
        if proposed.event {
            return Err(self.run.failure(proposed.h, Cause::NotDifferentiable { what: "an event" }));
        }
        let stepped = self.differentiate(proposed.h).map_err(|cause| self.run.failure(proposed.h, cause))?;
        let outcome = self.run.accept(proposed)?;
        (self.at, self.rates, self.memory) = (stepped.x, stepped.rates, stepped.memory);
        Ok(outcome)
    }

    /// The variations of the step that is proposed. It is attempted once more, because its end may have been projected
    /// since and its scratch used for another.
    fn differentiate(&mut self, h: S::Real) -> Result<Made<S, M>, Cause> {
        let Self { run, chain, at, memory, before: (x, m), .. } = self;
        let Simulation { system, method, inputs, projector, scratch, proposal, fresh, .. } = run;
        fresh.copy_from(&proposal.x);
        let mut work = Work::default();
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut work };
        proposal.attempt(method, &mut cx, (x, m), h, scratch)?;
        proposal.x.t = fresh.t;
        let made = proposal.x.clone();
        let mut stepped = method.vary(&mut cx, (x, m), h, (&made, scratch), chain, (at, memory))?;
        if made.q != fresh.q || made.v != fresh.v {
            chain.project(*system, (&made, fresh), projector.weights(), &mut stepped.x)?;
        }
        proposal.x.copy_from(fresh);
        if stepped.rates.is_none() {
            stepped.rates = Some(settle(&mut cx, fresh, chain, &mut stepped.x)?);
        }
        Ok(stepped)
    }

    /// ∂(q, v, z, a, ż, λ)/∂ of what the run is differentiated by: rows in this order, q and a in tangent coordinates;
    /// a column for each of [`names`](Self::names).
    pub fn jacobian(&self) -> DMatrix<S::Real> {
        let layout = self.run.system.layout();
        let (nv, nz, nc) = (layout.v.len(), layout.z.len(), layout.constraints.len());
        let mut out = DMatrix::from_element(3 * nv + 2 * nz + nc, self.names.len(), S::Real::ZERO);
        for k in 0..self.names.len() {
            let Varied { q, v, z } = &self.at;
            let mut blocks: Vec<&[S::Real]> = std::vec![];
            blocks.extend([q, v].into_iter().filter_map(|x| x.get(k)).map(AsRef::as_ref));
            blocks.extend(z.get(k).map(AsRef::as_ref));
            if let Some(rates) = &self.rates {
                blocks.extend(rates.a.get(k).map(AsRef::as_ref));
                blocks.extend(rates.zdot.get(k).map(AsRef::as_ref));
                blocks.extend(rates.lambda.get(k).map(AsRef::as_ref));
            }
            for (row, &value) in blocks.into_iter().flatten().enumerate() {
                if let Some(entry) = out.get_mut((row, k)) {
                    *entry = value;
                }
            }
        }
        out
    }
}

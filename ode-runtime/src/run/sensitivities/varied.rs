//! A run with its forward sensitivities: what the state changes by when its start, inputs or parameters do.

use std::string::String;
use std::vec::Vec;

use crate::error::{Cause, RunError};
use crate::integrators::method::Method;
use crate::integrators::{Vary, settle};
use crate::model::input::Inputs;
use crate::model::sensitive::Sensitive;
use crate::model::state::{State, copy};
use crate::numbers::scalar::Scalar;
use crate::run::first::First;
use crate::run::sensitivities::by::{By, Chosen};
use crate::run::sensitivities::finite::finite;
use crate::run::sensitivities::inputs::{Columned, OwnNumbers};
use crate::run::sensitivities::observed::{Integrals, VariedPoint};
use crate::run::simulation::Simulation;
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::variation::{
    Beginning, Controls, ForwardMode, RateVariation, Remembered, Saltation, Seed, Several, StateVariation, unit_column,
};

/// A chain, and the columns with which it begins.
type Begun<S> = (Columned<S>, StateVariation<S, Columned<S>>);

/// A run with its forward sensitivities, step by step as the run makes them, step sizes held.
pub struct Sensitivities<'a, S, M, U>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    pub(super) run: Simulation<'a, S, M, U>,
    pub(super) chain: Columned<S>,
    pub(super) numbers: OwnNumbers<S>,
    pub(super) saltation: Saltation<S>,
    pub(super) at: StateVariation<S, Columned<S>>,
    pub(super) rates: RateVariation<S, Columned<S>>,
    pub(super) memory: M::Varied<Columned<S>>,
    pub(super) integrals: Integrals<S::Real>,
    /// the last event, and what its time varies by
    pub(super) event: Option<(usize, Vec<S::Real>)>,
    pub(super) names: Vec<String>,
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

impl<'a, S: Solvable, M: Method<S>, U: Inputs<S>> Simulation<'a, S, M, U> {
    /// The run from here on, with the sensitivities of its state.
    ///
    /// At a consistent start, before the first step, parameters change the start too. From any other state on, that
    /// state is kept. Rates given with it are taken for those of the equations, and vary as these. What a controller
    /// has sampled at the start varies with it; later, and after a [`change`](Simulation::change), what it holds is
    /// kept. After the first step what the method remembers is kept too: slopes of generalised-α, the state before of
    /// `Bdf2`, λ of linearised backward Euler. So of a method with memory, Jacobians of two parts of a run do not
    /// multiply to that of the whole.
    ///
    /// # Errors
    /// [`RunError::Name`] for a direction that does not exist; [`RunError::Evaluation`] with [`Cause::GivenInput`] for
    /// an input that a function gives, if the state or the start cannot be linearised, and with [`Cause::NonFinite`]
    /// for a derivative that is not finite.
    pub fn vary(self, by: &By) -> Result<Sensitivities<'a, S, M, U>, RunError>
    // of the method, so that rustc says which of them is missing
    where
        S: Sensitive,
        M: Vary<S>,
        U: Controls<S>,
    {
        let system = self.system;
        let (along, names): (Vec<Chosen>, Vec<String>) = by.of(system, &self.inputs)?.into_iter().unzip();
        let (mut chain, mut at) = self.columns(&along)?;
        let fresh = self.statistics.taken == 0;
        let mut numbers = OwnNumbers::new(system, &self.inputs, along.iter().copied().map(Chosen::input).collect());
        let mut work = Work::default();
        if let Some(sampled) = self.sampled_first()? {
            // before algebraic variables are solved for, as the start does
            numbers = numbers.sampled((system, &self.inputs), &sampled, &at);
        }
        let inputs = &numbers.of(&self.inputs);
        let mut cx = Context { system, inputs, work: &mut work };
        let rates = settle(&mut cx, &self.state, &mut chain, &mut at)?;
        let memory = match fresh {
            true => self.method.begin(&mut cx, &self.state, &mut chain, &mut at)?,
            false => M::Varied::nothing(&mut chain, system, &at),
        };
        finite::<S>(&names, &at, &rates)?;
        let costs = VariedPoint { system, inputs, x: &self.state, chain: &chain, at: &at }.costs();
        let (saltation, integrals) = (Saltation::new(system), Integrals::new(costs));
        let run = Simulation { unprojected: Some(self.state.clone()), ..self };
        Ok(Sensitivities { run, chain, numbers, saltation, at, rates, memory, integrals, event: None, names })
    }
}

impl<S, M, U> Simulation<'_, S, M, U>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    /// The state that a controller has sampled where the run is, if it has only begun: what follows from inputs is not
    /// solved for yet.
    pub(in crate::run) fn sampled_first(&self) -> Result<Option<State<S>>, Cause> {
        if !self.inputs.holds() || self.statistics.taken > 0 || self.statistics.restarts > 0 {
            return Ok(None);
        }
        let (system, mut x) = (self.system, self.state.clone());
        match &self.first {
            Some(First::Consistent(start)) => {
                system.guess(&mut x.q, &mut x.v, &mut x.z);
                start.assemble(system, &mut x)?;
            }
            Some(First::Given(given) | First::GivenWithRates(given)) => {
                copy(&given.v, &mut x.v);
                copy(&given.z, &mut x.z);
            }
            None => {}
        }
        Ok(Some(x))
    }

    /// What the state varies by at the beginning, column by column; parameters change a consistent start too.
    pub(in crate::run) fn columns(&self, along: &[Chosen]) -> Result<Begun<S>, Cause> {
        let system = self.system;
        let chain = ForwardMode::new(system, Several(along.len()), seeds(along));
        let mut at = chain.zeros(system);
        if let Some(First::Consistent(start)) = self.first.as_ref().filter(|_| self.statistics.taken == 0) {
            let mut guess = State::neutral(system);
            system.guess(&mut guess.q, &mut guess.v, &mut guess.z);
            let mut beginning = Beginning::new(system);
            beginning.guess(system, &chain, &mut at);
            beginning.apply(system, start, &guess, &chain, &mut at)?;
        }
        let nv = system.layout().v.len();
        for (k, along) in along.iter().enumerate() {
            let entry = match *along {
                Chosen::Position(i) => i,
                Chosen::Velocity(i) => nv + i,
                Chosen::State(i) => 2 * nv + i,
                Chosen::Input(_) | Chosen::Parameter(_) => continue,
            };
            unit_column::<S, Several>(&mut at, k, entry);
        }
        Ok((chain, at))
    }
}

/// A direction for each; what it changes of inputs has the number of the column.
fn seeds<T: Scalar>(along: &[Chosen]) -> Vec<Seed<T>> {
    let seed = |(column, along): (usize, &Chosen)| match *along {
        Chosen::Parameter(i) => Seed { parameter: Some(i), input: Some(column), ..Seed::STATE },
        _ => Seed { input: Some(column), ..Seed::STATE },
    };
    along.iter().enumerate().map(seed).collect()
}

//! The inputs of a run as its columns vary them.

use std::vec::Vec;

use crate::model::input::Inputs;
use crate::model::layout::{Block, Layout};
use crate::model::sensitive::Sensitive;
use crate::model::state::{Moment, State, copy};
use crate::model::system::System;
use crate::solve::solvable::Solvable;
use crate::variation::{Controls, Direction, ForwardMode, Seed, Several, StateColumns};

/// The chain of a run.
pub(in crate::run) type Columned<S> = ForwardMode<S, Several>;

/// What inputs vary by, column by column.
#[derive(Clone, Debug)]
pub(super) struct OwnNumbers<S: System> {
    /// one of their own numbers
    own: Vec<Option<usize>>,
    /// the output since the last sample instant, if they hold it
    held: Vec<S::U>,
}

impl<S: Solvable + Sensitive> OwnNumbers<S> {
    /// Each column with one of the inputs' own numbers, or none; an output that is held does not vary yet.
    pub(super) fn new<U: Controls<S>>(system: &S, inputs: &U, own: Vec<Option<usize>>) -> Self {
        let columns = if inputs.holds() { own.len() } else { 0 };
        let zero = S::U::zeros(system.layout().u.len());
        Self { held: std::vec![zero; columns], own }
    }

    /// The inputs; their own numbers are the columns.
    pub(super) fn of<'a, U: Controls<S>>(&'a self, inputs: &'a U) -> InColumns<'a, S, U> {
        InColumns { inputs, own: &self.own, held: inputs.holds().then_some(&self.held) }
    }

    /// The output that has just been sampled is held.
    pub(super) fn sampled<U: Controls<S>>(
        &self,
        (system, inputs): (&S, &U),
        x: &State<S>,
        at: &StateColumns<S, Several>,
    ) -> Self {
        let mut sampled = Self { own: self.own.clone(), held: self.held.clone() };
        let mut d = Direction::zeros(system);
        let columns = at.q.iter().zip(&at.v).zip(&at.z).zip(&self.own);
        for (held, (((q, v), z), &own)) in sampled.held.iter_mut().zip(columns) {
            d.aim(&Seed::STATE, (q, v, z));
            inputs.vary(system, x.moment(), own, &mut d);
            copy(&d.u, held);
        }
        sampled
    }
}

/// Inputs whose own numbers are the columns of a run.
#[derive(Debug)]
pub(super) struct InColumns<'a, S: System, U> {
    inputs: &'a U,
    own: &'a [Option<usize>],
    /// what a held output varies by, if it is held
    held: Option<&'a Vec<S::U>>,
}

impl<S: System, U: Inputs<S>> Inputs<S> for InColumns<'_, S, U> {
    fn evaluate(&self, system: &S, at: Moment<'_, S>, u: &mut S::U) {
        self.inputs.evaluate(system, at, u);
    }
}

impl<S: System, U: Controls<S>> Controls<S> for InColumns<'_, S, U> {
    fn vary(&self, system: &S, at: Moment<'_, S>, own: Option<usize>, direction: &mut Direction<S>) {
        let Some(held) = self.held else {
            let number = own.and_then(|column| self.own.get(column).copied().flatten());
            return self.inputs.vary(system, at, number, direction);
        };
        match own.and_then(|column| held.get(column)) {
            Some(held) => copy(held, &mut direction.u),
            None => direction.u = S::U::zeros(system.layout().u.len()),
        }
    }

    fn count(&self, _layout: &Layout<'_>) -> usize {
        self.own.len()
    }

    fn depends_on_state(&self) -> bool {
        self.held.is_none() && self.inputs.depends_on_state()
    }
}

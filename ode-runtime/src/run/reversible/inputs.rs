//! The inputs of a run as it is taken back.

use core::ops::Range;
use std::string::{String, ToString};
use std::vec::Vec;

use crate::model::input::Inputs;
use crate::model::layout::Layout;
use crate::model::state::Moment;
use crate::model::system::System;
use crate::numbers::scalar::Scalar;
use crate::run::sensitivities::by::Chosen;
use crate::variation::{Controls, Direction};

/// The numbers of the inputs that a run is taken back to. An output that is held is one for each of its entries, from
/// one sample instant to the next; the inputs' own follow.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    /// entries of the output, if it is held
    outputs: usize,
    /// those of the inputs' own that are asked for, as they are counted here
    own: Vec<usize>,
    /// how many there are
    count: usize,
}

impl Numbers {
    /// Those of inputs, of whose own some are among what is asked for.
    pub(super) fn new<S: System, U: Controls<S>>(system: &S, inputs: &U, along: &[Chosen]) -> Self {
        let layout = system.layout();
        let outputs = if inputs.holds() { layout.u.len() } else { 0 };
        Self { outputs, own: own(along, outputs), count: outputs + inputs.names(&layout).len() }
    }

    /// What is asked for, in the order of the totals: the entries of an output that is held, then the inputs' own.
    pub(super) fn asked(&self) -> Vec<usize> {
        (0..self.outputs).chain(self.own.iter().copied()).collect()
    }

    /// Of the totals, those of the inputs' own numbers.
    pub(super) fn chosen<'a, T>(&self, totals: &'a [T]) -> &'a [T] {
        totals.get(self.outputs..).unwrap_or_default()
    }

    /// The inputs with these numbers.
    pub(super) fn of<'a, U>(&'a self, inputs: &'a U) -> Numbered<'a, U> {
        Numbered { inputs, numbers: self, held: self.outputs > 0 }
    }

    /// The same at a sample instant, as the output varies that is to be held.
    pub(super) fn at_instant<'a, U>(&'a self, inputs: &'a U) -> Numbered<'a, U> {
        Numbered { inputs, numbers: self, held: false }
    }
}

fn own(along: &[Chosen], outputs: usize) -> Vec<usize> {
    along.iter().filter_map(|along| along.input()).map(|number| outputs + number).collect()
}

/// Inputs with the numbers of a run that is taken back.
#[derive(Debug)]
pub(super) struct Numbered<'a, U> {
    inputs: &'a U,
    numbers: &'a Numbers,
    held: bool,
}

impl<S: System, U: Inputs<S>> Inputs<S> for Numbered<'_, U> {
    fn evaluate(&self, system: &S, at: Moment<'_, S>, u: &mut S::U) {
        self.inputs.evaluate(system, at, u);
    }
}

impl<S: System, U: Controls<S>> Controls<S> for Numbered<'_, U> {
    fn vary(&self, system: &S, at: Moment<'_, S>, own: Option<usize>, direction: &mut Direction<S>) {
        if !self.held {
            let own = own.and_then(|number| number.checked_sub(self.numbers.outputs));
            return self.inputs.vary(system, at, own, direction);
        }
        let u = direction.u.as_mut();
        u.fill(S::Real::ZERO);
        own.and_then(|number| u.get_mut(number)).into_iter().for_each(|u| *u = S::Real::ONE);
    }

    fn count(&self, _layout: &Layout<'_>) -> usize {
        self.numbers.count
    }

    fn numbers_at(&self, layout: &Layout<'_>, t: S::Real) -> Range<usize> {
        let outputs = self.numbers.outputs;
        if self.held {
            return 0..outputs;
        }
        let Range { start, end } = self.inputs.numbers_at(layout, t);
        outputs.saturating_add(start)..outputs.saturating_add(end)
    }

    fn names(&self, layout: &Layout<'_>) -> Vec<String> {
        let outputs = layout.u.iter().take(self.numbers.outputs).map(|name| name.to_string());
        outputs.chain(self.inputs.names(layout)).collect()
    }

    fn depends_on_state(&self) -> bool {
        !self.held && self.inputs.depends_on_state()
    }
}

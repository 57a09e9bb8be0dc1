//! What a run shows to an observer.

use core::fmt;
use core::ops::Deref;

use crate::error::Name;
use crate::model::differentiable::Differentiable;
use crate::model::layout::Block;
use crate::model::observable::{Energy, Observable};
use crate::model::state::State;
use crate::model::system::System;
use crate::numbers::scalar::Scalar;

/// A state that a run shows, and what belongs to it: inputs, outputs, energies, the step that led there, an event. It
/// reads as the [`State`].
pub struct Seen<'a, S: System> {
    pub(crate) system: &'a S,
    pub(crate) state: &'a State<S>,
    pub(crate) inputs: S::U,
    pub(crate) step: S::Real,
    pub(crate) event: Option<(Name, Side)>,
}

/// Which of the two states of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// before its assignments, and before a sample at its time
    Before,
    /// after them, and after the sample
    After,
}

impl<'a, S: System> Seen<'a, S> {
    /// A state outside a run, with inputs of its own.
    pub fn of(system: &'a S, state: &'a State<S>, inputs: S::U) -> Self {
        Self { system, state, inputs, step: S::Real::ZERO, event: None }
    }
}

impl<S: System> Seen<'_, S> {
    /// The model.
    pub fn system(&self) -> &S {
        self.system
    }

    /// The state, to keep a copy of.
    pub fn state(&self) -> &State<S> {
        self.state
    }

    /// The inputs at the state, nu values: of a function or a controller too.
    pub fn inputs(&self) -> &S::U {
        &self.inputs
    }

    /// The length of the step that led to the state, or that it lies in; zero at the start of a run.
    pub fn step(&self) -> S::Real {
        self.step
    }

    /// The event that the state stands before or after, the first of several at its time.
    pub fn event(&self) -> Option<(Name, Side)> {
        self.event
    }

    /// The model's outputs, ny values.
    pub fn outputs(&self) -> S::Y
    where
        S: Differentiable,
    {
        let mut outputs = S::Y::zeros(self.system.layout().outputs.len());
        self.system.outputs(self.state.at(&self.inputs), self.state.rates(), &mut outputs);
        outputs
    }

    /// The model's energies.
    pub fn energy(&self) -> Energy<S::Real>
    where
        S: Observable,
    {
        self.system.energy(self.state.at(&self.inputs))
    }
}

impl<S: System> Deref for Seen<'_, S> {
    type Target = State<S>;

    fn deref(&self) -> &State<S> {
        self.state
    }
}

impl<S: System> fmt::Debug for Seen<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { state, inputs, step, event, .. } = self;
        let mut out = f.debug_struct("Seen");
        out.field("state", state).field("inputs", inputs).field("step", step).field("event", event).finish()
    }
}

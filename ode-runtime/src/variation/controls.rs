//! Inputs whose derivatives are known.

#[cfg(feature = "std")]
use std::{string::String, string::ToString, vec::Vec};

use crate::model::input::{Constant, Inputs, Nominal};
#[cfg(feature = "std")]
use crate::model::layout::Layout;
use crate::model::state::Moment;
use crate::model::system::System;
use crate::numbers::scalar::Scalar;
use crate::variation::direction::Direction;

/// Inputs that say how they vary.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how its inputs vary with the state",
    label = "inputs without derivatives",
    note = "`Nominal` and `Constant` do; for others, implement `Controls`"
)]
pub trait Controls<S: System>: Inputs<S> {
    /// Writes δu of a direction, in which δq, δv, δz and δt are known; `own` is the one of the inputs' own numbers that
    /// changes by one, if any does.
    fn vary(&self, system: &S, at: Moment<'_, S>, own: Option<usize>, direction: &mut Direction<S>);

    /// Names of their own numbers, in their order; those of the model's inputs, if they are nothing else.
    #[cfg(feature = "std")]
    fn names(&self, layout: &Layout<'_>) -> Vec<String> {
        layout.u.iter().map(|name| name.to_string()).collect()
    }

    /// Whether the output is held from one sample instant to the next. Then `vary` is asked at each instant only, with
    /// the state that was sampled, and what it writes is held too.
    fn holds(&self) -> bool {
        false
    }
}

/// The own numbers are the inputs.
fn held<S: System>(own: Option<usize>, u: &mut S::U) {
    for (i, u) in u.as_mut().iter_mut().enumerate() {
        *u = if own == Some(i) { S::Real::ONE } else { S::Real::ZERO };
    }
}

impl<S: System> Controls<S> for Nominal {
    fn vary(&self, _system: &S, _at: Moment<'_, S>, own: Option<usize>, direction: &mut Direction<S>) {
        held::<S>(own, &mut direction.u);
    }
}

impl<S: System, U: Copy + Into<S::U>> Controls<S> for Constant<U> {
    fn vary(&self, _system: &S, _at: Moment<'_, S>, own: Option<usize>, direction: &mut Direction<S>) {
        held::<S>(own, &mut direction.u);
    }
}

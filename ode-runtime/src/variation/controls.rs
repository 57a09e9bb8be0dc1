//! Inputs whose derivatives are known.

use core::fmt;
use core::ops::Range;
#[cfg(feature = "std")]
use std::{string::String, string::ToString, vec::Vec};

use crate::error::Cause;
use crate::model::input::{Constant, HeldInput, Inputs, Lent, Nominal};
use crate::model::layout::Layout;
use crate::model::piecewise::{Piecewise, Share};
use crate::model::state::{Moment, State};
use crate::model::system::System;
use crate::numbers::scalar::{Real, Scalar};
use crate::variation::direction::Direction;

/// Inputs that say how they vary.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how its inputs vary with the state",
    label = "inputs without derivatives",
    note = "`Nominal`, `Constant` and `Piecewise` do; a closure does with `.input_derivative(|now, d| …)`",
    note = "for others, implement `Controls`"
)]
pub trait Controls<S: System>: Inputs<S> {
    /// Writes δu of a direction, in which δq, δv, δz and δt are known; `own` is the one of the inputs' own numbers that
    /// changes, at rate 1, if any does. Inputs do not depend on parameters: the direction has none. Inputs that
    /// [hold](Inputs::holds) their output are asked at each sample instant only, with the state that was sampled.
    fn vary(&self, system: &S, at: Moment<'_, S>, own: Option<usize>, direction: &mut Direction<S>);

    /// How many numbers of their own they have: as many as the model has inputs, unless they say otherwise.
    fn count(&self, layout: &Layout<'_>) -> usize {
        layout.u.len()
    }

    /// Which of their own numbers inputs at a time can depend on: all, unless they say otherwise. A sweep backwards
    /// asks for no others there.
    fn numbers_at(&self, layout: &Layout<'_>, t: S::Real) -> Range<usize> {
        let _ = (layout, t);
        0..usize::MAX
    }

    /// Names of their own numbers, in their order; those of the model's inputs, if they are nothing else.
    #[cfg(feature = "std")]
    fn names(&self, layout: &Layout<'_>) -> Vec<String> {
        layout.u.iter().map(|name| name.to_string()).collect()
    }

    /// Whether δu can depend on δq, δv or δz. False saves implicit steps the equations of the feedback.
    fn depends_on_state(&self) -> bool {
        true
    }
}

/// [`Controls::vary`] of a direction that may have a parameter.
pub(crate) fn vary_inputs<S: System, U: Controls<S>>(
    inputs: &U,
    (system, at): (&S, Moment<'_, S>),
    own: Option<usize>,
    direction: &mut Direction<S>,
) {
    let parameter = direction.parameter.take();
    inputs.vary(system, at, own, direction);
    direction.parameter = parameter;
}

/// Inputs behind a pointer, as `AnyInputs`; these vary too.
#[cfg(feature = "std")]
pub(crate) struct AnyControls<'a, S: System>(pub(crate) &'a dyn Controls<S>);

#[cfg(feature = "std")]
impl<S: System> Inputs<S> for AnyControls<'_, S> {
    fn evaluate(&self, system: &S, at: Moment<'_, S>, u: &mut S::U) {
        self.0.evaluate(system, at, u);
    }
}

#[cfg(feature = "std")]
impl<S: System> Controls<S> for AnyControls<'_, S> {
    fn vary(&self, system: &S, at: Moment<'_, S>, own: Option<usize>, direction: &mut Direction<S>) {
        self.0.vary(system, at, own, direction);
    }

    fn count(&self, layout: &Layout<'_>) -> usize {
        self.0.count(layout)
    }

    fn depends_on_state(&self) -> bool {
        self.0.depends_on_state()
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

    fn depends_on_state(&self) -> bool {
        false
    }
}

impl<S: System, U: Copy + Into<S::U>> Controls<S> for Constant<U> {
    fn vary(&self, _system: &S, _at: Moment<'_, S>, own: Option<usize>, direction: &mut Direction<S>) {
        held::<S>(own, &mut direction.u);
    }

    fn depends_on_state(&self) -> bool {
        false
    }
}

impl<S: System> Controls<S> for Lent<'_, S::U> {
    fn vary(&self, _system: &S, _at: Moment<'_, S>, own: Option<usize>, direction: &mut Direction<S>) {
        held::<S>(own, &mut direction.u);
    }

    fn depends_on_state(&self) -> bool {
        false
    }
}

/// The own numbers are the values at the first knot, at the second, and so on.
impl<S: System<Real: Real>, U: Copy + Into<S::U>> Controls<S> for Piecewise<'_, S::Real, U> {
    fn vary(&self, _system: &S, at: Moment<'_, S>, own: Option<usize>, direction: &mut Direction<S>) {
        let Share { from, next, rate } = self.share(at.t);
        let count = direction.u.as_ref().len();
        let rates = self.rates::<S>(from, rate);
        for (i, u) in direction.u.as_mut().iter_mut().enumerate() {
            let by_time = rates.as_ref().and_then(|rates| rates.as_ref().get(i));
            *u = by_time.map_or(S::Real::ZERO, |&by_time| by_time * direction.t);
            if own == Some(from * count + i) {
                *u += S::Real::ONE - next;
            } else if own == Some((from + 1) * count + i) {
                *u += next;
            }
        }
    }

    fn depends_on_state(&self) -> bool {
        false
    }

    fn count(&self, layout: &Layout<'_>) -> usize {
        self.len() * layout.u.len()
    }

    fn numbers_at(&self, layout: &Layout<'_>, t: S::Real) -> Range<usize> {
        let Share { from, rate, .. } = self.share(t);
        let knots = if rate == S::Real::ZERO { 1 } else { 2 };
        from * layout.u.len()..(from + knots) * layout.u.len()
    }

    #[cfg(feature = "std")]
    fn names(&self, layout: &Layout<'_>) -> Vec<String> {
        (0..self.len()).flat_map(|knot| layout.u.iter().map(move |name| std::format!("{name}[{knot}]"))).collect()
    }
}

/// Inputs from a closure, and a closure of their derivative:
/// [`Setup::input_derivative`](crate::Setup::input_derivative).
#[derive(Clone, Copy)]
pub struct Differentiated<U, D> {
    pub(crate) inputs: U,
    pub(crate) derivative: D,
}

impl<U: fmt::Debug, D> fmt::Debug for Differentiated<U, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Differentiated").field("inputs", &self.inputs).finish_non_exhaustive()
    }
}

impl<S: System, U: Inputs<S>, D> Inputs<S> for Differentiated<U, D> {
    fn evaluate(&self, system: &S, at: Moment<'_, S>, u: &mut S::U) {
        self.inputs.evaluate(system, at, u);
    }

    fn next_sample(&self) -> Option<S::Real> {
        self.inputs.next_sample()
    }

    fn sample(&mut self, system: &S, x: &State<S>) {
        self.inputs.sample(system, x);
    }

    fn held(&self) -> Option<HeldInput<S>> {
        self.inputs.held()
    }

    fn holds(&self) -> bool {
        self.inputs.holds()
    }

    fn resume(&mut self, held: HeldInput<S>) {
        self.inputs.resume(held);
    }

    fn check(&self, start: S::Real) -> Result<(), Cause> {
        self.inputs.check(start)
    }

    fn fits(&self, layout: &Layout<'_>) -> Result<(), Cause> {
        self.inputs.fits(layout)
    }
}

impl<S, U, D> Controls<S> for Differentiated<U, D>
where
    S: System,
    U: Inputs<S>,
    D: Fn(Moment<'_, S>, &mut Direction<S>),
{
    fn vary(&self, _system: &S, at: Moment<'_, S>, _own: Option<usize>, direction: &mut Direction<S>) {
        direction.u.as_mut().fill(S::Real::ZERO);
        (self.derivative)(at, direction);
    }

    fn count(&self, _layout: &Layout<'_>) -> usize {
        0
    }

    #[cfg(feature = "std")]
    fn names(&self, _layout: &Layout<'_>) -> Vec<String> {
        Vec::new()
    }
}

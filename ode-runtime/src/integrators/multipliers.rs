//! Which accelerations and multipliers the states of an index-3 method show.

use crate::error::Cause;
use crate::input::Inputs;
use crate::method::Context;
use crate::solve::Acceleration;
use crate::state::{State, copy};
use crate::system::{RowKind, Solvable};

/// Which a and λ the states of an implicit method show, of models with constraints; without, both are the same.
///
/// A method that makes Φ = 0 hold at the ends of its steps finds λ from second differences of q. Where nothing damps it, an error of v
/// that no later step removes stays in λ as an oscillation of its size times 1/h; after a start, or a change of the step, even damping
/// methods need some steps. Steps do not depend on the choice: each method remembers its own v̇ and λ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Multipliers {
    /// Those of M a = f + Gᵀ λ, G a + γ = 0 at the state's (t, q, v): as accurate as q and v. One more evaluation and solve a step; M has to
    /// be regular but for what constraints hold. Of first-order models v is that of the state as well.
    #[default]
    AtState,
    /// Those with which the step's own equations hold, as other programs show them.
    OfScheme,
}

/// Completes proposals as chosen.
pub(crate) struct Completion<S: Solvable> {
    pub(crate) acceleration: Acceleration<S>,
    /// q and v it was last done at
    q: S::Q,
    v: S::V,
}

impl<S: Solvable> Completion<S> {
    pub(crate) fn new(system: &S) -> Self {
        let State { q, v, .. } = State::neutral(system);
        Self { acceleration: Acceleration::new(system), q, v }
    }

    /// Writes the a and λ chosen into `x`, whose own are those of the scheme.
    pub(crate) fn complete<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        how: Multipliers,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        let layout = cx.system.layout();
        let held = || (0..layout.constraints.len()).any(|row| layout.kind(row) != RowKind::Compliant);
        if how == Multipliers::AtState && held() {
            self.acceleration.rates(cx, x)?;
        }
        copy(&x.q, &mut self.q);
        copy(&x.v, &mut self.v);
        Ok(())
    }

    /// The same where `x` has been moved since.
    pub(crate) fn again<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        how: Multipliers,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        if x.q == self.q && x.v == self.v { Ok(()) } else { self.complete(cx, how, x) }
    }
}

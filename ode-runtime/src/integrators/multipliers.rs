//! Which accelerations and multipliers the states of an index-3 method show.

use crate::error::Cause;
use crate::integrators::method::Proposal;
use crate::model::input::Inputs;
use crate::model::layout::RowKind;
use crate::model::sensitive::Sensitive;
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::{Chain, RateVariation, Solved};

/// Which a and λ the states of an implicit method show, of models with rigid rows, those that are not compliant.
/// Without rigid rows both choices show those of the scheme. These satisfy the equations at the state's (t, q, v) too,
/// unless steps are linearised.
///
/// A method that makes Φ = 0 at the ends of its steps finds λ from second differences of q. Without damping, an error
/// of v that no later step removes stays in λ as an oscillation of its size times 1/h. After a start, or a change of
/// the step, even damping methods need some steps. The choice does not affect the steps: each method remembers its own
/// v̇ and λ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Multipliers {
    /// Those of M a = f + Gᵀ λ, G a + γ = 0 at the state's (t, q, v): as accurate as q and v. Each step needs one more
    /// evaluation and solve; M must be regular except along constrained directions. In first-order models v is that of
    /// the state too. Models without rigid rows show the scheme's.
    #[default]
    AtState,
    /// Those that satisfy the equations of the step, as other programs show them.
    OfScheme,
}

impl Multipliers {
    /// Replaces the scheme's a and λ of a proposal by the chosen ones.
    pub(crate) fn complete<S: Solvable, U: Inputs<S>>(
        self,
        cx: &mut Context<'_, S, U>,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        let system = cx.system;
        self.replaced(system, next, |next| next.acceleration.rates(cx, &mut next.x))
    }

    /// The same of a linearised step, at whose end the equations do not hold: with rigid rows algebraic variables are
    /// replaced too; without, everything is left as the scheme has it.
    pub(crate) fn settle<S: Solvable, U: Inputs<S>>(
        self,
        cx: &mut Context<'_, S, U>,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        let system = cx.system;
        self.replaced(system, next, |next| next.acceleration.settle(cx, &mut next.x))
    }

    fn replaced<S: Solvable>(
        self,
        system: &S,
        next: &mut Proposal<S>,
        by: impl FnOnce(&mut Proposal<S>) -> Result<(), Cause>,
    ) -> Result<(), Cause> {
        if self == Self::OfScheme {
            return Ok(());
        }
        if rigid(system) {
            by(next)?;
        }
        next.mark_settled();
        Ok(())
    }

    /// The choice that shows what a linearised step of a model leaves.
    pub(crate) fn linearized<S: Solvable>(self, system: &S) -> Self {
        if rigid(system) { self } else { Self::OfScheme }
    }

    /// What the scheme's own `slopes` vary by, where its states show them.
    pub(crate) fn own<S: Solvable + Sensitive, C: Chain<S>>(
        self,
        system: &S,
        chain: &mut C,
        slopes: &RateVariation<S, C>,
    ) -> Option<RateVariation<S, C>> {
        (self == Self::OfScheme).then(|| {
            let share = if system.layout().first_order() { S::Real::ZERO } else { S::Real::ONE };
            let (a, zdot) = (chain.scale(share, &slopes.a), chain.scale_z(S::Real::ONE, &slopes.zdot));
            Solved { a, zdot, lambda: slopes.lambda.clone() }
        })
    }
}

/// Whether there are rows that do not yield.
fn rigid<S: Solvable>(system: &S) -> bool {
    let layout = system.layout();
    (0..layout.constraints.len()).any(|row| layout.kind(row) != RowKind::Compliant)
}

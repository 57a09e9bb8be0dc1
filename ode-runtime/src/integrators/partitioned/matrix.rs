//! The matrix of a partitioned step's equations.
//!
//! A correction δw moves q⁺ by h δw, and vₐ by S δw: M(q) δvₐ = M(q⁺) δvᵦ + h B δw has to hold, with B = ∂(M v)/∂q at
//! (q⁺, vᵦ).
//!
//! ```text
//! K = (M(q) − α h ∂F/∂v) S,   (α M(q⁺) + β M(q)) S = M(q⁺) + β h B
//! ```
//!
//! The model's tangent is a weighted sum of the derivatives of r = M a + Ṁ v − F − Gᵀ λ. Of these, ∂r/∂v is B + Ṁ −
//! ∂F/∂v, and ∂r/∂q is nearly κ B if it is evaluated with a large a = κ v. If α = β, M + α h ∂r/∂v is K up to products
//! of its small terms, and takes one tangent instead of two.

use crate::error::{Cause, Level};
use crate::integrators::partitioned::{Partitioned, Shares};
use crate::model::input::Inputs;
use crate::model::linearize::{Linearize, Weights};
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{add, lever};

/// The rate of M is a difference over this share of the step.
const NEAR: f64 = 1.0 / 1024.0;

impl<S: Solvable + Linearize> Partitioned<S> {
    /// Factorises [K −Gᵀ; G⁺ 0] at the iterate, with the rows of z′ and of z in F between them; without products of
    /// small terms in the `first` of a step.
    pub(super) fn linearize<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        shares: Shares<S::Real>,
        h: S::Real,
        first: bool,
    ) -> Result<(), Cause> {
        let zero = S::Real::ZERO;
        let (begins, ends) = (shares.before != zero, shares.after != zero);
        if self.inertia.is_none() || first && begins && ends {
            let state = if begins { shares.before } else { h };
            let weights = Weights { rates: S::Real::ONE, velocity: shares.before, position: zero, state };
            self.tangent.linearize(cx, Level::Position, weights, &self.stage)?;
        } else if begins {
            self.by_forces(cx, shares.before, h)?;
            if ends {
                self.by_inertia(cx, shares.after, h)?;
            }
        } else {
            let weights = self.lever(false, shares.after, h);
            self.tangent.linearize(cx, Level::Position, weights, &self.middle)?;
            self.tangent.react(cx.system, self.start.jacobian());
        }
        self.tangent.hold_rows(cx.system, &self.ahead);
        self.tangent.factorize(cx)
    }

    /// Weights of M + s B, and in `middle` the beginning or the end with the large a they ask for.
    fn lever(&mut self, begins: bool, s: S::Real, h: S::Real) -> Weights<S::Real> {
        let Self { middle: at, stage, next, .. } = self;
        at.copy_from(if begins { stage } else { next });
        Weights { rates: S::Real::ONE, velocity: S::Real::ZERO, position: s * lever(at, h), state: h }
    }

    /// The columns of vₐ: M(q) − α h ∂F/∂v, where α h is `s`.
    fn by_forces<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, s: S::Real, h: S::Real) -> Result<(), Cause> {
        let weights = Weights { velocity: s, state: s, ..self.lever(true, -s, h) };
        self.tangent.linearize(cx, Level::Position, weights, &self.middle)?;
        let near = S::Real::from_f64(NEAR);
        let Self { tangent, middle: at, stage, moved: (ahead, _), near: forward, start, .. } = self;
        at.t += near * s;
        ahead.as_mut().fill(S::Real::ZERO);
        add(ahead.as_mut(), near * s, stage.v.as_ref());
        cx.system.retract(&stage.q, ahead, &mut at.q);
        cx.system.forward(at.at(&tangent.u), forward);
        cx.work.evaluations += 1;
        tangent.add_mass(cx.system, near.recip(), start.mass());
        tangent.add_mass(cx.system, -near.recip(), forward.mass.as_ref());
        Ok(())
    }

    /// Makes of them, by S, those of w; β h is `s`.
    fn by_inertia<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, s: S::Real, h: S::Real) -> Result<(), Cause> {
        let weights = self.lever(false, s, h);
        let Self { tangent, middle: at, step, moved: (column, _), columns, inertia, .. } = self;
        let Some(inertia) = inertia else { return Ok(()) };
        tangent.beside(cx, weights, at, step, columns)?;
        tangent.turn(cx.system, columns, column, |layout, x| inertia.solve(layout, x))
    }
}

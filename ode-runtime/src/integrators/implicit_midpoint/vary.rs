//! The midpoint rule in variations.
//!
//! Unknown are δvₘ, δzₘ and δλ of
//!
//! ```text
//! M(qₘ) vₘ = p + Gᵀ λ + ½ h F(qₘ, vₘ, zₘ),   zₘ = z + ½ h g(qₘ, vₘ, zₘ)
//! ```
//!
//! and the rows that λ holds, at q⁺ = q ⊕ h vₘ and at the middle. v⁺ and μ follow.

use super::{ImplicitMidpoint, Scratch};
use crate::error::Cause;
use crate::integrators::with_momenta::{
    StepEquations, UnknownVariation, Way, arrive, forces, momentum, solve, vary_without_memory,
};
use crate::model::layout::Block;
use crate::model::linearize::Linearize;
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::numbers::scalar::Scalar;
use crate::solve::add;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::{Chain, Controls, Forces, Momentum, Moved, StateVariation, Unknowns, Varied};

/// The equations at their solution.
struct MidpointEquations<S: Solvable + Sensitive> {
    h: S::Real,
    /// p + Gᵀ λ
    start: Momentum<S>,
    /// M vₘ and the forces of the middle
    middle: Momentum<S>,
    forces: Forces<S>,
    way: Way<S>,
}

/// δ(p + Gᵀ λ), δF and δg, and the step.
struct Halfway<V, Z> {
    momentum: V,
    force: V,
    rates: Z,
    by: V,
    middle: Moved<V>,
}

impl<S: Solvable + Sensitive> MidpointEquations<S> {
    fn halfway<C: Chain<S>, U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        chain: &mut C,
        at: &StateVariation<S, C>,
        unknown: &UnknownVariation<S, C>,
    ) -> Result<Halfway<C::V, C::Z>, Cause> {
        let (system, from) = (cx.system, Moved { q: at.q.clone(), spin: None });
        let p = momentum(system, chain, &self.start, &from, (&at.v, Some(&unknown.lambda)));
        let by = chain.scale(self.h, &unknown.v);
        let middle = self.way.middle(system, chain, &at.q, &by);
        let z = unknown.z.as_ref().unwrap_or(&at.z);
        let (force, rates) = forces(cx, chain, &mut self.forces, &middle, (&unknown.v, z))?;
        Ok(Halfway { momentum: p, force, rates, by, middle })
    }
}

impl<S: Solvable + Sensitive> StepEquations<S> for MidpointEquations<S> {
    fn rows<C: Chain<S>, U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        chain: &mut C,
        at: &StateVariation<S, C>,
        unknown: &UnknownVariation<S, C>,
    ) -> Result<UnknownVariation<S, C>, Cause> {
        let (system, one, half) = (cx.system, S::Real::ONE, S::Real::from_f64(0.5) * self.h);
        let Halfway { momentum: p, force, rates, by, middle } = self.halfway(cx, chain, at, unknown)?;
        let mut v = momentum(system, chain, &self.middle, &middle, (&unknown.v, None));
        chain.add(&mut v, -one, &p);
        chain.add(&mut v, -half, &force);
        let mut z = chain.scale_z(one, unknown.z.as_ref().unwrap_or(&at.z));
        chain.add_z(&mut z, -one, &at.z);
        chain.add_z(&mut z, -half, &rates);
        Ok(Unknowns { v, z: Some(z), lambda: self.way.rows(system, chain, &at.q, &by), second: None })
    }
}

impl<S: Solvable + Linearize> Scratch<S> {
    /// What the end of the step that was just made from x varies by.
    fn vary<C: Chain<S>, U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        (x, made): (&State<S>, &State<S>),
        h: S::Real,
        chain: &mut C,
        at: &StateVariation<S, C>,
    ) -> Result<StateVariation<S, C>, Cause>
    where
        S: Sensitive,
    {
        let (system, parameters) = (cx.system, chain.by_parameters());
        let (layout, middle) = (system.layout(), self.middle.moment());
        let (mut step, mut impulse) = (S::V::zeros(layout.v.len()), S::L::zeros(layout.constraints.len()));
        add(step.as_mut(), h, middle.v.as_ref());
        add(impulse.as_mut(), S::Real::from_f64(0.5) * h, self.reaction.as_ref());
        let mut equations = MidpointEquations {
            h,
            start: Momentum::at(cx, x.moment(), (&x.v, Some(&impulse)), parameters)?,
            middle: Momentum::at(cx, middle, (middle.v, None), parameters)?,
            forces: Forces::at(cx, middle, parameters)?,
            way: Way::new(cx, (x, made), step, h, parameters)?,
        };
        let found = solve(cx, &mut equations, chain, at, false)?;
        let Halfway { momentum: mut p, force, rates, by, .. } = equations.halfway(cx, chain, at, &found)?;
        let to = equations.way.end(system, chain, &at.q, &by);
        chain.add(&mut p, h, &force);
        let mut z = chain.scale_z(S::Real::ONE, &at.z);
        chain.add_z(&mut z, h, &rates);
        let v = arrive(cx, (made, self.end.impulse()), chain, &to, p)?;
        Ok(Varied { q: to.q, v, z })
    }
}

vary_without_memory!(ImplicitMidpoint, Scratch<S>, |cx, _method, x, h, made, w, chain, at| {
    w.vary(cx, (x, made), h, chain, at)
});

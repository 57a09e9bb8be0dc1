//! A partitioned step in variations.
//!
//! Unknown are δvₐ, δz′ and δλ, and δvᵦ where it differs from δvₐ, of
//!
//! ```text
//! M(q, t) vₐ = p′ = p + α h F(t, q, vₐ, z′) + Gᵀ λ,   M(q⁺, t⁺) vᵦ = p′,   z′ = z + α h g(t, q, vₐ, z′)
//! ```
//!
//! and the rows that λ holds, at q⁺ = q ⊕ h (α vₐ + β vᵦ) and at the middle. v⁺ and μ follow.

use super::{Partitioned, Shares};
use crate::error::Cause;
use crate::integrators::with_momenta::{StepEquations, UnknownVariation, Way, arrive, forces, momentum, solve};
use crate::model::layout::Block;
use crate::model::linearize::Linearize;
use crate::model::sensitive::Sensitive;
use crate::model::state::{Moment, State};
use crate::numbers::scalar::Scalar;
use crate::solve::add;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::{Chain, Controls, Forces, Momentum, Moved, StateVariation, Unknowns, Varied};

/// A share of the step, and M v and the forces where it begins or ends.
struct Part<S: Solvable + Sensitive> {
    share: S::Real,
    momentum: Momentum<S>,
    forces: Forces<S>,
}

impl<S: Solvable + Sensitive> Part<S> {
    /// None for a share of zero.
    fn new<U: Controls<S>>(
        cx: &mut Context<'_, S, U>,
        share: S::Real,
        at: Moment<'_, S>,
        parameters: bool,
    ) -> Result<Option<Self>, Cause> {
        if share == S::Real::ZERO {
            return Ok(None);
        }
        let forces = Forces::at(cx, at, parameters)?;
        Ok(Some(Self { share, momentum: Momentum::at(cx, at, (at.v, None), parameters)?, forces }))
    }
}

/// The equations at their solution.
struct PartitionedEquations<S: Solvable + Sensitive> {
    /// p + Gᵀ λ
    start: Momentum<S>,
    before: Option<Part<S>>,
    after: Option<Part<S>>,
    way: Way<S>,
}

/// δp′, δg at the beginning, and the end of the step.
struct Departed<V, Z> {
    momentum: V,
    rates: Option<Z>,
    by: V,
    to: Moved<V>,
}

fn start<V: Clone>(q: &V) -> Moved<V> {
    Moved { q: q.clone(), spin: None }
}

impl<S: Solvable + Sensitive> PartitionedEquations<S> {
    fn depart<C: Chain<S>, U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        chain: &mut C,
        at: &StateVariation<S, C>,
        unknown: &UnknownVariation<S, C>,
    ) -> Result<Departed<C::V, C::Z>, Cause> {
        let (system, from) = (cx.system, start(&at.q));
        let (mut p, mut rates) = (momentum(system, chain, &self.start, &from, (&at.v, Some(&unknown.lambda))), None);
        let z = unknown.z.as_ref().unwrap_or(&at.z);
        let mut by = chain.scale(S::Real::ZERO, &unknown.v);
        if let Some(Part { share, forces: at, .. }) = &mut self.before {
            let (force, own) = forces(cx, chain, at, &from, (&unknown.v, z))?;
            chain.add(&mut p, *share, &force);
            chain.add(&mut by, *share, &unknown.v);
            rates = Some(own);
        }
        if let Some(Part { share, .. }) = &self.after {
            chain.add(&mut by, *share, unknown.second.as_ref().unwrap_or(&unknown.v));
        }
        let to = self.way.end(system, chain, &at.q, &by);
        Ok(Departed { momentum: p, rates, by, to })
    }
}

impl<S: Solvable + Sensitive> StepEquations<S> for PartitionedEquations<S> {
    fn rows<C: Chain<S>, U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        chain: &mut C,
        at: &StateVariation<S, C>,
        unknown: &UnknownVariation<S, C>,
    ) -> Result<UnknownVariation<S, C>, Cause> {
        let (system, minus) = (cx.system, -S::Real::ONE);
        let Departed { momentum: p, rates, by, to } = self.depart(cx, chain, at, unknown)?;
        let mut z = chain.scale_z(S::Real::ONE, unknown.z.as_ref().unwrap_or(&at.z));
        chain.add_z(&mut z, minus, &at.z);
        let lacks = |chain: &mut C, part: &Part<S>, to: &Moved<C::V>, v: &C::V| {
            let mut rows = momentum(system, chain, &part.momentum, to, (v, None));
            chain.add(&mut rows, minus, &p);
            rows
        };
        let first = match (&self.before, &self.after) {
            (Some(part), _) => lacks(chain, part, &start(&at.q), &unknown.v),
            (None, Some(part)) => lacks(chain, part, &to, &unknown.v),
            (None, None) => chain.scale(S::Real::ONE, &unknown.v),
        };
        let second = match (&self.after, &unknown.second) {
            (Some(part), Some(v)) => Some(lacks(chain, part, &to, v)),
            _ => None,
        };
        if let (Some(part), Some(rates)) = (&self.before, &rates) {
            chain.add_z(&mut z, -part.share, rates);
        }
        Ok(Unknowns { v: first, z: Some(z), lambda: self.way.rows(system, chain, &at.q, &by), second })
    }
}

impl<S: Solvable + Linearize> Partitioned<S> {
    /// What the end of the step that was just made from x varies by.
    pub(crate) fn vary<C: Chain<S>, U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        shares: Shares<S::Real>,
        (x, made): (&State<S>, &State<S>),
        h: S::Real,
        chain: &mut C,
        at: &StateVariation<S, C>,
    ) -> Result<StateVariation<S, C>, Cause>
    where
        S: Sensitive,
    {
        let (system, parameters) = (cx.system, chain.by_parameters());
        let layout = system.layout();
        let (before, after) = (h * shares.before, h * shares.after);
        let [va, vb] = &self.change.v;
        let (z, impulse) = (&self.change.z, &self.change.impulse);
        let mut step = S::V::zeros(layout.v.len());
        add(step.as_mut(), before, va.as_ref());
        add(step.as_mut(), after, vb.as_ref());
        let mut equations = PartitionedEquations {
            start: Momentum::at(cx, x.moment(), (&x.v, Some(impulse)), parameters)?,
            before: Part::new(cx, before, Moment { v: va, z, ..x.moment() }, parameters)?,
            after: Part::new(cx, after, Moment { v: vb, z, ..made.moment() }, parameters)?,
            way: Way::new(cx, (x, made), step, h, parameters)?,
        };
        let apart = !layout.constant_mass && equations.before.is_some() && equations.after.is_some();
        let found = solve(cx, &mut equations, chain, at, apart)?;
        let Departed { momentum: mut p, to, .. } = equations.depart(cx, chain, at, &found)?;
        let mut z = found.z.unwrap_or_else(|| at.z.clone());
        if let Some(Part { share, forces: at, .. }) = &mut equations.after {
            let v = found.second.as_ref().unwrap_or(&found.v);
            let (force, rates) = forces(cx, chain, at, &to, (v, &z))?;
            chain.add(&mut p, *share, &force);
            chain.add_z(&mut z, *share, &rates);
        }
        let v = arrive(cx, (made, self.end.impulse()), chain, &to, p)?;
        Ok(Varied { q: to.q, v, z })
    }
}

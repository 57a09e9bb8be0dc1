//! Steps on momenta in variations: what the partitioned methods and the midpoint rule share.
//!
//! A step is differentiated at its solution. Its equations are written once, as operations of a chain: with the known
//! variations they give what the unknowns must make up for, and with a unit of each unknown, the matrix. So the matrix
//! is exact, with the derivatives of Ṁ v, of G and of tangent maps in it, and with inputs that depend on the state.
//!
//! **Frames.** A step carries the frames of points on the sphere along, and momenta keep their entries in them. The
//! derivatives of a model are those in frames without spin, so velocities are turned before an evaluation, and momenta
//! and forces after it.

use crate::error::{Cause, Level};
use crate::model::layout::{Block, RowKind};
use crate::model::sensitive::Sensitive;
use crate::model::state::{Moment, State};
use crate::numbers::scalar::Scalar;
use crate::solve::add;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::{
    Chain, Controls, Factorization, Forces, HeldRows, Momentum, Moved, StateVariation, Unknowns, Varied,
};

/// The variations of unknowns, or of their rows, by a chain.
pub(super) type UnknownVariation<S, C> = Unknowns<<C as Chain<S>>::V, <C as Chain<S>>::Z, <C as Chain<S>>::L>;

/// δ(M x + Gᵀ λ) where the frames were carried `to`, of δx in them.
pub(super) fn momentum<S: Solvable + Sensitive, C: Chain<S>>(
    system: &S,
    chain: &mut C,
    at: &Momentum<S>,
    to: &Moved<C::V>,
    (x, impulse): (&C::V, Option<&C::L>),
) -> C::V {
    let one = S::Real::ONE;
    let mut x = chain.scale(one, x);
    chain.align(system, one, at.velocity(), &to.spin, &mut x);
    let mut p = chain.momentum(system, at, &to.q, (&x, impulse));
    chain.align(system, -one, at.value(), &to.spin, &mut p);
    p
}

/// δF and δg where the frames were carried `to`, of δv in them and δz.
///
/// # Errors
/// Those of [`Chain::forces`].
pub(super) fn forces<S: Solvable + Sensitive, C: Chain<S>, U: Controls<S>>(
    cx: &Context<'_, S, U>,
    chain: &mut C,
    at: &mut Forces<S>,
    to: &Moved<C::V>,
    (v, z): (&C::V, &C::Z),
) -> Result<(C::V, C::Z), Cause> {
    let (system, one) = (cx.system, S::Real::ONE);
    let mut x = Varied { q: chain.scale(one, &to.q), v: chain.scale(one, v), z: chain.scale_z(one, z) };
    chain.align(system, one, at.velocity(), &to.spin, &mut x.v);
    let (mut force, rates) = chain.forces(cx, at, &x)?;
    chain.align(system, -one, at.force(), &to.spin, &mut force);
    Ok((force, rates))
}

/// The way of a step, and the rows that hold positions at its end and nonholonomic rows at its middle.
pub(super) struct Way<S: Solvable + Sensitive> {
    h: S::Real,
    step: S::V,
    half: S::V,
    end: HeldRows<S>,
    middle: Option<HeldRows<S>>,
}

impl<S: Solvable + Sensitive> Way<S> {
    /// That of `step` from x to the state that it made.
    pub(super) fn new<U: Controls<S>>(
        cx: &mut Context<'_, S, U>,
        (x, made): (&State<S>, &State<S>),
        step: S::V,
        h: S::Real,
        parameters: bool,
    ) -> Result<Self, Cause> {
        let (layout, share) = (cx.system.layout(), S::Real::from_f64(0.5));
        let times = |s: S::Real| {
            let mut out = S::V::zeros(layout.v.len());
            add(out.as_mut(), s, step.as_ref());
            out
        };
        let (half, v) = (times(share), times(h.recip()));
        let end = HeldRows::at(cx, made.moment(), (Level::Position, &[RowKind::Holonomic]), parameters)?;
        let mut middle = None;
        if layout.kinds.contains(&RowKind::Nonholonomic) {
            let mut q = x.q.clone();
            cx.system.retract(&x.q, &half, &mut q);
            let at = Moment { t: x.t + share * h, q: &q, v: &v, ..x.moment() };
            middle = Some(HeldRows::at(cx, at, (Level::Velocity, &[RowKind::Nonholonomic]), parameters)?);
        }
        Ok(Self { h, step, half, end, middle })
    }

    /// The end of the step from δq and δ of the step.
    pub(super) fn end<C: Chain<S>>(&self, system: &S, chain: &mut C, q: &C::V, by: &C::V) -> Moved<C::V> {
        chain.retract(system, &self.step, q, by)
    }

    /// Its middle.
    pub(super) fn middle<C: Chain<S>>(&self, system: &S, chain: &mut C, q: &C::V, by: &C::V) -> Moved<C::V> {
        let by = chain.scale(S::Real::from_f64(0.5), by);
        chain.retract(system, &self.half, q, &by)
    }

    /// What the rows change by.
    pub(super) fn rows<C: Chain<S>>(&self, system: &S, chain: &mut C, q: &C::V, by: &C::V) -> C::L {
        let end = self.end(system, chain, q, by);
        let still = chain.scale(S::Real::ZERO, by);
        let mut rows = chain.held(system, &self.end, &end.q, &still);
        if let Some(held) = &self.middle {
            let middle = self.middle(system, chain, q, by);
            let mut v = chain.scale(self.h.recip(), by);
            chain.align(system, S::Real::ONE, held.velocity(), &middle.spin, &mut v);
            let own = chain.held(system, held, &middle.q, &v);
            chain.add_l(&mut rows, S::Real::ONE, &own);
        }
        rows
    }
}

/// δv⁺ of M v⁺ = p + Gᵀ μ and G v⁺ + Φₜ = 0 at the state that a step made by the impulse μ, where the frames were
/// carried `to`, of δp in them.
///
/// # Errors
/// Why the model cannot be evaluated there; [`Cause::Singular`].
pub(super) fn arrive<S: Solvable + Sensitive, C: Chain<S>, U: Controls<S>>(
    cx: &mut Context<'_, S, U>,
    (made, impulse): (&State<S>, &S::L),
    chain: &mut C,
    to: &Moved<C::V>,
    mut p: C::V,
) -> Result<C::V, Cause> {
    const ROWS: &[RowKind] = &[RowKind::Holonomic, RowKind::Nonholonomic];
    let (system, one, parameters) = (cx.system, S::Real::ONE, chain.by_parameters());
    let mut back = impulse.clone();
    back.as_mut().iter_mut().for_each(|x| *x = -*x);
    let left = Momentum::at(cx, made.moment(), (&made.v, Some(&back)), parameters)?;
    let held = HeldRows::at(cx, made.moment(), (Level::Velocity, ROWS), parameters)?;
    chain.align(system, one, left.value(), &to.spin, &mut p);
    let factors = Factorization::new(system, (false, false), |chain, unknown| {
        let still = chain.scale(S::Real::ZERO, &unknown.v);
        Ok(settling(system, chain, (&left, &held), (&still, &still), unknown))
    })?;
    let none =
        Unknowns { v: chain.scale(S::Real::ZERO, &p), z: None, lambda: chain.no_multipliers(system), second: None };
    let rows = settling(system, chain, (&left, &held), (&to.q, &p), &none);
    Ok(chain.solve(system, &factors, rows).v)
}

/// The rows M v⁺ − Gᵀ μ − p and G v⁺ + Φₜ, in the frame without spin; the unknown multipliers are −μ.
fn settling<S: Solvable + Sensitive, C: Chain<S>>(
    system: &S,
    chain: &mut C,
    (left, held): (&Momentum<S>, &HeldRows<S>),
    (q, p): (&C::V, &C::V),
    unknown: &UnknownVariation<S, C>,
) -> UnknownVariation<S, C> {
    let mut v = chain.momentum(system, left, q, (&unknown.v, Some(&unknown.lambda)));
    chain.add(&mut v, -S::Real::ONE, p);
    Unknowns { v, z: None, lambda: chain.held(system, held, q, &unknown.v), second: None }
}

/// The equations of a step on momenta at their solution, as operations of a chain.
pub(super) trait StepEquations<S: Solvable + Sensitive> {
    /// What the rows change by with a known state and the unknowns.
    ///
    /// # Errors
    /// Those of [`forces`].
    fn rows<C: Chain<S>, U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        chain: &mut C,
        at: &StateVariation<S, C>,
        unknown: &UnknownVariation<S, C>,
    ) -> Result<UnknownVariation<S, C>, Cause>;
}

/// The unknowns that keep the rows zero beside a known state; `second` says whether the velocities of a second place
/// are among them.
///
/// # Errors
/// Those of the rows; [`Cause::Singular`] with the unknown that no row determines.
pub(super) fn solve<S: Solvable + Sensitive, C: Chain<S>, U: Controls<S>>(
    cx: &Context<'_, S, U>,
    equations: &mut impl StepEquations<S>,
    chain: &mut C,
    at: &StateVariation<S, C>,
    second: bool,
) -> Result<UnknownVariation<S, C>, Cause> {
    let (system, zero) = (cx.system, S::Real::ZERO);
    let factors = Factorization::new(system, (true, second), |chain, unknown| {
        let still = chain.zeros(system);
        equations.rows(cx, chain, &still, unknown)
    })?;
    let v = chain.scale(zero, &at.v);
    let none = Unknowns {
        z: Some(chain.scale_z(zero, &at.z)),
        lambda: chain.no_multipliers(system),
        second: second.then(|| v.clone()),
        v,
    };
    let rows = equations.rows(cx, chain, at, &none)?;
    Ok(chain.solve(system, &factors, rows))
}

/// Implements [`Vary`](super::Vary) for a method whose memory is only a guess.
macro_rules! vary_without_memory {
    ($method:ident, $scratch:ty, |$cx:ident, $self:ident, $x:ident, $h:ident, $made:ident, $w:ident, $chain:ident,
     $at:ident| $vary:expr) => {
        impl<S: Solvable + $crate::model::sensitive::Sensitive> $crate::integrators::vary::Vary<S>
            for $method<S::Real>
        {
            $crate::integrators::vary::remembers_nothing!();

            fn vary<C: $crate::variation::Chain<S>, U: $crate::variation::Controls<S>>(
                &self,
                $cx: &mut Context<'_, S, U>,
                ($x, _memory): (&State<S>, &Self::Memory),
                $h: S::Real,
                ($made, $w): (&State<S>, &mut $scratch),
                $chain: &mut C,
                ($at, ()): (&$crate::variation::StateVariation<S, C>, &()),
            ) -> Result<$crate::integrators::vary::Stepped<S, C, ()>, Cause> {
                let $self = self;
                let x = $vary?;
                Ok($crate::integrators::vary::Stepped { x, rates: None, memory: () })
            }
        }
    };
}
pub(super) use vary_without_memory;

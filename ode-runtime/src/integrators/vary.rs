//! Derivatives of steps: what a method says of its scheme, line by line.

use crate::error::Cause;
#[cfg(feature = "second-order")]
use crate::integrators::explicit_form::ExplicitForm;
use crate::integrators::method::Method;
use crate::model::sensitive::Sensitive;
use crate::model::state::{State, copy};
use crate::numbers::scalar::Scalar;
use crate::solve::ProjectedBy;
use crate::solve::add;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::{Chain, Controls, Found, Moved, RateVariation, Remembered, StateVariation, Varied};

/// What a step from (state, memory) to (state, memory) varies by.
#[derive(Debug)]
pub struct Stepped<S: Solvable + Sensitive, C: Chain<S>, M> {
    /// of the state at its end
    pub x: StateVariation<S, C>,
    /// of a, ż and λ there, if the method leaves others than those of the equations
    pub rates: Option<RateVariation<S, C>>,
    /// of the memory
    pub memory: M,
}

/// A method whose steps can be differentiated as they were made, their sizes held.
///
/// The scheme is written once more in variations: every line of it becomes an operation of a [`Chain`], every solve the
/// linearised equations at its solution.
pub trait Vary<S: Solvable + Sensitive>: Method<S> {
    /// The variations of the memory.
    type Varied<C: Chain<S>>: Remembered<S, C>;

    /// Whether [`Vary::vary`] makes the stages of the step itself, and reads neither the proposal nor the scratch.
    const MAKES_STAGES: bool = false;

    /// The memory at the beginning of a step that depends on the state alone, where [`Vary::vary`] of a model of second
    /// order also evaluates a, ż and λ of the state itself: a restart would do it once more. It is asked for with
    /// [`Vary::MAKES_STAGES`] only.
    fn unremembering(&self) -> Option<Self::Memory> {
        None
    }

    /// The numbers of a method whose steps are sums of motions: their second derivatives need no tape then.
    #[cfg(feature = "second-order")]
    #[doc(hidden)]
    fn explicit_form(&self) -> Option<ExplicitForm> {
        None
    }

    /// The variations of the memory that a restart at `x` leaves.
    ///
    /// # Errors
    /// Why the model cannot be evaluated there.
    fn begin<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        chain: &mut C,
        at: &mut StateVariation<S, C>,
    ) -> Result<Self::Varied<C>, Cause>;

    /// Restores to the scratch what the attempt left there, from the two ends of a step without projection. Returns
    /// false if it cannot; the step is then attempted again.
    fn recall(&self, system: &S, from: &State<S>, to: (&State<S>, &Self::Memory), scratch: &mut Self::Scratch) -> bool {
        let _ = (system, from, to, scratch);
        false
    }

    /// The variations of the step `h` that [`Method::attempt`] has just made `from` a state and memory: `made` is its
    /// proposal, before projection, and its scratch. The step may have been interpolated since.
    ///
    /// # Errors
    /// Why the linearised equations cannot be solved.
    fn vary<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        from: (&State<S>, &Self::Memory),
        h: S::Real,
        made: (&State<S>, &mut Self::Scratch),
        chain: &mut C,
        at: (&StateVariation<S, C>, &Self::Varied<C>),
    ) -> Result<Stepped<S, C, Self::Varied<C>>, Cause>;
}

/// A step as it was made: the attempt, and what a projection made of its end.
#[derive(Debug)]
pub struct Attempted<'a, S: Solvable, W> {
    /// the end that [`Method::attempt`] proposed
    pub proposed: &'a State<S>,
    /// the same after projection
    pub end: &'a State<S>,
    /// what the attempt computed with
    pub scratch: &'a mut W,
    /// what projects it
    pub projection: Option<ProjectedBy<'a, S>>,
}

/// [`Vary::vary`] of a whole step `h`, its projection included.
///
/// # Errors
/// Those of [`Vary::vary`] and [`Chain::project`].
pub fn vary_step<S: Solvable + Sensitive, M: Vary<S>, C: Chain<S>, U: Controls<S>>(
    method: &M,
    cx: &mut Context<'_, S, U>,
    (from, h): ((&State<S>, &M::Memory), S::Real),
    made: Attempted<'_, S, M::Scratch>,
    chain: &mut C,
    at: (&StateVariation<S, C>, &M::Varied<C>),
) -> Result<Stepped<S, C, M::Varied<C>>, Cause> {
    let Attempted { proposed, end, scratch, projection } = made;
    let mut stepped = method.vary(cx, from, h, (proposed, scratch), chain, at)?;
    let moved = proposed.q != end.q || proposed.v != end.v;
    if let Some(by) = projection.filter(|_| moved) {
        chain.project(cx.system, proposed, &by, &mut stepped.x)?;
    }
    Ok(stepped)
}

/// The variations of a, ż and λ of the equations at `x`; algebraic variables, and the velocities of first-order models,
/// are written to those of the state.
///
/// # Errors
/// Why the model cannot be evaluated there.
pub fn settle<S: Solvable + Sensitive, C: Chain<S>, U: Controls<S>>(
    cx: &mut Context<'_, S, U>,
    x: &State<S>,
    chain: &mut C,
    at: &mut StateVariation<S, C>,
) -> Result<RateVariation<S, C>, Cause> {
    settle_to(cx, x, chain, at, (&mut x.a.clone(), &mut x.zdot.clone()))
}

/// The same, with the a and ż of the equations; in first-order models a is that of the state, zero.
pub(super) fn settle_to<S: Solvable + Sensitive, C: Chain<S>, U: Controls<S>>(
    cx: &mut Context<'_, S, U>,
    x: &State<S>,
    chain: &mut C,
    at: &mut StateVariation<S, C>,
    (a, zdot): (&mut S::V, &mut S::Z),
) -> Result<RateVariation<S, C>, Cause> {
    let mut solved = chain.motion(cx, x.moment(), at, Found { a, zdot, lambda: &mut x.lambda.clone() })?;
    if cx.system.layout().first_order() {
        at.v = solved.a.clone();
        solved.a = chain.scale(S::Real::ZERO, &at.v);
        copy(&x.a, a);
    }
    Ok(solved)
}

/// A step of semi-explicit Euler: v and z by their slopes, then q by the new v.
pub(super) struct Push<S: Solvable> {
    v: S::V,
    z: S::Z,
    step: S::V,
}

impl<S: Solvable> Push<S> {
    /// From the v and z of a state.
    pub(super) fn from(x: &State<S>) -> Self {
        Self { v: x.v.clone(), z: x.z.clone(), step: x.v.clone() }
    }

    /// Makes the step.
    pub(super) fn step(&mut self, system: &S, h: S::Real, (a, zdot): (&S::V, &S::Z), (from, to): (&S::Q, &mut S::Q)) {
        add(self.v.as_mut(), h, a.as_ref());
        add(self.z.as_mut(), h, zdot.as_ref());
        self.step.as_mut().fill(S::Real::ZERO);
        add(self.step.as_mut(), h, self.v.as_ref());
        system.retract(from, &self.step, to);
    }

    /// What the end of the last step varies by.
    pub(super) fn vary<C: Chain<S>>(
        &self,
        system: &S,
        h: S::Real,
        chain: &mut C,
        at: &StateVariation<S, C>,
        (a, zdot): (&C::V, &C::Z),
    ) -> StateVariation<S, C>
    where
        S: Sensitive,
    {
        let one = S::Real::ONE;
        let (mut v, mut z) = (chain.scale(one, &at.v), chain.scale_z(one, &at.z));
        chain.add(&mut v, h, a);
        chain.add_z(&mut z, h, zdot);
        let by = chain.scale(h, &v);
        let Moved { q, spin } = chain.retract(system, &self.step, &at.q, &by);
        chain.align(system, one, &self.v, &spin, &mut v);
        Varied { q, v, z }
    }

    /// Its v and z, and those of a state from which it goes on.
    pub(super) fn reach(&mut self, x: &mut State<S>) {
        copy(&self.v, &mut x.v);
        copy(&self.z, &mut x.z);
    }
}

/// The memory of a method whose steps depend on the state alone, in its [`Vary`].
macro_rules! remembers_nothing {
    () => {
        type Varied<C: $crate::variation::Chain<S>> = ();

        fn begin<C: $crate::variation::Chain<S>, U: $crate::variation::Controls<S>>(
            &self,
            _cx: &mut $crate::Context<'_, S, U>,
            _x: &$crate::State<S>,
            _chain: &mut C,
            _at: &mut $crate::variation::StateVariation<S, C>,
        ) -> Result<(), $crate::Cause> {
            Ok(())
        }
    };
}
pub(super) use remembers_nothing;

//! The chain rule of a step: the linear operations that it consists of.

use core::fmt::Debug;

use crate::error::{Cause, Level};
use crate::model::linearize::Weights;
use crate::model::sensitive::Sensitive;
use crate::model::state::{Moment, State};
use crate::numbers::scalar::Scalar;
use crate::solve::ProjectedBy;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
pub use crate::solve::solvable::{Solved, SolvedColumns};
use crate::variation::controls::Controls;
use crate::variation::momenta::{Forces, HeldRows, Momentum};
#[cfg(feature = "std")]
use crate::variation::unknowns::{Factorization, Unknowns};

/// δq, δv and δz of a state.
#[derive(Clone, Debug)]
pub struct Varied<V, Z> {
    /// in tangent coordinates
    pub q: V,
    /// of velocities
    pub v: V,
    /// of first-order states
    pub z: Z,
}

/// The variations of a state by a chain.
pub type StateVariation<S, C> = Varied<<C as Chain<S>>::V, <C as Chain<S>>::Z>;
/// The variations of rates and multipliers by a chain.
pub type RateVariation<S, C> = Solved<<C as Chain<S>>::V, <C as Chain<S>>::Z, <C as Chain<S>>::L>;

/// A block of variations.
#[derive(Clone, Copy, Debug)]
pub enum Part<V, Z, L> {
    /// of velocities or positions
    V(V),
    /// of first-order states
    Z(Z),
    /// of multipliers
    L(L),
}

/// What is shown blocks of variations.
pub type See<'a, V, Z, L> = &'a mut dyn FnMut(Part<&V, &Z, &L>);

/// The variations of what a method remembers, block by block.
pub trait Remembered<S: Solvable + Sensitive, C: Chain<S>>: Sized {
    /// Those of a memory after a step from a state, all zero.
    fn nothing(chain: &mut C, system: &S, at: &StateVariation<S, C>) -> Self;

    /// Shows each block, in a fixed order.
    fn visit(&self, see: See<'_, C::V, C::Z, C::L>);
}

impl<S: Solvable + Sensitive, C: Chain<S>> Remembered<S, C> for () {
    fn nothing(_chain: &mut C, _system: &S, _at: &StateVariation<S, C>) -> Self {}

    fn visit(&self, _see: See<'_, C::V, C::Z, C::L>) {}
}

impl<S: Solvable + Sensitive, C: Chain<S>> Remembered<S, C> for Varied<C::V, C::Z> {
    fn nothing(chain: &mut C, _system: &S, at: &StateVariation<S, C>) -> Self {
        let zero = S::Real::ZERO;
        Self { q: chain.scale(zero, &at.q), v: chain.scale(zero, &at.v), z: chain.scale_z(zero, &at.z) }
    }

    fn visit(&self, see: See<'_, C::V, C::Z, C::L>) {
        see(Part::V(&self.q));
        see(Part::V(&self.v));
        see(Part::Z(&self.z));
    }
}

impl<S: Solvable + Sensitive, C: Chain<S>> Remembered<S, C> for Solved<C::V, C::Z, C::L> {
    fn nothing(chain: &mut C, system: &S, at: &StateVariation<S, C>) -> Self {
        let zero = S::Real::ZERO;
        Self { a: chain.scale(zero, &at.v), zdot: chain.scale_z(zero, &at.z), lambda: chain.no_multipliers(system) }
    }

    fn visit(&self, see: See<'_, C::V, C::Z, C::L>) {
        see(Part::V(&self.a));
        see(Part::Z(&self.zdot));
        see(Part::L(&self.lambda));
    }
}

/// δ(q ⊕ θ).
#[derive(Clone, Debug)]
pub struct Moved<V> {
    /// in tangent coordinates
    pub q: V,
    /// the spin of frames on the sphere, if there are any
    pub spin: Option<V>,
}

/// The values that equations determine, to write.
#[derive(Debug)]
pub struct Found<'a, S: Solvable> {
    /// accelerations
    pub a: &'a mut S::V,
    /// rates
    pub zdot: &'a mut S::Z,
    /// multipliers
    pub lambda: &'a mut S::L,
}

/// An implicit step's equations at their solution.
#[derive(Debug)]
pub struct Ending<'a, S: Solvable> {
    /// the end, with the rates and multipliers of the equations
    pub x: &'a State<S>,
    /// the step that leads to its q
    pub step: &'a S::V,
    /// what the unknown changes
    pub weights: Weights<S::Real>,
    /// whether rows hold positions or velocities
    pub level: Level,
}

/// The equations of a step that are linearised at a point.
#[derive(Debug)]
pub struct Increment<'a, S: Solvable> {
    /// the point, with its rates and multipliers, where the step is zero
    pub at: Ending<'a, S>,
    /// d of q
    pub step: &'a S::V,
    /// what the rest of d has the weights of: increments of ξ and ζ, and that of λ
    pub by: Solved<&'a S::V, &'a S::Z, &'a S::L>,
}

/// The linear operations of a step, in the order in which it makes them. [`ForwardMode`](super::ForwardMode) carries
/// them out at once for several directions; a [`Tape`](super::Tape) records them for the reverse sweep.
///
/// Methods call it in their [`Vary`](crate::integrators::Vary). It is not to be implemented elsewhere: what is not
/// shown here are the operations of steps on momenta, which change with those methods.
pub trait Chain<S: Solvable + Sensitive>: Sized {
    /// variations of a block of velocities
    type V: Clone + Debug;
    /// variations of a block of first-order states
    type Z: Clone + Debug;
    /// variations of a block of multipliers
    type L: Clone + Debug;

    /// s x
    fn scale(&mut self, s: S::Real, x: &Self::V) -> Self::V;
    /// y += s x
    fn add(&mut self, y: &mut Self::V, s: S::Real, x: &Self::V);
    /// s x + Σ t y
    fn combine<const N: usize>(&mut self, (s, x): (S::Real, &Self::V), others: [(S::Real, &Self::V); N]) -> Self::V {
        let mut sum = self.scale(s, x);
        others.into_iter().for_each(|(t, y)| self.add(&mut sum, t, y));
        sum
    }
    /// s x
    fn scale_z(&mut self, s: S::Real, x: &Self::Z) -> Self::Z;
    /// y += s x
    fn add_z(&mut self, y: &mut Self::Z, s: S::Real, x: &Self::Z);
    /// The rates of algebraic variables are zero.
    fn still(&mut self, system: &S, zdot: &mut Self::Z);

    /// δ(q ⊕ θ) of δq and δθ, and the spin of the frames that the step carries along.
    fn retract(&mut self, system: &S, step: &S::V, q: &Self::V, by: &Self::V) -> Moved<Self::V>;
    /// Adds to x, variations of the entries of `vector` in a carried frame, s times what they lack of those in the
    /// frame without spin.
    fn align(&mut self, system: &S, s: S::Real, vector: &S::V, spin: &Option<Self::V>, x: &mut Self::V);
    /// δθ of the step θ with from ⊕ θ = to.
    fn local(&mut self, system: &S, at: (&S::Q, &S::Q, &S::V), from: &Self::V, to: &Self::V) -> Self::V;
    /// δ of the rate of a step at a velocity.
    fn step_rate(&mut self, system: &S, at: (&S::V, &S::V), by: &Self::V, v: &Self::V) -> Self::V;
    /// δ of v̇ along q ⊕ θ, of δa, for a step, a velocity and accelerations.
    fn velocity_rate(&mut self, system: &S, at: (&S::V, &S::V, &S::V), by: (&Self::V, &Self::V), a: Self::V)
    -> Self::V;

    /// a, ż and λ of a state, with their variations. Algebraic variables are written to those of the state.
    ///
    /// # Errors
    /// Why the model cannot be evaluated there.
    fn motion<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        x: &mut Varied<Self::V, Self::Z>,
        found: Found<'_, S>,
    ) -> Result<RateVariation<S, Self>, Cause>;

    /// Room for what equations determine.
    #[doc(hidden)]
    fn unknown(&mut self, system: &S) -> RateVariation<S, Self>;

    /// The variations of the unknowns of an implicit step, written to `found`: of ξ, of which a, v and the step have
    /// the weights ρ, ν and π, of that of the states, and of λ. Given is what varies of (q, v, z) apart from the
    /// unknowns; without `rates`, no accelerations and rates do.
    ///
    /// # Errors
    /// Why the equations cannot be solved there.
    fn ending<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Ending<'_, S>,
        x: (&Self::V, &Self::V, &Self::Z),
        rates: Option<&(Self::V, Self::Z)>,
        found: &mut RateVariation<S, Self>,
    ) -> Result<(), Cause>;

    /// The same of equations that are linearised where the step begins: `x` and `lambda` are what that point varies by,
    /// `left_out` what the rows of Φ lack.
    ///
    /// # Errors
    /// Why the equations cannot be solved there; [`Cause::NotDifferentiable`] of a model without second derivatives.
    fn increment<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Increment<'_, S>,
        point: (&Varied<Self::V, Self::Z>, &Self::L),
        rates: Option<&(Self::V, Self::Z)>,
        left_out: Option<&Self::L>,
        found: &mut RateVariation<S, Self>,
    ) -> Result<(), Cause>;

    /// The variations of a state through its projection, iteration by iteration: `x` has those before and receives
    /// those after.
    ///
    /// # Errors
    /// Why the constraints cannot be solved there.
    fn project(
        &mut self,
        system: &S,
        made: &State<S>,
        by: &ProjectedBy<'_, S>,
        x: &mut Varied<Self::V, Self::Z>,
    ) -> Result<(), Cause>;

    /// Whether a parameter varies in any direction.
    fn by_parameters(&self) -> bool;

    /// δλ = 0
    #[doc(hidden)]
    fn no_multipliers(&mut self, system: &S) -> Self::L;
    /// y += s x
    #[doc(hidden)]
    fn add_l(&mut self, y: &mut Self::L, s: S::Real, x: &Self::L);

    /// δF and δg of forces at a point, F = f + Ṁ v.
    ///
    /// # Errors
    /// [`Cause::Singular`] with an algebraic variable that its equations do not determine.
    #[doc(hidden)]
    fn forces<U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        at: &mut Forces<S>,
        x: &Varied<Self::V, Self::Z>,
    ) -> Result<(Self::V, Self::Z), Cause>;

    /// δ(M x + Gᵀ λ) of δq, δx and δλ; without one, δλ = 0.
    #[doc(hidden)]
    fn momentum(&mut self, system: &S, at: &Momentum<S>, q: &Self::V, by: (&Self::V, Option<&Self::L>)) -> Self::V;

    /// What rows change by with δq and δv.
    #[doc(hidden)]
    fn held(&mut self, system: &S, at: &HeldRows<S>, q: &Self::V, v: &Self::V) -> Self::L;

    /// The unknowns for which rows remain zero that change by `rows` without them.
    #[doc(hidden)]
    #[cfg(feature = "std")]
    fn solve(
        &mut self,
        system: &S,
        factors: &Factorization<S::Real>,
        rows: Unknowns<Self::V, Self::Z, Self::L>,
    ) -> Unknowns<Self::V, Self::Z, Self::L>;
}

//! The matrix of a step, and the effect of its solution on a state.

use crate::model::layout::Order;
use crate::model::linearize::Weights;
use crate::numbers::scalar::Scalar;

/// A method whose step, at its end, is one linear system: (ρ M + ν D + π K) ξ = p, bordered by the constraints.
///
/// ξ is the method's unknown, an acceleration or a velocity, and p an additional force that acts during the whole step.
/// Its effect is
///
/// ```text
/// δq = π ξ,   δv = ν ξ,   δa = ρ ξ
/// ```
///
/// with the factors of [`Scheme::factors`]; those of an impulse P are the same with p = P/h. Runge–Kutta methods have
/// no such matrix and do not implement this.
pub trait Scheme<T: Scalar> {
    /// The weights ρ, ν, π, σ of the matrix of a step `h`.
    fn weights(&self, order: Order, h: T) -> Weights<T>;

    /// The effect of a unit of the unknown. For an implicit method these are the weights, which are derivatives with
    /// respect to the unknown.
    fn factors(&self, order: Order, h: T) -> Factors<T> {
        Factors::of(order, self.weights(order, h))
    }
}

/// The effect of a unit of a method's unknown within a step: Newmark's [h²β, hγ, 1], backward Euler's [h, 1, 1/h].
///
/// SOFA calls them integration factors of the solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factors<T> {
    /// δq/ξ, in tangent coordinates
    pub position: T,
    /// δv/ξ
    pub velocity: T,
    /// δa/ξ; zero in models of first order, which have no accelerations
    pub acceleration: T,
}

impl<T: Scalar> Factors<T> {
    /// Those of an implicit method.
    pub fn of(order: Order, weights: Weights<T>) -> Self {
        let acceleration = match order {
            Order::Second => weights.rates,
            Order::First => T::ZERO,
        };
        Self { position: weights.position, velocity: weights.velocity, acceleration }
    }
}

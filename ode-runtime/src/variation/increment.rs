//! A step whose equations are linearised where it begins.
//!
//! The rows at a point (q, v, z, λ) and their products with an increment d vanish together,
//!
//! ```text
//! rows + J d = 0,   d = (π ξ, ν ξ − v, ρ ξ + a, σ ζ − z, λ⁺ − λ)
//! ```
//!
//! with the unknowns ξ, ζ and λ⁺. Along a direction, what v, z and λ change of the rows and of d cancels. What is left
//! is an equation with the same matrix,
//!
//! ```text
//! A (δξ, δζ, δλ⁺) = −∂rows (δq, δa, δu, δt, δp) − ∂(J d) (δq, δv, δz, δλ, δu, δt, δp)
//! ```
//!
//! whose last term is the curvature of the rows. Inputs are those of the point.

use crate::error::Cause;
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::numbers::scalar::Scalar;
use crate::solve::solvable::Solvable;
use crate::variation::chain::Increment;
use crate::variation::direction::Direction;
use crate::variation::pull::Pull;
use crate::variation::rows::Places;

impl<S: Solvable + Sensitive> Increment<'_, S> {
    /// d
    pub(super) fn vector(&self, system: &S) -> S::Columns {
        let (places, weights) = (Places::of(&system.layout()), self.at.weights);
        let mut vector = S::Columns::zeros(system.partial_patterns().states.cols);
        let groups = [
            (0, S::Real::ONE, self.step.as_ref()),
            (places.v(), weights.velocity, self.by.a.as_ref()),
            (places.a(), weights.rates, self.by.a.as_ref()),
            (places.z(), weights.state, self.by.zdot.as_ref()),
            (places.lambda(), S::Real::ONE, self.by.lambda.as_ref()),
        ];
        for (first, weight, x) in groups {
            for (to, &x) in vector.as_mut().iter_mut().skip(first).zip(x) {
                *to = weight * x;
            }
        }
        vector
    }

    /// What J d varies by along directions of the point and its λ, where the inputs are `u`: row by row, since there
    /// are fewer rows than directions.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] with the name of a row; those of [`Sensitive::curvature`].
    pub(super) fn along(
        &self,
        system: &S,
        (u, parameters): (&S::U, bool),
        (directions, lambda): (&[Direction<S>], &[S::L]),
        out: &mut [S::Rows],
    ) -> Result<(), Cause> {
        let (mut pull, vector) = (Pull::new(system, parameters), self.vector(system));
        for row in 0..pull.places.laws().end {
            pull.rows.as_mut().iter_mut().enumerate().for_each(|(k, x)| *x = S::Real::from_f64(f64::from(k == row)));
            pull.curvature(system, self.at.x.at(u), self.at.x.rates(), &vector)?;
            for ((d, lambda), out) in directions.iter().zip(lambda).zip(&mut *out) {
                out.as_mut().iter_mut().skip(row).take(1).for_each(|out| *out = pull.along(d, lambda));
            }
        }
        Ok(())
    }
}

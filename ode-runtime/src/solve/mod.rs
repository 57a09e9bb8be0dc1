//! The solves that methods, starts and projections share.

mod acceleration;
pub(crate) mod algebraic;
mod assembly;
mod canonical;
mod certified;
mod combination;
pub(crate) mod context;
mod corrections;
mod dependence;
mod descent;
pub(crate) mod explain;
mod factors;
mod growth;
mod limits;
mod mass;
mod nearest;
mod newton;
mod null_vectors;
mod project;
mod projection;
mod refinement;
mod restoration;
mod rows;
mod secant;
pub(crate) mod solvable;
pub(crate) mod start;
mod tangent;
mod tangent_point;
pub(crate) mod wide_model;

pub use acceleration::Acceleration;
pub(crate) use assembly::Assembly;
pub(crate) use canonical::Canonical;
pub(crate) use combination::lever;
pub(crate) use corrections::largest;
pub(crate) use dependence::{Dependence, EXACT, LOOSE, NEAR, too_large};
pub(crate) use descent::{Correction, Descent};
pub(crate) use factors::{consistent, factorize, tolerate};
pub use limits::{Newton, Reuse};
pub(crate) use mass::MassFactors;
pub use project::Projector;
pub(crate) use project::drift;
pub use projection::{Metric, Projected, ProjectedBy, Projection};
pub(crate) use refinement::{Refinement, inertial, refused, undefined};
pub(crate) use secant::{Change, Secant};
pub use tangent::Tangent;
pub(crate) use tangent_point::TangentPoint;

use crate::error::{Cause, Name, Quantity};
use crate::linalg::{Iterated, Singular, Unsolved, larger};
use crate::model::layout::Layout;
use crate::numbers::scalar::Real;
use crate::solve::context::Work;

/// The largest magnitude; NaN if any entry is.
pub(crate) fn norm<T: Real>(values: &[T]) -> T {
    largest_size(values.iter().map(|x| x.abs()))
}

/// The largest of sizes, none of which is negative; NaN if any is. A comparison that does not see NaN is one
/// instruction, and the sum beside it sees it: steps of the squeezer take 0.95 of the time by the generalised-α method,
/// and 0.99 by backward Euler.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn largest_size<T: Real>(sizes: impl Iterator<Item = T> + Clone) -> T {
    if T::PLAIN {
        let (most, sum) = sizes.clone().fold((T::ZERO, T::ZERO), |(most, sum), size| (larger(most, size), sum + size));
        if sum < T::INFINITY {
            return most;
        }
    }
    sizes.fold(T::ZERO, T::max)
}

/// Index and value of the entry of largest magnitude.
pub(crate) fn worst<T: Real>(values: &[T]) -> (usize, T) {
    values
        .iter()
        .enumerate()
        .fold((0, T::ZERO), |(at, worst), (i, &x)| if x.abs() > worst.abs() { (i, x) } else { (at, worst) })
}

/// Σ xᵢ yᵢ
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn dot<T: Real>(x: &[T], y: &[T]) -> T {
    x.iter().zip(y).fold(T::ZERO, |sum, (&x, &y)| sum + x * y)
}

/// y += s x
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn add<T: Real>(y: &mut [T], s: T, x: &[T]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y += s * x;
    }
}

/// out = x − y
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn subtract<T: Real>(out: &mut [T], x: &[T], y: &[T]) {
    for ((out, &x), &y) in out.iter_mut().zip(x).zip(y) {
        *out = x - y;
    }
}

/// Counts a solution, or names why there is none.
pub(crate) fn solved(layout: &Layout<'_>, work: &mut Work, outcome: Result<Iterated, Unsolved>) -> Result<(), Cause> {
    work.solves += 1;
    let Iterated { iterations, residual } = outcome.map_err(|cause| unsolved(layout, cause))?;
    work.linear_iterations += u64::from(iterations);
    work.linear_residual = work.linear_residual.max(residual);
    Ok(())
}

/// Names the equation in which iterations failed.
#[cold]
pub(crate) fn unsolved(layout: &Layout<'_>, cause: Unsolved) -> Cause {
    let name = |index: usize| Name::of(layout.directions, index);
    match cause {
        Unsolved::NotFinite { index } => Cause::NonFinite { quantity: Quantity::Force, name: name(index) },
        Unsolved::Indefinite { index } => Cause::Indefinite { name: name(index) },
        Unsolved::Residual { iterations, index, residual } => {
            Cause::Unsolved { iterations, name: name(index), residual }
        }
    }
}

/// Names the unknown of a singular matrix, ordered (v, z, λ) with `nz` rates.
pub(crate) fn undetermined(layout: &Layout<'_>, nz: usize, singular: Singular) -> Cause {
    let (nv, index) = (layout.v.len(), singular.index);
    let (unknown, name) = if index < nv {
        (Quantity::Acceleration, Name::of(layout.directions, index))
    } else if index < nv + nz {
        (Quantity::Rate, Name::of(layout.z, index - nv))
    } else {
        (Quantity::Multiplier, Name::of(layout.constraints, index - nv - nz))
    };
    Cause::Singular { unknown, name }
}

#[cfg(test)]
mod tests {
    use super::norm;

    #[test]
    fn a_norm_is_the_largest_magnitude() {
        assert_eq!(norm::<f64>(&[]), 0.0);
        assert_eq!(norm(&[1.0, -3.0, 2.0]), 3.0);
        // sums that overflow, and numbers that are not finite
        assert_eq!(norm(&[1e308, -1.5e308, 1e308]), 1.5e308);
        assert_eq!(norm(&[1.0, -f64::INFINITY, 2.0]), f64::INFINITY);
        for at in 0..3 {
            let mut values = [1.0, -f64::INFINITY, 2.0];
            values[at] = f64::NAN;
            assert!(norm(&values).is_nan() && norm(&values.map(|x| x as f32)).is_nan(), "{at}");
        }
    }
}

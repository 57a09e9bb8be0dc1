//! The solves that methods, starts and projections share.

mod acceleration;
mod algebraic;
mod canonical;
mod certified;
mod dependence;
mod descent;
mod factors;
mod growth;
mod linearization;
mod mass;
mod nearest;
mod newton;
mod project;
mod refinement;
mod restoration;
mod secant;
mod tangent;

pub use acceleration::Acceleration;
pub(crate) use canonical::Canonical;
pub(crate) use dependence::Dependence;
pub(crate) use descent::{Correction, Descent};
pub(crate) use factors::{EXACT, LOOSE, NEAR, consistent, factorize, tolerate};
pub(crate) use linearization::TangentPoint;
pub(crate) use mass::MassFactors;
pub use newton::{Newton, Reuse};
pub use project::{Metric, Projected, Projection, Projector};
pub(crate) use refinement::{Refinement, inertial, refused, undefined};
pub(crate) use secant::{Change, Secant};
pub(crate) use tangent::Tangent;
pub(crate) use tangent::largest;

use crate::error::{Cause, Name, Quantity};
use crate::linalg::Singular;
use crate::scalar::Real;
use crate::system::Layout;

/// The largest magnitude; NaN if any entry is.
pub(crate) fn norm<T: Real>(values: &[T]) -> T {
    values.iter().fold(T::ZERO, |norm, x| norm.max(x.abs()))
}

/// Index and value of the entry of largest magnitude.
pub(crate) fn worst<T: Real>(values: &[T]) -> (usize, T) {
    values
        .iter()
        .enumerate()
        .fold((0, T::ZERO), |(at, worst), (i, &x)| if x.abs() > worst.abs() { (i, x) } else { (at, worst) })
}

/// Σ xᵢ yᵢ
#[inline(always)]
pub(crate) fn dot<T: Real>(x: &[T], y: &[T]) -> T {
    x.iter().zip(y).fold(T::ZERO, |sum, (&x, &y)| sum + x * y)
}

/// y += s x
#[inline(always)]
pub(crate) fn add<T: Real>(y: &mut [T], s: T, x: &[T]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y += s * x;
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

//! Models that stand for several.

use crate::model::differentiable::{Differentiable, FromParameters};
use crate::model::layout::Block;
use crate::model::parametric::Parametric;
use crate::numbers::wide::Wide;
use crate::solve::solvable::Solvable;

/// A model over numbers that stand for several, and the model of one of them.
///
/// Models that are generic over their scalar have it: `Pendulum<F64x8>` is eight of `Pendulum<f64>`, whose parameters,
/// states and inputs may differ. A model over one number stands for itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not stand for several models (`WideModel`)",
    label = "not a model over `f64`, `f32` or a register of them",
    note = "a model that is generic over its scalar, `struct Pendulum<T>`, is one over `F64x8` too: `Pendulum<F64x8>`"
)]
pub trait WideModel: Parametric<Real: Wide> + FromParameters + Solvable {
    /// the model of one lane, with blocks of the same lengths
    type Single: Parametric<Real = <Self::Real as Wide>::Lane> + FromParameters + Solvable;

    /// The model of lane `k`.
    fn single(&self, k: usize) -> Self::Single {
        let from = self.parameter_block();
        let mut to = <Self::Single as Differentiable>::P::zeros(from.as_ref().len());
        for (to, from) in to.as_mut().iter_mut().zip(from.as_ref()) {
            *to = from.lane(k);
        }
        Self::Single::from_parameters(&to)
    }

    /// The models of all lanes as one; lanes that are left repeat the last model. `None` without a model, and of more
    /// models than there are lanes.
    fn abreast(singles: &[Self::Single]) -> Option<Self> {
        let last = singles.last().filter(|_| singles.len() <= Self::Real::LANES)?;
        let mut to = Self::P::zeros(last.derivatives().parameter_names.len());
        for k in 0..Self::Real::LANES {
            let from = singles.get(k).unwrap_or(last).parameter_block();
            for (to, &from) in to.as_mut().iter_mut().zip(from.as_ref()) {
                to.set_lane(k, from);
            }
        }
        Some(Self::from_parameters(&to))
    }
}

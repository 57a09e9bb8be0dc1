//! What an optimiser asks of a model beside its motion and its costs: limits and rows of squares, with derivatives.

use crate::model::layout::{Block, Pattern};
use crate::model::observable::Observable;
use crate::model::sensitive::Sensitive;
use crate::model::system::At;

/// Limits and rows of squares with their derivatives by (q, v, z, u), those of q tangent. Costs are in [`Sensitive`],
/// bounds of inputs and limits in [`Observable`].
///
/// Every model of `model!` that is `Sensitive` has this role; without limits and `residual` items its blocks are empty.
#[diagnostic::on_unimplemented(
    message = "`{Self}` lacks what an optimiser reads (`Optimizable`)",
    label = "needs a model of `model!`",
    note = "an adaptor such as `Held` or `Rayleigh` has none: use the model inside it"
)]
pub trait Optimizable: Sensitive + Observable {
    /// nonzeros of ∂h/∂(q, v, z, u)
    type LimitPartials: Block<Self::Real>;
    /// rows e of ½ Σ e², those of all `residual` items
    type Squares: Block<Self::Real>;
    /// nonzeros of ∂e/∂(q, v, z, u)
    type SquarePartials: Block<Self::Real>;

    /// Where the nonzeros of ∂h/∂(q, v, z, u) are.
    fn limit_pattern(&self) -> Pattern<'_>;

    /// Path constraints h(t, q, v, z, u), nh, and what they vary by.
    fn limit_partials(&self, at: At<'_, Self>, limits: &mut Self::H, by: &mut Self::LimitPartials);

    /// The name of the `residual` item of each row.
    fn square_names(&self) -> &[&str] {
        &[]
    }

    /// Where the nonzeros of ∂e/∂(q, v, z, u) are.
    fn square_pattern(&self) -> Pattern<'_> {
        Pattern { rows: 0, cols: 0, starts: &[0], indices: &[] }
    }

    /// The rows e, and what they vary by.
    fn square_partials(&self, at: At<'_, Self>, rows: &mut Self::Squares, by: &mut Self::SquarePartials) {
        let _ = (at, rows, by);
    }
}

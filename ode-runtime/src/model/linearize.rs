//! The model's interface to implicit methods: its weighted tangent.

use crate::model::layout::Block;
use crate::model::system::{At, Rates, Residual, System};

/// Factors of ∂/∂(a, ż), ∂/∂v, ∂/∂q and ∂/∂z in the one weighted tangent.
///
/// K, D and M are its unit weights; an implicit method passes the factors of its history formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights<T> {
    /// of ∂/∂a and ∂/∂ż
    pub rates: T,
    /// of ∂/∂v
    pub velocity: T,
    /// of ∂/∂q (tangent)
    pub position: T,
    /// of ∂/∂z
    pub state: T,
}

/// What implicit methods need on top.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tangent (`Linearize`)",
    label = "implicit and symplectic methods, statics and linearisations need a tangent",
    note = "models of `model!` have one; a system written by hand implements `Linearize`",
    note = "semi-explicit and Runge–Kutta methods, such as `Leapfrog` and `DormandPrince8`, need none"
)]
pub trait Linearize: System {
    /// nonzeros of the bordered tangent
    type Tangent: Block<Self::Real>;

    /// The residual and its weighted derivative in one fused call.
    ///
    /// With weights (ρ, ν, π, σ) the matrix is, in the order (v, z, λ) of rows and unknowns,
    ///
    /// ```text
    /// [ ρ ∂r/∂a + ν ∂r/∂v + π ∂r/∂q   σ ∂r/∂z        −Gᵀ ]
    /// [ −ν ∂g/∂v − π ∂g/∂q            ρ 1 − σ ∂g/∂z    0 ]
    /// [ π G                           0               0 ]
    /// ```
    ///
    /// A nonholonomic row has ν A + π ∂ψ/∂q instead of π G; a compliant row has its own derivatives and E on the
    /// diagonal.
    ///
    /// where ∂r is that of the **whole** residual, with ∂(M a)/∂q and −∂(Gᵀλ)/∂q. Values are in the order of
    /// `Layout::tangent`.
    ///
    /// `at.q` is q₀ ⊕ `step`, and the position columns are derivatives with respect to the step: ∂/∂q, of nv columns,
    /// times T(step), in G of the last row too. Where N = 1, T = 1 and `step` is not read.
    fn tangent(
        &self,
        at: At<'_, Self>,
        rates: Rates<'_, Self>,
        weights: Weights<Self::Real>,
        step: &Self::V,
        residual: &mut Residual<Self>,
        out: &mut Self::Tangent,
    );
}

//! Derivatives for optimisation, estimation and control, beside the tangent.

use crate::model::layout::{Block, Pattern};
use crate::model::linearize::Linearize;
use crate::model::system::{At, Rates};

/// Patterns of the derivatives of a [`Differentiable`], and names of its parameters; names of outputs are in
/// [`Layout::outputs`](crate::Layout::outputs).
#[derive(Clone, Copy, Debug)]
pub struct Derivatives<'a> {
    /// B, (nv + nz) × nu
    pub force_by_input: Pattern<'a>,
    /// P, (nv + nz) × np
    pub residual_by_parameter: Pattern<'a>,
    /// ∂Φ/∂p, nc × np
    pub constraint_by_parameter: Pattern<'a>,
    /// ∂y/∂(q, v, z, a, ż, λ, u, p), ny × (3 nv + 2 nz + nc + nu + np)
    pub output_jacobian: Pattern<'a>,
    /// a name for each parameter
    pub parameter_names: &'a [&'a str],
}

/// Outputs, and derivatives by inputs and parameters.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has neither outputs nor derivatives by parameters (`Differentiable`)",
    label = "needs a model of `model!`",
    note = "an adaptor such as `Held` or `Rayleigh` has them in the model inside it"
)]
pub trait Differentiable: Linearize {
    /// parameters, np
    type P: Block<Self::Real>;
    /// outputs, ny
    type Y: Block<Self::Real>;
    /// nonzeros of B
    type ForceByInput: Block<Self::Real>;
    /// nonzeros of P
    type ResidualByParameter: Block<Self::Real>;
    /// nonzeros of ∂Φ/∂p
    type ConstraintByParameter: Block<Self::Real>;
    /// nonzeros of the outputs' Jacobian
    type OutputJacobian: Block<Self::Real>;

    /// Patterns and names.
    fn derivatives(&self) -> Derivatives<'_>;
    /// All parameters, in the order of their declaration.
    fn parameter_block(&self) -> Self::P;
    /// The same model with these parameters in SI, in the order of [`Differentiable::parameter_block`]. They are not
    /// checked.
    #[must_use]
    fn with_parameters(&self, parameters: &Self::P) -> Self;
    /// B = −∂(r, s)/∂u with s = ż − g: ∂f/∂u above ∂g/∂u.
    fn force_by_input(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Self::ForceByInput);
    /// P = ∂(r, s)/∂p with s = ż − g, and ∂Φ/∂p.
    fn residual_by_parameter(
        &self,
        at: At<'_, Self>,
        rates: Rates<'_, Self>,
        r: &mut Self::ResidualByParameter,
        phi: &mut Self::ConstraintByParameter,
    );
    /// y(t, q, v, z, a, ż, λ, u).
    fn outputs(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Self::Y);
    /// ∂y/∂(q, v, z, a, ż, λ, u, p).
    fn output_jacobian(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Self::OutputJacobian);
}

/// A model that is nothing but its parameters: every model of `model!` without sets.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not made by its parameters alone (`FromParameters`)",
    label = "needs a model of `model!` without sets",
    note = "a model with sets has members too: change a parameter with `Parametric::set_parameter`"
)]
pub trait FromParameters: Differentiable {
    /// The model with these parameters in SI, in the order of [`Differentiable::parameter_block`]. They are not
    /// checked.
    fn from_parameters(parameters: &Self::P) -> Self;
}

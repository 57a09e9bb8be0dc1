//! Derivatives of the equations by inputs and parameters.

use crate::expr::Node;

use super::mechanics::{Kind, Mechanics};
use super::sparse::{self, Sparse};

/// B, P and the laws' derivative by parameters.
pub struct Sensitivities {
    /// B = −∂(r, s)/∂u, (nv + nz) × nu
    pub inputs: Sparse,
    /// P = ∂(r, s)/∂p, (nv + nz) × np
    pub parameters: Sparse,
    /// the laws' derivative by parameters, nc × np
    pub constraint_parameters: Sparse,
}

impl Mechanics<'_> {
    /// B = −∂/∂u and P = ∂/∂p of the rows (r, ż − g), and ∂Φ/∂p.
    pub(super) fn sensitivities(&mut self, residual: &[Node], phi: &[Node]) -> Sensitivities {
        let (u, p) = (self.along(&[Kind::Input]), self.along(&[Kind::Parameter]));
        let negative: Vec<Node> = residual.iter().map(|&r| self.graph.neg(r)).collect();
        let inputs = sparse::jacobian(&mut self.graph, &negative, &u);
        let parameters = match self.by_vertices(residual, [], |_| p.clone()) {
            Some(found) => Sparse::new(&self.graph, residual.len(), p.len(), found.entries),
            None => sparse::jacobian(&mut self.graph, residual, &p),
        };
        let constraint_parameters = sparse::jacobian(&mut self.graph, phi, &p);
        Sensitivities { inputs, parameters, constraint_parameters }
    }
}

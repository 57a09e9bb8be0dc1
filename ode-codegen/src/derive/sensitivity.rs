//! Derivatives by inputs and parameters, and those of outputs, limits, costs and initial conditions.

use crate::expr::{Node, Symbol};
use crate::model::Level;

use super::mechanics::Mechanics;
use super::sparse::{self, Sparse};

pub(super) struct Sensitivities {
    pub(super) inputs: Sparse,
    pub(super) parameters: Sparse,
    pub(super) constraint_parameters: Sparse,
}

impl Mechanics<'_> {
    /// B = −∂r/∂u, P = ∂r/∂p and ∂Φ/∂p.
    pub(super) fn sensitivities(&mut self, residual: &[Node], phi: &[Node]) -> Sensitivities {
        let (u, p) = (self.symbols.u.clone(), self.symbols.p.clone());
        let negative: Vec<Node> = residual.iter().map(|&r| self.graph.neg(r)).collect();
        let inputs = sparse::jacobian(&mut self.graph, &negative, &u);
        let parameters = sparse::jacobian(&mut self.graph, residual, &p);
        let constraint_parameters = sparse::jacobian(&mut self.graph, phi, &p);
        Sensitivities { inputs, parameters, constraint_parameters }
    }

    /// ∂y/∂(q, v, a, λ, u, p).
    pub(super) fn output_jacobian(&mut self, outputs: &[Node]) -> Sparse {
        let s = &self.symbols;
        let wrt: Vec<Symbol> = [&s.q, &s.v, &s.a, &s.lambda, &s.u, &s.p].into_iter().flatten().copied().collect();
        sparse::jacobian(&mut self.graph, outputs, &wrt)
    }

    /// ∂/∂(q, v, u).
    pub(super) fn state_jacobian(&mut self, values: &[Node]) -> Sparse {
        let s = &self.symbols;
        let wrt: Vec<Symbol> = [&s.q, &s.v, &s.u].into_iter().flatten().copied().collect();
        sparse::jacobian(&mut self.graph, values, &wrt)
    }

    /// Residuals `on − value` of the `init` items, by level, with their Jacobians ∂/∂q and ∂/∂v.
    pub(super) fn conditions(&mut self) -> ((Vec<Node>, Sparse), (Vec<Node>, Sparse)) {
        let mut rows = [Vec::new(), Vec::new()];
        for start in self.model.starts.iter().filter(|s| s.exact) {
            let list = &mut rows[usize::from(start.level == Level::Velocity)];
            for (&on, &value) in start.on.iter().zip(&start.value) {
                list.push(self.graph.sub(on, value));
            }
        }
        let [position, velocity] = rows;
        let (q, v) = (self.symbols.q.clone(), self.symbols.v.clone());
        let by_position = sparse::jacobian(&mut self.graph, &position, &q);
        let by_velocity = sparse::jacobian(&mut self.graph, &velocity, &v);
        ((position, by_position), (velocity, by_velocity))
    }
}

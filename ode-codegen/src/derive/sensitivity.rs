//! Derivatives by inputs and parameters, and those of outputs, limits, costs and initial conditions.

use crate::expr::Node;
use crate::model::Level;

use super::mechanics::{Kind, Mechanics};
use super::sparse::{self, Sparse};

pub(super) struct Sensitivities {
    pub(super) inputs: Sparse,
    pub(super) parameters: Sparse,
    pub(super) constraint_parameters: Sparse,
}

impl Mechanics<'_> {
    /// (q, v, z, a, ż, λ, u, p)
    pub(super) const EVERYTHING: &'static [Kind] = &[
        Kind::Position,
        Kind::Velocity,
        Kind::State,
        Kind::Acceleration,
        Kind::Rate,
        Kind::Multiplier,
        Kind::Input,
        Kind::Parameter,
    ];

    /// B = −∂/∂u and P = ∂/∂p of the rows (r, ż − g), and ∂Φ/∂p.
    pub(super) fn sensitivities(&mut self, residual: &[Node], phi: &[Node]) -> Sensitivities {
        let (u, p) = (self.along(&[Kind::Input]), self.along(&[Kind::Parameter]));
        let negative: Vec<Node> = residual.iter().map(|&r| self.graph.neg(r)).collect();
        let inputs = sparse::jacobian(&mut self.graph, &negative, &u);
        let parameters = sparse::jacobian(&mut self.graph, residual, &p);
        let constraint_parameters = sparse::jacobian(&mut self.graph, phi, &p);
        Sensitivities { inputs, parameters, constraint_parameters }
    }

    /// ∂y/∂(q, v, z, a, ż, λ, u, p).
    pub(super) fn output_jacobian(&mut self, outputs: &[Node]) -> Sparse {
        let along = self.along(Self::EVERYTHING);
        sparse::jacobian(&mut self.graph, outputs, &along)
    }

    /// ∂/∂(q, v, z, u).
    pub(super) fn state_jacobian(&mut self, values: &[Node]) -> Sparse {
        let along = self.along(&[Kind::Position, Kind::Velocity, Kind::State, Kind::Input]);
        sparse::jacobian(&mut self.graph, values, &along)
    }

    /// Residuals of the `init` items, by level, with their Jacobians ∂/∂q and ∂/∂v.
    pub(super) fn conditions(&mut self) -> ((Vec<Node>, Sparse), (Vec<Node>, Sparse)) {
        let mut rows = [Vec::new(), Vec::new()];
        for start in self.model.starts.iter().filter(|s| s.exact && s.level != Level::State) {
            let list = &mut rows[usize::from(start.level == Level::Velocity)];
            list.extend_from_slice(&start.rows);
        }
        let [position, velocity] = rows;
        let (q, v) = (self.along(&[Kind::Position]), self.along(&[Kind::Velocity]));
        let by_position = sparse::jacobian(&mut self.graph, &position, &q);
        let by_velocity = sparse::jacobian(&mut self.graph, &velocity, &v);
        ((position, by_position), (velocity, by_velocity))
    }
}

//! Quantities observed at a state, with their Jacobians: outputs, path constraints, costs and rows of sums of squares;
//! and the picture, which has none.

use crate::expr::Node;

use super::mechanics::{Kind, Mechanics};
use super::sparse::{self, Rows, Sparse};

/// Functions of a state and its rates.
pub struct Observed {
    /// outputs and ∂/∂(q, v, z, a, ż, λ, u, p), ny
    pub outputs: Rows,
    /// path constraints and ∂/∂(q, v, z, u)
    pub limits: Rows,
    /// costs and ∂/∂(q, v, z, u)
    pub costs: Rows,
    /// costs by p
    pub costs_by_parameter: Sparse,
    /// rows of sums of squares and ∂/∂(q, v, z, u)
    pub fits: Rows,
    /// the numbers of all figures
    pub picture: Vec<Node>,
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

    /// All of them.
    pub(super) fn observed(&mut self) -> Observed {
        const STATE: &[Kind] = &[Kind::Position, Kind::Velocity, Kind::State, Kind::Input];
        let model = self.model;
        let costs: Vec<Node> = model.observed.costs.iter().map(|c| c.value).collect();
        let parameters = self.along(&[Kind::Parameter]);
        Observed {
            costs_by_parameter: sparse::jacobian(&mut self.graph, &costs, &parameters),
            outputs: self
                .rows_along(model.observed.outputs.iter().flat_map(|o| o.value.clone()).collect(), Self::EVERYTHING),
            limits: self.rows_along(model.observed.limits.iter().flat_map(|l| l.value.clone()).collect(), STATE),
            costs: self.rows_along(costs, STATE),
            picture: model.observed.picture.iter().flatten().flat_map(|f| f.value.clone()).collect(),
            fits: self.rows_along(model.observed.fits.iter().flat_map(|f| f.value.clone()).collect(), STATE),
        }
    }

    /// Values and their derivatives by these kinds of symbols.
    pub(super) fn rows_along(&mut self, values: Vec<Node>, kinds: &[Kind]) -> Rows {
        let along = self.along(kinds);
        let jacobian = sparse::jacobian(&mut self.graph, &values, &along);
        Rows { values, jacobian }
    }
}

//! How products of the tangent with a vector vary: second derivatives, contracted with what a step changes.

use crate::chart;
use crate::expr::{Node, Symbol};

use super::mechanics::{Kind, Mechanics};
use super::partials::{BESIDE, UNKNOWNS};

/// wᵀ ∂(J d) at constant d and w, of J = ∂(r, ż − g, Φ)/∂(q, v, a, z, λ). J has columns by tangent coordinates of q, so
/// that on rotations J d is differentiated along q as it stands there: these are not the symmetric second derivatives.
#[derive(Default)]
pub struct Curvature {
    /// by (q, v, a, z, λ, u, t)
    pub states: Vec<Node>,
    /// by p
    pub parameters: Vec<Node>,
}

impl Mechanics<'_> {
    /// That of these rows.
    pub(super) fn curvature(&mut self, rows: &[Node]) -> Curvature {
        let unknowns = self.along(UNKNOWNS);
        let direction = self.combined(&unknowns, Symbol::Vector);
        let products = self.graph.jvp(rows, &direction);
        let graph = &mut self.graph;
        let weighted: Vec<(Node, Node)> =
            (0..).zip(products).map(|(i, product)| (product, graph.symbol(Symbol::Covector(i)))).collect();
        let along = [unknowns, self.along(BESIDE), self.along(&[Kind::Parameter])].concat();
        let mut states = chart::pull_back(&mut self.graph, &weighted, &along);
        let parameters = states.split_off(along.len() - self.symbols.p.len());
        Curvature { states, parameters }
    }
}

//! First-order states and algebraic variables.

use crate::expr::Node;

use super::mechanics::Mechanics;
use super::sparse::Sparse;

/// What determines z.
pub struct States {
    /// g, and F of algebraic variables, nz
    pub rates: Vec<Node>,
    /// ż − g, and −F of algebraic variables, nz; −g in an element of a model with sets
    pub residual: Vec<Node>,
    /// F
    pub laws: Vec<Node>,
    /// ∂F/∂y by the algebraic variables
    pub law_jacobian: Sparse,
}

impl Mechanics<'_> {
    /// All of it.
    pub(super) fn states(&mut self) -> States {
        let residual = self.state_residual();
        let (laws, law_jacobian) = self.laws();
        States { rates: self.model.flow.rates.clone(), residual, laws, law_jacobian }
    }

    /// ż − g, the rows of the first-order states, and −F, those of algebraic variables. Rates of a model with sets are
    /// sums over its elements, so ż is added to that.
    fn state_residual(&mut self) -> Vec<Node> {
        let differential = if self.model.flow.shares.is_some() { 0 } else { self.model.nz() - self.model.na() };
        let mut rows = Vec::new();
        for (i, &g) in self.model.flow.rates.iter().enumerate() {
            rows.push(if i < differential {
                let rate = self.graph.symbol(self.symbols.zdot[i]);
                self.graph.sub(rate, g)
            } else {
                self.graph.neg(g)
            });
        }
        rows
    }

    /// F and its Jacobian by the algebraic variables.
    fn laws(&mut self) -> (Vec<Node>, Sparse) {
        let first = self.model.nz() - self.model.na();
        let laws = self.model.flow.rates.get(first..).unwrap_or_default().to_vec();
        let unknowns = self.symbols.z.get(first..).unwrap_or_default().to_vec();
        let mut entries = Vec::new();
        for (row, &law) in laws.iter().enumerate() {
            let slopes = self.graph.gradient(law, &unknowns);
            entries.extend(slopes.into_iter().enumerate().map(|(column, slope)| (row, column, slope)));
        }
        let jacobian = Sparse::new(&self.graph, laws.len(), unknowns.len(), entries);
        (laws, jacobian)
    }
}

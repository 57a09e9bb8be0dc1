//! Accelerations with their derivatives by a state and its inputs: what a motion is linearised by.
//!
//! M a = f + Gᵀ λ and G a + γ = 0 hold at every state, so
//!
//! ```text
//! [ M  Gᵀ ] [  ∂a ]     [ ∂r ]
//! [ G  0  ] [ −∂λ ] = − [ ∂Φ̈ ]      ∂ż = −∂s
//! ```
//!
//! with the derivatives of the rows at constant a and λ. All that depends on the state is one expression graph: M, f,
//! the factors, a, λ and the derivatives share their parts. Where few operations are left the columns are solved there
//! too; otherwise by the runtime, which has them side by side.

use crate::expr::{Node, Symbol};

use super::elimination::Solutions;
use super::mechanics::Mechanics;
use super::partials::Partials;

/// Above this many numbers on the right, the columns are not solved together: they have to stay on the stack.
const MAX_RIGHT: usize = 4096;
/// Up to this many operations more, the columns are solved in the kernel, which knows their zeros. A pendulum with a
/// row needs 44 and takes 0.73 of the time of columns side by side; a cart with two links needs 85 and takes 1.08.
const MAX_SOLVED: usize = 60;

/// The derivatives of a, λ and ż by (q, v, z, u), a column each.
pub struct AccelerationPartials {
    /// how many columns there are
    pub columns: usize,
    /// (unknown, column, value) of the right-hand sides −∂(r, Φ̈), for the runtime to solve
    pub right: Vec<(usize, usize, Node)>,
    /// (unknown, column, value) of ∂(a, λ) instead, where few operations give them
    pub solved: Vec<(usize, usize, Node)>,
    /// (row, column, value) of ∂ż
    pub rates: Vec<(usize, usize, Node)>,
}

impl Mechanics<'_> {
    /// Those of a model with solutions straight from the state, and without compliant rows: these have λ from equations
    /// of their own.
    pub(super) fn acceleration_partials(
        &mut self,
        solutions: Option<&Solutions>,
        partials: &Partials,
        compliant: bool,
    ) -> Option<AccelerationPartials> {
        let solutions = solutions.filter(|_| !compliant)?;
        let (nv, nz, nc, nu) = (self.model.nv(), self.model.nz(), self.model.nc(), self.model.nu());
        let columns = 2 * nv + nz + nu;
        if (nv + nc) * columns > MAX_RIGHT {
            return None;
        }
        // columns of the partial derivatives are (q, v, a, z, λ, u, t), rows (r, s, Φ, Φ̇, Φ̈)
        let column = |c: usize| match c {
            c if c < 2 * nv => Some(c),
            c if (3 * nv..3 * nv + nz).contains(&c) => Some(c - nv),
            c if (3 * nv + nz + nc..3 * nv + nz + nc + nu).contains(&c) => Some(c - nv - nc),
            _ => None,
        };
        let (mut right, mut rates) = (Vec::new(), Vec::new());
        for &(row, c, node) in &partials.states.entries {
            let Some(column) = column(c) else { continue };
            let value = self.graph.neg(node);
            match row.checked_sub(nv) {
                None => right.push((row, column, value)),
                Some(s) if s < nz => rates.push((s, column, value)),
                Some(row) if row >= nz + 2 * nc => right.push((row - nz - 2 * nc + nv, column, value)),
                Some(_) => {}
            }
        }
        let nodes: Vec<Node> = right.iter().map(|&(.., node)| node).collect();
        let found = self.graph.replaced(&nodes, |symbol| match symbol {
            Symbol::A(i) => Some(solutions.a[i as usize]),
            Symbol::Lambda(i) => Some(solutions.lambda[i as usize]),
            _ => None,
        });
        right.iter_mut().zip(found).for_each(|((.., node), found)| *node = found);
        let solved = self.solved(solutions, columns, &right);
        if !solved.is_empty() {
            right.clear();
        }
        Some(AccelerationPartials { columns, right, solved, rates })
    }

    /// The solutions of all columns, but for zeros, if few operations give them.
    fn solved(
        &mut self,
        solutions: &Solutions,
        columns: usize,
        right: &[(usize, usize, Node)],
    ) -> Vec<(usize, usize, Node)> {
        let n = self.model.nv() + self.model.nc();
        if right.len() > MAX_SOLVED {
            return Vec::new();
        }
        let zero = self.graph.constant(0.0);
        let mut given = vec![vec![zero; n]; columns];
        right.iter().for_each(|&(row, column, node)| given[column][row] = node);
        let mut solved = Vec::new();
        for (column, right) in given.into_iter().enumerate() {
            let found = solutions.solve(&mut self.graph, right);
            solved.extend(found.into_iter().enumerate().map(|(unknown, node)| (unknown, column, node)));
        }
        solved.retain(|&(.., node)| !self.graph.is_zero(node));
        let operations = |entries: &[(usize, usize, Node)]| {
            let nodes = entries.iter().map(|&(.., node)| node);
            self.graph.operations(&solutions.factor.iter().copied().chain(nodes).collect::<Vec<_>>())
        };
        if operations(&solved) > operations(right) + MAX_SOLVED { Vec::new() } else { solved }
    }
}

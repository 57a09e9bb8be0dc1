//! Products with the first derivatives of the rows (r, s, Φ), and the second derivatives of the Lagrangian, their
//! weighted sum w·(r, s, Φ). Derived only on request.

use crate::chart::{self, Direction};
use crate::expr::{Node, Symbol};
use crate::model::Emit;

use super::mechanics::Mechanics;
use super::sparse::{self, Sparse};

/// What `#[model(emit(..))]` asked for. Rows are those of r, s = ż − g and Φ; columns are (q, v, z, a, ż, λ, u, p),
/// those of q tangent.
#[derive(Default)]
pub struct Products {
    /// J d, a row each
    pub jvp: Option<Vec<Node>>,
    /// Jᵀ w, a column each
    pub vjp: Option<Vec<Node>>,
    /// ∂²(w·rows) d, a column each
    pub hvp: Option<Vec<Node>>,
    /// the lower triangle of ∂²(w·rows)
    pub hessian: Option<Sparse>,
}

impl Mechanics<'_> {
    /// The products that are asked for, from the rows.
    pub(super) fn products(&mut self, rows: &[Node], emit: Emit) -> Products {
        if !emit.has_products() {
            return Products::default();
        }
        let along = self.along(Self::EVERYTHING);
        let weighted: Vec<(Node, Node)> =
            rows.iter().enumerate().map(|(i, &row)| (row, self.graph.symbol(Symbol::Adjoint(i as u32)))).collect();
        let jvp = emit.jvp.then(|| {
            let direction = self.combined(&along, Symbol::Direction);
            self.graph.jvp(rows, &direction)
        });
        let vjp = emit.vjp.then(|| chart::pull_back(&mut self.graph, &weighted, &along));
        let hvp = emit.hvp.then(|| {
            let (gradient, spins) = self.slopes(&weighted, &along);
            let direction = self.combined(&along, Symbol::Direction);
            let mut hvp = self.graph.jvp(&gradient, &direction);
            let d: Vec<Node> = (0..along.len()).map(|k| self.graph.symbol(Symbol::Direction(k as u32))).collect();
            self.symmetrize(&mut hvp, (&gradient, &spins), &d);
            hvp
        });
        let hessian = emit.hessian.then(|| self.hessian(&weighted, &along));
        Products { jvp, vjp, hvp, hessian }
    }

    /// The gradient along directions, and along the spins of points of the sphere.
    fn slopes(&mut self, weighted: &[(Node, Node)], along: &[Direction]) -> (Vec<Node>, Vec<Node>) {
        let mut all = along.to_vec();
        all.extend(chart::spins(&mut self.graph, &self.symbols.blocks));
        let mut gradient = chart::pull_back(&mut self.graph, weighted, &all);
        let spins = gradient.split_off(along.len());
        (gradient, spins)
    }

    /// Σ d_k along_k.
    pub(super) fn combined(&mut self, along: &[Direction], d: fn(u32) -> Symbol) -> Direction {
        let mut sum = Direction::new();
        for (k, direction) in along.iter().enumerate() {
            let d = self.graph.symbol(d(k as u32));
            for &(symbol, rate) in direction {
                let share = self.graph.mul(d, rate);
                match sum.iter_mut().find(|(s, _)| *s == symbol) {
                    Some((_, total)) => *total = self.graph.add(*total, share),
                    None => sum.push((symbol, share)),
                }
            }
        }
        sum
    }

    /// The second derivative along q ⊕ δ at δ = 0. Differentiating along one rotation after another gives half of their
    /// commutator in addition: X_d X_k f = ∂²f(d, k) ∓ ½ (d × ∂f)_k, for body and for spatial rates. A point on the
    /// sphere moves by body rates without spin, but has a slope along the spin.
    fn symmetrize(&mut self, hvp: &mut [Node], (gradient, spins): (&[Node], &[Node]), d: &[Node]) {
        let zero = self.graph.constant(0.0);
        let mut spins = spins.iter();
        for block in self.symbols.blocks.iter().filter(|b| b.chart.turns()) {
            let (sign, places) = (block.chart.hamel_sign().unwrap_or(1.0), block.velocities());
            let spin = if places.len() < 3 { spins.next().copied() } else { None };
            let three = |all: &[Node], third: Option<Node>| {
                [0, 1, 2].map(|k| if k < places.len() { all[places.start + k] } else { third.unwrap_or(zero) })
            };
            let (d, slope) = (three(d, None), three(gradient, spin));
            let turned = self.graph.cross(d, slope);
            for (k, term) in places.zip(turned) {
                let half = self.graph.scale(0.5 * sign, term);
                hvp[k] = self.graph.add(hvp[k], half);
            }
        }
    }

    fn hessian(&mut self, weighted: &[(Node, Node)], along: &[Direction]) -> Sparse {
        let n = along.len();
        let (gradient, spins) = self.slopes(weighted, along);
        let full = sparse::jacobian(&mut self.graph, &gradient, along);
        let zero = self.graph.constant(0.0);
        let one = self.graph.constant(1.0);
        let mut entries = Vec::new();
        for c in 0..n {
            let mut column = vec![zero; n];
            for &(row, _, node) in full.entries.iter().filter(|e| e.1 == c) {
                column[row] = node;
            }
            let unit: Vec<Node> = (0..n).map(|k| if k == c { one } else { zero }).collect();
            self.symmetrize(&mut column, (&gradient, &spins), &unit);
            entries.extend(column.into_iter().enumerate().skip(c).map(|(row, node)| (row, c, node)));
        }
        Sparse::new(&self.graph, n, n, entries)
    }
}

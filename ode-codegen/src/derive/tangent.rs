//! The weighted tangent of the residual, bordered by the constraints.

use crate::chart::{self, Block, Columns};
use crate::expr::{Graph, Node, Symbol};

use super::constraints::Constraints;
use super::mechanics::{Kind, Mechanics};
use super::sparse::{self, Sparse};

/// The tangent, and the patterns of K and D alone.
pub struct Tangent {
    /// the weighted bordered tangent, (nv + nz + nc)²
    pub matrix: Sparse,
    /// pattern of K alone: (row, column)
    pub stiffness: Vec<(usize, usize)>,
    /// pattern of D alone: (row, column)
    pub damping: Vec<(usize, usize)>,
    /// what a linearised step takes, if it is asked for in one call
    pub drift: Option<Drift>,
}

/// The weighted tangent beside the product of its part with π with v.
pub struct Drift {
    /// values of the tangent, as sums of parts without and with π
    pub tangent: Vec<Node>,
    /// the part with π of the columns of velocities
    pub parts: Vec<Node>,
    /// its product with v, a row each
    pub rows: Vec<Node>,
}

const RHO: Symbol = Symbol::Weight(0);
const NU: Symbol = Symbol::Weight(1);
const PI: Symbol = Symbol::Weight(2);
const SIGMA: Symbol = Symbol::Weight(3);

/// T(δ) of each quaternion: an increment of δ moves q ⊕ δ by T(δ) times it.
struct Turns(Vec<Block>);

impl Turns {
    fn of(blocks: &[Block]) -> Self {
        Self(blocks.iter().copied().filter(|b| b.chart.turns()).collect())
    }

    /// Entry (i, j) of T for the rotation number `k`.
    fn entry(g: &mut Graph, k: usize, i: usize, j: usize) -> Node {
        g.symbol(Symbol::Turn((9 * k + 3 * i + j) as u32))
    }

    /// A row of derivatives by positions, as derivatives by increments: row · T. Nonzero ones by `spins` are needed
    /// too.
    fn row(&self, g: &mut Graph, row: &mut [Node], spins: &[Node]) {
        let mut spins = spins.iter().copied();
        for (k, block) in self.0.iter().enumerate() {
            let mut old = row[block.velocities()].to_vec();
            if old.len() < 3 {
                old.extend(spins.next());
            }
            for j in 0..block.chart.velocities() {
                let terms: Vec<Node> = (0..old.len())
                    .map(|i| {
                        let entry = Self::entry(g, k, i, j);
                        g.mul(old[i], entry)
                    })
                    .collect();
                row[block.v + j] = g.sum(terms);
            }
        }
    }

    /// The velocities along which an increment of the entry `j` of a block moves its positions, times `factor`.
    fn column(&self, g: &mut Graph, block: &Block, j: usize, factor: Node) -> Vec<Node> {
        match self.0.iter().position(|b| b.v == block.v) {
            None => vec![factor],
            Some(k) => (0..3)
                .map(|i| {
                    let entry = Self::entry(g, k, i, j);
                    g.mul(factor, entry)
                })
                .collect(),
        }
    }
}

impl Mechanics<'_> {
    /// [ρM + νD + πKT, σ∂r/∂z, −Gᵀ; −ν∂g/∂v − π∂g/∂q T, ρ − σ∂g/∂z, 0; πGT, 0, 0] of the rows (r, ż − g), by rows or by
    /// columns, whichever is cheaper; and the patterns of K and D. A row of velocities has νA and π times its own
    /// slope; a compliant row has its own derivatives, and E on the diagonal.
    pub(super) fn tangent(&mut self, residual: &[Node], constraints: &Constraints) -> Tangent {
        let (nv, nz) = (self.symbols.v.len(), self.symbols.z.len());
        let n = nv + nz + constraints.laws.len();
        let rows: Vec<(usize, Node)> = residual
            .iter()
            .copied()
            .enumerate()
            .chain(constraints.own.iter().map(|&(k, law)| (nv + nz + k, law)))
            .collect();
        let nodes: Vec<Node> = rows.iter().map(|(_, row)| *row).collect();
        let blocks = self.symbols.blocks.clone();
        let turns = Turns::of(&blocks);
        let weights = [RHO, NU, PI, SIGMA].map(|weight| self.graph.symbol(weight));
        let border = self.border(constraints, &turns, weights[2]);
        let mut along = self.along(&[Kind::Position, Kind::Velocity, Kind::Acceleration, Kind::State, Kind::Rate]);
        along.extend(chart::spins(&mut self.graph, &blocks));
        let (v, a) = (self.symbols.v.clone(), self.symbols.a.clone());
        let (z, zdot) = (self.symbols.z.clone(), self.symbols.zdot.clone());
        let [rho, nu, pi, sigma] = weights;
        let seeds = |g: &mut Graph, block: &Block, k: usize, j: usize| {
            let velocities = turns.column(g, block, k, pi);
            let mut seeds = block.rates(g, &velocities);
            seeds.extend([(v[j], nu), (a[j], rho)]);
            seeds
        };
        let columns = |g: &mut Graph| {
            let mut all = Vec::new();
            for block in &blocks {
                all.extend(block.velocities().enumerate().map(|(k, j)| seeds(g, block, k, j)));
            }
            all.extend((0..nz).map(|j| vec![(z[j], sigma), (zdot[j], rho)]));
            all
        };
        // derivatives by the positions of a rotation are not those by its increments, which K and D are not of
        if turns.0.is_empty()
            && let Some(mut found) = self.by_vertices(&nodes, [PI, NU], columns)
        {
            found.entries.iter_mut().for_each(|entry| entry.0 = rows[entry.0].0);
            let [stiffness, damping] = found.with.map(|with| {
                let here = found.entries.iter().zip(with).filter(|&(&(i, j, _), with)| with && i < nv && j < nv);
                sorted(here.map(|(&(i, j, _), _)| (i, j)).collect())
            });
            let matrix = Sparse::new(&self.graph, n, n, border.into_iter().chain(found.entries));
            return Tangent { matrix, stiffness, damping, drift: None };
        }
        let g = &mut self.graph;
        let (mut stiffness, mut damping) = (Vec::new(), Vec::new());
        let by_rows = |g: &mut Graph| {
            let mut entries = border.clone();
            let (columns, one) = (Columns::of(g, &along), g.constant(1.0));
            for &(i, row) in &rows {
                let mut gradient = columns.pull_back(g, &[(row, one)]);
                if i < nv {
                    stiffness.extend((0..nv).filter(|&j| !g.is_zero(gradient[j])).map(|j| (i, j)));
                    damping.extend((0..nv).filter(|&j| !g.is_zero(gradient[nv + j])).map(|j| (i, j)));
                }
                let (position, others) = gradient.split_at_mut(nv);
                turns.row(g, position, &others[2 * nv + 2 * nz..]);
                for j in 0..nv {
                    let (k, d, m) = (gradient[j], gradient[nv + j], gradient[2 * nv + j]);
                    let terms = [g.mul(rho, m), g.mul(nu, d), g.mul(pi, k)];
                    entries.push((i, j, g.sum(terms)));
                }
                for j in 0..nz {
                    let (state, rate) = (gradient[3 * nv + j], gradient[3 * nv + nz + j]);
                    let terms = [g.mul(rho, rate), g.mul(sigma, state)];
                    entries.push((i, nv + j, g.sum(terms)));
                }
            }
            entries
        };
        let by_columns = |g: &mut Graph| {
            let mut entries = border.clone();
            for block in &blocks {
                for (k, j) in block.velocities().enumerate() {
                    let seeds = seeds(g, block, k, j);
                    let column = g.jvp(&nodes, &seeds);
                    entries.extend(rows.iter().zip(column).map(|(&(i, _), node)| (i, j, node)));
                }
            }
            for j in 0..nz {
                let column = g.jvp(&nodes, &[(z[j], sigma), (zdot[j], rho)]);
                entries.extend(rows.iter().zip(column).map(|(&(i, _), node)| (i, nv + j, node)));
            }
            entries
        };
        let matrix = sparse::cheaper(g, by_rows, by_columns, (n, n));
        Tangent { matrix, stiffness: sorted(stiffness), damping: sorted(damping), drift: None }
    }

    /// The tangent, and what positions that move with v add to the rows (r, ż − g, Φ) of a linearised step. Columns of
    /// velocities are linear in the weights, so each entry is the sum of what it is without π and with π alone.
    pub(super) fn drift(&mut self, matrix: &Sparse) -> Drift {
        let mut tangent = matrix.values();
        let moving: Vec<usize> = (0..tangent.len()).filter(|&k| matrix.entries[k].1 < self.symbols.v.len()).collect();
        let values: Vec<Node> = moving.iter().map(|&k| tangent[k]).collect();
        let with = |symbol| matches!(symbol, Symbol::Weight(0 | 1 | 3)).then_some(0.0);
        let without = |symbol| matches!(symbol, Symbol::Weight(2)).then_some(0.0);
        let parts = self.graph.substituted(&values, with);
        let others = self.graph.substituted(&values, without);
        let mut rows = vec![Vec::new(); matrix.rows];
        for (&k, (&part, other)) in moving.iter().zip(parts.iter().zip(others)) {
            let (row, column, _) = matrix.entries[k];
            let v = self.graph.symbol(self.symbols.v[column]);
            rows[row].push(self.graph.mul(part, v));
            tangent[k] = self.graph.add(other, part);
        }
        let rows = rows.into_iter().map(|terms| self.graph.sum(terms)).collect();
        Drift { tangent, parts, rows }
    }

    /// −Gᵀ, E, and πGT except in rows with their own derivatives.
    fn border(&mut self, constraints: &Constraints, turns: &Turns, pi: Node) -> Vec<(usize, usize, Node)> {
        let jacobian = &constraints.action;
        let (nv, g) = (jacobian.cols, &mut self.graph);
        let first = nv + self.symbols.z.len();
        let zero = g.constant(0.0);
        let mut border = Vec::new();
        let mut rows = vec![vec![zero; nv]; jacobian.rows];
        for &(row, col, value) in &jacobian.entries {
            border.push((col, first + row, g.neg(value)));
            rows[row][col] = value;
        }
        border.extend(constraints.compliance.iter().map(|&(k, e)| (first + k, first + k, e)));
        let plain = |i: &usize| constraints.own.iter().all(|(k, _)| k != i);
        for (i, row) in rows.iter_mut().enumerate().filter(|(i, _)| plain(i)) {
            // Φ knows the point and not its spin
            turns.row(g, row, &[]);
            border.extend(row.iter().enumerate().map(|(j, &value)| (first + i, j, g.mul(pi, value))));
        }
        border
    }
}

/// Places in storage order.
fn sorted(mut places: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    places.sort_by_key(|&(r, c)| (c, r));
    places
}

//! The linear systems of a step as straight-line code, ordered once: LDLᵀ of the saddle matrix [M Gᵀ; G 0], LDU of the
//! bordered tangent of implicit methods.
//!
//! The order is minimum degree under one rule that makes it stable: a multiplier is eliminated only after every
//! velocity and state its row touches. Minimum degree alone may choose a multiplier whose pivot is a difference of
//! equal terms, zero up to rounding. There are no exchanges at run time. Each pivot comes with its scale; if the test
//! fails, the runtime uses a dense solver with pivoting.

use std::collections::BTreeMap;

use crate::expr::{Function, Graph, Node, Op, Symbol};

use super::constraints::Constraints;
use super::dynamics::Dynamics;
use super::mechanics::Mechanics;
use super::sparse::Sparse;

/// Above this many operations a loop over a dense matrix is as fast, with far less code.
const MAX_OPERATIONS: usize = 1500;
/// No elimination is tried for more rows than this.
const MAX_ROWS: usize = 64;
/// Above this many operations, accelerations and rates use the separate calls: otherwise their code would exist twice.
const MAX_FUSED: usize = 400;

/// Straight-line factorisation and solution.
pub struct Elimination {
    /// number of unknowns
    pub size: usize,
    /// expressions over `Symbol::Mass`, `Jacobian`, `Tangent`, `Factor` and `Rhs`
    pub graph: Graph,
    /// reciprocal pivots and the entries of L, and of U where it is not Lᵀ, in the order of elimination
    pub factor: Vec<Node>,
    /// for each pivot, of LDLᵀ (pivot, scale), of LDU (pivot, start, scale). The start is its value before any
    /// subtraction. The scale of LDLᵀ is the start, or for a multiplier the sum that was subtracted from its zero; that
    /// of LDU is the sum of the squares of all its terms. The pivots of multipliers of LDLᵀ have their signs changed:
    /// with a positive definite M and a G of full rank, all are positive
    pub checks: Vec<Node>,
    /// solution in the order of the unknowns from `Factor` and `Rhs`
    pub solution: Vec<Node>,
}

/// Solutions with the saddle matrix straight from the state: the elimination works on the model's own expressions, so
/// it can use constants and equal terms of M, G, f and γ.
pub struct Solutions {
    /// a, nv, of M a = f + Gᵀ λ, G a + γ = 0
    pub a: Vec<Node>,
    /// λ, nc
    pub lambda: Vec<Node>,
    /// δ, nv, of M δ = Gᵀ y, G δ = b, with b as `Symbol::Rhs`; empty without constraints
    pub correction: Vec<Node>,
    /// (pivot, scale) of each unknown as in [`Elimination::checks`]
    pub checks: Vec<Node>,
    /// of the pivots: begun as soon as a pivot is known, a division delays nothing
    pub reciprocals: Vec<Node>,
}

/// The solves of a step, where straight-line code is worth it.
#[derive(Default)]
pub struct Solves {
    /// LDLᵀ of [M Gᵀ; G 0]
    pub saddle: Option<Elimination>,
    /// LDU of the bordered tangent
    pub kkt: Option<Elimination>,
    /// accelerations and corrections straight from the state, if they are short
    pub solutions: Option<Solutions>,
}

impl Mechanics<'_> {
    /// All of them. A static order of pivots requires independent rows.
    pub(super) fn solves(&mut self, dynamics: &Dynamics, constraints: &Constraints, tangent: &Sparse) -> Solves {
        if self.model.is_redundant() {
            return Solves::default();
        }
        let soft: Vec<usize> = constraints.compliance.iter().map(|&(row, _)| row).collect();
        Solves {
            saddle: Elimination::of_saddle(&dynamics.mass, &constraints.jacobian, &soft),
            solutions: self.solutions(dynamics, constraints, &soft),
            kkt: self.elimination(&dynamics.mass, tangent),
        }
    }

    /// The solutions straight from the state, if they are short; `soft` rows are compliant.
    fn solutions(&mut self, dynamics: &Dynamics, constraints: &Constraints, soft: &[usize]) -> Option<Solutions> {
        let (nv, n) = (self.model.nv(), self.model.nv() + self.model.nc());
        let first_order = self.first_order();
        let g = &mut self.graph;
        let given = [dynamics.mass.values(), constraints.jacobian.values(), dynamics.force.clone()].concat();
        if first_order || self.model.na() > 0 || n == 0 || n > MAX_ROWS || g.operations(&given) > MAX_FUSED {
            return None;
        }
        let mut entries: BTreeMap<_, _> = dynamics.mass.entries.iter().map(|&(r, c, node)| ((r, c), node)).collect();
        entries.extend(constraints.jacobian.entries.iter().map(|&(r, c, node)| ((nv + r, c), node)));
        entries.extend(soft.iter().map(|row| ((nv + row, nv + row), g.constant(-1.0))));
        let mut matrix = Matrix { entries, symmetric: true, n, multipliers: nv };
        let Factors { columns, factor, checks } = factorize(g, &mut matrix)?;
        // a pivot that is structurally zero would never be sound
        if checks.chunks(2).any(|check| check.first().is_some_and(|&pivot| g.is_zero(pivot))) {
            return None;
        }
        let rhs = dynamics.force.iter().copied().chain(constraints.gamma.iter().map(|&node| g.neg(node)));
        let rhs = rhs.collect();
        let mut a = substitute(g, &columns, rhs, |_, index| factor[index]);
        // the symmetric form solves for −λ
        let lambda: Vec<Node> = a.split_off(nv).into_iter().map(|node| g.neg(node)).collect();
        let all: Vec<Node> = a.iter().chain(&lambda).chain(&checks).chain(&self.model.flow.rates).copied().collect();
        if g.operations(&all) > MAX_FUSED {
            return None;
        }
        let off = |i: usize| if i < nv { g.constant(0.0) } else { g.symbol(Symbol::Rhs((i - nv) as u32)) };
        let rhs = (0..n).map(off).collect();
        let mut correction = substitute(g, &columns, rhs, |_, index| factor[index]);
        correction.truncate(if n > nv { nv } else { 0 });
        let bare = |node| match g.op(node) {
            Op::Unary(Function::Neg, node) => node,
            _ => node,
        };
        let reciprocals = columns.iter().map(|column| bare(factor[column.reciprocal])).collect();
        Some(Solutions { a, lambda, correction, checks, reciprocals })
    }

    /// LDU of the bordered tangent, if every unknown except the multipliers has inertia.
    fn elimination(&self, mass: &Sparse, tangent: &Sparse) -> Option<Elimination> {
        let inert = (0..mass.rows).all(|i| mass.get(i, i).is_some()) && self.model.na() == 0;
        if inert { Elimination::of_tangent(tangent, self.model.nc()) } else { None }
    }
}

/// A matrix during elimination. Of a symmetric one only the lower triangle is kept.
struct Matrix {
    entries: BTreeMap<(usize, usize), Node>,
    symmetric: bool,
    n: usize,
    /// unknowns from here on are multipliers
    multipliers: usize,
}

impl Matrix {
    fn key(&self, i: usize, j: usize) -> (usize, usize) {
        if self.symmetric { (i.max(j), i.min(j)) } else { (i, j) }
    }
    fn get(&self, i: usize, j: usize) -> Option<Node> {
        self.entries.get(&self.key(i, j)).copied()
    }
    /// Whether i and j are coupled, one way or the other.
    fn couples(&self, i: usize, j: usize) -> bool {
        self.get(i, j).is_some() || self.get(j, i).is_some()
    }
    fn neighbours(&self, p: usize, alive: &[bool]) -> Vec<usize> {
        (0..self.n).filter(|&i| i != p && alive[i] && self.couples(i, p)).collect()
    }
    fn subtract(&mut self, g: &mut Graph, i: usize, j: usize, share: Node) {
        let zero = g.constant(0.0);
        let old = self.get(i, j).unwrap_or(zero);
        let new = g.sub(old, share);
        self.entries.insert(self.key(i, j), new);
    }
}

impl Elimination {
    /// LDLᵀ of the saddle matrix with these patterns, if it is small enough to be worth its code. Compliant rows have
    /// no G and −1 on the diagonal.
    pub fn of_saddle(mass: &Sparse, jacobian: &Sparse, soft: &[usize]) -> Option<Self> {
        let (nv, n) = (mass.rows, mass.rows + jacobian.rows);
        let mut g = Graph::new();
        let mut entries = BTreeMap::new();
        for (k, &(r, c, _)) in mass.entries.iter().enumerate() {
            entries.insert((r, c), g.symbol(Symbol::Mass(k as u32)));
        }
        for (k, &(r, c, _)) in jacobian.entries.iter().enumerate() {
            entries.insert((nv + r, c), g.symbol(Symbol::Jacobian(k as u32)));
        }
        for row in soft {
            entries.insert((nv + row, nv + row), g.constant(-1.0));
        }
        Self::of(g, Matrix { entries, symmetric: true, n, multipliers: nv })
    }

    /// LDU of the bordered tangent, the last `multipliers` of whose unknowns are multipliers. It needs the inertia on
    /// the diagonal.
    pub fn of_tangent(tangent: &Sparse, multipliers: usize) -> Option<Self> {
        let n = tangent.rows;
        let mut g = Graph::new();
        let places = tangent.entries.iter().enumerate();
        let entries = places.map(|(k, &(r, c, _))| ((r, c), g.symbol(Symbol::Tangent(k as u32)))).collect();
        Self::of(g, Matrix { entries, symmetric: false, n, multipliers: n - multipliers })
    }

    fn of(mut graph: Graph, mut matrix: Matrix) -> Option<Self> {
        let n = matrix.n;
        if n == 0 || n > MAX_ROWS {
            return None;
        }
        let Factors { columns, factor, checks } = factorize(&mut graph, &mut matrix)?;
        let rhs = (0..n).map(|i| graph.symbol(Symbol::Rhs(i as u32))).collect();
        let solution = substitute(&mut graph, &columns, rhs, |g, index| g.symbol(Symbol::Factor(index as u32)));
        let cost: Vec<Node> = factor.iter().chain(&solution).copied().collect();
        (graph.operations(&cost) <= MAX_OPERATIONS).then_some(Self { size: n, graph, factor, checks, solution })
    }
}

/// The result of a pivot: the index of its reciprocal among the factors, and (unknown, index) of the entries of L and
/// U.
struct Column {
    pivot: usize,
    reciprocal: usize,
    lower: Vec<(usize, usize)>,
    upper: Vec<(usize, usize)>,
}

#[derive(Default)]
struct Factors {
    columns: Vec<Column>,
    factor: Vec<Node>,
    checks: Vec<Node>,
}

fn factorize(g: &mut Graph, matrix: &mut Matrix) -> Option<Factors> {
    let (n, first) = (matrix.n, matrix.multipliers);
    let mut out = Factors::default();
    let mut alive = vec![true; n];
    let start: Vec<Option<Node>> = (0..n).map(|i| matrix.get(i, i)).collect();
    let mut scales = scales(g, matrix, &start);
    let touches: Vec<Vec<usize>> =
        (0..n).map(|i| (0..first).filter(|&j| i >= first && matrix.couples(i, j)).collect()).collect();
    for _ in 0..n {
        let ready = |i: &usize| alive[*i] && touches[*i].iter().all(|&j| !alive[j]);
        let p = (0..n).filter(ready).min_by_key(|&i| (matrix.neighbours(i, &alive).len(), i))?;
        let pivot = matrix.get(p, p)?;
        out.checks.push(if matrix.symmetric && p >= first { g.neg(pivot) } else { pivot });
        if !matrix.symmetric {
            // the start of a multiplier says nothing about its pivot
            out.checks.push(if p < first { start[p]? } else { pivot });
        }
        out.checks.push(scales[p]);
        alive[p] = false;
        eliminate(g, matrix, p, &alive, &mut scales, &mut out)?;
    }
    Some(out)
}

/// The scale of each pivot before any subtraction: its own start, zero for a multiplier without one.
fn scales(g: &mut Graph, matrix: &Matrix, start: &[Option<Node>]) -> Vec<Node> {
    let scale = |(i, start): (usize, &Option<Node>)| match start {
        Some(start) if matrix.symmetric && i < matrix.multipliers => *start,
        Some(start) if !matrix.symmetric => g.square(*start),
        _ => g.constant(0.0),
    };
    start.iter().enumerate().map(scale).collect()
}

/// Subtracts the contribution of the pivot p from the rest.
fn eliminate(
    g: &mut Graph,
    matrix: &mut Matrix,
    p: usize,
    alive: &[bool],
    scales: &mut [Node],
    out: &mut Factors,
) -> Option<()> {
    let reciprocal = g.recip(matrix.get(p, p)?);
    let mut column = Column { pivot: p, reciprocal: out.factor.len(), lower: Vec::new(), upper: Vec::new() };
    out.factor.push(reciprocal);
    let neighbours = matrix.neighbours(p, alive);
    let rows: Vec<usize> = neighbours.iter().copied().filter(|&i| matrix.get(i, p).is_some()).collect();
    for (k, &i) in rows.iter().enumerate() {
        let l = g.mul(matrix.get(i, p)?, reciprocal);
        column.lower.push((i, out.factor.len()));
        out.factor.push(l);
        let others = if matrix.symmetric { &rows[..=k] } else { &neighbours[..] };
        for &j in others {
            let Some(u) = matrix.get(p, j) else { continue };
            let share = g.mul(l, u);
            matrix.subtract(g, i, j, share);
            if i == j && !matrix.symmetric {
                let size = g.square(share);
                scales[i] = g.add(scales[i], size);
            } else if i == j && i >= matrix.multipliers && p < matrix.multipliers {
                // M is positive definite: all terms have one sign
                scales[i] = g.add(scales[i], share);
            }
        }
    }
    if matrix.symmetric {
        column.upper.clone_from(&column.lower);
    } else {
        for j in neighbours {
            let Some(u) = matrix.get(p, j) else { continue };
            column.upper.push((j, out.factor.len()));
            out.factor.push(g.mul(u, reciprocal));
        }
    }
    out.columns.push(column);
    Some(())
}

/// L z = b, z ← D⁻¹ z, U x = z, overwriting b; `factor` gives the indices of the factors.
fn substitute(
    g: &mut Graph,
    columns: &[Column],
    mut x: Vec<Node>,
    factor: impl Fn(&mut Graph, usize) -> Node,
) -> Vec<Node> {
    for column in columns {
        for &(row, index) in &column.lower {
            let l = factor(g, index);
            let share = g.mul(l, x[column.pivot]);
            x[row] = g.sub(x[row], share);
        }
    }
    for column in columns.iter().rev() {
        let reciprocal = factor(g, column.reciprocal);
        let mut value = g.mul(x[column.pivot], reciprocal);
        for &(row, index) in &column.upper {
            let u = factor(g, index);
            let share = g.mul(u, x[row]);
            value = g.sub(value, share);
        }
        x[column.pivot] = value;
    }
    x
}

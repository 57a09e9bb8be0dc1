//! LDLᵀ of the saddle matrix [M Gᵀ; G 0] as straight-line code, ordered once.
//!
//! The order is minimum degree under one rule that makes it stable: a multiplier is eliminated only after every velocity its
//! row touches. Minimum degree alone may take a multiplier whose pivot is a difference of equal terms, zero up to rounding.

use std::collections::BTreeMap;

use crate::expr::{Graph, Node, Symbol};

use super::sparse::Sparse;

/// Above this many operations a loop over a dense matrix is as fast, and far less code.
const MAX_OPERATIONS: usize = 1500;
/// No elimination is tried for more rows than this.
const MAX_ROWS: usize = 64;

/// A pivot and the size it is measured against.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// the pivot
    pub pivot: Node,
    /// what the pivot was before anything was subtracted
    pub scale: Node,
}

/// Straight-line factorisation and solution.
pub struct Elimination {
    /// expressions over `Symbol::Mass`, `Jacobian`, `Factor` and `Rhs`
    pub graph: Graph,
    /// factors: reciprocal pivots and the entries of L, in the order of elimination
    pub factor: Vec<Node>,
    /// one check a row
    pub checks: Vec<Check>,
    /// solution in the order (v, λ) from `Factor` and `Rhs`
    pub solution: Vec<Node>,
}

/// The symmetric matrix as it is eliminated: lower entries by (row, column), row ≥ column in elimination-independent numbering.
struct Matrix {
    entries: BTreeMap<(usize, usize), Node>,
    n: usize,
}

impl Matrix {
    fn key(i: usize, j: usize) -> (usize, usize) {
        (i.max(j), i.min(j))
    }
    fn get(&self, i: usize, j: usize) -> Option<Node> {
        self.entries.get(&Self::key(i, j)).copied()
    }
    fn neighbours(&self, p: usize, alive: &[bool]) -> Vec<usize> {
        (0..self.n).filter(|&i| i != p && alive[i] && self.get(i, p).is_some()).collect()
    }
}

impl Elimination {
    /// The elimination for these patterns, where it is small enough to be worth its code.
    /// Rows that yield have no G and −1 on the diagonal.
    pub fn of(mass: &Sparse, jacobian: &Sparse, soft: &[usize]) -> Option<Self> {
        let (nv, n) = (mass.rows, mass.rows + jacobian.rows);
        if n == 0 || n > MAX_ROWS {
            return None;
        }
        let mut g = Graph::new();
        let mut matrix = Matrix { entries: BTreeMap::new(), n };
        for (k, &(r, c, _)) in mass.entries.iter().enumerate() {
            matrix.entries.insert((r, c), g.symbol(Symbol::Mass(k as u32)));
        }
        for (k, &(r, c, _)) in jacobian.entries.iter().enumerate() {
            matrix.entries.insert((nv + r, c), g.symbol(Symbol::Jacobian(k as u32)));
        }
        for row in soft {
            matrix.entries.insert((nv + row, nv + row), g.constant(-1.0));
        }
        let (order, columns, factor, checks) = factorize(&mut g, &mut matrix, nv)?;
        let solution = substitute(&mut g, &order, &columns, n);
        let cost: Vec<Node> = factor.iter().copied().chain(solution.iter().copied()).collect();
        (g.operations(&cost) <= MAX_OPERATIONS).then_some(Self { graph: g, factor, checks, solution })
    }
}

/// A column of L: its pivot, and (row, index among the factors) of its entries; the reciprocal pivot's index.
struct Column {
    pivot: usize,
    reciprocal: usize,
    entries: Vec<(usize, usize)>,
}

type Factors = (Vec<usize>, Vec<Column>, Vec<Node>, Vec<Check>);

fn factorize(g: &mut Graph, matrix: &mut Matrix, nv: usize) -> Option<Factors> {
    let n = matrix.n;
    let mut alive = vec![true; n];
    let zero = g.constant(0.0);
    // what velocity pivots took from a multiplier's zero diagonal: the scale of its pivot
    let mut taken = vec![zero; n];
    let diagonal: Vec<Option<Node>> = (0..n).map(|i| matrix.get(i, i)).collect();
    let (mut order, mut columns, mut factor, mut checks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let touches: Vec<Vec<usize>> =
        (0..n).map(|i| (0..nv).filter(|&j| i >= nv && matrix.get(i, j).is_some()).collect()).collect();
    for _ in 0..n {
        let ready = |i: &usize| alive[*i] && touches[*i].iter().all(|&j| !alive[j]);
        let p = (0..n).filter(ready).min_by_key(|&i| (matrix.neighbours(i, &alive).len(), i))?;
        let pivot = matrix.get(p, p)?;
        let scale = if p < nv { diagonal[p]? } else { taken[p] };
        checks.push(Check { pivot, scale });
        alive[p] = false;
        let neighbours = matrix.neighbours(p, &alive);
        let reciprocal = g.recip(pivot);
        let mut column = Column { pivot: p, reciprocal: factor.len(), entries: Vec::new() };
        factor.push(reciprocal);
        for (k, &i) in neighbours.iter().enumerate() {
            let a = matrix.get(i, p)?;
            let l = g.mul(a, reciprocal);
            column.entries.push((i, factor.len()));
            factor.push(l);
            for &j in &neighbours[..=k] {
                let share = g.mul(l, matrix.get(j, p)?);
                if i == j && i >= nv && p < nv {
                    taken[i] = g.add(taken[i], share);
                }
                let old = matrix.get(i, j).unwrap_or(zero);
                let new = g.sub(old, share);
                matrix.entries.insert(Matrix::key(i, j), new);
            }
        }
        order.push(p);
        columns.push(column);
    }
    Some((order, columns, factor, checks))
}

/// L z = b, z ← D⁻¹ z, Lᵀ x = z.
fn substitute(g: &mut Graph, order: &[usize], columns: &[Column], n: usize) -> Vec<Node> {
    let mut x: Vec<Node> = (0..n).map(|i| g.symbol(Symbol::Rhs(i as u32))).collect();
    for column in columns {
        for &(row, index) in &column.entries {
            let l = g.symbol(Symbol::Factor(index as u32));
            let share = g.mul(l, x[column.pivot]);
            x[row] = g.sub(x[row], share);
        }
    }
    for (&p, column) in order.iter().zip(columns).rev() {
        let reciprocal = g.symbol(Symbol::Factor(column.reciprocal as u32));
        let mut value = g.mul(x[p], reciprocal);
        for &(row, index) in &column.entries {
            let l = g.symbol(Symbol::Factor(index as u32));
            let share = g.mul(l, x[row]);
            value = g.sub(value, share);
        }
        x[p] = value;
    }
    x
}

//! An elimination on expressions, in a given order: factors, tests of the pivots, and solutions.

use crate::expr::{Graph, Node};

use super::order::{Order, Places};

/// A matrix during elimination. Of a symmetric one only the lower triangle is kept.
pub(super) struct Matrix {
    /// row by row
    entries: Vec<Option<Node>>,
    /// the places that are not zero before any subtraction
    places: Vec<(usize, usize)>,
    pub(super) symmetric: bool,
    pub(super) n: usize,
    /// unknowns from here on are multipliers
    pub(super) multipliers: usize,
}

impl Matrix {
    /// The zero matrix of `n` rows.
    pub(super) fn new(n: usize, multipliers: usize, symmetric: bool) -> Self {
        Self { entries: vec![None; n * n], places: Vec::new(), symmetric, n, multipliers }
    }

    /// Sets an entry; of a symmetric matrix, one in the lower triangle.
    pub(super) fn set(&mut self, i: usize, j: usize, value: Node) {
        self.entries[i * self.n + j] = Some(value);
        self.places.push((i, j));
    }

    /// An order of pivots of at most this many operations.
    pub(super) fn order(&self, most: usize) -> Option<Order> {
        Places::new(self.places.iter().copied(), self.n, self.multipliers, self.symmetric).order(most)
    }

    fn get(&self, i: usize, j: usize) -> Option<Node> {
        let (i, j) = if self.symmetric { (i.max(j), i.min(j)) } else { (i, j) };
        self.entries[i * self.n + j]
    }

    fn subtract(&mut self, g: &mut Graph, i: usize, j: usize, share: Node) {
        let zero = g.constant(0.0);
        let old = self.get(i, j).unwrap_or(zero);
        let new = g.sub(old, share);
        let (i, j) = if self.symmetric { (i.max(j), i.min(j)) } else { (i, j) };
        self.entries[i * self.n + j] = Some(new);
    }
}

/// The result of a pivot: the index of its reciprocal among the factors, and (unknown, index) of the entries of L and
/// U.
pub(super) struct Column {
    pivot: usize,
    pub(super) reciprocal: usize,
    lower: Vec<(usize, usize)>,
    upper: Vec<(usize, usize)>,
}

/// All pivots, with the expressions of the factors and of their tests.
#[derive(Default)]
pub(super) struct Factors {
    pub(super) columns: Vec<Column>,
    pub(super) factor: Vec<Node>,
    pub(super) checks: Vec<Node>,
}

/// LDLᵀ or LDU with these pivots; none where one is structurally zero.
pub(super) fn factorize(g: &mut Graph, matrix: &mut Matrix, pivots: &[usize]) -> Option<Factors> {
    let (n, first) = (matrix.n, matrix.multipliers);
    let mut out = Factors::default();
    let mut alive = vec![true; n];
    let start: Vec<Option<Node>> = (0..n).map(|i| matrix.get(i, i)).collect();
    let mut scales = scales(g, matrix, &start);
    for &p in pivots {
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
    let rest = |i: &usize| alive[*i];
    let rows: Vec<usize> = (0..matrix.n).filter(rest).filter(|&i| matrix.get(i, p).is_some()).collect();
    let columns: Vec<usize> = (0..matrix.n).filter(rest).filter(|&j| matrix.get(p, j).is_some()).collect();
    for (k, &i) in rows.iter().enumerate() {
        let l = g.mul(matrix.get(i, p)?, reciprocal);
        column.lower.push((i, out.factor.len()));
        out.factor.push(l);
        let others = if matrix.symmetric { &rows[..=k] } else { &columns[..] };
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
        for j in columns {
            let Some(u) = matrix.get(p, j) else { continue };
            column.upper.push((j, out.factor.len()));
            out.factor.push(g.mul(u, reciprocal));
        }
    }
    out.columns.push(column);
    Some(())
}

/// L z = b, z ← D⁻¹ z, U x = z, overwriting b; `factor` gives the indices of the factors.
pub(super) fn substitute(
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

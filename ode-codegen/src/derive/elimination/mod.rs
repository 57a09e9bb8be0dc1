//! The linear systems of a step as straight-line code, ordered once: LDLᵀ of the saddle matrix [M Gᵀ; G 0], LDU of the
//! bordered tangent of implicit methods.
//!
//! There are no exchanges at run time. Each pivot comes with its scale; if the test fails, the runtime uses a dense
//! solver with pivoting.

mod factors;
mod order;

use crate::expr::{Function, Graph, Node, Op, Symbol};

use self::factors::{Column, Factors, Matrix, factorize, substitute};
use super::constraints::Constraints;
use super::dynamics::Dynamics;
use super::mechanics::Mechanics;
use super::sparse::Sparse;

/// Operations up to which an elimination is generated: 42 links of points and rods, the most that fit in a solve, have
/// 6,600 in the tangent. With 40 links, steps take 0.02 (Dormand–Prince) and 0.04 (generalised-α) of the time of loops,
/// for 2.7 s more of rustc in release.
const MAX_OPERATIONS: usize = 8000;
/// Operations up to which it is generated though few entries are zero. With 20 angles M is full, and generated code of
/// 9,800 operations would take 0.8 and 0.65 of the time of loops, for 1.3 s more of rustc, a sixth.
const MAX_FULL: usize = 1500;
/// No order is sought for more rows than this.
const MAX_ROWS: usize = 256;
/// Operations up to which accelerations have a function of their own, beside the separate calls. With 40 links it has
/// 1,840, which take 0.7 of the time of those calls, and 0.6 s more of rustc.
const MAX_FUSED: usize = 2000;

/// The most operations of a generated elimination of `n` rows: it pays by its zeros, so of a large one half of what a
/// full matrix needs.
fn most(n: usize, symmetric: bool) -> usize {
    MAX_FULL.max(MAX_OPERATIONS.min(order::of_full(n, symmetric) / 2))
}

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
    /// as [`Elimination::factor`]
    pub factor: Vec<Node>,
    /// of the pivots: begun as soon as a pivot is known, a division delays nothing
    pub reciprocals: Vec<Node>,
    columns: Vec<Column>,
}

impl Solutions {
    /// (x, λ) of M x = b + Gᵀ λ, G x = c, for the right-hand side (b, c).
    pub(super) fn solve(&self, g: &mut Graph, right: Vec<Node>) -> Vec<Node> {
        let mut x = substitute(g, &self.columns, right, |_, index| self.factor[index]);
        // the symmetric form solves for −λ
        x.iter_mut().skip(self.a.len()).for_each(|node| *node = g.neg(*node));
        x
    }
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
    /// All of them. A static order of pivots requires independent rows; large models find theirs when they are run.
    pub(super) fn solves(&mut self, dynamics: &Dynamics, constraints: &Constraints, tangent: &Sparse) -> Solves {
        if self.model.is_redundant() || self.model.is_sparse() {
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
        let without = self.first_order() || self.model.na() > 0 || n == 0 && self.model.nz() == 0;
        let g = &mut self.graph;
        let given = [dynamics.mass.values(), constraints.jacobian.values(), dynamics.force.clone()].concat();
        if without || n > MAX_ROWS || g.operations(&given) > MAX_FUSED {
            return None;
        }
        let mut matrix = Matrix::new(n, nv, true);
        dynamics.mass.entries.iter().for_each(|&(r, c, node)| matrix.set(r, c, node));
        constraints.jacobian.entries.iter().for_each(|&(r, c, node)| matrix.set(nv + r, c, node));
        soft.iter().for_each(|row| matrix.set(nv + row, nv + row, g.constant(-1.0)));
        // of those operations some vanish, where entries are numbers
        let order = matrix.order(2 * MAX_FUSED)?;
        let Factors { columns, factor, checks } = factorize(g, &mut matrix, &order.pivots)?;
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
        Some(Solutions { a, lambda, correction, checks, factor, reciprocals, columns })
    }

    /// LDU of the bordered tangent, if every unknown except the multipliers has inertia.
    fn elimination(&self, mass: &Sparse, tangent: &Sparse) -> Option<Elimination> {
        let inert = (0..mass.rows).all(|i| mass.get(i, i).is_some()) && self.model.na() == 0;
        if inert { Elimination::of_tangent(tangent, self.model.nc()) } else { None }
    }
}

impl Elimination {
    /// LDLᵀ of the saddle matrix with these patterns, if it is small enough to be worth its code. Compliant rows have
    /// no G and −1 on the diagonal.
    pub fn of_saddle(mass: &Sparse, jacobian: &Sparse, soft: &[usize]) -> Option<Self> {
        let (nv, n) = (mass.rows, mass.rows + jacobian.rows);
        let mut g = Graph::new();
        let mut matrix = Self::sized(n, nv, true)?;
        for (k, &(r, c, _)) in mass.entries.iter().enumerate() {
            matrix.set(r, c, g.symbol(Symbol::Mass(k as u32)));
        }
        for (k, &(r, c, _)) in jacobian.entries.iter().enumerate() {
            matrix.set(nv + r, c, g.symbol(Symbol::Jacobian(k as u32)));
        }
        for row in soft {
            matrix.set(nv + row, nv + row, g.constant(-1.0));
        }
        Self::of(g, matrix)
    }

    /// LDU of the bordered tangent, the last `multipliers` of whose unknowns are multipliers. It needs the inertia on
    /// the diagonal.
    pub fn of_tangent(tangent: &Sparse, multipliers: usize) -> Option<Self> {
        let n = tangent.rows;
        let mut g = Graph::new();
        let mut matrix = Self::sized(n, n - multipliers, false)?;
        for (k, &(r, c, _)) in tangent.entries.iter().enumerate() {
            matrix.set(r, c, g.symbol(Symbol::Tangent(k as u32)));
        }
        Self::of(g, matrix)
    }

    /// A matrix of `n` rows, if there are so few that an elimination is tried.
    fn sized(n: usize, multipliers: usize, symmetric: bool) -> Option<Matrix> {
        (1..=MAX_ROWS).contains(&n).then(|| Matrix::new(n, multipliers, symmetric))
    }

    fn of(mut graph: Graph, mut matrix: Matrix) -> Option<Self> {
        let n = matrix.n;
        let order = matrix.order(most(n, matrix.symmetric))?;
        let Factors { columns, factor, checks } = factorize(&mut graph, &mut matrix, &order.pivots)?;
        let rhs = (0..n).map(|i| graph.symbol(Symbol::Rhs(i as u32))).collect();
        let solution = substitute(&mut graph, &columns, rhs, |g, index| g.symbol(Symbol::Factor(index as u32)));
        Some(Self { size: n, graph, factor, checks, solution })
    }
}

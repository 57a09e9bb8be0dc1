//! The inertia terms d/dt(∂T/∂v) − Nᵀ∂T/∂q (± ω × ∂T/∂ω for rotations: Poincaré–Hamel), by the smaller of two
//! derivations: Euler and Lagrange's, or one that the form of T allows, which is pull-back for squares and
//! Christoffel's symbols (`christoffel.rs`) for others.
//!
//! *Euler–Lagrange* always holds. *Pull-back* holds if T = ½ Σ cₖ sₖ² with constant cₖ and every sₖ the rate of a
//! position-level quantity. Then d/dt(∂sₖ/∂v) = ∂sₖ/∂q, half of the terms cancel before they are formed, and Σ cₖ ṡₖ
//! ∂sₖ/∂v remains (Jourdain's principle). Whether the rates are exact is decided by comparing both derivations at
//! random points; a false identity passes with probability zero. All points may lie in one branch of a T that has
//! several, so such a T is derived by Euler and Lagrange.

use crate::expr::{Graph, Node, Op, Squared, Squares, Symbol};

use crate::chart::{self, Block};

use super::mechanics::{Kind, Mechanics};

/// Points at which the two derivations are compared.
const POINTS: u64 = 3;
/// Largest relative difference of equal derivations.
pub(super) const ROUND_OFF: f64 = 1e-9;

impl Mechanics<'_> {
    /// The inertia terms: with accelerations, and without.
    pub(super) fn inertia(&mut self, kinetic: Node) -> [Vec<Node>; 2] {
        let before = self.graph.clone();
        let parts = [true, false].map(|loaded| self.euler_lagrange(kinetic, loaded));
        let lagrange = parts.clone().map(|(rates, slopes)| self.differences(&rates, &slopes));
        if self.chosen(kinetic) {
            return lagrange;
        }
        // the form that T has decides which derivation can be shorter
        let squares = self.of_squares(kinetic);
        let other = if squares { self.pulled_back(kinetic) } else { self.christoffel(kinetic) };
        let Some(other) = other else { return lagrange };
        let blocks = &self.symbols.blocks;
        let same = (0..2).all(|k| agree(&self.graph, blocks, (&parts[k].0, &parts[k].1), &other[k]));
        if !same || self.graph.operations(&other.concat()) > self.graph.operations(&lagrange.concat()) {
            return lagrange;
        }
        // derive again without the nodes of the larger form
        self.graph = before;
        let again = if squares { self.pulled_back(kinetic) } else { self.christoffel(kinetic) };
        again.unwrap_or(lagrange)
    }

    /// Does T choose between branches by anything but parameters?
    fn chosen(&self, kinetic: Node) -> bool {
        let g = &self.graph;
        let varies = |s| !matches!(s, Symbol::P(_));
        let mut choices = g.reach(&[kinetic]);
        choices.retain(|&n| matches!(g.op(n), Op::Select(..)));
        g.any_depends(&choices, varies)
    }

    /// Is T a sum of squares of rates with constant coefficients?
    fn of_squares(&mut self, kinetic: Node) -> bool {
        Squares::OF_RATES.split(&mut self.graph, kinetic).is_some()
    }

    fn pulled_back(&mut self, kinetic: Node) -> Option<[Vec<Node>; 2]> {
        let terms = Squares::OF_RATES.split(&mut self.graph, kinetic)?;
        Some([true, false].map(|loaded| self.pull_back(&terms, loaded)))
    }

    /// d/dt(∂T/∂v) and ∂T/∂q.
    fn euler_lagrange(&mut self, kinetic: Node, loaded: bool) -> (Vec<Node>, Vec<Node>) {
        let q = self.along(&[Kind::Position]);
        let momenta = self.graph.gradient(kinetic, &self.symbols.v);
        let motion = self.motion(loaded);
        let mut rates = self.graph.jvp(&momenta, &motion);
        self.hamel(&momenta, &mut rates);
        (rates, chart::gradient(&mut self.graph, kinetic, &q))
    }

    /// Adds ω × p for body rates and −ω × p for spatial ones: velocities of a rotation are not rates of coordinates.
    fn hamel(&mut self, momenta: &[Node], rates: &mut [Node]) {
        let g = &mut self.graph;
        for block in &self.symbols.blocks {
            let Some(sign) = block.chart.hamel_sign() else { continue };
            let omega = [0, 1, 2].map(|i| g.symbol(Symbol::V((block.v + i) as u32)));
            let turned = g.cross(omega, [0, 1, 2].map(|i| momenta[block.v + i]));
            for (i, term) in block.velocities().zip(turned) {
                let term = g.scale(sign, term);
                rates[i] = g.add(rates[i], term);
            }
        }
    }

    fn differences(&mut self, a: &[Node], b: &[Node]) -> Vec<Node> {
        a.iter().zip(b).map(|(&a, &b)| self.graph.sub(a, b)).collect()
    }

    fn pull_back(&mut self, terms: &[Squared], loaded: bool) -> Vec<Node> {
        let motion = self.motion(loaded);
        let rates: Vec<Node> = terms.iter().map(|t| t.root).collect();
        let accelerations = self.graph.jvp(&rates, &motion);
        let g = &mut self.graph;
        let pairs: Vec<(Node, Node)> = terms
            .iter()
            .zip(accelerations)
            .map(|(t, a)| {
                let twice = g.scale(2.0, t.coefficient);
                (t.root, g.mul(twice, a))
            })
            .collect();
        self.graph.vjp(&pairs, &self.symbols.v)
    }
}

/// Is `other` the difference of rates and slopes at random points, row by row?
///
/// Each row is measured by its own terms: a heavy coordinate must not hide a light one.
pub(super) fn agree(graph: &Graph, blocks: &[Block], (rates, slopes): (&[Node], &[Node]), other: &[Node]) -> bool {
    let n = other.len();
    at_points(graph, blocks, &[rates, slopes, other].concat()).into_iter().all(|values| {
        (0..n).all(|i| {
            let (rate, slope, other) = (values[i], values[n + i], values[2 * n + i]);
            (rate - slope - other).abs() <= ROUND_OFF * (rate.abs() + slope.abs() + other.abs())
        })
    })
}

/// The values of nodes at random points.
pub(super) fn at_points(graph: &Graph, blocks: &[Block], nodes: &[Node]) -> Vec<Vec<f64>> {
    let values = |point| graph.sample(nodes, &|symbol| on_chart(blocks, point, symbol));
    (0..POINTS).map(values).collect()
}

/// As [`number`], with the positions of a rotation on their unit sphere.
pub(super) fn on_chart(blocks: &[Block], point: u64, symbol: Symbol) -> f64 {
    let value = number(point, symbol);
    let holds = |b: &&Block| matches!(symbol, Symbol::Q(i) if b.positions().contains(&(i as usize)));
    match blocks.iter().find(holds) {
        Some(block) if block.chart.positions() > 1 => {
            let square = |i: usize| number(point, Symbol::Q(i as u32)).powi(2);
            value / block.positions().map(square).sum::<f64>().sqrt()
        }
        _ => value,
    }
}

/// A number in (0.2, 1.2) for each symbol and point, the same in every run.
fn number(point: u64, symbol: Symbol) -> f64 {
    let (kind, index) = match symbol {
        Symbol::Time => (0, 0),
        Symbol::Q(i) => (1, i),
        Symbol::V(i) => (2, i),
        Symbol::A(i) => (3, i),
        Symbol::U(i) => (4, i),
        Symbol::P(i) => (5, i),
        Symbol::Z(i) => (7, i),
        Symbol::Mode(i) => (8, i),
        Symbol::Zdot(i) => (9, i),
        Symbol::Lambda(i) => (10, i),
        Symbol::Weight(i) => (11, i),
        _ => (6, 0),
    };
    let mut x = (point << 48 | kind << 32 | u64::from(index)).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    0.2 + ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

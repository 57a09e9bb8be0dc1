//! Expressions at fixed sample points: for questions that the form of a formula does not answer.

use crate::expr::{Graph, Node, Symbol};
use crate::model::Declarations;

/// Points at which formulas are compared.
const POINTS: u32 = 5;

/// A number in [0.2, 1.2] that depends on the point and the symbol, the same in every run.
pub(crate) fn sample(point: u32, symbol: Symbol) -> f64 {
    let (kind, i) = match symbol {
        Symbol::Time => (1, 0),
        Symbol::Q(i) => (2, i),
        Symbol::V(i) => (3, i),
        Symbol::A(i) => (4, i),
        Symbol::U(i) => (5, i),
        Symbol::P(i) => (6, i),
        Symbol::Lambda(i) => (7, i),
        Symbol::Z(i) => (9, i),
        Symbol::Zdot(i) => (10, i),
        Symbol::Mode(i) => (11, i),
        _ => (8, 0),
    };
    let mut x = u64::from(point) << 40 ^ u64::from(i) << 8 ^ kind;
    for _ in 0..3 {
        x = (x ^ (x >> 31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        x ^= x >> 29;
    }
    0.2 + (x >> 11) as f64 / (1u64 << 53) as f64
}

/// Values at a sample point; parameters have their defaults where they have one.
fn values_at(graph: &Graph, declared: &Declarations, nodes: &[Node], point: u32) -> Vec<f64> {
    let defaults = declared.defaults();
    graph.sample(nodes, &|symbol| match symbol {
        Symbol::P(i) => defaults.get(i as usize).copied().flatten().unwrap_or_else(|| sample(point, symbol)),
        other => sample(point, other),
    })
}

/// Values at a sample point, with sampled parameters: for properties that must not depend on defaults.
pub(crate) fn values_anywhere(graph: &Graph, nodes: &[Node], point: u32) -> Vec<f64> {
    graph.sample(nodes, &|symbol| sample(point, symbol))
}

/// Whether two expressions are equal at all samples where both are defined.
pub(crate) fn equal_everywhere(graph: &Graph, declared: &Declarations, a: Node, b: Node) -> bool {
    (0..POINTS).all(|point| {
        let values = values_at(graph, declared, &[a, b], point);
        let [a, b] = values.as_slice() else { return false };
        (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1.0) || !a.is_finite() || !b.is_finite()
    })
}

/// Whether values depend on the velocities. Structure can only say that they may; samples show it.
pub(crate) fn vary_with_velocity(graph: &Graph, declared: &Declarations, nodes: &[Node]) -> bool {
    let defaults = declared.defaults();
    let at = |point: u32, scale: f64| {
        graph.sample(nodes, &|symbol| match symbol {
            Symbol::P(i) => defaults.get(i as usize).copied().flatten().unwrap_or_else(|| sample(point, symbol)),
            Symbol::V(_) => scale * sample(point, symbol),
            other => sample(point, other),
        })
    };
    (0..POINTS).any(|point| {
        let pairs = at(point, 1.0).into_iter().zip(at(point, -0.7));
        pairs.into_iter().any(|(a, b)| (a - b).abs() > 1e-9 * a.abs().max(b.abs()) || a.is_nan() || b.is_nan())
    })
}

/// Is a value below zero at some sample of states of either sign?
pub(crate) fn negative_somewhere(graph: &Graph, declared: &Declarations, node: Node) -> bool {
    let defaults = declared.defaults();
    (0..8 * POINTS).any(|point| {
        let values = graph.evaluate(&[node], &|symbol| match symbol {
            Symbol::P(i) => defaults.get(i as usize).copied().flatten().unwrap_or_else(|| sample(point, symbol)),
            Symbol::Q(_) | Symbol::V(_) | Symbol::Z(_) | Symbol::U(_) => 2.4 * (sample(point, symbol) - 0.7),
            other => sample(point, other),
        });
        values.first().is_some_and(|v| *v < -1e-12)
    })
}

//! K and D of every example beside two oracles: central differences of the residual, 1e-7, and dual numbers through it,
//! 1e-13.

mod oracle;

use num_dual::Dual64;
use ode_codegen::phases::expr::{Node, RULES, Symbol};
use ode_codegen::{Compiled, compile_with};

use oracle::{Dual, examples, moved, place};

/// Which of the tangent's weights is 1.
const VELOCITY: u32 = 1;
const POSITION: u32 = 2;

/// How far generated columns are from both oracles, relative to the largest entry of their matrix: (differences,
/// duals).
fn errors(compiled: &Compiled, weight: u32, point: u64) -> (f64, f64) {
    let e = &compiled.equations;
    let (n, blocks) = (compiled.model.nv(), compiled.model.blocks());
    let at = |s: Symbol| match s {
        Symbol::Weight(i) => f64::from(u8::from(i == weight)),
        // no step yet: T = 1
        Symbol::Turn(i) => f64::from(u8::from(i % 9 % 4 == 0)),
        s => place(&blocks, point, s),
    };
    let entries = e.tangent.matrix.entries.iter().filter(|(r, c, _)| *r < n && *c < n);
    let (places, nodes): (Vec<_>, Vec<Node>) = entries.map(|&(r, c, node)| ((r, c), node)).unzip();
    let mut generated = vec![vec![0.0; n]; n];
    for ((r, c), value) in places.into_iter().zip(e.graph.sample(&nodes, &at)) {
        generated[c][r] = value;
    }
    // what a unit of velocity j moves: itself, or the positions of its block
    let mut directions: Vec<Vec<(Symbol, f64)>> = Vec::new();
    for block in &blocks {
        let q: Vec<f64> = block.positions().map(|i| at(Symbol::Q(i as u32))).collect();
        for (k, j) in block.velocities().enumerate() {
            let positions = block.positions().map(|i| Symbol::Q(i as u32)).zip(moved(block, &q, k));
            let own = (Symbol::V(j as u32), 1.0);
            directions.push(if weight == POSITION { positions.collect() } else { vec![own] });
        }
    }
    let scale = generated.iter().flatten().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
    let mut worst = (0.0_f64, 0.0_f64);
    for (column, direction) in generated.iter().zip(&directions) {
        let rate = |s: Symbol| direction.iter().find(|(moves, _)| *moves == s).map_or(0.0, |(_, rate)| *rate);
        let h = 1e-6;
        let side = |h: f64| e.graph.sample(&e.dynamics.residual, &|s| at(s) + h * rate(s));
        let (above, below) = (side(h), side(-h));
        let duals = e.graph.evaluate_in::<Dual>(&e.dynamics.residual, &|s| Dual(Dual64::new(at(s), rate(s))));
        for (i, value) in column.iter().enumerate() {
            let quotient = (above[i] - below[i]) / (2.0 * h);
            let dual = duals[i].0.eps;
            assert!(value.is_finite() && quotient.is_finite() && dual.is_finite(), "{value}, {quotient}, {dual}");
            worst.0 = worst.0.max((value - quotient).abs() / scale);
            worst.1 = worst.1.max((value - dual).abs() / scale);
        }
    }
    worst
}

/// Whether some force of the model depends on velocities: D is not zero.
fn damped(compiled: &Compiled) -> bool {
    let zero = |s: Symbol| if let Symbol::Weight(i) = s { f64::from(u8::from(i == VELOCITY)) } else { 0.7 };
    let n = compiled.model.nv();
    let entries = compiled.equations.tangent.matrix.entries.iter().filter(|(r, c, _)| *r < n && *c < n);
    let nodes: Vec<Node> = entries.map(|&(.., node)| node).collect();
    compiled.equations.graph.sample(&nodes, &zero).iter().any(|&d| d != 0.0)
}

#[test]
fn stiffness_and_damping_of_every_example_are_derivatives_of_its_residual() {
    let mut with_velocities = 0;
    for text in examples() {
        let compiled = compile_with(RULES, text).unwrap_or_else(|e| panic!("{e}"));
        let name = &compiled.model.header.name;
        with_velocities += u32::from(damped(&compiled));
        for (matrix, weight) in [("K", POSITION), ("D", VELOCITY)] {
            for point in 0..4 {
                let (differences, duals) = errors(&compiled, weight, point);
                assert!(differences < 1e-7, "{matrix} of {name} is off central differences by {differences:e}");
                assert!(duals < 1e-13, "{matrix} of {name} is off dual numbers by {duals:e}");
            }
        }
    }
    assert!(with_velocities > 5, "{with_velocities} models have forces of velocities");
}

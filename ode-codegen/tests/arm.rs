//! The equations of the Franka arm need no more operations than those of CasADi.
//!
//! CasADi 3.8.2 by `benches/franka/casadi_counts.py`: recursive Newton–Euler and composite bodies in link axes,
//! constants baked in, common subexpressions removed. On both sides each arithmetic operation counts one, negation,
//! square, sine and cosine too.

use ode_codegen::phases::expr::{Node, Symbol};
use ode_codegen::phases::lower::Call;
use ode_codegen::{Compiled, compile};

/// Torques at given accelerations (`id`).
const INVERSE_DYNAMICS: usize = 810;
/// Torques, their Jacobians by q and v, and the mass matrix (`resj`).
const WITH_JACOBIANS: usize = 8345;

/// What is allowed for each of theirs.
const MARGIN: f64 = 1.1;

fn arm() -> Compiled {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/franka.rs");
    let file = syn::parse_file(&std::fs::read_to_string(path).expect("the example")).expect("the example");
    let model = file.items.into_iter().find_map(|item| match item {
        syn::Item::Macro(item) if item.mac.path.is_ident("model") => Some(item.mac.tokens),
        _ => None,
    });
    compile(model.expect("a model")).unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
fn at_most(found: usize, theirs: usize) {
    println!("{found} operations, CasADi {theirs}: {:.3}", found as f64 / theirs as f64);
    assert!(found as f64 <= MARGIN * theirs as f64, "{found} operations, where CasADi needs {theirs}");
}

#[test]
fn inverse_dynamics() {
    at_most(arm().program[Call::Residual].ops.total(), INVERSE_DYNAMICS);
}

/// What a step of an implicit method needs: r and the weighted sum of K, D and M.
#[test]
fn the_weighted_tangent() {
    at_most(arm().program[Call::Tangent].ops.total(), WITH_JACOBIANS);
}

/// The same parts one by one: r, K, D and M, by forward columns on one graph.
#[test]
fn the_parts_of_the_tangent() {
    let mut compiled = arm();
    let (nq, e) = (compiled.model.nq() as u32, &mut compiled.equations);
    let one = e.graph.constant(1.0);
    let mut all: Vec<Node> = e.dynamics.residual.iter().copied().chain(e.dynamics.mass.values()).collect();
    for symbol in (0..nq).map(Symbol::Q).chain((0..nq).map(Symbol::V)) {
        all.extend(e.graph.jvp(&e.dynamics.residual, &[(symbol, one)]));
    }
    at_most(e.graph.operations(&all), WITH_JACOBIANS);
}

/// Accelerations of explicit methods: M and f.
#[test]
fn the_forward_kernel_is_no_larger_than_its_parts() {
    let program = arm().program;
    let (forward, residual) = (program[Call::Forward].ops.total(), program[Call::Residual].ops.total());
    println!("M and f: {forward}");
    // CasADi's composite bodies alone: 486
    at_most(forward - residual, 486);
}

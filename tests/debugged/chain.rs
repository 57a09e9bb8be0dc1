//! A chain of twenty links in minimal coordinates: the model a debug build of rustc finds hardest. That this file
//! compiles, with full debug information, is half of the test.

use ode_model::prelude::*;

#[allow(dead_code, unreachable_pub, reason = "the model is that of the example; its main is not run")]
#[path = "../../examples/chain.rs"]
mod example;

use example::{Chain, chain};

fn energy(chain: &Chain, x: &State<Chain>) -> f64 {
    let energy = chain.energy(x.at(&chain::U::default()));
    energy.kinetic + energy.potential
}

#[test]
fn the_equations_are_those_of_the_chain() {
    // M[i, j] = m l² (20 − max(i, j)) cos(θᵢ − θⱼ); f by the centrifugal terms and the weight that hangs on each link
    let chain = Chain::default();
    let mut x = State::neutral(&chain);
    for i in 0..20 {
        x.q.array_mut()[i] = (1.7 * i as f64).sin();
        x.v.array_mut()[i] = (0.3 + 2.1 * i as f64).cos();
    }
    let (q, v) = (x.q.array(), x.v.array());
    let mass = chain.mass(x.at(&chain::U::default()));
    let force = chain.force(x.at(&chain::U::default()));
    let below = |i: usize, j: usize| 0.1 * 0.05 * 0.05 * (20 - i.max(j)) as f64;
    for i in 0..20 {
        let mut f = -0.1 * 9.81 * 0.05 * (20 - i) as f64 * q[i].sin();
        for j in 0..20 {
            let want = below(i, j) * (q[i] - q[j]).cos();
            assert!((mass[(i, j)] - want).abs() < 1e-15, "M[{i}, {j}] = {} is not {want}", mass[(i, j)]);
            f -= below(i, j) * (q[i] - q[j]).sin() * v[j] * v[j];
        }
        assert!((force.array()[i] - f).abs() < 1e-14, "f[{i}] = {} is not {f}", force.array()[i]);
    }
}

#[test]
fn energy_is_kept_without_friction_and_lost_with_it() {
    let chain = Chain::default();
    let mut run = Simulation::of(&chain, Geodesic).adaptive(1e-9).expect("a start");
    let start = energy(&chain, run.state());
    run.advance_to(0.5).expect("steps");
    let drift = energy(&chain, run.state()) - start;
    assert!(drift.abs() < 1e-7, "energy changed by {drift:e} of {start}");

    let chain = Chain::builder().c(1e-3).build().expect("a model");
    let mut run = Simulation::of(&chain, GeneralizedAlpha::with_spectral_radius(0.9)).fixed(1e-3).expect("a start");
    run.advance_to(0.1).expect("steps");
    let mut last = energy(&chain, run.state());
    for _ in 0..5 {
        let end = run.state().t + 0.02;
        run.advance_to(end).expect("steps");
        let now = energy(&chain, run.state());
        assert!(now < last, "friction takes energy: {last} to {now}");
        last = now;
    }
}

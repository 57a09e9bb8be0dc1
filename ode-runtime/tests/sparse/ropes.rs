//! Runs of ropes and nets, against dense solvers where they fit, against invariants where not.

use ode_runtime::integrators::{
    BackwardEuler, Bdf2, DormandPrince, GeneralizedAlpha, Geodesic, ImplicitMidpoint, Leapfrog, RungeKutta4,
    SemiExplicitEuler, StormerVerlet, SymplecticEuler,
};
use ode_runtime::linalg::{DenseKkt, DenseSaddle, DenseSquare};
use ode_runtime::solve::Projection;
use ode_runtime::{Method, Simulation, State};

use super::net::{Edge, Net, Solvers, Sparse, elastic, rope};

/// Of so many unknowns with multipliers.
#[derive(Clone, Debug)]
pub(crate) struct Dense<const N: usize>;

macro_rules! dense {
    ($($n:literal),*) => {
        $(impl Solvers for Dense<$n> {
            type Saddle = DenseSaddle<f64, $n>;
            type Kkt = DenseKkt<f64, $n>;
            type Assembly = DenseSquare<f64, $n>;
        })*
    };
}

dense!(30, 40, 48);

/// The end of a run from the start that the model guesses.
fn end<K: Solvers, M: Method<Net<K>>>(net: &Net<K>, method: M, step: f64, time: f64, projected: bool) -> State<Net<K>> {
    let mut setup = Simulation::of(net, method);
    if projected {
        setup = setup.project(Projection::to(1e-12));
    }
    let mut run = setup.fixed(step).expect("a start");
    run.advance_to(time).expect("a run");
    run.state().clone()
}

/// Both runs end in the same state.
#[track_caller]
fn agree<const N: usize, M>(name: &str, net: &Net<Sparse>, method: M, projected: bool)
where
    Dense<N>: Solvers,
    M: Method<Net<Sparse>> + Method<Net<Dense<N>>> + Copy,
{
    let sparse = end(net, method, 0.01, 0.3, projected);
    let dense = end(&net.clone().with::<Dense<N>>(), method, 0.01, 0.3, projected);
    for (entry, (a, b)) in sparse.q.iter().zip(&dense.q).enumerate() {
        assert!((a - b).abs() <= 1e-11, "{name}: q[{entry}] {a} {b}");
    }
    let scale = dense.lambda.iter().fold(1.0, |most: f64, l| most.max(l.abs()));
    for (row, (a, b)) in sparse.lambda.iter().zip(&dense.lambda).enumerate() {
        assert!((a - b).abs() <= 1e-9 * scale, "{name}: lambda[{row}] {a} {b}");
    }
}

/// Every family of methods.
fn all_agree<const N: usize>(net: &Net<Sparse>)
where
    Dense<N>: Solvers,
{
    agree::<N, _>("backward Euler", net, BackwardEuler::default(), false);
    agree::<N, _>("BDF2", net, Bdf2::default(), false);
    agree::<N, _>("generalised-α", net, GeneralizedAlpha::with_spectral_radius(0.9), false);
    agree::<N, _>("implicit midpoint", net, ImplicitMidpoint::default(), false);
    agree::<N, _>("semi-explicit Euler", net, SemiExplicitEuler::explicit(), true);
    agree::<N, _>("leapfrog", net, Leapfrog::default(), true);
    agree::<N, _>("Runge–Kutta 4", net, RungeKutta4, true);
    agree::<N, _>("Dormand–Prince", net, DormandPrince, true);
    agree::<N, _>("Geodesic", net, Geodesic, true);
    agree::<N, _>("symplectic Euler", net, SymplecticEuler::momenta_first(), false);
    agree::<N, _>("Störmer–Verlet", net, StormerVerlet::default(), false);
}

#[test]
fn a_rope_moves_as_with_dense_solvers() {
    all_agree::<48>(&rope(12, 0.1));
}

/// Springs with dampers, rods and a force that makes the tangent unsymmetric.
#[test]
fn a_net_with_springs_rods_and_gyroscopic_forces_moves_as_with_dense_solvers() {
    let at = |i: usize, j: usize| 3 * i + j;
    let q = (0..9).flat_map(|k| [0.5 + (k / 3) as f64, (k % 3) as f64, 0.01 * (k * k % 7) as f64]).collect();
    let mut edges = vec![Edge { from: None, to: 0, length: 0.5, spring: None }];
    for i in 0..3 {
        for j in 0..3 {
            let spring = Some((40.0, 0.3));
            if i < 2 {
                edges.push(Edge { from: Some(at(i, j)), to: at(i + 1, j), length: 1.0, spring });
            }
            if j < 2 {
                let spring = if i == 1 { None } else { spring };
                edges.push(Edge { from: Some(at(i, j)), to: at(i, j + 1), length: 1.0, spring });
            }
        }
    }
    let mut net = Net::new((0..9).map(|k| 0.2 + 0.05 * k as f64).collect(), q, edges);
    net.spin = 0.4;
    all_agree::<30>(&net);
}

/// Springs alone: no rows, and a symmetric tangent.
#[test]
fn an_elastic_rope_moves_as_with_dense_solvers() {
    all_agree::<30>(&elastic(10, 0.1, 1e3, 0.2));
}

/// A rope that falls from rest keeps the lengths of its rods, and its energy.
#[track_caller]
fn keeps<M: Method<Net<Sparse>>>(name: &str, points: usize, method: M, projected: bool, share: f64) {
    let net = rope(points, 10.0 / points as f64);
    let x = end(&net, method, 2e-4, 4e-3, projected);
    let fallen: f64 = net.mass.iter().enumerate().map(|(i, m)| m * 9.81 * -x.q[3 * i + 2]).sum();
    let off = (net.energy(&x.q, &x.v) - net.energy(&net.q, &vec![0.0; net.q.len()])).abs();
    assert!(fallen > 0.0 && off <= share * fallen, "{name}, {points} points: {off:e} of {fallen:e}");
    assert!(net.drift(&x.q) <= 1e-9, "{name}, {points} points: {:e}", net.drift(&x.q));
}

#[test]
fn long_ropes_keep_lengths_and_energy() {
    for points in [50, 500, 5000] {
        keeps("generalised-α", points, GeneralizedAlpha::with_spectral_radius(0.9), false, 1e-2);
        keeps("backward Euler", points, BackwardEuler::default(), false, 0.2);
        keeps("implicit midpoint", points, ImplicitMidpoint::default(), false, 1e-6);
        keeps("Dormand–Prince", points, DormandPrince, true, 1e-6);
        keeps("Störmer–Verlet", points, StormerVerlet::default(), false, 1e-2);
        keeps("leapfrog", points, Leapfrog::default(), true, 1e-2);
    }
}

/// Waves along a long elastic rope, under gravity, from rest.
#[test]
fn a_long_elastic_rope_keeps_its_energy() {
    let net = elastic(3000, 0.01, 1e4, 0.0);
    let x = end(&net, ImplicitMidpoint::default(), 1e-3, 0.02, false);
    let fallen: f64 = net.mass.iter().enumerate().map(|(i, m)| m * 9.81 * -x.q[3 * i + 2]).sum();
    let off = (net.energy(&x.q, &x.v) - net.energy(&net.q, &vec![0.0; net.q.len()])).abs();
    assert!(off <= 1e-3 * fallen, "{off:e} of {fallen:e}");
    let linear = end(&net, BackwardEuler::linearized(), 1e-3, 0.02, false);
    assert!(net.energy(&linear.q, &linear.v) < net.energy(&net.q, &vec![0.0; net.q.len()]));
}

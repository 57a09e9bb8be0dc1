//! Singular, indefinite, contradicting and badly scaled systems: the errors of small models, with names.

use ode_runtime::integrators::{DormandPrince, GeneralizedAlpha, RungeKutta4};
use ode_runtime::linalg::{Saddle, SparseSaddle};
use ode_runtime::solve::Projection;
use ode_runtime::{Cause, Forward, Level, Simulation, Start, System};

use super::net::{Edge, Net, Sparse, SparseRedundant, rope};

/// A rope with a second rod beside one of its own, in the middle.
fn doubled(points: usize, length: f64) -> Net<Sparse> {
    doubled_at(points, points / 2, length)
}

/// The same beside rod `at`.
fn doubled_at(points: usize, at: usize, length: f64) -> Net<Sparse> {
    let Net { mass, q, mut edges, .. } = rope(points, 0.1);
    edges.push(Edge { from: Some(at - 1), to: at, length, spring: None });
    Net::new(mass, q, edges)
}

#[test]
fn a_point_without_mass_is_named() {
    for points in [10, 400] {
        let Net { mut mass, q, mut edges, .. } = rope(points, 0.1);
        mass[7] = 0.0;
        // free of its neighbours
        edges.retain(|edge| edge.to != 7 && edge.from != Some(7));
        let net = Net::<Sparse>::new(mass, q, edges);
        let error = Start::default().solve(&net, &ode_runtime::Nominal).expect_err("no inertia");
        let Cause::Singular { name, .. } = error.cause else { panic!("{error}") };
        assert!(name.as_str().starts_with("x[2"), "{error}");
    }
}

#[test]
fn a_negative_mass_is_named() {
    for points in [10, 400] {
        let Net { mut mass, q, mut edges, .. } = rope(points, 0.1);
        mass[7] = -0.1;
        edges.retain(|edge| edge.to != 7 && edge.from != Some(7));
        let net = Net::<Sparse>::new(mass, q, edges);
        let error = Start::default().solve(&net, &ode_runtime::Nominal).expect_err("negative inertia");
        let Cause::Inertia { name, value } = error.cause else { panic!("{error}") };
        assert!(name.as_str().starts_with("x[2") && value < 0.0, "{error}");
    }
}

#[test]
fn rods_that_contradict_each_other_are_named() {
    for points in [10, 400] {
        let net = doubled(points, 0.11);
        let error = Start::default().solve(&net, &ode_runtime::Nominal).expect_err("two lengths");
        let Cause::Contradiction { level: Level::Position, rows, .. } = &error.cause else { panic!("{error}") };
        assert_eq!(rows.as_str(), format!("`rod[{}]`, `rod[{points}]`", points / 2), "{error}");
    }
}

#[test]
fn dependent_rods_are_named_or_solved_if_they_are_marked() {
    for points in [10, 400] {
        let net = doubled(points, 0.1);
        let error = Start::default().solve(&net, &ode_runtime::Nominal).expect_err("dependent");
        let Cause::Dependent { rows, of, rank } = &error.cause else { panic!("{error}") };
        assert_eq!((usize::from(*of), usize::from(*rank)), (points + 1, points), "{error}");
        assert_eq!(rows.as_str(), format!("`rod[{}]`, `rod[{points}]`", points / 2), "{error}");

        let marked = net.clone().with::<SparseRedundant>();
        let x = Start::default().solve(&marked, &ode_runtime::Nominal).expect("marked");
        let plain = Start::default().solve(&rope(points, 0.1), &ode_runtime::Nominal).expect("independent");
        for (a, b) in x.a.iter().zip(&plain.a) {
            assert!((a - b).abs() < 1e-8, "{a} {b}");
        }
        let at = points / 2;
        assert!((x.lambda[at] - x.lambda[points]).abs() < 1e-6 * (1.0 + x.lambda[at].abs()), "shared");
        assert!((x.lambda[at] + x.lambda[points] - plain.lambda[at]).abs() < 1e-6 * (1.0 + plain.lambda[at].abs()));

        let end = |net: &Net<SparseRedundant>, rigid: &Net<Sparse>| {
            let mut run =
                Simulation::of(net, GeneralizedAlpha::with_spectral_radius(0.9)).fixed(2e-3).expect("a start");
            run.advance_to(0.02).expect("a run");
            let mut other =
                Simulation::of(rigid, GeneralizedAlpha::with_spectral_radius(0.9)).fixed(2e-3).expect("a start");
            other.advance_to(0.02).expect("a run");
            run.state().q.iter().zip(&other.state().q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        assert!(end(&marked, &rope(points, 0.1)) < 1e-8);
    }
}

/// Wherever the second rod stands in a long rope.
#[test]
fn each_pair_of_dependent_rods_is_named() {
    for at in [399, 398, 366, 311, 256, 167, 23, 1] {
        let error = Start::default().solve(&doubled_at(400, at, 0.1), &ode_runtime::Nominal).expect_err("dependent");
        let Cause::Dependent { rows, .. } = &error.cause else { panic!("{at}: {error}") };
        assert_eq!(rows.as_str(), format!("`rod[{at}]`, `rod[400]`"), "{error}");
    }
}

/// A grain between heavy points: pivots lose their digits, solutions do not.
#[test]
fn masses_of_all_sizes_are_solved() {
    for points in [10, 300] {
        let Net { mut mass, q, edges, .. } = rope(points, 0.1);
        mass.iter_mut().enumerate().for_each(|(i, m)| *m = if i % 3 == 1 { 1e-9 } else { 1e3 });
        let net = Net::<Sparse>::new(mass, q, edges);
        let (layout, x) = (net.layout(), net.start());
        let mut forward = Forward::<Net<Sparse>>::zeros(&layout);
        net.forward(x.at(&[]), &mut forward);
        assert!(!SparseSaddle::<f64>::new(&layout).quick(&forward.mass, &forward.jacobian), "a pivot is lost");
        let mut run = Simulation::of(&net, RungeKutta4).project(Projection::to(1e-10)).fixed(1e-4).expect("a start");
        run.advance_to(5e-4).expect("a run");
        assert!(net.drift(&run.state().q) < 1e-9);
        let mut run = Simulation::of(&net, GeneralizedAlpha::with_spectral_radius(0.9)).fixed(1e-4).expect("a start");
        run.advance_to(5e-4).expect("a run");
        assert!(net.drift(&run.state().q) < 1e-9);
    }
}

#[test]
fn a_force_that_is_not_finite_is_named() {
    let mut net = rope(400, 0.1);
    net.gravity[1] = f64::NAN;
    let error = Start::default().solve(&net, &ode_runtime::Nominal).expect_err("NaN");
    let Cause::NonFinite { name, .. } = error.cause else { panic!("{error}") };
    assert_eq!(name.as_str(), "x[1]");
    let mut net = rope(400, 0.1);
    let mut run = Simulation::of(&net, DormandPrince).fixed(1e-3).expect("a start");
    let before = run.state().clone();
    run.advance_to(0.0).expect("no step");
    assert_eq!(run.state().q, before.q);
    net.gravity[2] = f64::INFINITY;
    assert!(Simulation::of(&net, GeneralizedAlpha::with_spectral_radius(0.9)).fixed(1e-3).is_err());
}

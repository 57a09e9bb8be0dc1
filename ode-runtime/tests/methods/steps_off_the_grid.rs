//! Steps that land where a grid of h would not: orders and multipliers must not suffer.

use crate::common::on;
use crate::common::plants::Pendulum;
use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic};
use ode_runtime::solve::Projection;
use ode_runtime::{Method, Simulation, State};

/// Largest errors of q, v and λ at the reports.
type Errors = [f64; 3];

fn errors<M: Method<crate::common::On<Pendulum>>>(method: M, h: f64, reports: &[f64]) -> Errors {
    let pendulum = on(Pendulum::standard());
    let mut exact =
        Simulation::of(&pendulum, Geodesic).project(Projection::to(1e-12)).adaptive(1e-12).expect("a start");
    let mut run = Simulation::of(&pendulum, method).fixed(h).expect("a start");
    let mut errors = [0.0_f64; 3];
    for &t in reports {
        exact.advance_to(t).expect("steps");
        run.advance_to(t).expect("steps");
        let (x, y): (&State<_>, &State<_>) = (run.state(), exact.state());
        let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        let now = [apart(&x.q, &y.q), apart(&x.v, &y.v), apart(&x.lambda, &y.lambda)];
        errors = std::array::from_fn(|i| errors[i].max(now[i]));
    }
    errors
}

/// Errors at h = 0.005 against those at 0.0025.
fn ratios<M: Method<crate::common::On<Pendulum>> + Copy>(method: M, reports: &[f64]) -> Errors {
    let (coarse, fine) = (errors(method, 0.005, reports), errors(method, 0.0025, reports));
    std::array::from_fn(|i| coarse[i] / fine[i])
}

fn every(interval: f64) -> Vec<f64> {
    (1..).map(|k| f64::from(k) * interval).take_while(|t| *t < 1.0 - 1e-9).chain([1.0]).collect()
}

#[test]
fn generalized_alpha_keeps_order_2_where_reports_are_off_the_grid() {
    for rho in [0.8, 1.0] {
        let method = GeneralizedAlpha::with_spectral_radius(rho);
        for reports in [every(1.0 / 30.0), vec![0.250_000_1, 0.5]] {
            let ratios = ratios(method, &reports);
            assert!(ratios.iter().all(|ratio| (3.5..4.5).contains(ratio)), "rho = {rho}: {ratios:?}");
        }
        // As good as on the grid.
        let [q, v, lambda] = errors(method, 0.01, &every(1.0 / 30.0));
        assert!(q < 1e-3 && v < 4e-3 && lambda < 6e-2, "rho = {rho}: {q:e} {v:e} {lambda:e}");
        // Steps of several sizes: multipliers just after a change are of lower order, positions and velocities are not.
        for reports in [every(0.033), every(0.0101), vec![0.013, 0.02, 0.3, 0.301, 0.31, 0.7, 1.0]] {
            let [q, v, _] = ratios(method, &reports);
            assert!((3.5..4.5).contains(&q) && (3.5..5.0).contains(&v), "rho = {rho}: {q} {v}");
        }
    }
}

#[test]
fn backward_euler_keeps_order_1_where_reports_are_off_the_grid() {
    for interval in [0.010_001, 1.0 / 30.0] {
        let ratios = ratios(BackwardEuler::default(), &every(interval));
        assert!(ratios.iter().all(|ratio| (1.8..2.2).contains(ratio)), "{interval}: {ratios:?}");
    }
}

#[test]
fn a_step_longer_than_the_way_is_the_way() {
    let pendulum = on(Pendulum::standard());
    let method = GeneralizedAlpha::with_spectral_radius(0.8);
    let mut short = Simulation::of(&pendulum, method).fixed(0.1).expect("a start");
    let mut long = Simulation::of(&pendulum, method).fixed(1e300).expect("a start");
    short.advance_to(0.1).expect("a step");
    long.advance_to(0.1).expect("a step");
    assert_eq!(short.state(), long.state());
}

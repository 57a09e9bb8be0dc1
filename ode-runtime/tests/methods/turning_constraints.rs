//! Errors of λ in index-3 methods where the directions of constraints turn.
//!
//! A point goes round a circle without forces, by an angle θ each step, tan ½θ = ½ h |v|. That motion solves the
//! trapezoidal rule exactly, and seen from an observer who turns with it each step is the same map, whose derivative
//! has the eigenvalues 1, 1, 0 (four) and the roots of μ² + 2 c μ + 1 = 0, c = 1 + cos θ − cos² θ: what is off
//! alternates and grows by c + √(c² − 1), about exp θ. The other numbers are eigenvalues of that derivative as well,
//! from a program of its own in 40 digits.

use crate::common::on;
use crate::common::plants::Pendulum;
use ode_runtime::integrators::{GeneralizedAlpha, Multipliers};
use ode_runtime::solve::Projection;
use ode_runtime::{Simulation, State};

/// Second differences of λ over `steps` steps of the angle `theta`, the start a little off: errors that alternate, the
/// rest nearly none.
fn bends(method: GeneralizedAlpha<f64>, theta: f64, projected: bool, steps: usize) -> Vec<f64> {
    let circle = on(Pendulum { g: 0.0, ..Pendulum::standard() });
    let mut start = State::neutral(&circle);
    (start.q, start.v) = ([1.0, 0.0], [1e-9, 1.0]);
    let mut method = GeneralizedAlpha { multipliers: Multipliers::OfScheme, ..method };
    method.newton.tolerance = 1e-14;
    let mut setup = Simulation::of(&circle, method).given(start);
    if projected {
        setup = setup.project(Projection::to(1e-14));
    }
    let mut run = setup.fixed(2.0 * (0.5 * theta).tan()).expect("a start");
    let lambda: Vec<f64> = (0..steps)
        .map(|_| {
            run.step_towards(1e3).expect("a step");
            run.state().lambda[0]
        })
        .collect();
    lambda.windows(3).map(|l| l[2] - 2.0 * l[1] + l[0]).collect()
}

/// The factor by which they grow a step, over the last twenty.
fn growth(bends: &[f64]) -> f64 {
    let last = bends.len() - 1;
    (bends[last] / bends[last - 20]).abs().powf(1.0 / 20.0)
}

/// c = 1 + cos θ − cos² θ
fn c(theta: f64) -> f64 {
    1.0 + theta.cos() - theta.cos() * theta.cos()
}

#[test]
fn the_trapezoidal_rule_loses_multipliers_by_the_exponential_of_the_angle() {
    for theta in [0.05, 0.1, 0.2] {
        let want = c(theta) + (c(theta) * c(theta) - 1.0).sqrt();
        assert!((want.ln() / theta - 1.0).abs() < theta * theta);
        for method in [GeneralizedAlpha::trapezoidal(), GeneralizedAlpha::with_spectral_radius(1.0)] {
            let got = growth(&bends(method, theta, false, 30 + (4.0 / theta) as usize));
            assert!((got - want).abs() < 1e-4, "{got} is not {want} at θ = {theta}");
        }
    }
}

#[test]
fn projection_slows_that_to_half_the_square() {
    for theta in [0.1, 0.2, 0.4] {
        let (got, want) = (growth(&bends(GeneralizedAlpha::trapezoidal(), theta, true, 100)), c(theta));
        assert!((want - 1.0 - 0.5 * theta * theta).abs() < theta.powi(4));
        assert!((got - want).abs() < 1e-4, "{got} is not {want} at θ = {theta}");
    }
}

#[test]
fn numerical_damping_has_to_outrun_it() {
    let growth = |rho: f64, theta: f64| growth(&bends(GeneralizedAlpha::with_spectral_radius(rho), theta, false, 150));
    // The largest is 1 for an angle of about ¾ (1 − ρ).
    let known = [(0.95, 0.03, 0.993_494), (0.95, 0.04, 1.006_581), (0.9, 0.06, 0.984_629), (0.9, 0.08, 1.010_846)];
    for (rho, theta, want) in known.into_iter().chain([(0.8, 0.13, 0.972_412), (0.8, 0.17, 1.024_737)]) {
        let got = growth(rho, theta);
        assert!((got - want).abs() < 3e-4, "{got} is not {want} at ρ = {rho}, θ = {theta}");
    }
}

//! Rayleigh damping: recursions of other programs, derivatives, and that every path sees the same force.

#![allow(clippy::excessive_precision, reason = "digits as the source prints them")]

use crate::common::plants::{DoublePendulum, Oscillator, Pendulum};
use crate::common::{On, on};
use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic};
use ode_runtime::{Linearize, Rayleigh, Residual, Simulation, State, System, Weights};

/// A mass on a spring of rest length 1 that hangs from y = 2, at y = 1 and at rest, g = 10.
fn hanging(k: f64, m: f64, mass: f64, stiffness: f64) -> Rayleigh<On<Oscillator>, f64> {
    let system = on(Oscillator { m, k, c: 0.0, w: k - 10.0 * m, x: 1.0, v: 0.0 });
    Rayleigh::new(system, mass, stiffness).expect("of second order")
}

/// h, k, m, rM, rK
const ROWS: [[f64; 5]; 4] = [
    [0.1, 100.0, 10.0, 0.0, 0.0],
    [0.1, 100.0, 10.0, 0.1, 0.1],
    [0.01, 10.0, 10.0, 0.0, 0.1],
    [0.001, 10.0, 100.0, 0.1, 0.0],
];

#[test]
fn backward_euler_makes_the_steps_of_sofa() {
    // Positions after n steps: SOFA's EulerImplicit, recomputed.
    let want: [&[(u32, f64)]; 4] = [
        &[
            (1, 0.909_090_909_090_909_06),
            (5, 0.031_046_066_152_957_685),
            (10, -0.618_993_606_612_007_53),
            (20, 0.380_762_880_623_549_74),
        ],
        &[(1, 0.917_355_371_900_826_5), (10, -0.353_182_820_002_781_34), (20, 0.113_725_237_987_700_33)],
        &[(200, -12.290_648_883_379_752)],
        &[(2000, -17.129_449_035_318_821)],
    ];
    for ([h, k, m, mass, stiffness], want) in ROWS.into_iter().zip(want) {
        let system = hanging(k, m, mass, stiffness);
        for method in [BackwardEuler::default(), BackwardEuler::linearized()] {
            let mut run = Simulation::of(&system, method).fixed(h).expect("a start");
            let (mut x, mut v, mut steps) = (1.0, 0.0, 0);
            for &(n, want) in want {
                while steps < n {
                    run.step_towards(100.0).expect("a step");
                    let force = -k * (x - 1.0) - 10.0 * m + v * (-(stiffness + h) * k - mass * m);
                    v += h * force / (h * (h + stiffness) * k + (1.0 + h * mass) * m);
                    x += h * v;
                    steps += 1;
                    assert!((run.state().q[0] - x).abs() < 1e-11 * (1.0 + x.abs()), "step {steps}");
                }
                assert!((run.state().q[0] - want).abs() < 1e-11 * want.abs(), "{} is not {want}", run.state().q[0]);
            }
        }
    }
}

#[test]
fn newmark_makes_the_steps_of_sofa() {
    let (beta, gamma) = (0.25, 0.5);
    for [h, k, m, mass, stiffness] in ROWS {
        let system = hanging(k, m, mass, stiffness);
        let mut run = Simulation::of(&system, GeneralizedAlpha::newmark(gamma, beta)).fixed(h).expect("a start");
        let (mut x, mut v) = (1.0, 0.0);
        let mut a = -k * (x - 1.0) / m - 10.0;
        for step in 0..(2.0 / h) as u32 {
            run.step_towards(100.0).expect("a step");
            // SOFA's NewmarkImplicit, its K the negative of k.
            let matrix = (1.0 + h * gamma * mass) * m + (h * h * beta + h * gamma * stiffness) * k;
            let force = -k * (x - 1.0) - 10.0 * m;
            let by_a =
                -h * (1.0 - gamma) * mass * m - (h * (1.0 - gamma) * stiffness + h * h * (1.0 - 2.0 * beta) / 2.0) * k;
            let next = (force + by_a * a - (mass * m + (stiffness + h) * k) * v) / matrix;
            x += h * v + h * h * ((0.5 - beta) * a + beta * next);
            v += h * ((1.0 - gamma) * a + gamma * next);
            a = next;
            assert!((run.state().q[0] - x).abs() < 1e-11 * (1.0 + x.abs()), "step {step}");
        }
    }
}

#[test]
fn tangent_at_rest_is_the_derivative_of_the_residual() {
    let system = Rayleigh::new(on(DoublePendulum), 0.3, 0.07).expect("of second order");
    let layout = system.layout();
    let mut x = State::neutral(&system);
    (x.q, x.a) = ([0.4, -0.9], [0.7, -1.1]);
    let (mut residual, mut tangent) = (Residual::zeros(&layout), [0.0; 4]);
    let weights = Weights { rates: 1.3, velocity: 0.6, position: 0.2, state: 0.0 };
    system.tangent(x.at(&[]), x.rates(), weights, &[0.0; 2], &mut residual, &mut tangent);
    for column in 0..2 {
        let mut side = |sign: f64| {
            let (d, mut y) = (sign * 1e-6, x.clone());
            y.a[column] += 1.3 * d;
            y.v[column] += 0.6 * d;
            y.q[column] += 0.2 * d;
            system.residual(y.at(&[]), y.rates(), &mut residual);
            residual.r
        };
        let (up, down) = (side(1.0), side(-1.0));
        for row in 0..2 {
            let slope = (up[row] - down[row]) / 2e-6;
            assert!((tangent[2 * column + row] - slope).abs() < 1e-8, "{row}, {column}: {tangent:?}, {slope}");
        }
    }
}

#[test]
fn implicit_and_explicit_methods_see_one_force() {
    let system = Rayleigh::new(on(Pendulum::standard()), 0.8, 0.0).expect("of second order");
    let mut exact = Simulation::of(&system, Geodesic).adaptive(1e-12).expect("a start");
    exact.advance_to(1.0).expect("steps");
    let error = |h: f64| {
        let mut run = Simulation::of(&system, GeneralizedAlpha::trapezoidal()).fixed(h).expect("a start");
        run.advance_to(1.0).expect("steps");
        let apart = |i: usize| (run.state().q[i] - exact.state().q[i]).abs();
        apart(0).max(apart(1)).max((run.state().lambda[0] - exact.state().lambda[0]).abs())
    };
    let order = (error(0.01) / error(0.0025)).log(4.0);
    assert!((order - 2.0).abs() < 0.1, "order {order}");
    // It does damp: the closed form of a free mass.
    let system = on(Oscillator { m: 3.0, k: 0.0, c: 0.0, w: 0.0, x: 0.0, v: 1.0 });
    let system = Rayleigh::new(system, 0.8, 0.0).expect("of second order");
    let mut free = Simulation::of(&system, Geodesic).adaptive(1e-13).expect("a start");
    free.advance_to(1.0).expect("steps");
    assert!((free.state().v[0] - (-0.8_f64).exp()).abs() < 1e-11);
}

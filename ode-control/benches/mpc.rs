//! Linear model predictive control of the cart-pole, 30 stages, over 50 states of a closed loop.
//!
//! `cargo bench -p ode-control --bench mpc` prints the mean time of a step with its update, of the least of many rounds
//! over all states.

#![allow(clippy::print_stdout, missing_docs, unreachable_pub, reason = "a benchmark is a program that prints")]

use std::hint::black_box;
use std::time::Instant;

use ode_control::{Mpc, MpcKnot, MpcRows};
use ode_model::linalg::{SMatrix, SVector};

#[allow(dead_code, unused_imports, reason = "others are of the tests")]
#[path = "../tests/mpc/cart_pole.rs"]
mod cart_pole;

use cart_pole::{CartPole, controller, reference};

type Controller<const M: usize> = Mpc<f64, 4, 1, M, [MpcKnot<f64, 4, 1, M>; 30]>;

/// The states about the upright equilibrium.
fn states() -> Vec<SVector<f64, 4>> {
    let all = reference().into_iter().take(50);
    all.map(|row| {
        let [x, th, dx, dth, ..] = row.map(|number| number.expect("a number"));
        SVector::from([x, th - std::f64::consts::PI, dx, dth])
    })
    .collect()
}

/// The states that a controller itself leads to, on its own linear model.
fn led<const M: usize>(from: &Controller<M>) -> Vec<SVector<f64, 4>> {
    let mut mpc = from.clone();
    let next = |x: &SVector<f64, 4>| {
        mpc.solve(x).expect("a plan");
        mpc.state(1)
    };
    std::iter::successors(Some(SVector::from([0.3, 0.4, 0.0, 0.0])), next).take(50).collect()
}

/// Prints the mean time of a step, and how plans were found.
fn measure<const M: usize>(
    what: &str,
    (from, states): (&Controller<M>, &[SVector<f64, 4>]),
    mut step: impl FnMut(&mut Controller<M>, &SVector<f64, 4>),
) {
    let (mut least, mut at_once, mut passes, mut iterations) = (f64::INFINITY, 0, 0, 0);
    for round in 0..500 {
        let mut mpc = from.clone();
        let clock = Instant::now();
        for x in states {
            step(&mut mpc, black_box(x));
            black_box(mpc.first());
        }
        least = least.min(clock.elapsed().as_secs_f64() * 1e6 / states.len() as f64);
        if round == 0 {
            let mut mpc = from.clone();
            for x in states {
                let plan = mpc.solve(x).expect("a plan");
                at_once += usize::from(plan.exact && plan.iterations == 0);
                passes += plan.passes;
                iterations += plan.iterations;
            }
        }
    }
    println!("{what:34} {least:7.2} µs a step; {at_once} of 50 at once, {passes} passes, {iterations} iterations");
}

fn main() {
    let plain = controller(&CartPole::default());
    measure("bounded force", (&plain, &states()), |mpc, x| {
        mpc.solve(x).expect("a plan");
    });
    measure("the same, all numbers new", (&plain, &states()), |mpc, x| {
        // what a controller does that linearises at each sample
        let (a, b) = mpc.stage_mut(0).map(|stage| (stage.a, stage.b)).expect("a stage");
        mpc.model(black_box(&a), black_box(&b));
        mpc.reference(&SVector::zeros(), &SVector::zeros());
        mpc.bound("u", -10.0, 10.0).expect("an input");
        mpc.solve(x).expect("a plan");
    });
    let mut rows: Controller<1> =
        Mpc::new(["x", "th", "der(x)", "der(th)"], ["u"], ["speed"], [MpcKnot::none(); 30]).expect("a controller");
    let mut plain = plain;
    for k in 0..30 {
        let (Some(from), Some(to)) = (plain.stage_mut(k), rows.stage_mut(k)) else { continue };
        (to.a, to.b, to.state_weight, to.input_weight) = (from.a, from.b, from.state_weight, from.input_weight);
        (to.input_low, to.input_high) = (from.input_low, from.input_high);
        let by_state = SMatrix::from([[0.0], [0.0], [1.0], [0.0]]);
        to.rows = MpcRows { by_state, ..MpcRows::none() };
    }
    rows.end_mut().weight = plain.end_mut().weight;
    rows.bound("speed", -1.2, 1.2).expect("a row");
    measure("and a bounded speed, |v| < 1.2", (&rows, &led(&rows)), |mpc, x| {
        mpc.solve(x).expect("a plan");
    });
}

//! Gains of the cart-pole at its upright equilibrium, continuous and discrete.
//!
//! `cargo bench -p ode-control --bench lqr` prints the least of many rounds, beside those of SciPy and python-control
//! where `python3` has them.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark is a program that prints")]

use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use ode_control::{Lqr, StateSpace};
use ode_model::linalg::{DMatrix, DVector, Labelled};

const STATES: [&str; 4] = ["x", "th", "der(x)", "der(th)"];

/// The cart-pole at its upright equilibrium.
fn system() -> StateSpace {
    let a = [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.981, -0.05, -0.002], [0.0, 21.582, -0.1, -0.044]];
    let b = Labelled::new(STATES, ["u"], |r, _| [0.0, 0.0, 1.0, 2.0][r]);
    StateSpace::of_states(Labelled::new(STATES, STATES, |r, c| a[r][c]), b, None).expect("matrices that fit")
}

/// Microseconds of a solution, the least of many.
fn least(system: &StateSpace) -> f64 {
    let q = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 10.0, 0.1, 0.1]));
    let lqr = Lqr::of(system).matrices(q, DMatrix::from_element(1, 1, 0.01), DMatrix::zeros(4, 1));
    let lqr = lqr.expect("matrices that fit");
    let round = || {
        let clock = Instant::now();
        black_box(black_box(&lqr).solve().expect("a gain"));
        clock.elapsed().as_secs_f64() * 1e6
    };
    (0..2000).map(|_| round()).fold(f64::INFINITY, f64::min)
}

fn main() {
    let continuous = system();
    println!("ode-control continuous {:.1} µs", least(&continuous));
    println!("ode-control discrete {:.1} µs", least(&continuous.discretized(0.02).expect("a hold")));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/lqr.py");
    match Command::new("python3").arg(script).output() {
        Ok(output) if output.status.success() => {
            for line in String::from_utf8_lossy(&output.stdout).lines() {
                let (what, time) = line.rsplit_once(' ').unwrap_or((line, ""));
                println!("{what} {:.1} µs", time.parse().unwrap_or(f64::NAN));
            }
        }
        _ => println!("python3 with SciPy is not there to be measured beside"),
    }
}

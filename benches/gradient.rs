//! What the gradient of a run costs: that of a state after 1,000 steps of a chain of twenty links by its hundred
//! parameters, the run forward included, as multiples of the run alone.
//!
//! `cargo bench --bench gradient` prints, of both in turn in one process, the least times of many runs. States that are
//! not kept are made again; the columns say how many were kept, how many steps were made again, and how much memory the
//! run keeps for its gradient: its checkpoints, and the size and end of each step.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark is a program that prints")]

use std::hint::black_box;
use std::time::Instant;

use ode_model::integrators::{GeneralizedAlpha, RungeKutta4, Vary};
use ode_model::{By, Passed, PassedCovector, Simulation};

mod models {
    pub(crate) mod chain;
}
use models::chain::Chain;

const STEPS: usize = 1000;
const H: f64 = 1e-3;

fn names() -> By {
    let lists = ["m", "l", "inertia", "c", "k"];
    let all = lists.into_iter().flat_map(|list| (0..20).map(move |i| format!("{list}[{i}]")));
    all.fold(By::new(), |by, name| by.parameter(&name))
}

/// The height of the last angle at the end.
fn cost(passed: &Passed<'_, Chain>, by: &mut PassedCovector<Chain>) -> f64 {
    if !passed.is_last() {
        return 0.0;
    }
    by.v.as_mut()[19] = 1.0;
    passed.state.v.as_ref()[19]
}

fn compare<M: Vary<Chain> + Copy>(name: &str, method: M, rounds: usize) {
    let chain = Chain::default();
    let end = H * STEPS as f64;
    for checkpoints in [STEPS, 100, 50] {
        let (mut alone, mut whole) = (f64::INFINITY, f64::INFINITY);
        let (mut remade, mut size, mut kept) = (0, 0, 0);
        for _ in 0..rounds {
            let mut run = Simulation::of(black_box(&chain), method).fixed(H).expect("a start");
            let clock = Instant::now();
            run.advance_to(end).expect("steps");
            alone = alone.min(clock.elapsed().as_secs_f64());
            black_box(run.state());
            let run = Simulation::of(black_box(&chain), method).fixed(H).expect("a start");
            let (clock, mut reversible) = (Instant::now(), None);
            let heap = allocation_counter::measure(|| {
                let mut run = run.reversible(&names(), checkpoints).expect("room");
                run.advance_to(end).expect("steps");
                reversible = Some(run);
            });
            let gradient = reversible.expect("a run").gradient(cost).expect("a gradient");
            whole = whole.min(clock.elapsed().as_secs_f64());
            (remade, size) = (gradient.remade, gradient.by.len());
            kept = heap.bytes_current / 1024;
        }
        let micro = 1e6 / STEPS as f64;
        println!(
            "{name:<20} {size:>10} {checkpoints:>12} {remade:>8} {kept:>8} {:>12.2} {:>14.2} {:>8.2}",
            alone * micro,
            whole * micro,
            whole / alone
        );
    }
}

fn main() {
    println!(
        "{:<20} {:>10} {:>12} {:>8} {:>8} {:>12} {:>14} {:>8}",
        "method", "parameters", "checkpoints", "remade", "KiB", "µs a step", "with gradient", "ratio"
    );
    compare("generalised-α", GeneralizedAlpha::with_spectral_radius(0.8), 30);
    compare("Runge–Kutta 4", RungeKutta4, 30);
}

//! Steps of the implicit methods: nanoseconds each, on a slider-crank in absolute coordinates and on the Cartesian
//! pendulum.
//!
//! `cargo bench --bench implicit` prints, beside a calibration of the machine, what a step of fixed size costs, all of
//! it: the iterations to their tolerance, and the multipliers of its end. Errors are those of the slider's position at
//! t = 1 against an extrapolation in 128-bit arithmetic; runs whose matrix outlives an iteration have a tolerance as
//! small as what quadratic convergence leaves.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark is a program that prints")]

use std::hint::black_box;
use std::time::Instant;

use ode_model::integrators::{BackwardEuler, GeneralizedAlpha, Implicit, Multipliers};
use ode_model::solve::{Newton, Reuse};
use ode_model::{Method, Simulation, Solvable, State};

mod models {
    pub(crate) mod pendulum;
    pub(crate) mod slider_crank;
}
use models::pendulum::Pendulum;
use models::slider_crank::SliderCrank;

/// Position of the slider at t = 1.
const SLIDER: f64 = 3.363_737_530_243_013e-1;

/// The least time of a step over many runs of 1 s, in nanoseconds; matrices and iterations a step; the state at the
/// end.
fn time<S, M>(system: &S, method: M, h: f64, runs: u32) -> (f64, [f64; 2], State<S>)
where
    S: Solvable<Real = f64>,
    M: Method<S> + Copy,
{
    let (system, mut least) = (black_box(system), f64::INFINITY);
    let mut last = ([0.0; 2], State::neutral(system));
    for _ in 0..runs {
        let mut run = Simulation::of(system, method).fixed(h).expect("a start");
        let clock = Instant::now();
        run.advance_to(1.0).expect("steps");
        let each = clock.elapsed().as_secs_f64() * 1e9;
        let (taken, work) = (run.statistics().taken as f64, run.statistics().work);
        least = least.min(each / taken);
        last = ([work.tangents as f64 / taken, work.iterations as f64 / taken], run.state().clone());
    }
    (least, last.0, last.1)
}

fn row(name: &str, h: f64, (each, [matrices, iterations], error): (f64, [f64; 2], f64)) {
    println!("{name:<58} {h:>7.0e} {each:>8.0} {matrices:>9.2} {iterations:>10.2} {error:>9.1e}");
}

fn main() {
    let chain = (0..200).map(|_| {
        let (clock, mut x, y) = (Instant::now(), black_box(1.0_f64), black_box(1e-9_f64));
        (0..100_000).for_each(|_| x += y);
        black_box(x);
        clock.elapsed().as_secs_f64() * 1e4
    });
    println!("calibration: one dependent f64 addition {:.3} ns", chain.fold(f64::INFINITY, f64::min));
    println!("{:<58} {:>7} {:>8} {:>9} {:>10} {:>9}", "method", "h", "ns each", "matrices", "iterations", "error");
    let (crank, pendulum) = (SliderCrank::default(), Pendulum::default());
    let kept = |reuse| Newton { reuse, tolerance: 1e-14, ..Newton::default() };
    let alpha = GeneralizedAlpha::with_spectral_radius(0.8);
    let members = [
        ("generalised-α, slider-crank", alpha),
        ("the same, λ of the scheme", GeneralizedAlpha { multipliers: Multipliers::OfScheme, ..alpha }),
        ("the same, one matrix a step", GeneralizedAlpha { newton: kept(Reuse::EveryStep), ..alpha }),
        ("the same, matrices kept while they serve", GeneralizedAlpha { newton: kept(Reuse::automatic()), ..alpha }),
    ];
    for h in [5e-3, 1e-3] {
        for (name, method) in members {
            let (each, work, x) = time(&crank, method, h, 60);
            row(name, h, (each, work, (x.q.r3()[0] - SLIDER).abs()));
        }
    }
    let euler = BackwardEuler::default();
    let solve = Implicit::Newton(kept(Reuse::automatic()));
    let members = [
        ("backward Euler, pendulum", euler),
        ("the same, λ of the scheme", BackwardEuler { multipliers: Multipliers::OfScheme, ..euler }),
        ("the same, matrices kept while they serve", BackwardEuler { solve, ..euler }),
        ("the same, linearised", BackwardEuler::linearized()),
    ];
    for h in [1e-2, 1e-3] {
        for (name, method) in members {
            let (each, work, x) = time(&pendulum, method, h, 400);
            row(name, h, (each, work, (x.q.r()[0] + 0.986_291_751_131_9).abs()));
        }
    }
}

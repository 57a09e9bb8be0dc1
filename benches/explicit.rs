//! Explicit methods under error control: the time to a solution with so many digits.
//!
//! `cargo bench --bench explicit` prints microseconds per run, the least of many: for each error the fastest tolerance
//! that reaches it, projected if there are constraints. The guide's first choice of a method follows from this.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark is a program that prints")]

use std::hint::black_box;
use std::time::Instant;

use ode_model::integrators::{DormandPrince, DormandPrince8, Fehlberg, Geodesic, Verner9};
use ode_model::solve::Projection;
use ode_model::{Estimates, Method, Simulation, Solvable, State};

mod models {
    pub(crate) mod pendulum;
    pub(crate) mod slider_crank;
    pub(crate) mod squeezer;
}
use models::{pendulum::Pendulum, slider_crank::SliderCrank, squeezer::AndrewsSqueezer};

/// The state at `end`, and how long it took.
fn run<S, M>(system: &S, method: M, accuracy: f64, end: f64) -> Option<(State<S>, f64)>
where
    S: Solvable<Real = f64>,
    M: Method<S> + Estimates,
{
    let clock = Instant::now();
    let mut setup = Simulation::of(black_box(system), method);
    if !system.layout().constraints.is_empty() {
        setup = setup.project(Projection::to(accuracy.min(1e-3)));
    }
    let mut run = setup.adaptive(accuracy).ok()?;
    run.advance_to(end).ok()?;
    let each = clock.elapsed().as_secs_f64() * 1e6;
    Some((run.state().clone(), each))
}

/// The largest difference of q and v, each against 1 + its size.
fn error<S: Solvable<Real = f64>>(x: &State<S>, exact: &State<S>) -> f64 {
    let pairs = x.q.as_ref().iter().zip(exact.q.as_ref()).chain(x.v.as_ref().iter().zip(exact.v.as_ref()));
    pairs.map(|(x, y)| (x - y).abs() / (1.0 + y.abs())).fold(0.0, f64::max)
}

/// A row: the least time at which each of three errors is reached.
fn row<S, M>(name: &str, system: &S, method: M, end: f64, exact: &State<S>)
where
    S: Solvable<Real = f64>,
    M: Method<S> + Estimates + Copy,
{
    let targets = [1e-3, 1e-5, 1e-7, 1e-9, 1e-11];
    let mut least = [f64::INFINITY; 5];
    for tolerance in 2..=28 {
        let accuracy = 10.0_f64.powf(-0.5 * f64::from(tolerance));
        let Some((x, _)) = run(system, method, accuracy, end) else { continue };
        let off = error(&x, exact);
        let time = (0..15).filter_map(|_| run(system, method, accuracy, end)).map(|(_, time)| time);
        let time = time.fold(f64::INFINITY, f64::min);
        for (least, target) in least.iter_mut().zip(targets) {
            if off <= target {
                *least = least.min(time);
            }
        }
    }
    println!("{name:<16}{}", least.map(|time| format!("{time:>10.1}")).concat());
}

fn rows<S: Solvable<Real = f64>>(name: &str, system: &S, end: f64) {
    println!("{name:<16}{:>10}{:>10}{:>10}{:>10}{:>10}", "1e-3", "1e-5", "1e-7", "1e-9", "1e-11");
    let (exact, _) = run(system, Verner9, 1e-14, end).expect("a run");
    row("Geodesic", system, Geodesic, end, &exact);
    row("Fehlberg", system, Fehlberg, end, &exact);
    row("DormandPrince", system, DormandPrince, end, &exact);
    row("DormandPrince8", system, DormandPrince8, end, &exact);
    row("Verner9", system, Verner9, end, &exact);
}

fn main() {
    rows("squeezer", &AndrewsSqueezer::default(), 0.03);
    rows("slider-crank", &SliderCrank::default(), 1.0);
    rows("pendulum", &Pendulum::default(), 10.0);
}

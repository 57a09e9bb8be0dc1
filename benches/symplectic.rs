//! Steps of the symplectic methods on the squeezer, from steps near the largest to 10⁻⁸ s, beside those of
//! generalised-α.
//!
//! `cargo bench --bench symplectic` prints nanoseconds a step, as a multiple of a step of generalised-α of the same
//! size, and the work of each: iterations, right-hand sides solved for, evaluations of accelerations, residuals with
//! and without a tangent, factorisations. Of a composition all of it is of one of its parts, which is a step of the
//! method composed.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark is a program that prints")]

use std::hint::black_box;
use std::time::Instant;

use ode_model::integrators::{
    Composition, GeneralizedAlpha, Geodesic, ImplicitMidpoint, StormerVerlet, SymplecticEuler,
};
use ode_model::solve::Projection;
use ode_model::{Method, Simulation, State, StepError, Work};

mod models {
    pub(crate) mod squeezer;
}
use models::squeezer::AndrewsSqueezer as Squeezer;

const STEPS: u32 = 100;

/// One run: nanoseconds a step, and its work.
fn time<M>(system: &Squeezer, method: M, h: f64, start: &State<Squeezer>) -> Result<(f64, Work), StepError>
where
    M: Method<Squeezer> + Copy,
{
    let mut run = Simulation::of(black_box(system), method).given(start.clone()).fixed(h).expect("a start");
    let begun = run.statistics().work;
    let clock = Instant::now();
    for _ in 0..STEPS {
        run.step_towards(1.0)?;
    }
    let each = clock.elapsed().as_secs_f64() * 1e9 / f64::from(STEPS);
    let mut work = run.statistics().work;
    work.iterations -= begun.iterations;
    work.evaluations -= begun.evaluations;
    work.tangents -= begun.tangents;
    work.residuals -= begun.residuals;
    work.factorizations -= begun.factorizations;
    work.solves -= begun.solves;
    Ok((each, work))
}

/// The least times of a step of the method and of generalised-α over many runs by turns, so that both see the same
/// load.
fn beside<M>(system: &Squeezer, method: M, h: f64, start: &State<Squeezer>) -> Result<(f64, f64, Work), StepError>
where
    M: Method<Squeezer> + Copy,
{
    let (mut least, mut alpha, mut work) = (f64::INFINITY, f64::INFINITY, Work::default());
    for _ in 0..40 {
        alpha = alpha.min(time(system, GeneralizedAlpha::with_spectral_radius(0.8), h, start)?.0);
        let (each, done) = time(system, method, h, start)?;
        (least, work) = (least.min(each), done);
    }
    Ok((least, alpha, work))
}

fn rows<M: Method<Squeezer> + Copy>(system: &Squeezer, start: &State<Squeezer>, name: &str, method: M, parts: u32) {
    for h in [4e-4, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8] {
        match beside(system, method, h, start) {
            Ok((each, alpha, work)) => {
                let parts = f64::from(parts);
                let a = |count: u64| count as f64 / f64::from(STEPS) / parts;
                println!(
                    "{name:<34} {h:>7.0e} {:>8.0} {:>6.2} {:>10.2} {:>7.2} {:>11.2} {:>9.2} {:>14.2}",
                    each / parts,
                    each / parts / alpha,
                    a(work.iterations),
                    a(work.solves),
                    a(work.evaluations),
                    a(work.tangents + work.residuals),
                    a(work.factorizations)
                );
            }
            Err(error) => println!("{name:<34} {h:>7.0e} {error}"),
        }
    }
}

fn main() {
    let system = Squeezer::default();
    let mut run = Simulation::of(&system, Geodesic).project(Projection::to(1e-13)).adaptive(1e-10).expect("a start");
    run.advance_to(0.01).expect("steps");
    let start = run.state().clone();
    println!(
        "{:<34} {:>7} {:>8} {:>6} {:>10} {:>7} {:>11} {:>9} {:>14}",
        "method", "h", "ns each", "ratio", "iterations", "solves", "evaluations", "residuals", "factorizations"
    );
    let go = (&system, &start);
    rows(go.0, go.1, "generalised-α", GeneralizedAlpha::with_spectral_radius(0.8), 1);
    rows(go.0, go.1, "Störmer–Verlet", StormerVerlet::default(), 1);
    rows(go.0, go.1, "symplectic Euler, momenta first", SymplecticEuler::momenta_first(), 1);
    rows(go.0, go.1, "symplectic Euler, positions first", SymplecticEuler::positions_first(), 1);
    rows(go.0, go.1, "Suzuki of Störmer–Verlet", Composition::suzuki(StormerVerlet::default()), 5);
    rows(go.0, go.1, "Kahan–Li 6 of Störmer–Verlet", Composition::kahan_li_6(StormerVerlet::default()), 9);
    rows(go.0, go.1, "Kahan–Li 8 of Störmer–Verlet", Composition::kahan_li_8(StormerVerlet::default()), 17);
    rows(go.0, go.1, "implicit midpoint", ImplicitMidpoint::default(), 1);
}

//! Steps of the explicit methods: nanoseconds per attempted step on the planar Cartesian pendulum, projected after each step.
//!
//! `cargo bench --bench steps` prints, beside a calibration of the machine, what a step attempted under error control costs, all of it:
//! the stages, the estimate, the error test, the drift, its projection where it is needed, and the accelerations at its end.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark is a program that prints")]

use std::hint::black_box;
use std::time::Instant;

use ode_model::integrators::Geodesic;
use ode_model::solve::Projection;
use ode_model::{Estimates, Method, Simulation, model};

model! {
    /// A point on a circle about the origin, with the period 2 when it is let go at the height of the centre.
    pub struct Pendulum {
        param m: Real [kg] = 1.0;
        param l: Real [m] = 1.0;
        param g: Real [m/s^2] = 13.750_371_637_329_454;
        coord (r, v): Vec2 [m];
        kinetic = 0.5 * m * v.dot(v);
        potential = m * g * r.y;
        constraint rod: 0.5 * r.dot(r) == 0.5 * sq(l);
        init r = vec2(l, 0.0);
        init v = vec2(0.0, 0.0);
    }
}

/// The least time of an attempted step over many runs of 20 s, in nanoseconds; and how many there are in a run.
fn time<M: Method<Pendulum> + Estimates + Copy>(method: M, accuracy: f64, tolerance: f64) -> (f64, u64) {
    let pendulum = black_box(Pendulum::default());
    let mut least = (f64::INFINITY, 0);
    for _ in 0..200 {
        let setup = Simulation::of(&pendulum, method).project(Projection::to(tolerance));
        let mut run = setup.adaptive(accuracy).expect("a start");
        let clock = Instant::now();
        run.advance_to(20.0).expect("steps");
        let attempted = run.statistics().attempted;
        let each = clock.elapsed().as_secs_f64() * 1e9 / attempted as f64;
        if each < least.0 {
            least = (each, attempted);
        }
    }
    least
}

fn main() {
    let mut chain = f64::INFINITY;
    for _ in 0..200 {
        let clock = Instant::now();
        let mut x = black_box(1.0_f64);
        let y = black_box(1e-9_f64);
        for _ in 0..100_000 {
            x += y;
        }
        black_box(x);
        chain = chain.min(clock.elapsed().as_secs_f64() * 1e4);
    }
    println!("calibration: one dependent f64 addition {chain:.3} ns");
    println!("{:<24} {:>10} {:>10} {:>10} {:>10}", "method", "accuracy", "tolerance", "attempted", "ns each");
    for (accuracy, tolerance) in [(1e-3, 1e-4), (1e-6, 1e-10), (1e-9, 1e-10)] {
        let (each, attempted) = time(Geodesic, accuracy, tolerance);
        println!("{:<24} {accuracy:>10.0e} {tolerance:>10.0e} {attempted:>10} {each:>10.1}", "Geodesic");
    }
}

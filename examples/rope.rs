//! A rope of point masses on rods, hung at one end: as many points as the command line asks for.
//!
//! `cargo run --release -p ode-model-large --example rope -- 500` steps a rope of 500 points. The steps are as short as
//! the fastest wave along the rope demands of explicit methods, so more points move for a shorter time.

use std::error::Error;
use std::time::Instant;

use ode_model::prelude::*;
use ode_model::{Energy, Method, Solvable};

model! {
    /// Point masses on rods, whose code does not depend on their number.
    pub struct Rope {
        set points;
        set rods: (points, points);
        set hooks: points;
        param m: Real [kg];
        param l: Real [m];
        param g: Real [m/s^2] = 9.81;
        param p[points]: Vec3 [m];
        coord (x, v)[points]: Vec3 [m];
        for i in points {
            kinetic = 0.5 * m * v[i].dot(v[i]);
            potential = m * g * x[i].z;
            guess x[i] = p[i];
        }
        for (i, j) in rods {
            constraint rod: norm(x[j] - x[i]) == l;
        }
        for i in hooks {
            constraint hook: norm(x[i]) == l;
        }
    }
}

model! {
    /// The same with five points, written out.
    pub struct Five {
        param m: Real [kg] = 0.2;
        param l: Real [m] = 0.2;
        param g: Real [m/s^2] = 9.81;
        coord (x, v): [Vec3; 5] [m];
        for i in 0..5 {
            kinetic = 0.5 * m * v[i].dot(v[i]);
            potential = m * g * x[i].z;
            guess x[i] = vec3(0.8 * l * (i + 1), 0.0, -0.6 * l * (i + 1));
        }
        for i in 0..4 {
            constraint rod: norm(x[i + 1] - x[i]) == l;
        }
        constraint hook: norm(x[0]) == l;
    }
}

/// A rope of a metre and a kilogram, straight, and not yet hanging down.
fn hung(n: usize) -> Result<Rope, Box<dyn Error>> {
    let l = 1.0 / n as f64;
    let along = (1..=n).map(|i| i as f64 * l);
    let rope = Rope::builder()
        .points(n)
        .rods((1..n).map(|i| [i - 1, i]))
        .hooks([0])
        .m(1.0 / n as f64)
        .l(l)
        .p(along.map(|s| [0.8 * s, 0.0, -0.6 * s]))
        .build()?;
    Ok(rope)
}

/// The state after 200 steps, and by how much the energy has changed, relative to the kinetic energy.
fn end<S: Solvable<Real = f64>, M: Method<S>>(
    model: &S,
    method: M,
    step: f64,
    energy: impl Fn(&State<S>) -> Energy<f64>,
) -> Result<(State<S>, f64), Box<dyn Error>> {
    let mut run = Simulation::of(model, method).project(Projection::to(1e-12)).fixed(step)?;
    let before = energy(run.state());
    run.advance_to(200.0 * step)?;
    let after = energy(run.state());
    let change = after.kinetic + after.potential - before.kinetic - before.potential;
    Ok((run.state().clone(), change / after.kinetic))
}

/// Moves the rope and a small one by a method, and fails where an invariant or the model written out says no.
fn check<M: Method<Rope> + Method<Five> + Copy>(
    rope: &Rope,
    (name, bound): (&str, f64),
    method: M,
) -> Result<(), Box<dyn Error>> {
    let clock = Instant::now();
    let step = 0.05 / rope.points().max(50) as f64;
    let (x, change) = end(rope, method, step, |x| rope.energy(x.point()))?;
    let wall = clock.elapsed().as_secs_f64();
    let lengths = rope.constraint_values(x.point()).into_iter().fold(0.0, |most: f64, off| most.max(off.abs()));

    let (few, five) = (hung(5)?, Five::default());
    let (a, _) = end(&few, method, 1e-3, |x| few.energy(x.point()))?;
    let (b, _) = end(&five, method, 1e-3, |x| five.energy(x.point()))?;
    let apart = a.q.iter().zip(b.q.as_array()).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
    println!("{name:<20} {wall:>8.2} {lengths:>10.1e} {change:>10.1e} {apart:>10.1e}");
    assert!(lengths < 1e-11 && change.abs() < bound && apart < 1e-11, "{name}");
    Ok(())
}

/// A rope of so many points in six methods.
pub(crate) fn swing(n: usize) -> Result<(), Box<dyn Error>> {
    let rope = hung(n)?;
    println!("{:<20} {:>8} {:>10} {:>10} {:>10}", "method", "wall [s]", "rods [m]", "energy", "written out");
    check(&rope, ("generalised-alpha", 1e-4), GeneralizedAlpha::with_spectral_radius(0.8))?;
    check(&rope, ("BDF2", 1e-3), Bdf2::default())?;
    check(&rope, ("implicit midpoint", 1e-4), ImplicitMidpoint::default())?;
    check(&rope, ("backward Euler", 1e-2), BackwardEuler::default())?;
    check(&rope, ("Runge-Kutta 4", 1e-6), RungeKutta4)?;
    check(&rope, ("leapfrog", 1e-3), Leapfrog::default())
}

fn main() -> Result<(), Box<dyn Error>> {
    swing(std::env::args().nth(1).map_or(Ok(50), |n| n.parse())?)
}

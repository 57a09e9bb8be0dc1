//! A chain of rigid links that hangs from a ball joint: as many as the command line asks for.
//!
//! `cargo run --release -p ode-model-large --example links -- 200`. Each link has its position and rotation as
//! coordinates, and ball joints hold links together. A film of twenty of them is `target/gallery/links.svg`.

use std::error::Error;
use std::time::Instant;

use ode_model::Method;
use ode_model::prelude::*;
use ode_view::Film;

#[path = "gallery/mod.rs"]
mod gallery;

model! {
    /// Rigid links, each held to the next by a ball joint.
    pub struct Links {
        set links;
        set joints: (links, links);
        set hooks: links;
        param m: Real [kg] = 0.1;
        /// half a link
        param half: Real [m] = 0.05;
        param j: Vec3 [kg*m^2] = vec3(1.0e-5, 8.8e-5, 8.8e-5);
        /// at the start, of each link about its axis and of all about the vertical
        param spin: Real [rad/s] = 3.0;
        param turn: Real [rad/s] = 2.0;
        param p[links]: Vec3 [m];
        coord (r, v)[links]: Vec3 [m];
        coord (att, w)[links]: SO3;
        gravity = vec3(0.0, 0.0, -9.81);
        for i in links {
            body link on frame(r[i], att[i]) { mass: m, inertia: diag(j) }
            show link = box(frame(r[i], att[i]), vec3(2.0 * half, 0.02m, 0.02m));
            guess r[i] = p[i];
            guess v[i] = turn * vec3(0.0, p[i].x, 0.0);
            guess w[i] = vec3(spin, 0.0, turn);
        }
        for (a, b) in joints {
            let end = frame(r[a], att[a]).at(vec3(half, 0.0, 0.0));
            constraint ball: end == frame(r[b], att[b]).at(vec3(-half, 0.0, 0.0));
        }
        for i in hooks {
            constraint hook: frame(r[i], att[i]).at(vec3(-half, 0.0, 0.0)) == vec3(0.0, 0.0, 0.0);
        }
    }
}

/// A chain of so many links of 0.1 m, straight, level and turning.
fn level(n: usize) -> Result<Links, Box<dyn Error>> {
    let middles = (0..n).map(|i| [0.05 + 0.1 * i as f64, 0.0, 0.0]);
    Ok(Links::builder().links(n).joints((1..n).map(|i| [i - 1, i])).hooks([0]).p(middles).build()?)
}

/// Angular momentum about the hook's vertical, which gravity and ball joints leave alone.
fn turning(chain: &Links, x: &State<Links>) -> f64 {
    let places = chain.r(&x.q).iter().zip(chain.v(&x.v));
    let orbital: f64 = places.map(|(r, v)| chain.m * (r[0] * v[1] - r[1] * v[0])).sum();
    let spins = chain.att(&x.q).iter().zip(chain.w(&x.v));
    let spin = |(&[w, x, y, z], rate): (&[f64; 4], &[f64; 3])| {
        let row = [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)];
        (0..3).map(|k| row[k] * chain.j[k] * rate[k]).sum::<f64>()
    };
    orbital + spins.map(spin).sum::<f64>()
}

/// A tenth of a second by a method; fails where an invariant changes too much.
fn fall<M: Method<Links>>(chain: &Links, (name, bound): (&str, f64), method: M) -> Result<(), Box<dyn Error>> {
    let clock = Instant::now();
    let mut run = Simulation::of(chain, method).project(Projection::to(1e-11)).fixed(1e-3)?;
    let before = (chain.energy(run.state().point()), turning(chain, run.state()));
    run.advance_to(0.1)?;
    let after = chain.energy(run.state().point());
    let energy = after.kinetic + after.potential - before.0.kinetic - before.0.potential;
    let (energy, turned) = (energy / after.kinetic, turning(chain, run.state()) / before.1 - 1.0);
    let joints = run.drift()?.0;
    println!("{name:<20} {:>8.2} {joints:>10.1e} {energy:>10.1e} {turned:>10.1e}", clock.elapsed().as_secs_f64());
    assert!(joints < 1e-11 && energy.abs() < bound && turned.abs() < bound, "{name}");
    Ok(())
}

/// A chain of so many links in five methods.
pub(crate) fn drop(n: usize) -> Result<(), Box<dyn Error>> {
    let chain = level(n)?;
    println!("{:<20} {:>8} {:>10} {:>10} {:>10}", "method", "wall [s]", "joints [m]", "energy", "momentum");
    fall(&chain, ("generalised-alpha", 1e-3), GeneralizedAlpha::with_spectral_radius(0.8))?;
    fall(&chain, ("BDF2", 1e-2), Bdf2::default())?;
    fall(&chain, ("backward Euler", 0.1), BackwardEuler::default())?;
    fall(&chain, ("implicit midpoint", 1e-3), ImplicitMidpoint::default())?;
    fall(&chain, ("Runge-Kutta 4", 1e-6), RungeKutta4)
}

/// A film of a chain for so many seconds.
pub(crate) fn film(n: usize, seconds: f64) -> Result<(), Box<dyn Error>> {
    let chain = level(n)?;
    let mut run = Simulation::of(&chain, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(1e-3)?;
    let mut film = Film::of(&chain);
    run.run(seconds, 0.02, |seen| film.record(seen))?;
    assert_eq!(film.names().count(), n);
    film.svg().speed(0.3).write(gallery::file("links.svg"))?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    drop(std::env::args().nth(1).map_or(Ok(200), |n| n.parse())?)?;
    film(20, 1.5)
}

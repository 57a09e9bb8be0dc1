//! The stiff sheet of examples/cloth.rs with 32 × 32 nodes, for a second, compared with a reference.
//!
//! `cargo bench -p ode-model-large --bench sheet`. Most of its time are the elimination and solutions of 3078 unknowns.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark is a program that prints; the model is that of another program"
)]

#[path = "../../examples/cloth.rs"]
mod cloth;

use std::time::Instant;

use ode_model::integrators::Multipliers;
use ode_model::prelude::*;

/// Positions of all nodes at the end.
const REFERENCE: &str = include_str!("references/cloth32.txt");

fn main() {
    let cloth = cloth::sheet(32).expect("a sheet");
    // a matrix costs some forty iterations
    let newton = Newton { reuse: Reuse::Automatic { slowest: 0.4 }, tolerance: 1e-8, ..Newton::default() };
    let multipliers = Multipliers::OfScheme;
    let method = GeneralizedAlpha { newton, multipliers, ..GeneralizedAlpha::with_spectral_radius(0.8) };
    let clock = Instant::now();
    let mut run = Simulation::of(&cloth, method).fixed(2e-4).expect("a start");
    run.advance_to(1.0).expect("a run");
    let wall = clock.elapsed().as_secs_f64();
    let wanted = REFERENCE.lines().filter(|line| !line.starts_with('#')).flat_map(|line| line.split(' '));
    let found = run.system().x(&run.state().q).iter().copied().flatten();
    let off = found.zip(wanted).map(|(x, wanted)| (x - wanted.parse::<f64>().expect("a number")).abs());
    let (work, off) = (run.statistics().work, off.fold(0.0, f64::max));
    println!("{wall:.1} s, {off:.1e} m off, {} tangents, {} solutions", work.tangents, work.solves);
    assert!(off < 3e-3, "{off:e}");
}

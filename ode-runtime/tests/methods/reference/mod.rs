//! Values that other programs and closed forms give, each with its source.
//!
//! By subject: a pendulum in Cartesian coordinates, oscillators, pendulums in minimal coordinates, slider-cranks, the
//! problems of the IVP test set, orbits, and what Simbody's integrators do.
//!
//! Multipliers have the sign of M a = f + Gᵀλ; where a source has the other, a comment says so.

#![allow(clippy::excessive_precision, reason = "digits as the source prints them")]

mod car_axis;
mod double_pendulum;
mod fekete;
mod newton;
mod orbits;
mod oscillators;
mod pendulum;
mod simbody;
mod slider_crank;
mod squeezer;
mod stiff;
mod strand;

use ode_runtime::{Method, Simulation, Solvable, State};

/// The state at `end` after steps of size `h`.
fn fixed<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M, h: f64, end: f64) -> State<S> {
    let mut run = Simulation::of(system, method).fixed(h).expect("a start");
    run.advance_to(end).expect("steps");
    run.state().clone()
}

#[track_caller]
fn close(got: f64, want: f64, relative: f64) {
    assert!((got - want).abs() <= relative * want.abs(), "{got:?} is not {want:?}, off by {:e}", (got - want) / want);
}

/// Each entry to `relative` of the largest one wanted.
#[track_caller]
fn all_close(got: &[f64], want: &[f64], relative: f64) {
    assert_eq!(got.len(), want.len());
    let size = want.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        let off = (got - want).abs();
        assert!(off <= relative * size, "entry {i}: {got:?} is not {want:?}, off by {off:e} of {size:e}");
    }
}

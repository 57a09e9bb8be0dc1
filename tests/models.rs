//! Models of every shape the language allows, against closed forms. Each emits its own test of all derivatives, which runs here too.

#![allow(unreachable_pub, reason = "models are public as users write them")]

use ode_model::{Solvable, State};

#[path = "models/branches.rs"]
mod branches;
#[path = "models/mechanics.rs"]
mod mechanics;
#[path = "models/names.rs"]
mod names;
#[path = "models/rotations.rs"]
mod rotations;
#[path = "models/scalars.rs"]
mod scalars;
#[path = "models/shapes.rs"]
mod shapes;
#[path = "models/states.rs"]
mod states;

/// The state a model is guessed to start from.
fn begin<S: Solvable<Real = f64>>(model: &S) -> State<S> {
    let mut x = State::zeros(model);
    model.guess(&mut x.q, &mut x.v, &mut x.z);
    x
}

#[track_caller]
fn close(got: f64, want: f64) {
    assert!((got - want).abs() <= 1e-13 * want.abs().max(1.0), "{got:?} is not {want:?}, off by {:e}", got - want);
}

#[track_caller]
fn near(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance, "{got:?} is not {want:?}, off by {:e}", got - want);
}

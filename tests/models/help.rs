//! What the tests of models share.
#![allow(dead_code, reason = "each binary uses its part")]

use ode_model::{Solvable, State};

/// The state a model is guessed to start from.
pub fn begin<S: Solvable<Real = f64>>(model: &S) -> State<S> {
    let mut x = State::neutral(model);
    model.guess(&mut x.q, &mut x.v, &mut x.z);
    x
}

#[track_caller]
pub fn close(got: f64, want: f64) {
    assert!((got - want).abs() <= 1e-13 * want.abs().max(1.0), "{got:?} is not {want:?}, off by {:e}", got - want);
}

#[track_caller]
pub fn near(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance, "{got:?} is not {want:?}, off by {:e}", got - want);
}

//! A drive with a flexible shaft, and how its linear systems are written down.

use ode_control::{StateSpace, Transfer};
use ode_model::linalg::Labelled;
use ode_model::prelude::*;

model! {
    /// Two inertias with a spring between them, the first one held by another.
    pub struct Drive {
        param j1: Real = 0.5;
        param j2: Real = 0.2;
        param k0: Real = 4.0;
        param k: Real = 30.0;
        param d1: Real = 0.1;
        param c: Real = 0.02;
        coord a, b: Angle;
        input u: Real;
        kinetic = 0.5 * j1 * sq(der(a)) + 0.5 * j2 * sq(der(b));
        potential = 0.5 * k0 * sq(a) + 0.5 * k * sq(a - b);
        dissipation = 0.5 * d1 * sq(der(a)) + 0.5 * c * sq(der(a) - der(b));
        force motor on a = u;
        output motor_angle = a;
        output load_angle = b;
    }
}

pub(crate) fn drive() -> StateSpace {
    let model = Drive::default();
    StateSpace::of(&model, &State::neutral(&model), [0.0]).expect("a linear system")
}

pub(crate) fn matrix<const R: usize, const C: usize>(
    names: [&str; R],
    columns: [&str; C],
    of: [[f64; C]; R],
) -> Labelled<f64> {
    Labelled::new(names, columns, |r, c| of[r][c])
}

pub(crate) fn transfers() -> [Transfer; 2] {
    ["motor_angle", "load_angle"].map(|output| drive().transfer(output, "u").expect("a transfer function"))
}

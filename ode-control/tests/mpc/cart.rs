//! A cart of 1 kg that a force of at most 2 N moves, at 10 Hz.

use ode_control::{Mpc, MpcKnot, MpcRows};
use ode_model::linalg::SMatrix;

pub(crate) type Cart = Mpc<f64, 2, 1, 2, Vec<MpcKnot<f64, 2, 1, 2>>>;

/// With a row of its place, and one of speed and force, without bounds.
pub(crate) fn cart(stages: usize) -> Cart {
    let knots = vec![MpcKnot::none(); stages];
    let mut mpc = Mpc::new(["x", "der(x)"], ["force"], ["place", "power"], knots).expect("stages");
    mpc.model(&SMatrix::<f64, 2, 2>::new(1.0, 0.1, 0.0, 1.0), &SMatrix::from([[0.005, 0.1]]));
    mpc.weights(&SMatrix::identity(), &SMatrix::from([[0.01]]), &SMatrix::identity());
    let rows = MpcRows {
        by_state: SMatrix::<f64, 2, 2>::identity(),
        by_input: SMatrix::from([[0.0, 0.5]]),
        ..MpcRows::none()
    };
    mpc.rows(&rows);
    mpc.end_mut().rows.by_state = rows.by_state;
    mpc.bound("force", -2.0, 2.0).expect("an input");
    mpc
}

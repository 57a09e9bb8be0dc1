//! How a rotation or a point of the sphere at a point of an interval varies, in numbers.

use ode_runtime::linalg::DMatrix;

/// What varies in another way than flat columns do.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    /// columns of the model by flat ones: which, by which, and the slope
    pub(super) columns: Vec<(usize, usize, f64)>,
    /// T(θ)⁻¹ (v + e) − v − e, and what it varies by: θ, and v + e
    pub(super) rest: Vec<f64>,
    pub(super) by_step: DMatrix<f64>,
    pub(super) by_velocity: DMatrix<f64>,
    /// the spin of a frame on the sphere, by flat columns
    pub(super) spin: Vec<(usize, f64)>,
}

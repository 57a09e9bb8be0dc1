//! A slider-crank whose crank turns as time says.

use ode_runtime::Scalar;

use super::Plant;
use crate::dense_system;

fn k<T: Scalar>(x: f64) -> T {
    T::from_f64(x)
}

/// Crank angle θ and rod angle φ from the horizontal, and the slider's x; θ = 0.5 + 5 t.
///
/// Crank of length 1 and inertia ½ about its pivot, without weight; rod of length 2, mass 1 and inertia ⅓ about its
/// centre; slider of mass 1 on a spring of 20 with rest position 2.5 and a damper of 1; g = 9.81.
#[derive(Clone, Copy, Debug)]
pub struct DrivenCrank;

impl Plant<3, 0, 3, 0> for DrivenCrank {
    fn mass<T: Scalar>(&self, q: &[T; 3]) -> [[T; 3]; 3] {
        let (o, couple) = (T::ZERO, (q[0] - q[1]).cos());
        [[k(1.5), couple, o], [couple, k(1.0 / 3.0 + 1.0), o], [o, o, k(1.0)]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 3], v: &[T; 3], _z: &[T; 0], _u: &[T; 0]) -> [T; 3] {
        let couple = (q[0] - q[1]).sin();
        [
            -(couple * v[1] * v[1]) - k::<T>(9.81) * q[0].cos(),
            couple * v[0] * v[0] - k::<T>(9.81) * q[1].cos(),
            k::<T>(-20.0) * (q[2] - k(2.5)) - v[2],
        ]
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 3]) -> [T; 3] {
        [
            q[0].cos() + k::<T>(2.0) * q[1].cos() - q[2],
            q[0].sin() + k::<T>(2.0) * q[1].sin(),
            q[0] - k(0.5) - k::<T>(5.0) * t,
        ]
    }
    fn guess(&self) -> ([f64; 3], [f64; 3], [f64; 0]) {
        ([0.5, -0.24, 2.8], [5.0, 0.0, 0.0], [])
    }
}
dense_system!(DrivenCrank, q 3 ["theta", "phi", "x"], z 0 [], c 3 ["loop.x", "loop.y", "drive"], u 0 [], mass 6, jacobian 9, n 6,
    tangent 36, saddle 6, assembly 6, init [], []);

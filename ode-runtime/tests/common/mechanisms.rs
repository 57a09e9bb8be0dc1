//! Mechanisms whose equilibria, modes and driven motions are known in closed form.

use ode_runtime::Scalar;

use super::Plant;
use super::crank::DrivenCrank;
use crate::dense_system;

fn c<T: Scalar>(x: f64) -> T {
    T::from_f64(x)
}

/// Two bars as `DoublePendulum` has them, with a torque at each angle.
#[derive(Clone, Copy, Debug)]
pub struct Bars;

impl Plant<2, 0, 0, 2> for Bars {
    fn mass<T: Scalar>(&self, q: &[T; 2]) -> [[T; 2]; 2] {
        super::plants::DoublePendulum.mass(q)
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 2], v: &[T; 2], z: &[T; 0], u: &[T; 2]) -> [T; 2] {
        let f = super::plants::DoublePendulum.force(t, q, v, z, &[]);
        [f[0] + u[0] - c::<T>(0.3) * v[0], f[1] + u[1]]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([0.4, -0.3], [1.0, -2.0], [])
    }
}
dense_system!(Bars, q 2 ["q1", "q2"], z 0 [], c 0 [], u 2 ["hip", "knee"], mass 3, jacobian 0, n 2, tangent 4, saddle 2,
    assembly 2, init [], []);

/// The second bar alone, the first one held at its angle.
#[derive(Clone, Copy, Debug)]
pub struct Bar;

impl Plant<1, 0, 0, 0> for Bar {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[c(1.25)]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [-(c::<T>(5.0) * q[0].cos())]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([-0.3], [-2.0], [])
    }
}
dense_system!(Bar, q 1 ["q2"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1, init [], []);

/// A point mass on the line x = 0 with another coordinate free.
#[derive(Clone, Copy, Debug)]
pub struct OnLine {
    pub start: [f64; 2],
}

impl Plant<2, 0, 1, 0> for OnLine {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        [T::ZERO; 2]
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 2]) -> [T; 1] {
        [q[0]]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        (self.start, [0.0; 2], [])
    }
}
dense_system!(OnLine, q 2 ["x", "y"], z 0 [], c 1 ["wall"], u 0 [], mass 3, jacobian 2, n 3, tangent 9, saddle 3,
    assembly 3, init [], []);

/// The slider-crank of `DrivenCrank` without its drive, begun at θ = ½ at rest.
#[derive(Clone, Copy, Debug)]
pub struct SliderCrank;

impl SliderCrank {
    /// V on the branch whose slider is on the right, by the crank angle: what an equilibrium makes stationary.
    pub fn potential(th: f64) -> f64 {
        let ph = (-0.5 * th.sin()).asin();
        let x = th.cos() + 2.0 * ph.cos();
        10.0 * (x - 2.5) * (x - 2.5) + 9.81 * (th.sin() + ph.sin())
    }
}

fn crank_guess(th: f64) -> [f64; 3] {
    let ph = (-0.5 * th.sin()).asin();
    [th, ph, th.cos() + 2.0 * ph.cos()]
}

impl Plant<3, 0, 2, 0> for SliderCrank {
    fn mass<T: Scalar>(&self, q: &[T; 3]) -> [[T; 3]; 3] {
        DrivenCrank.mass(q)
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 3], v: &[T; 3], z: &[T; 0], u: &[T; 0]) -> [T; 3] {
        DrivenCrank.force(t, q, v, z, u)
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 3]) -> [T; 2] {
        let [x, y, _] = DrivenCrank.phi(t, q);
        [x, y]
    }
    fn guess(&self) -> ([f64; 3], [f64; 3], [f64; 0]) {
        (crank_guess(0.5), [0.0; 3], [])
    }
}
dense_system!(SliderCrank, q 3 ["theta", "phi", "x"], z 0 [], c 2 ["loop.x", "loop.y"], u 0 [], mass 6, jacobian 6,
    n 5, tangent 25, saddle 5, assembly 5, init [], []);

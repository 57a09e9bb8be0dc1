//! Linkages whose rows depend on each other always, for an instant, or contradict each other.

use ode_runtime::Scalar;

use super::Plant;
use crate::dense_system;

fn c<T: Scalar>(x: f64) -> T {
    T::from_f64(x)
}

fn length<T: Scalar>(x: T, y: T) -> T {
    (x * x + y * y).sqrt()
}

/// Two cranks of 1 m and 1 kg and a coupler of 1 m and 1 kg, in the points of their joints, with a row too many: the
/// coupler stays level.
#[derive(Clone, Copy, Debug)]
pub struct FourBar {
    /// angle of the cranks at the start, and its rate
    pub th: f64,
    pub w: f64,
}

impl FourBar {
    /// θ̈ by θ: ((N + 1)/3 + N) θ̈ = −g ((N + 1)/2 + N) cos θ with N = 1
    pub fn angular(th: f64) -> f64 {
        -9.81 * 2.0 / (2.0 / 3.0 + 1.0) * th.cos()
    }
}

impl Plant<4, 0, 4, 0> for FourBar {
    fn mass<T: Scalar>(&self, _q: &[T; 4]) -> [[T; 4]; 4] {
        let (own, other, none) = (c::<T>(2.0 / 3.0), c::<T>(1.0 / 6.0), T::ZERO);
        [[own, none, other, none], [none, own, none, other], [other, none, own, none], [none, other, none, own]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 4], _v: &[T; 4], _z: &[T; 0], _u: &[T; 0]) -> [T; 4] {
        [T::ZERO, c(-9.81), T::ZERO, c(-9.81)]
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 4]) -> [T; 4] {
        let [ax, ay, bx, by] = *q;
        let one = T::ONE;
        [length(ax, ay) - one, length(bx - one, by) - one, length(bx - ax, by - ay) - one, by - ay]
    }
    fn guess(&self) -> ([f64; 4], [f64; 4], [f64; 0]) {
        let (s, k) = self.th.sin_cos();
        ([k, s, 1.0 + k, s], [-self.w * s, self.w * k, -self.w * s, self.w * k], [])
    }
}
dense_system!(FourBar, q 4 ["a.x", "a.y", "b.x", "b.y"], z 0 [], c 4 ["left", "right", "coupler", "level"], u 0 [], mass 10,
    jacobian 16, n 8, tangent 64, saddle 8, assembly 8, init [], [], redundant RedundantSaddle RedundantKkt);

/// The same without the row, and not marked: the cranks and the coupler depend on each other where they lie in a line.
#[derive(Clone, Copy, Debug)]
pub struct Plain(pub FourBar);

impl Plant<4, 0, 3, 0> for Plain {
    fn mass<T: Scalar>(&self, q: &[T; 4]) -> [[T; 4]; 4] {
        self.0.mass(q)
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 4], v: &[T; 4], z: &[T; 0], u: &[T; 0]) -> [T; 4] {
        self.0.force(t, q, v, z, u)
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 4]) -> [T; 3] {
        let [left, right, coupler, _] = self.0.phi(t, q);
        [left, right, coupler]
    }
    fn guess(&self) -> ([f64; 4], [f64; 4], [f64; 0]) {
        self.0.guess()
    }
}
dense_system!(Plain, q 4 ["a.x", "a.y", "b.x", "b.y"], z 0 [], c 3 ["left", "right", "coupler"], u 0 [], mass 10,
    jacobian 12, n 7, tangent 49, saddle 7, assembly 7, init [], []);

/// A point on a circle, led along x at 1 m/s: beyond x = 1 there is no way, and at x = 1 both rows have one direction.
#[derive(Clone, Copy, Debug)]
pub struct Led;

impl Plant<3, 0, 2, 0> for Led {
    fn mass<T: Scalar>(&self, _q: &[T; 3]) -> [[T; 3]; 3] {
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { T::ONE } else { T::ZERO }))
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 3], _v: &[T; 3], _z: &[T; 0], _u: &[T; 0]) -> [T; 3] {
        [T::ZERO; 3]
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 3]) -> [T; 2] {
        [length(q[0], q[1]) - T::ONE, q[0] - c::<T>(0.9) - t]
    }
    fn guess(&self) -> ([f64; 3], [f64; 3], [f64; 0]) {
        ([0.9, 0.4, 0.0], [1.0, -2.0, 0.0], [])
    }
}
dense_system!(Led, q 3 ["x", "y", "z"], z 0 [], c 2 ["circle", "drive"], u 0 [], mass 6, jacobian 6, n 5, tangent 25,
    saddle 5, assembly 5, init [], []);

/// A point in two guides that agree at the start only: x = `offset` and x = `rate` t⁴, and y = 0 that has no part in
/// it.
#[derive(Clone, Copy, Debug)]
pub struct Guides {
    pub offset: f64,
    pub rate: f64,
}

impl Plant<3, 0, 3, 0> for Guides {
    fn mass<T: Scalar>(&self, _q: &[T; 3]) -> [[T; 3]; 3] {
        Led.mass(&[T::ZERO; 3])
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 3], _v: &[T; 3], _z: &[T; 0], _u: &[T; 0]) -> [T; 3] {
        [c(2.0), c(-9.81), T::ONE]
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 3]) -> [T; 3] {
        [q[0] - c::<T>(self.offset), q[1], q[0] - c::<T>(self.rate) * t * t * t * t]
    }
    fn guess(&self) -> ([f64; 3], [f64; 3], [f64; 0]) {
        ([0.1; 3], [0.0; 3], [])
    }
}
dense_system!(Guides, q 3 ["x", "y", "z"], z 0 [], c 3 ["fixed", "floor", "moving"], u 0 [], mass 6, jacobian 9, n 6,
    tangent 36, saddle 6, assembly 6, init [], [], redundant RedundantSaddle RedundantKkt);

/// The linkage with its coupler twice, and marked: it lies in a line with less rank than elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Doubled(pub FourBar);

impl Plant<4, 0, 4, 0> for Doubled {
    fn mass<T: Scalar>(&self, q: &[T; 4]) -> [[T; 4]; 4] {
        self.0.mass(q)
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 4], v: &[T; 4], z: &[T; 0], u: &[T; 0]) -> [T; 4] {
        self.0.force(t, q, v, z, u)
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 4]) -> [T; 4] {
        let [left, right, coupler, _] = self.0.phi(t, q);
        [left, right, coupler, coupler * c(3.0)]
    }
    fn guess(&self) -> ([f64; 4], [f64; 4], [f64; 0]) {
        self.0.guess()
    }
}
dense_system!(Doubled, q 4 ["a.x", "a.y", "b.x", "b.y"], z 0 [], c 4 ["left", "right", "coupler", "again"], u 0 [], mass 10,
    jacobian 16, n 8, tangent 64, saddle 8, assembly 8, init [], [], redundant RedundantSaddle RedundantKkt);

/// The linkage led by its left crank, θ = `th` + `w` t: in a line its rows hold one direction less, and what the right
/// crank does then is known from before.
#[derive(Clone, Copy, Debug)]
pub struct Driven(pub FourBar);

impl Plant<4, 0, 4, 0> for Driven {
    fn mass<T: Scalar>(&self, q: &[T; 4]) -> [[T; 4]; 4] {
        self.0.mass(q)
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 4], v: &[T; 4], z: &[T; 0], u: &[T; 0]) -> [T; 4] {
        self.0.force(t, q, v, z, u)
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 4]) -> [T; 4] {
        let [left, right, coupler, _] = self.0.phi(t, q);
        [left, right, coupler, q[1] - (c::<T>(self.0.th) + c::<T>(self.0.w) * t).sin()]
    }
    fn guess(&self) -> ([f64; 4], [f64; 4], [f64; 0]) {
        self.0.guess()
    }
}
dense_system!(Driven, q 4 ["a.x", "a.y", "b.x", "b.y"], z 0 [], c 4 ["left", "right", "coupler", "drive"], u 0 [], mass 10,
    jacobian 16, n 8, tangent 64, saddle 8, assembly 8, init [], []);

/// The same with the row that keeps the coupler level, and marked: it is led through the line.
#[derive(Clone, Copy, Debug)]
pub struct DrivenLevel(pub FourBar);

impl Plant<4, 0, 5, 0> for DrivenLevel {
    fn mass<T: Scalar>(&self, q: &[T; 4]) -> [[T; 4]; 4] {
        self.0.mass(q)
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 4], v: &[T; 4], z: &[T; 0], u: &[T; 0]) -> [T; 4] {
        self.0.force(t, q, v, z, u)
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 4]) -> [T; 5] {
        let [left, right, coupler, drive] = Driven(self.0).phi(t, q);
        [left, right, coupler, drive, q[3] - q[1]]
    }
    fn guess(&self) -> ([f64; 4], [f64; 4], [f64; 0]) {
        self.0.guess()
    }
}
dense_system!(DrivenLevel, q 4 ["a.x", "a.y", "b.x", "b.y"], z 0 [], c 5 ["left", "right", "coupler", "drive", "level"], u 0 [],
    mass 10, jacobian 20, n 9, tangent 81, saddle 9, assembly 9, init [], [], redundant RedundantSaddle RedundantKkt);

/// The point on a circle with the circle twice, and marked.
#[derive(Clone, Copy, Debug)]
pub struct LedTwice;

impl Plant<3, 0, 3, 0> for LedTwice {
    fn mass<T: Scalar>(&self, q: &[T; 3]) -> [[T; 3]; 3] {
        Led.mass(q)
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 3], v: &[T; 3], z: &[T; 0], u: &[T; 0]) -> [T; 3] {
        Led.force(t, q, v, z, u)
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 3]) -> [T; 3] {
        let [circle, drive] = Led.phi(t, q);
        [circle, drive, circle * c(2.0)]
    }
    fn guess(&self) -> ([f64; 3], [f64; 3], [f64; 0]) {
        Led.guess()
    }
}
dense_system!(LedTwice, q 3 ["x", "y", "z"], z 0 [], c 3 ["circle", "drive", "again"], u 0 [], mass 6, jacobian 9, n 6,
    tangent 36, saddle 6, assembly 6, init [], [], redundant RedundantSaddle RedundantKkt);

/// A point that rows hold everywhere: x = `offset`, y = 0, and again x = `speed` t + `pull` t²/2 + `turn` t⁴.
#[derive(Clone, Copy, Debug)]
pub struct Clamp {
    pub offset: f64,
    pub speed: f64,
    pub pull: f64,
    pub turn: f64,
}

impl Plant<2, 0, 3, 0> for Clamp {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        [c::<T>(2.0) - q[0], c(-9.81)]
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 2]) -> [T; 3] {
        let moving = c::<T>(self.speed) * t + c::<T>(0.5 * self.pull) * t * t + c::<T>(self.turn) * t * t * t * t;
        [q[0] - c::<T>(self.offset), q[1], q[0] - moving]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([0.1; 2], [0.0; 2], [])
    }
}
dense_system!(Clamp, q 2 ["x", "y"], z 0 [], c 3 ["fixed", "floor", "moving"], u 0 [], mass 3, jacobian 6, n 5, tangent 25,
    saddle 5, assembly 5, init [], [], redundant RedundantSaddle RedundantKkt);

/// A point on the wall x = 0 and in a guide that is the wall at the time ¼ and crosses it elsewhere, at y = `bend`
/// t²/2.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    pub bend: f64,
}

impl Plant<2, 0, 2, 0> for Gate {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        [T::ONE, T::ZERO]
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 2]) -> [T; 2] {
        [q[0], q[0] + (t - c::<T>(0.25)) * (q[1] - c::<T>(0.5 * self.bend) * t * t)]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([0.0; 2], [0.0; 2], [])
    }
}
dense_system!(Gate, q 2 ["x", "y"], z 0 [], c 2 ["wall", "guide"], u 0 [], mass 3, jacobian 4, n 4, tangent 16, saddle 4,
    assembly 4, init [], []);

/// A point between two walls that make an angle of `tilt`, and hold it in both directions of a plane.
#[derive(Clone, Copy, Debug)]
pub struct Skew {
    pub tilt: f64,
}

impl Plant<3, 0, 2, 0> for Skew {
    fn mass<T: Scalar>(&self, _q: &[T; 3]) -> [[T; 3]; 3] {
        Led.mass(&[T::ZERO; 3])
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 3], _v: &[T; 3], _z: &[T; 0], _u: &[T; 0]) -> [T; 3] {
        [c(2.0), c(-9.81), T::ONE]
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 3]) -> [T; 2] {
        [q[0], q[0] + c::<T>(self.tilt) * q[1]]
    }
    fn guess(&self) -> ([f64; 3], [f64; 3], [f64; 0]) {
        ([0.0; 3], [0.0; 3], [])
    }
}
dense_system!(Skew, q 3 ["x", "y", "z"], z 0 [], c 2 ["wall", "tilted"], u 0 [], mass 6, jacobian 6, n 5, tangent 25,
    saddle 5, assembly 5, init [], []);

/// The same with the first wall twice, and marked.
#[derive(Clone, Copy, Debug)]
pub struct SkewTwice(pub Skew);

impl Plant<3, 0, 3, 0> for SkewTwice {
    fn mass<T: Scalar>(&self, q: &[T; 3]) -> [[T; 3]; 3] {
        self.0.mass(q)
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 3], v: &[T; 3], z: &[T; 0], u: &[T; 0]) -> [T; 3] {
        self.0.force(t, q, v, z, u)
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 3]) -> [T; 3] {
        let [wall, tilted] = self.0.phi(t, q);
        [wall, tilted, wall]
    }
    fn guess(&self) -> ([f64; 3], [f64; 3], [f64; 0]) {
        self.0.guess()
    }
}
dense_system!(SkewTwice, q 3 ["x", "y", "z"], z 0 [], c 3 ["wall", "tilted", "again"], u 0 [], mass 6, jacobian 9, n 6,
    tangent 36, saddle 6, assembly 6, init [], [], redundant RedundantSaddle RedundantKkt);

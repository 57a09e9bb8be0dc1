//! Equilibria whose stability is known in closed form.

use ode_runtime::Scalar;

use super::Plant;
use crate::dense_system;

fn c<T: Scalar>(x: f64) -> T {
    T::from_f64(x)
}

/// A unit mass in the plane with M ẍ = −D ẋ − K x, begun at `start`.
#[derive(Clone, Copy, Debug)]
pub struct Planar {
    pub k: [[f64; 2]; 2],
    pub d: [[f64; 2]; 2],
    pub mass: [f64; 2],
    pub start: [f64; 2],
}

impl Planar {
    /// Springs along the axes, no damping, begun at rest at the origin.
    pub fn springs(x: f64, y: f64) -> Self {
        Self { k: [[x, 0.0], [0.0, y]], d: [[0.0; 2]; 2], mass: [1.0; 2], start: [0.0; 2] }
    }
}

impl Plant<2, 0, 0, 0> for Planar {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[c(self.mass[0]), T::ZERO], [T::ZERO, c(self.mass[1])]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 2], v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        let row = |a: [f64; 2], x: &[T; 2]| c::<T>(a[0]) * x[0] + c::<T>(a[1]) * x[1];
        std::array::from_fn(|i| -(row(self.k[i], q) + row(self.d[i], v)))
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        (self.start, [0.0; 2], [])
    }
}
dense_system!(Planar, q 2 ["x", "y"], z 0 [], c 0 [], u 0 [], mass 3, jacobian 0, n 2, tangent 4, saddle 2, assembly 2,
    init [], []);

/// A column of three rigid links of length 1, each on a spring of 1 against the one below, with a weight of `load` on
/// top.
///
/// V = ½ Σ (θᵢ − θᵢ₋₁)² + P Σ cos θᵢ: it buckles at 4 sin²(π/14).
#[derive(Clone, Copy, Debug)]
pub struct Strut {
    pub load: f64,
    pub start: [f64; 3],
}

impl Strut {
    pub fn critical() -> f64 {
        4.0 * (std::f64::consts::PI / 14.0).sin().powi(2)
    }
    pub fn straight(load: f64) -> Self {
        Self { load, start: [0.0; 3] }
    }
}

impl Plant<3, 0, 0, 0> for Strut {
    fn mass<T: Scalar>(&self, _q: &[T; 3]) -> [[T; 3]; 3] {
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { T::ONE } else { T::ZERO }))
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 3], _v: &[T; 3], _z: &[T; 0], _u: &[T; 0]) -> [T; 3] {
        let bend = [q[0], q[1] - q[0], q[2] - q[1], T::ZERO];
        std::array::from_fn(|i| bend[i + 1] - bend[i] + c::<T>(self.load) * q[i].sin())
    }
    fn guess(&self) -> ([f64; 3], [f64; 3], [f64; 0]) {
        (self.start, [0.0; 3], [])
    }
}
dense_system!(Strut, q 3 ["low", "mid", "top"], z 0 [], c 0 [], u 0 [], mass 6, jacobian 0, n 3, tangent 9, saddle 3,
    assembly 3, init [], []);

/// Ziegler's column: two links of length 1 on springs of 1 and dampers of `damping`, masses 2 and 1 at their ends, and
/// a load along the second link that follows it.
///
/// It flutters at 7/2 − √2 without damping and at 41/28 with very little of it; det K = 1 whatever the load.
#[derive(Clone, Copy, Debug)]
pub struct Ziegler {
    pub load: f64,
    pub damping: f64,
}

impl Plant<2, 0, 0, 0> for Ziegler {
    fn mass<T: Scalar>(&self, q: &[T; 2]) -> [[T; 2]; 2] {
        let couple = (q[0] - q[1]).cos();
        [[c(3.0), couple], [couple, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 2], v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        let (bend, rate) = (q[1] - q[0], v[1] - v[0]);
        let (sine, d) = ((q[0] - q[1]).sin(), c::<T>(self.damping));
        [
            bend - q[0] + d * (rate - v[0]) + c::<T>(self.load) * sine - sine * v[1] * v[1],
            -(bend + d * rate) + sine * v[0] * v[0],
        ]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([0.0; 2], [0.0; 2], [])
    }
}
dense_system!(Ziegler, q 2 ["lower", "upper"], z 0 [], c 0 [], u 0 [], mass 3, jacobian 0, n 2, tangent 4, saddle 2,
    assembly 2, init [], []);

/// x″ = stiffness x − pull z, ż = 10 (3 x + rate v − z): a controller with a lag that holds what falls, or does not.
#[derive(Clone, Copy, Debug)]
pub struct Lagged {
    pub stiffness: f64,
    pub pull: f64,
    pub rate: f64,
    /// what the state forgets
    pub leak: f64,
}

impl Plant<1, 1, 0, 0> for Lagged {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 1], _v: &[T; 1], z: &[T; 1], _u: &[T; 0]) -> [T; 1] {
        [c::<T>(self.stiffness) * q[0] - c::<T>(self.pull) * z[0]]
    }
    fn rates<T: Scalar>(&self, _t: T, q: &[T; 1], v: &[T; 1], z: &[T; 1], _u: &[T; 0]) -> [T; 1] {
        [c::<T>(10.0) * (c::<T>(3.0) * q[0] + c::<T>(self.rate) * v[0] - c::<T>(self.leak) * z[0])]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 1]) {
        ([0.0], [0.0], [0.0])
    }
}
dense_system!(Lagged, q 1 ["x"], z 1 ["control"], c 0 [], u 0 [], mass 1, jacobian 0, n 2, tangent 4, saddle 1, assembly 1,
    init [], []);

/// A bob of unit mass on a rod of length 1, Φ = (x² + y² − 1)/2, with a spring across and a push of 1 along x; g =
/// 9.81.
#[derive(Clone, Copy, Debug)]
pub struct Hanging {
    pub spring: f64,
}

impl Plant<2, 0, 1, 0> for Hanging {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        [T::ONE - c::<T>(self.spring) * q[0], c(-9.81)]
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 2]) -> [T; 1] {
        [c::<T>(0.5) * (q[0] * q[0] + q[1] * q[1] - T::ONE)]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([0.0, -1.0], [0.0; 2], [])
    }
}
dense_system!(Hanging, q 2 ["x", "y"], z 0 [], c 1 ["rod"], u 0 [], mass 3, jacobian 2, n 3, tangent 9, saddle 3,
    assembly 3, init [], []);

/// An arch of one coordinate under a push: u = y³ − y. From y = −1 it snaps through at u = 2/√27, y = −1/√3.
#[derive(Clone, Copy, Debug)]
pub struct Arch;

impl Plant<1, 0, 0, 1> for Arch {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 1], _v: &[T; 1], _z: &[T; 0], u: &[T; 1]) -> [T; 1] {
        [u[0] + q[0] - q[0] * q[0] * q[0]]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([-1.0], [0.0], [])
    }
}
dense_system!(Arch, q 1 ["y"], z 0 [], c 0 [], u 1 ["push"], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

/// Four points, three rods of length 1 from a hook at the origin to the third, a spring of rest length 1 to the fourth;
/// each point has a weight and a soft spring to a place of its own.
#[derive(Clone, Copy, Debug)]
pub struct Linkage {
    pub weights: [f64; 4],
    pub soft: [f64; 4],
    pub places: [f64; 8],
    pub spring: f64,
}

impl Linkage {
    pub fn potential(&self, q: &[f64; 8]) -> f64 {
        let own: f64 = (0..4)
            .map(|i| {
                let (x, y) = (q[2 * i] - self.places[2 * i], q[2 * i + 1] - self.places[2 * i + 1]);
                self.weights[i] * q[2 * i + 1] + 0.5 * self.soft[i] * (x * x + y * y)
            })
            .sum();
        let reach = (q[6] - q[4]).hypot(q[7] - q[5]) - 1.0;
        own + 0.5 * self.spring * reach * reach
    }
    /// (|rod|² − 1)/2
    pub fn rods<T: Scalar>(q: &[T; 8]) -> [T; 3] {
        let point = |i: usize| if i == 0 { (T::ZERO, T::ZERO) } else { (q[2 * i - 2], q[2 * i - 1]) };
        std::array::from_fn(|i| {
            let (x, y) = (point(i + 1).0 - point(i).0, point(i + 1).1 - point(i).1);
            c::<T>(0.5) * (x * x + y * y - T::ONE)
        })
    }
}

impl Plant<8, 0, 3, 0> for Linkage {
    fn mass<T: Scalar>(&self, _q: &[T; 8]) -> [[T; 8]; 8] {
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { c(1.0 + i as f64) } else { T::ZERO }))
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 8], _v: &[T; 8], _z: &[T; 0], _u: &[T; 0]) -> [T; 8] {
        let (x, y) = (q[6] - q[4], q[7] - q[5]);
        let length = (x * x + y * y).sqrt();
        let pull = c::<T>(self.spring) * (length - T::ONE) / length;
        let [px, py] = [pull * x, pull * y];
        std::array::from_fn(|i| {
            let own = -(c::<T>(self.soft[i / 2]) * (q[i] - c(self.places[i])));
            let spring = match i {
                4 => px,
                5 => py,
                6 => -px,
                7 => -py,
                _ => T::ZERO,
            };
            if i % 2 == 1 { own + spring - c(self.weights[i / 2]) } else { own + spring }
        })
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 8]) -> [T; 3] {
        Self::rods(q)
    }
    fn guess(&self) -> ([f64; 8], [f64; 8], [f64; 0]) {
        ([0.0, -1.0, 0.0, -2.0, 0.0, -3.0, 0.0, -4.0], [0.0; 8], [])
    }
}
dense_system!(Linkage, q 8 ["x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4"], z 0 [], c 3 ["a", "b", "c"], u 0 [], mass 36,
    jacobian 24, n 11, tangent 121, saddle 11, assembly 11, init [], []);

//! Mechanisms whose equilibria, modes and driven motions are known in closed form.

use ode_runtime::{Scalar, so3};

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
dense_system!(Bar, q 1 ["q2"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

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
    /// The closed loop at a crank angle, the slider on the right.
    pub fn closed(th: f64) -> [f64; 3] {
        let ph = (-0.5 * th.sin()).asin();
        [th, ph, th.cos() + 2.0 * ph.cos()]
    }

    /// V on the branch whose slider is on the right, by the crank angle: what an equilibrium makes stationary.
    pub fn potential(th: f64) -> f64 {
        let ph = (-0.5 * th.sin()).asin();
        let x = th.cos() + 2.0 * ph.cos();
        10.0 * (x - 2.5) * (x - 2.5) + 9.81 * (th.sin() + ph.sin())
    }
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
        (Self::closed(0.5), [0.0; 3], [])
    }
}
dense_system!(SliderCrank, q 3 ["theta", "phi", "x"], z 0 [], c 2 ["loop.x", "loop.y"], u 0 [], mass 6, jacobian 6,
    n 5, tangent 25, saddle 5, assembly 5, init [], []);

/// f = 612 − q²: its positive root is √612.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    pub start: f64,
    /// f = square − q²
    pub square: f64,
}

impl Plant<1, 0, 0, 0> for Root {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [c::<T>(self.square) - q[0] * q[0]]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([self.start], [0.0], [])
    }
}
dense_system!(Root, q 1 ["root"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

/// An angle under gravity, m g l = 1, and a torque.
#[derive(Clone, Copy, Debug)]
pub struct Lever;

impl Plant<1, 0, 0, 1> for Lever {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 1], _v: &[T; 1], _z: &[T; 0], u: &[T; 1]) -> [T; 1] {
        [u[0] - q[0].sin()]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.0], [0.0], [])
    }
}
dense_system!(Lever, q 1 ["th"], z 0 [], c 0 [], u 1 ["torque"], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

/// Four links of length 1 between two hooks of one height, unit weights at the three joints: the funicular polygon with
/// a horizontal tension of `tension` has slopes 1.5, 0.5, −0.5, −1.5 over it.
#[derive(Clone, Copy, Debug)]
pub struct Funicular {
    pub tension: f64,
}

impl Funicular {
    /// Descents of the links over their runs.
    pub fn slopes(&self) -> [f64; 4] {
        [1.5, 0.5, -0.5, -1.5].map(|weight| weight / self.tension)
    }
    pub fn span(&self) -> f64 {
        self.slopes().iter().map(|s| 1.0 / (1.0 + s * s).sqrt()).sum()
    }
    /// The joints, x and y of each.
    pub fn joints(&self) -> [f64; 6] {
        let (mut x, mut y, mut joints) = (0.0, 0.0, [0.0; 6]);
        for (i, s) in self.slopes().into_iter().take(3).enumerate() {
            let run = 1.0 / (1.0 + s * s).sqrt();
            (x, y) = (x + run, y - s * run);
            joints[2 * i] = x;
            joints[2 * i + 1] = y;
        }
        joints
    }
}

impl Plant<6, 0, 4, 0> for Funicular {
    fn mass<T: Scalar>(&self, _q: &[T; 6]) -> [[T; 6]; 6] {
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { T::ONE } else { T::ZERO }))
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 6], _v: &[T; 6], _z: &[T; 0], _u: &[T; 0]) -> [T; 6] {
        std::array::from_fn(|i| if i % 2 == 1 { -T::ONE } else { T::ZERO })
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 6]) -> [T; 4] {
        let (o, end) = (T::ZERO, c::<T>(self.span()));
        let x = [o, q[0], q[2], q[4], end];
        let y = [o, q[1], q[3], q[5], o];
        std::array::from_fn(|i| {
            let (dx, dy) = (x[i + 1] - x[i], y[i + 1] - y[i]);
            (dx * dx + dy * dy).sqrt() - T::ONE
        })
    }
    fn guess(&self) -> ([f64; 6], [f64; 6], [f64; 0]) {
        let third = self.span() / 4.0;
        ([third, -0.3, 2.0 * third, -0.5, 3.0 * third, -0.2], [0.0; 6], [])
    }
}
dense_system!(Funicular, q 6 ["x1", "y1", "x2", "y2", "x3", "y3"], z 0 [], c 4 ["l1", "l2", "l3", "l4"], u 0 [], mass 21,
    jacobian 24, n 10, tangent 100, saddle 10, assembly 10, init [], []);

/// A bob on a rod of length 1, carried round at `rate` by a vertical plane: x sin Ωt = y cos Ωt.
#[derive(Clone, Copy, Debug)]
pub struct Governor {
    pub rate: f64,
    pub start: [f64; 3],
}

impl Plant<3, 0, 2, 0> for Governor {
    fn mass<T: Scalar>(&self, _q: &[T; 3]) -> [[T; 3]; 3] {
        let (o, m) = (T::ZERO, c::<T>(2.0));
        [[m, o, o], [o, m, o], [o, o, m]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 3], v: &[T; 3], _z: &[T; 0], _u: &[T; 0]) -> [T; 3] {
        [T::ZERO, T::ZERO, c::<T>(-2.0 * 9.81) - v[2]]
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 3]) -> [T; 2] {
        let angle = c::<T>(self.rate) * t;
        let (s, k) = (angle.sin(), angle.cos());
        [q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - T::ONE, q[0] * s - q[1] * k]
    }
    fn guess(&self) -> ([f64; 3], [f64; 3], [f64; 0]) {
        (self.start, [0.0; 3], [])
    }
}
dense_system!(Governor, q 3 ["x", "y", "z"], z 0 [], c 2 ["rod", "plane"], u 0 [], mass 6, jacobian 6, n 5, tangent 25, saddle 5,
    assembly 5, init [], []);

/// A current that follows a voltage and pulls on a spring.
#[derive(Clone, Copy, Debug)]
pub struct Solenoid;

impl Plant<1, 1, 0, 1> for Solenoid {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 1], v: &[T; 1], z: &[T; 1], _u: &[T; 1]) -> [T; 1] {
        [z[0] * z[0] - c::<T>(8.0) * q[0] - v[0]]
    }
    fn rates<T: Scalar>(&self, _t: T, _q: &[T; 1], v: &[T; 1], z: &[T; 1], u: &[T; 1]) -> [T; 1] {
        [(u[0] - z[0] - c::<T>(0.5) * v[0]) * c(10.0)]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 1]) {
        ([0.0], [0.0], [0.5])
    }
    fn nominal(&self) -> [f64; 1] {
        [4.0]
    }
}
dense_system!(Solenoid, q 1 ["x"], z 1 ["current"], c 0 [], u 1 ["voltage"], mass 1, jacobian 0, n 2, tangent 4, saddle 1,
    assembly 1, init [], []);

/// A crank of length 1 driven at θ = t, and a rod of length ½.
#[derive(Clone, Copy, Debug)]
pub struct ShortRod;

impl Plant<3, 0, 3, 0> for ShortRod {
    fn mass<T: Scalar>(&self, q: &[T; 3]) -> [[T; 3]; 3] {
        DrivenCrank.mass(q)
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 3], v: &[T; 3], z: &[T; 0], u: &[T; 0]) -> [T; 3] {
        DrivenCrank.force(t, q, v, z, u)
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 3]) -> [T; 3] {
        let half = c::<T>(0.5);
        [q[0].cos() + half * q[1].cos() - q[2], q[0].sin() + half * q[1].sin(), q[0] - t]
    }
    fn guess(&self) -> ([f64; 3], [f64; 3], [f64; 0]) {
        ([0.0, 0.0, 1.5], [0.0; 3], [])
    }
}
dense_system!(ShortRod, q 3 ["theta", "phi", "x"], z 0 [], c 3 ["loop.x", "loop.y", "drive"], u 0 [], mass 6, jacobian 9, n 6,
    tangent 36, saddle 6, assembly 6, init [], []);

/// A bar of length 4, mass 1 and moments (0.04, 0.1, 0.1) on a hinge at (1, 2, 3) at its end, whose axis is that of the
/// bar's z; the hinge is turned by −45° about x. Gravity of 9.80665 along −z.
#[derive(Clone, Copy, Debug)]
pub struct Hinged;

impl Hinged {
    /// −45° about x
    pub const ATTITUDE: [f64; 4] = [0.923_879_532_511_286_7, -0.382_683_432_365_089_8, 0.0, 0.0];

    /// The bar along x.
    pub fn placed() -> [f64; 7] {
        let [w, x, y, z] = Self::ATTITUDE;
        [3.0, 2.0, 3.0, w, x, y, z]
    }
}

impl Plant<7, 0, 5, 0, 6> for Hinged {
    fn mass<T: Scalar>(&self, _q: &[T; 7]) -> [[T; 6]; 6] {
        let m = [1.0, 1.0, 1.0, 0.04, 0.1, 0.1];
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { c(m[i]) } else { T::ZERO }))
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 7], v: &[T; 6], _z: &[T; 0], _u: &[T; 0]) -> [T; 6] {
        let rate = [v[3], v[4], v[5]];
        let turn = super::rigid::cross(&rate, &[c::<T>(0.04) * rate[0], c::<T>(0.1) * rate[1], c::<T>(0.1) * rate[2]]);
        [T::ZERO, T::ZERO, c(-9.80665), -turn[0], -turn[1], -turn[2]]
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 7]) -> [T; 5] {
        let attitude = [q[3], q[4], q[5], q[6]];
        let arm = so3::rotate(&attitude, &[c(-2.0), T::ZERO, T::ZERO]);
        let axis = so3::rotate(&attitude, &[T::ZERO, T::ZERO, T::ONE]);
        let hinge = Self::ATTITUDE.map(c::<T>);
        let (x, y) =
            (so3::rotate(&hinge, &[T::ONE, T::ZERO, T::ZERO]), so3::rotate(&hinge, &[T::ZERO, T::ONE, T::ZERO]));
        let place = [1.0, 2.0, 3.0];
        let joint: [T; 3] = std::array::from_fn(|i| q[i] + arm[i] - c(place[i]));
        [joint[0], joint[1], joint[2], super::rigid::dot(&axis, &x), super::rigid::dot(&axis, &y)]
    }
    fn guess(&self) -> ([f64; 7], [f64; 6], [f64; 0]) {
        let start = Self::ATTITUDE;
        let turned = so3::product(&start, &so3::exp(&[0.05, -0.1, 0.3]));
        let [w, x, y, z] = turned;
        ([2.9, 2.1, 3.05, w, x, y, z], [0.0; 6], [])
    }
    const ROTATIONS: &'static [(usize, usize)] = &[(3, 4)];
    fn retract<T: Scalar>(&self, q: &[T; 7], step: &[T; 6]) -> [T; 7] {
        let turned = so3::retract(&[q[3], q[4], q[5], q[6]], &[step[3], step[4], step[5]]);
        [q[0] + step[0], q[1] + step[1], q[2] + step[2], turned[0], turned[1], turned[2], turned[3]]
    }
    fn local<T: Scalar>(&self, from: &[T; 7], to: &[T; 7]) -> [T; 6] {
        let turn = so3::local(&[from[3], from[4], from[5], from[6]], &[to[3], to[4], to[5], to[6]]);
        [to[0] - from[0], to[1] - from[1], to[2] - from[2], turn[0], turn[1], turn[2]]
    }
    fn tangent_map<T: Scalar>(&self, step: &[T; 6], rate: &[T; 6]) -> [T; 6] {
        let turn = so3::tangent(&[step[3], step[4], step[5]], &[rate[3], rate[4], rate[5]]);
        [rate[0], rate[1], rate[2], turn[0], turn[1], turn[2]]
    }
    fn step_rate<T: Scalar>(&self, step: &[T; 6], v: &[T; 6]) -> [T; 6] {
        let turn = so3::step_rate(&[step[3], step[4], step[5]], &[v[3], v[4], v[5]]);
        [v[0], v[1], v[2], turn[0], turn[1], turn[2]]
    }
}
dense_system!(Hinged, q 7 ["r.x", "r.y", "r.z", "q.w", "q.x", "q.y", "q.z"], v 6 ["v.x", "v.y", "v.z", "w.x", "w.y", "w.z"],
    z 0 [], c 5 ["hinge.x", "hinge.y", "hinge.z", "axis.x", "axis.y"], u 0 [], mass 21, jacobian 30, n 11, tangent 121,
    saddle 11, assembly 11, init [], []);

/// Four masses of 2 between two walls, on five springs of 50.
#[derive(Clone, Copy, Debug)]
pub struct Row;

impl Plant<4, 0, 0, 0> for Row {
    fn mass<T: Scalar>(&self, _q: &[T; 4]) -> [[T; 4]; 4] {
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { c(2.0) } else { T::ZERO }))
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 4], _v: &[T; 4], _z: &[T; 0], _u: &[T; 0]) -> [T; 4] {
        let at = |i: usize| if (1..5).contains(&i) { q[i - 1] } else { T::ZERO };
        std::array::from_fn(|i| c::<T>(50.0) * (at(i) - c::<T>(2.0) * at(i + 1) + at(i + 2)))
    }
    fn guess(&self) -> ([f64; 4], [f64; 4], [f64; 0]) {
        ([0.0; 4], [0.0; 4], [])
    }
}
dense_system!(Row, q 4 ["x1", "x2", "x3", "x4"], z 0 [], c 0 [], u 0 [], mass 10, jacobian 0, n 4, tangent 16, saddle 4,
    assembly 4, init [], []);

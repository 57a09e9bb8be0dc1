//! Rigid bodies in space: q holds a unit quaternion, w first, after the position if there is one; v the velocity of the
//! position, then the angular velocity.

use ode_runtime::{Scalar, so3};

use super::Plant;
use crate::dense_system;

/// How a rotation takes steps, and which rate its velocity is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chart {
    /// q exp(θ), the rate of the body
    Body,
    /// exp(θ) q, the rate of space
    Space,
    /// q (1 + θ/2)/√(1 + θ²/4), the rate of the body: no trigonometry
    Cayley,
}

impl Chart {
    pub fn retract<T: Scalar>(self, q: &[T; 4], step: &[T; 3]) -> [T; 4] {
        match self {
            Self::Body => so3::retract(q, step),
            Self::Space => so3::normalize(&so3::product(&so3::exp(step), q)),
            Self::Cayley => {
                let half = step.map(|x| c::<T>(0.5) * x);
                let factor = (T::ONE + dot(&half, &half)).sqrt().recip();
                let turn = [factor, factor * half[0], factor * half[1], factor * half[2]];
                so3::normalize(&so3::product(q, &turn))
            }
        }
    }
    pub fn local<T: Scalar>(self, from: &[T; 4], to: &[T; 4]) -> [T; 3] {
        match self {
            Self::Body => so3::local(from, to),
            Self::Space => so3::log(&so3::product(to, &so3::conjugate(from))),
            Self::Cayley => {
                let [w, x, y, z] = so3::product(&so3::conjugate(from), to);
                [x, y, z].map(|x| c::<T>(2.0) * x / w)
            }
        }
    }
    pub fn tangent_map<T: Scalar>(self, step: &[T; 3], rate: &[T; 3]) -> [T; 3] {
        match self {
            Self::Body => so3::tangent(step, rate),
            Self::Space => so3::tangent(&step.map(|x| -x), rate),
            Self::Cayley => {
                let (once, factor) = (cross(step, rate), (T::ONE + c::<T>(0.25) * dot(step, step)).recip());
                std::array::from_fn(|i| factor * (rate[i] - c::<T>(0.5) * once[i]))
            }
        }
    }
    pub fn step_rate<T: Scalar>(self, step: &[T; 3], v: &[T; 3]) -> [T; 3] {
        match self {
            Self::Body => so3::step_rate(step, v),
            Self::Space => so3::step_rate(&step.map(|x| -x), v),
            Self::Cayley => {
                let (once, along) = (cross(step, v), c::<T>(0.25) * dot(step, v));
                std::array::from_fn(|i| v[i] + c::<T>(0.5) * once[i] + along * step[i])
            }
        }
    }
}

/// A body that turns about a fixed point: a heavy top, or a free body without weight.
#[derive(Clone, Copy, Debug)]
pub struct Top {
    /// principal moments about the point
    pub inertia: [f64; 3],
    /// m g times the distance of the centre of mass, which is on the third axis
    pub weight: f64,
    pub chart: Chart,
    pub attitude: [f64; 4],
    /// of the body
    pub rate: [f64; 3],
}

impl Top {
    /// Moments 1, 2, 3 and no weight, begun at attitude 1 with ω = (1, 0, 1.5).
    pub fn free() -> Self {
        let (attitude, rate) = ([1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 1.5]);
        Self { inertia: [1.0, 2.0, 3.0], weight: 0.0, chart: Chart::Body, attitude, rate }
    }

    /// The rate of the body, whatever the chart.
    pub fn body_rate(&self, q: &[f64; 4], v: &[f64; 3]) -> [f64; 3] {
        if self.chart == Chart::Space { so3::rotate(&so3::conjugate(q), v) } else { *v }
    }

    /// J ω in space.
    pub fn momentum(&self, q: &[f64; 4], v: &[f64; 3]) -> [f64; 3] {
        let rate = self.body_rate(q, v);
        so3::rotate(q, &std::array::from_fn(|i| self.inertia[i] * rate[i]))
    }

    pub fn energy(&self, q: &[f64; 4], v: &[f64; 3]) -> f64 {
        let rate = self.body_rate(q, v);
        let kinetic: f64 = (0..3).map(|i| 0.5 * self.inertia[i] * rate[i] * rate[i]).sum();
        kinetic + self.weight * so3::rotate(q, &[0.0, 0.0, 1.0])[2]
    }
}

impl Plant<4, 0, 0, 0, 3> for Top {
    fn mass<T: Scalar>(&self, q: &[T; 4]) -> [[T; 3]; 3] {
        let mut m = [[T::ZERO; 3]; 3];
        for k in 0..3 {
            let mut axis = [T::ZERO; 3];
            axis[k] = T::ONE;
            if self.chart == Chart::Space {
                axis = so3::rotate(q, &axis);
            }
            // Σ J n nᵀ over the principal axes
            for (i, row) in m.iter_mut().enumerate() {
                for (j, entry) in row.iter_mut().enumerate() {
                    *entry += c::<T>(self.inertia[k]) * axis[i] * axis[j];
                }
            }
        }
        m
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 4], v: &[T; 3], _z: &[T; 0], _u: &[T; 0]) -> [T; 3] {
        let m = self.mass(q);
        let momentum = std::array::from_fn(|i| dot(&m[i], v));
        let (mut axis, mut down) = ([T::ZERO, T::ZERO, T::ONE], [T::ZERO, T::ZERO, c(-self.weight)]);
        if self.chart == Chart::Space {
            axis = so3::rotate(q, &axis);
        } else {
            down = so3::rotate(&so3::conjugate(q), &down);
        }
        let (gyration, torque) = (cross(v, &momentum), cross(&axis, &down));
        std::array::from_fn(|i| torque[i] - gyration[i])
    }
    fn guess(&self) -> ([f64; 4], [f64; 3], [f64; 0]) {
        let space = so3::rotate(&self.attitude, &self.rate);
        (self.attitude, if self.chart == Chart::Space { space } else { self.rate }, [])
    }
    const ROTATIONS: &'static [(usize, usize)] = &[(0, 4)];
    fn retract<T: Scalar>(&self, q: &[T; 4], step: &[T; 3]) -> [T; 4] {
        self.chart.retract(q, step)
    }
    fn local<T: Scalar>(&self, from: &[T; 4], to: &[T; 4]) -> [T; 3] {
        self.chart.local(from, to)
    }
    fn tangent_map<T: Scalar>(&self, step: &[T; 3], rate: &[T; 3]) -> [T; 3] {
        self.chart.tangent_map(step, rate)
    }
    fn step_rate<T: Scalar>(&self, step: &[T; 3], v: &[T; 3]) -> [T; 3] {
        self.chart.step_rate(step, v)
    }
}
dense_system!(Top, q 4 ["q.w", "q.x", "q.y", "q.z"], v 3 ["w.x", "w.y", "w.z"], z 0 [], c 0 [], u 0 [], mass 6,
    jacobian 0, n 3, tangent 9, saddle 3, assembly 3, init [], []);

/// A vector of R³ and a rotation by the body's rate.
macro_rules! placed {
    () => {
        const ROTATIONS: &'static [(usize, usize)] = &[(3, 4)];
        fn retract<T: Scalar>(&self, q: &[T; 7], step: &[T; 6]) -> [T; 7] {
            let ((r, q), (dr, dq)) = (place(q), pair(step));
            let ([x, y, z], [w, i, j, k]) = (std::array::from_fn(|i| r[i] + dr[i]), so3::retract(&q, &dq));
            [x, y, z, w, i, j, k]
        }
        fn local<T: Scalar>(&self, from: &[T; 7], to: &[T; 7]) -> [T; 6] {
            let ((r, q), (s, p)) = (place(from), place(to));
            joined(std::array::from_fn(|i| s[i] - r[i]), so3::local(&q, &p))
        }
        fn tangent_map<T: Scalar>(&self, step: &[T; 6], rate: &[T; 6]) -> [T; 6] {
            joined(pair(rate).0, so3::tangent(&pair(step).1, &pair(rate).1))
        }
        fn step_rate<T: Scalar>(&self, step: &[T; 6], v: &[T; 6]) -> [T; 6] {
            joined(pair(v).0, so3::step_rate(&pair(step).1, &pair(v).1))
        }
    };
}

/// A body on a spring and damper from `HOOK` on it to the origin, under gravity.
#[derive(Clone, Copy, Debug)]
pub struct Hung;

const HOOK: [f64; 3] = [0.3, -0.1, 0.2];

impl Plant<7, 0, 0, 0, 6> for Hung {
    fn mass<T: Scalar>(&self, _q: &[T; 7]) -> [[T; 6]; 6] {
        diagonal([2.0, 2.0, 2.0, 0.2, 0.3, 0.4])
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 7], v: &[T; 6], _z: &[T; 0], _u: &[T; 0]) -> [T; 6] {
        let ((r, q), (v, rate)) = (place(q), pair(v));
        let hook = HOOK.map(c::<T>);
        let (arm, swing) = (so3::rotate(&q, &hook), so3::rotate(&q, &cross(&rate, &hook)));
        let pull: [T; 3] = std::array::from_fn(|i| -(c::<T>(40.0) * (r[i] + arm[i]) + c::<T>(0.5) * (v[i] + swing[i])));
        let torque = cross(&hook, &so3::rotate(&so3::conjugate(&q), &pull));
        let momentum = [c::<T>(0.2) * rate[0], c::<T>(0.3) * rate[1], c::<T>(0.4) * rate[2]];
        let gyration = cross(&rate, &momentum);
        joined([pull[0], pull[1], pull[2] - c(2.0 * 9.81)], std::array::from_fn(|i| torque[i] - gyration[i]))
    }
    fn guess(&self) -> ([f64; 7], [f64; 6], [f64; 0]) {
        let [w, x, y, z] = so3::exp(&[0.4, 0.2, 0.0]);
        ([0.1, 0.2, -0.5, w, x, y, z], [0.3, 0.0, -0.2, 2.0, -1.0, 3.0], [])
    }
    placed!();
}
dense_system!(Hung, q 7 ["r.x", "r.y", "r.z", "q.w", "q.x", "q.y", "q.z"],
    v 6 ["v.x", "v.y", "v.z", "w.x", "w.y", "w.z"], z 0 [], c 0 [], u 0 [], mass 21, jacobian 0, n 6, tangent 36,
    saddle 6, assembly 6, init [], []);

/// A body held by a spherical joint at the origin: r + R l = 0 with l = (0, 0, −½), m = 2, moments (0.5, 0.7, 0.3)
/// about its centre.
#[derive(Clone, Copy, Debug)]
pub struct Rod;

impl Plant<7, 0, 3, 0, 6> for Rod {
    fn mass<T: Scalar>(&self, _q: &[T; 7]) -> [[T; 6]; 6] {
        diagonal([2.0, 2.0, 2.0, 0.5, 0.7, 0.3])
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 7], v: &[T; 6], _z: &[T; 0], _u: &[T; 0]) -> [T; 6] {
        let rate = pair(v).1;
        let gyration = cross(&rate, &[c::<T>(0.5) * rate[0], c::<T>(0.7) * rate[1], c::<T>(0.3) * rate[2]]);
        joined([T::ZERO, T::ZERO, c(-2.0 * 9.81)], gyration.map(|x| -x))
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 7]) -> [T; 3] {
        let (r, q) = place(q);
        let arm = so3::rotate(&q, &[T::ZERO, T::ZERO, c(-0.5)]);
        std::array::from_fn(|i| r[i] + arm[i])
    }
    fn guess(&self) -> ([f64; 7], [f64; 6], [f64; 0]) {
        let q = so3::exp(&[0.4, 0.2, 0.0]);
        let (rate, centre) = ([0.5, -1.0, 4.0], [0.0, 0.0, 0.5]);
        let ([x, y, z], [w, i, j, k]) = (so3::rotate(&q, &centre), q);
        ([x, y, z, w, i, j, k], joined(so3::rotate(&q, &cross(&rate, &centre)), rate), [])
    }
    placed!();
}
dense_system!(Rod, q 7 ["r.x", "r.y", "r.z", "q.w", "q.x", "q.y", "q.z"],
    v 6 ["v.x", "v.y", "v.z", "w.x", "w.y", "w.z"], z 0 [], c 3 ["joint.x", "joint.y", "joint.z"], u 0 [], mass 21,
    jacobian 18, n 9, tangent 81, saddle 9, assembly 9, init [], []);

fn c<T: Scalar>(x: f64) -> T {
    T::from_f64(x)
}

fn place<T: Copy>(q: &[T; 7]) -> ([T; 3], [T; 4]) {
    ([q[0], q[1], q[2]], [q[3], q[4], q[5], q[6]])
}

fn pair<T: Copy>(v: &[T; 6]) -> ([T; 3], [T; 3]) {
    ([v[0], v[1], v[2]], [v[3], v[4], v[5]])
}

fn joined<T: Copy>(a: [T; 3], b: [T; 3]) -> [T; 6] {
    [a[0], a[1], a[2], b[0], b[1], b[2]]
}

pub fn diagonal<T: Scalar, const N: usize>(values: [f64; N]) -> [[T; N]; N] {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { c(values[i]) } else { T::ZERO }))
}

pub fn dot<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

//! An angle, a rotation and a motion of space in one system, each drawn to its identity by a spring; and a rotation
//! that is driven.

use std::array::from_fn;

use ode_runtime::{Crossing, Event, Scalar, so3};

use crate::common::Plant;
use crate::common::rigid::{cross, diagonal};
use crate::dense_system;

/// q is (cosine, sine), a quaternion, and a point with a quaternion; at t = 0.05 it jumps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Three {
    pub(crate) begin: [f64; 13],
    pub(crate) after: [f64; 13],
}

/// Names, first entries and counts of the rotations of `Three`.
pub(crate) const TURNS: [(&str, usize, usize); 3] = [("wheel", 0, 2), ("top", 2, 4), ("body", 9, 4)];

impl Three {
    /// Turned, with norms of one to the last digits.
    pub(crate) fn turned() -> Self {
        let ([a, b, c, d], [w, x, y, z]) = (so3::exp(&[-0.3, 0.5, 0.2]), so3::exp(&[0.4, 0.2, -0.1]));
        let begin = [0.8, -0.6, a, b, c, d, 0.1, -0.2, 0.3, w, x, y, z];
        Self { begin, after: begin }
    }
}

fn part<T: Copy, const N: usize>(x: &[T], first: usize) -> [T; N] {
    from_fn(|i| x[first + i])
}

/// The torque of a spring to the identity, less what turns with the body.
fn torque<T: Scalar>(q: &[T; 4], rate: &[T; 3], inertia: [f64; 3]) -> [T; 3] {
    let gyration = cross(rate, &from_fn(|i| T::from_f64(inertia[i]) * rate[i]));
    from_fn(|i| -(q[0] * q[i + 1]) - gyration[i])
}

const INERTIA: [f64; 3] = [1.0, 2.0, 3.0];

impl Plant<13, 0, 0, 0, 10> for Three {
    fn mass<T: Scalar>(&self, _q: &[T; 13]) -> [[T; 10]; 10] {
        diagonal([0.5, 1.0, 2.0, 3.0, 1.5, 1.5, 1.5, 1.0, 2.0, 3.0])
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 13], v: &[T; 10], _z: &[T; 0], _u: &[T; 0]) -> [T; 10] {
        let [a, b, c] = torque(&part(q, 2), &part(v, 1), INERTIA);
        let [d, e, f] = torque(&part(q, 9), &part(v, 7), INERTIA);
        [-q[1], a, b, c, -q[6], -q[7], -q[8], d, e, f]
    }
    fn guess(&self) -> ([f64; 13], [f64; 10], [f64; 0]) {
        (self.begin, [0.0; 10], [])
    }
    const MODES: &'static [&'static str] = &["gear"];
    fn initial_modes(&self) -> Vec<f64> {
        vec![3.0]
    }
    const EVENTS: &'static [Event<'static>] = &[Event { name: "jump", crossing: Crossing::Rising, stops: false }];
    fn guards<T: Scalar>(&self, t: T, _x: (&[T; 13], &[T; 10], &[T; 0]), _u: &[T; 0], _modes: &[T], out: &mut [T]) {
        out[0] = t - T::from_f64(0.05);
    }
    fn reset<T: Scalar>(
        &self,
        _event: usize,
        _t: T,
        _x: (&[T; 13], &[T; 10], &[T; 0]),
        _modes: &[T],
        out: (&mut [T; 13], &mut [T; 10], &mut [T; 0], &mut [T]),
    ) {
        *out.0 = self.after.map(T::from_f64);
    }
    const ROTATIONS: &'static [(usize, usize)] = &[(0, 2), (2, 4), (9, 4)];
    fn retract<T: Scalar>(&self, q: &[T; 13], step: &[T; 10]) -> [T; 13] {
        let (a, b) = (step[0].cos(), step[0].sin());
        let (c, s) = (q[0] * a - q[1] * b, q[1] * a + q[0] * b);
        let k = T::from_f64(0.5) * (T::from_f64(3.0) - c * c - s * s);
        let top = so3::retract(&part(q, 2), &part(step, 1));
        let body = so3::retract(&part(q, 9), &part(step, 7));
        from_fn(|i| match i {
            0 => k * c,
            1 => k * s,
            2..6 => top[i - 2],
            6..9 => q[i] + step[i - 2],
            _ => body[i - 9],
        })
    }
    fn local<T: Scalar>(&self, from: &[T; 13], to: &[T; 13]) -> [T; 10] {
        let angle = (from[0] * to[1] - from[1] * to[0]).atan2(from[0] * to[0] + from[1] * to[1]);
        let (top, body) = (so3::local(&part(from, 2), &part(to, 2)), so3::local(&part(from, 9), &part(to, 9)));
        from_fn(|i| match i {
            0 => angle,
            1..4 => top[i - 1],
            4..7 => to[i + 2] - from[i + 2],
            _ => body[i - 7],
        })
    }
    fn tangent_map<T: Scalar>(&self, step: &[T; 10], rate: &[T; 10]) -> [T; 10] {
        let (top, body) = (so3::tangent(&part(step, 1), &part(rate, 1)), so3::tangent(&part(step, 7), &part(rate, 7)));
        from_fn(|i| {
            if (1..4).contains(&i) {
                top[i - 1]
            } else if i < 7 {
                rate[i]
            } else {
                body[i - 7]
            }
        })
    }
    fn step_rate<T: Scalar>(&self, step: &[T; 10], v: &[T; 10]) -> [T; 10] {
        let (top, body) = (so3::step_rate(&part(step, 1), &part(v, 1)), so3::step_rate(&part(step, 7), &part(v, 7)));
        from_fn(|i| {
            if (1..4).contains(&i) {
                top[i - 1]
            } else if i < 7 {
                v[i]
            } else {
                body[i - 7]
            }
        })
    }
}
dense_system!(Three,
    q 13 ["wheel.cos", "wheel.sin", "top.w", "top.x", "top.y", "top.z", "body.x", "body.y", "body.z", "body.qw", "body.qx",
        "body.qy", "body.qz"],
    v 10 ["turn", "spin.x", "spin.y", "spin.z", "v.x", "v.y", "v.z", "w.x", "w.y", "w.z"],
    z 0 [], c 0 [], u 0 [], mass 55, jacobian 0, n 10, tangent 100, saddle 10, assembly 10, init [], []);

/// A body that is turned about the z axis by t radians.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swivel;

impl Plant<4, 0, 3, 0, 3> for Swivel {
    fn mass<T: Scalar>(&self, _q: &[T; 4]) -> [[T; 3]; 3] {
        diagonal(INERTIA)
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 4], v: &[T; 3], _z: &[T; 0], _u: &[T; 0]) -> [T; 3] {
        torque(q, v, INERTIA)
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 4]) -> [T; 3] {
        let back = so3::exp(&[T::ZERO, T::ZERO, -t]);
        part(&so3::product(&back, q), 1)
    }
    fn guess(&self) -> ([f64; 4], [f64; 3], [f64; 0]) {
        ([1.0, 0.0, 0.0, 0.0], [0.0; 3], [])
    }
    const ROTATIONS: &'static [(usize, usize)] = &[(0, 4)];
    fn retract<T: Scalar>(&self, q: &[T; 4], step: &[T; 3]) -> [T; 4] {
        so3::retract(q, step)
    }
    fn local<T: Scalar>(&self, from: &[T; 4], to: &[T; 4]) -> [T; 3] {
        so3::local(from, to)
    }
    fn tangent_map<T: Scalar>(&self, step: &[T; 3], rate: &[T; 3]) -> [T; 3] {
        so3::tangent(step, rate)
    }
    fn step_rate<T: Scalar>(&self, step: &[T; 3], v: &[T; 3]) -> [T; 3] {
        so3::step_rate(step, v)
    }
}
dense_system!(Swivel, q 4 ["q.w", "q.x", "q.y", "q.z"], v 3 ["w.x", "w.y", "w.z"], z 0 [],
    c 3 ["pivot.x", "pivot.y", "drive"], u 0 [], mass 6, jacobian 9, n 6, tangent 36, saddle 6, assembly 6, init [], []);

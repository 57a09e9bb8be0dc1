//! Rotations as unit quaternions, for models written by hand.
//!
//! A quaternion [w, x, y, z] takes vectors of the body to space. Steps and rates are vectors in R³: of the **body**, q
//! ⊕ θ = q exp(θ). For those of **space**, q ⊕ θ = exp(θ) q, the same functions serve: `normalize(&product(&exp(θ),
//! q))`, and `tangent` and `step_rate` of −θ.
//!
//! ```text
//! exp θ = (c₀(s/4), ½ c₁(s/4) θ)         s = θ·θ, cₙ of `Scalar::stumpff`
//! ω = T(θ) θ̇,   T = 1 − c₂ [θ]× + c₃ [θ]×²   the rate of q exp(θ)
//! ```
//!
//! Everything is smooth at θ = 0, so dual numbers work. Norms are assumed to be 1 and not checked: a model lists its
//! quaternions in [`System::rotations`](crate::System::rotations), and every state that enters is checked.

use crate::numbers::scalar::Scalar;

/// a b
pub fn product<T: Scalar>(a: &[T; 4], b: &[T; 4]) -> [T; 4] {
    let ([aw, ax, ay, az], [bw, bx, by, bz]) = (*a, *b);
    [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ]
}

/// The inverse of a unit quaternion.
pub fn conjugate<T: Scalar>(q: &[T; 4]) -> [T; 4] {
    [q[0], -q[1], -q[2], -q[3]]
}

/// q (3 − q·q)/2: of norm 1 + O(e²) where that of q is 1 + e.
///
/// A product of unit quaternions has a unit norm up to round-off. This removes the round-off before it can grow,
/// without root or division. It is smooth, and along the unit sphere its derivative is the identity.
pub fn normalize<T: Scalar>(q: &[T; 4]) -> [T; 4] {
    let square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    let factor = T::from_f64(0.5) * (T::from_f64(3.0) - square);
    q.map(|x| factor * x)
}

/// The rotation about θ by the angle |θ|.
pub fn exp<T: Scalar>(theta: &[T; 3]) -> [T; 4] {
    let quarter = T::from_f64(0.25) * dot(theta, theta);
    let factor = T::from_f64(0.5) * quarter.stumpff(1);
    [quarter.stumpff(0), factor * theta[0], factor * theta[1], factor * theta[2]]
}

/// The θ with exp θ = ±q, the shorter way round: |θ| ≤ π. A norm of q other than 1 has no influence.
pub fn log<T: Scalar>(q: &[T; 4]) -> [T; 3] {
    let [w, x, y, z] = *q;
    // −q is the same rotation.
    let sign = T::select(w.lt(T::ZERO), -T::ONE, T::ONE);
    let (w, axis) = (sign * w, [sign * x, sign * y, sign * z]);
    let norm = dot(&axis, &axis).root();
    // 2 arctan(n/w)/n, by its series where n/w is below 2⁻⁹: what is left out is 2⁻⁷⁵, and nothing in two derivatives
    // either.
    let ratio = norm / w;
    let square = ratio * ratio;
    let c = T::from_f64;
    let series = (T::ONE - square * (c(1.0 / 3.0) - square * (c(0.2) - square * c(1.0 / 7.0)))) / w;
    let factor = T::select(norm.lt(c(1.0 / 512.0) * w), series, norm.atan2(w) / norm);
    axis.map(|x| c(2.0) * factor * x)
}

/// The vector of space that `x` of the body is.
pub fn rotate<T: Scalar>(q: &[T; 4], x: &[T; 3]) -> [T; 3] {
    let axis = [q[1], q[2], q[3]];
    let (once, two) = (cross(&axis, x), T::from_f64(2.0));
    let twice = cross(&axis, &once);
    core::array::from_fn(|i| x[i] + two * (q[0] * once[i] + twice[i]))
}

/// q̇ of the body rate ω.
pub fn qdot<T: Scalar>(q: &[T; 4], omega: &[T; 3]) -> [T; 4] {
    let half = omega.map(|x| T::from_f64(0.5) * x);
    product(q, &[T::ZERO, half[0], half[1], half[2]])
}

/// q exp(θ).
pub fn retract<T: Scalar>(q: &[T; 4], theta: &[T; 3]) -> [T; 4] {
    normalize(&product(q, &exp(theta)))
}

/// The θ with `from` exp(θ) = ±`to`, the shorter way round.
pub fn local<T: Scalar>(from: &[T; 4], to: &[T; 4]) -> [T; 3] {
    log(&product(&conjugate(from), to))
}

/// T(θ) θ̇, the body rate of q exp(θ): how it turns when θ changes.
pub fn tangent<T: Scalar>(theta: &[T; 3], rate: &[T; 3]) -> [T; 3] {
    let (s, once) = (dot(theta, theta), cross(theta, rate));
    let twice = cross(theta, &once);
    let (second, third) = (s.stumpff(2), s.stumpff(3));
    core::array::from_fn(|i| rate[i] - second * once[i] + third * twice[i])
}

/// T(θ)⁻¹ ω, the rate of θ at which q exp(θ) has the body rate ω; NaN beyond half a turn, as
/// [`System::step_rate`](crate::System::step_rate) asks.
pub fn step_rate<T: Scalar>(theta: &[T; 3], omega: &[T; 3]) -> [T; 3] {
    let (s, once) = (dot(theta, theta), cross(theta, omega));
    let twice = cross(theta, &once);
    let (half, two) = (T::from_f64(0.5), T::from_f64(2.0));
    // T⁻¹ = 1 + ½ [θ]× + k [θ]×² with k = (1 − ½ |θ| cot ½|θ|)/s = (c₃ − 2 c₄)/(2 c₂).
    let k = (s.stumpff(3) - two * s.stumpff(4)) / (two * s.stumpff(2));
    // A hair more than π², so that what `log` gives passes.
    let k = T::select(s.lt(T::from_f64(9.87)), k, T::from_f64(f64::NAN));
    core::array::from_fn(|i| omega[i] + half * once[i] + k * twice[i])
}

fn dot<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
pub fn cross<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

//! Points of the sphere as unit quaternions without spin, for models written by hand.
//!
//! The point is d = R e_z of a quaternion [w, x, y, z], whose other two axes are a frame beside it. A velocity v = (ωx,
//! ωy) is a rate about these, ḋ = R (ωy, −ωx, 0); there is none about d, so the frame is carried along without spin.
//! Steps and rates are about the frame's axes: q ⊕ θ = q exp(θx, θy, 0) goes along a great circle.
//!
//! ```text
//! v = T(θ) θ̇ = c₁ θ̇ + c₃ θ (θ·θ̇)          s = θ·θ, cₙ of `Scalar::stumpff`
//! σ = −c₂ θ × θ̇ = −(c₂/c₁) θ × v             the spin that q ⊕ θ has where θ turns
//! ```
//!
//! The sphere is curved, so no steps move the frame without spin in all directions: [`velocity_rate`] corrects the
//! rates of velocities along q ⊕ θ by σ. No two tangents depend continuously on d alone, so the frame is part of the
//! state. Functions of d do not see it: d moves alike for every initial frame.
//!
//! As in [`so3`], everything is smooth at θ = 0, and norms are not checked.

use crate::numbers::scalar::Scalar;
use crate::numbers::so3;

/// d, the third axis.
pub fn direction<T: Scalar>(q: &[T; 4]) -> [T; 3] {
    so3::rotate(q, &[T::ZERO, T::ZERO, T::ONE])
}

/// The quaternion that takes e_z to the unit vector `d` by the shortest way; for −e_z, one of them.
pub fn pointing<T: Scalar>(d: &[T; 3]) -> [T; 4] {
    let [x, y, z] = *d;
    let (one, two, opposite) = (T::ONE, T::from_f64(2.0), z.lt(T::from_f64(-0.5)));
    // Half of the two with (cos ϑ/2)² = (1 ± z)/2; the second has turned by half a turn about e_x before.
    let scale = (two * (one + T::select(opposite, -z, z))).root();
    let half = scale / two;
    let [a, b] = [x / scale, y / scale];
    [
        T::select(opposite, -b, half),
        T::select(opposite, half, -b),
        T::select(opposite, T::ZERO, a),
        T::select(opposite, a, T::ZERO),
    ]
}

/// The velocity ḋ in space of the rates `v`.
pub fn velocity<T: Scalar>(q: &[T; 4], v: &[T; 2]) -> [T; 3] {
    so3::rotate(q, &[v[1], -v[0], T::ZERO])
}

/// The rates of a velocity `ddot` in space, of which only the part across d counts.
pub fn rates<T: Scalar>(q: &[T; 4], ddot: &[T; 3]) -> [T; 2] {
    let own = so3::rotate(&so3::conjugate(q), ddot);
    [-own[1], own[0]]
}

/// q̇ of the rates v.
pub fn qdot<T: Scalar>(q: &[T; 4], v: &[T; 2]) -> [T; 4] {
    so3::qdot(q, &[v[0], v[1], T::ZERO])
}

/// q ⊕ θ, along a great circle.
pub fn retract<T: Scalar>(q: &[T; 4], theta: &[T; 2]) -> [T; 4] {
    so3::retract(q, &[theta[0], theta[1], T::ZERO])
}

/// The shortest θ that takes the point of `from` to that of `to`, whatever the frame there; half a turn about the first
/// axis to the opposite point.
pub fn local<T: Scalar>(from: &[T; 4], to: &[T; 4]) -> [T; 2] {
    let [w, x, y, z] = so3::product(&so3::conjugate(from), to);
    // A product of a rotation without spin and a spin about d; this removes the spin.
    let norm = (w * w + z * z).root();
    let opposite = norm.lt(T::from_f64(f64::MIN_POSITIVE));
    let scale = T::select(opposite, T::ONE, norm);
    let (c, s) = (T::select(opposite, T::ONE, w / scale), z / scale);
    let [a, b, _] = so3::log(&[norm, x * c - y * s, y * c + x * s, T::ZERO]);
    [a, b]
}

/// T(θ)⁻¹ v, the rate of θ at which the point of q ⊕ θ has the rates v; NaN beyond half a turn, as
/// [`System::step_rate`](crate::System::step_rate) asks.
pub fn step_rate<T: Scalar>(theta: &[T; 2], v: &[T; 2]) -> [T; 2] {
    let s = dot(theta, theta);
    let (scale, along) = (s.stumpff(1).recip(), s.stumpff(3) * dot(theta, v));
    // A hair more than π², so that what `local` gives passes.
    let scale = T::select(s.lt(T::from_f64(9.87)), scale, T::from_f64(f64::NAN));
    core::array::from_fn(|i| scale * (v[i] - along * theta[i]))
}

/// v̇ of the entries of v along q ⊕ θ, where without spin it were `rate`: the frame has the spin σ.
pub fn velocity_rate<T: Scalar>(theta: &[T; 2], v: &[T; 2], rate: &[T; 2]) -> [T; 2] {
    let s = dot(theta, theta);
    let spin = s.stumpff(2) / s.stumpff(1) * (theta[1] * v[0] - theta[0] * v[1]);
    [rate[0] + spin * v[1], rate[1] - spin * v[0]]
}

fn dot<T: Scalar>(a: &[T; 2], b: &[T; 2]) -> T {
    a[0] * b[0] + a[1] * b[1]
}

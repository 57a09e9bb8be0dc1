//! How steps on rotations and on the sphere vary.
//!
//! Where N = 1, δ(q ⊕ θ) = δq + δθ, and the rate of a step is the velocity. On rotations, with T of [`so3::tangent`],
//!
//! ```text
//! δ(q ⊕ θ) = exp(−θ) δq + T(θ) δθ     body rates
//! δ(q ⊕ θ) = exp(θ) δq + T(−θ) δθ     spatial rates
//! ```
//!
//! and the transposed maps have −θ in the place of θ.
//!
//! **On the sphere** q is a frame without spin, and a variation of it has none. But δ(q ⊕ θ) by the first formula, with
//! 0 as the third entries of δq and δθ, has a spin c about the point: the frame that a varied step carries along is
//! turned by c against the one without spin. Entries x of a velocity in the carried frame are x + c (−x₂, x₁) in the
//! other: [`align`]. Models do not see frames, so all variations are those in frames without spin.

use crate::model::sensitive::{Sensitive, Turning};
use crate::numbers::dual::Dual;
use crate::numbers::scalar::Scalar;
use crate::numbers::{s2, so3};

/// N entries of a block from `first` on.
pub(super) fn take<T: Scalar, const N: usize>(block: &[T], first: usize) -> [T; N] {
    core::array::from_fn(|i| block.get(first + i).copied().unwrap_or(T::ZERO))
}

/// Writes entries of a block.
fn put<T: Scalar, const N: usize>(block: &mut [T], first: usize, x: [T; N]) {
    for (to, x) in block.iter_mut().skip(first).zip(x) {
        *to = x;
    }
}

/// Two entries and a third that is zero.
pub(super) fn flat<T: Scalar>([x, y]: [T; 2]) -> [T; 3] {
    [x, y, T::ZERO]
}

pub(super) fn back<T: Scalar>(theta: [T; 3]) -> [T; 3] {
    theta.map(|x| -x)
}

/// exp(θ) x
pub(super) fn turned<T: Scalar>(theta: &[T; 3], x: &[T; 3]) -> [T; 3] {
    so3::rotate(&so3::exp(theta), x)
}

fn sum<T: Scalar>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    core::array::from_fn(|i| a[i] + b[i])
}

/// exp(−θ) x + T(θ) y
fn moved<T: Scalar>(theta: [T; 3], x: &[T; 3], y: &[T; 3]) -> [T; 3] {
    sum(turned(&back(theta), x), so3::tangent(&theta, y))
}

fn dual<T: Scalar, const N: usize>(x: [T; N], dx: [T; N]) -> [Dual<T>; N] {
    core::array::from_fn(|i| Dual { re: x[i], eps: dx[i] })
}

/// δ(q ⊕ θ) of δq and δθ; to `spin`, in the first entry of each point on the sphere, its spin.
#[inline(never)]
pub(crate) fn retract<S: Sensitive>(
    system: &S,
    step: &S::V,
    (q, by): (&S::V, &S::V),
    out: &mut S::V,
    spin: Option<&mut S::V>,
) {
    for ((out, &q), &by) in out.as_mut().iter_mut().zip(q.as_ref()).zip(by.as_ref()) {
        *out = q + by;
    }
    let mut spins = spin.map(AsMut::as_mut);
    for turning in system.turnings() {
        let (step, q, by, out) = (step.as_ref(), q.as_ref(), by.as_ref(), out.as_mut());
        match *turning {
            Turning::Body(at) => put(out, at, moved(take(step, at), &take(q, at), &take(by, at))),
            Turning::World(at) => put(out, at, moved(back(take(step, at)), &take(q, at), &take(by, at))),
            Turning::Sphere(at) => {
                let [x, y, c] = moved(flat(take(step, at)), &flat(take(q, at)), &flat(take(by, at)));
                put(out, at, [x, y]);
                if let Some(spins) = &mut spins {
                    put(spins, at, [c, S::Real::ZERO]);
                }
            }
        }
    }
}

/// x += s c (−v₂, v₁) for the points on the sphere, of spin c.
pub(super) fn align<S: Sensitive>(system: &S, s: S::Real, vector: &S::V, spin: &S::V, x: &mut S::V) {
    for turning in system.turnings() {
        let Turning::Sphere(at) = *turning else { continue };
        let ([c, _], [a, b], [x0, x1]) = (take(spin.as_ref(), at), take(vector.as_ref(), at), take(x.as_ref(), at));
        put(x.as_mut(), at, [x0 - s * c * b, x1 + s * c * a]);
    }
}

/// δθ of the step θ with from ⊕ θ = to.
pub(super) fn local<S: Sensitive>(
    system: &S,
    (from, to, step): (&S::Q, &S::Q, &S::V),
    (dfrom, dto): (&S::V, &S::V),
    out: &mut S::V,
) {
    for ((out, &from), &to) in out.as_mut().iter_mut().zip(dfrom.as_ref()).zip(dto.as_ref()) {
        *out = to - from;
    }
    let spheres = system.rotations().iter().filter(|(_, count)| *count == 4);
    for (turning, &(place, _)) in system.turnings().iter().zip(spheres) {
        let (step, dfrom, dto, out) = (step.as_ref(), dfrom.as_ref(), dto.as_ref(), out.as_mut());
        match *turning {
            Turning::Body(at) => {
                let theta = take(step, at);
                let rest = sum(take(dto, at), back(turned(&back(theta), &take(dfrom, at))));
                put(out, at, so3::step_rate(&theta, &rest));
            }
            Turning::World(at) => {
                let theta = take(step, at);
                let rest = sum(take(dto, at), back(turned(&theta, &take(dfrom, at))));
                put(out, at, so3::step_rate(&back(theta), &rest));
            }
            Turning::Sphere(at) => {
                let theta = take(step, at);
                // the frame of `to`, seen from that which the step carries along: turned about the point
                let carried = s2::retract(&take(from.as_ref(), place), &theta);
                let [w, _, _, z] = so3::product(&so3::conjugate(&carried), &take(to.as_ref(), place));
                let (cosine, sine) = (w * w - z * z, S::Real::from_f64(2.0) * w * z);
                let [x, y] = take(dto, at);
                let [a, b, _] = turned(&back(flat(theta)), &flat(take(dfrom, at)));
                let rest = [cosine * x - sine * y - a, sine * x + cosine * y - b];
                put(out, at, s2::step_rate(&theta, &rest));
            }
        }
    }
}

/// δ of the rate of a step θ at velocity v.
pub(super) fn step_rate<S: Sensitive>(system: &S, (step, v): (&S::V, &S::V), (by, dv): (&S::V, &S::V), out: &mut S::V) {
    for (out, &dv) in out.as_mut().iter_mut().zip(dv.as_ref()) {
        *out = dv;
    }
    for turning in system.turnings() {
        let (step, v, by, dv, out) = (step.as_ref(), v.as_ref(), by.as_ref(), dv.as_ref(), out.as_mut());
        match *turning {
            Turning::Body(at) => {
                let rate = so3::step_rate(&dual(take(step, at), take(by, at)), &dual(take(v, at), take(dv, at)));
                put(out, at, rate.map(|x| x.eps));
            }
            Turning::World(at) => {
                let theta = dual(back(take(step, at)), back(take(by, at)));
                put(out, at, so3::step_rate(&theta, &dual(take(v, at), take(dv, at))).map(|x| x.eps));
            }
            Turning::Sphere(at) => {
                let rate = s2::step_rate(&dual(take(step, at), take(by, at)), &dual(take(v, at), take(dv, at)));
                put(out, at, rate.map(|x| x.eps));
            }
        }
    }
}

/// δ of v̇ along q ⊕ θ: `rate` is δa and becomes it.
pub(super) fn velocity_rate<S: Sensitive>(
    system: &S,
    (step, v, a): (&S::V, &S::V, &S::V),
    (by, dv): (&S::V, &S::V),
    rate: &mut S::V,
) {
    for turning in system.turnings() {
        let Turning::Sphere(at) = *turning else { continue };
        let theta = dual(take(step.as_ref(), at), take(by.as_ref(), at));
        let v = dual(take(v.as_ref(), at), take(dv.as_ref(), at));
        let a = dual(take(a.as_ref(), at), take(rate.as_ref(), at));
        put(rate.as_mut(), at, s2::velocity_rate(&theta, &v, &a).map(|x| x.eps));
    }
}

/// Are there points on the sphere?
pub(super) fn spins<S: Sensitive>(system: &S) -> bool {
    system.turnings().iter().any(|turning| matches!(turning, Turning::Sphere(_)))
}

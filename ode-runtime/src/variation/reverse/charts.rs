//! The transposes of how steps on rotations and on the sphere vary: see [`charts`](super::super::charts).
//!
//! Rotations are orthogonal and T(θ)ᵀ = T(−θ), so those maps are transposed by formulas; the others, of which few steps
//! make use, block by block by their columns.

use crate::model::sensitive::{Sensitive, Turning};
use crate::model::system::System;
use crate::numbers::scalar::Scalar;
use crate::numbers::so3;
use crate::variation::charts::{self, back, flat, take, turned};

/// Adds to entries of a block.
fn give<T: Scalar, const N: usize>(block: &mut [T], first: usize, x: [T; N]) {
    for (to, x) in block.iter_mut().skip(first).zip(x) {
        *to += x;
    }
}

/// The first velocity of a rotation or point, and their number.
fn place(turning: Turning) -> (usize, usize) {
    match turning {
        Turning::Body(at) | Turning::World(at) => (at, 3),
        Turning::Sphere(at) => (at, 2),
    }
}

/// Makes the covectors of what does not turn zero where it does.
fn flat_parts<S: Sensitive>(system: &S, covector: &S::V) -> S::V {
    let mut rest = covector.clone();
    for &turning in system.turnings() {
        let (at, count) = place(turning);
        rest.as_mut().iter_mut().skip(at).take(count).for_each(|x| *x = S::Real::ZERO);
    }
    rest
}

/// Adds to the covector of `to` the columns that a linear map gives for its unit vectors on one rotation or point.
fn columns<S: Sensitive>((at, count): (usize, usize), covector: &S::V, to: &mut S::V, map: impl Fn(&S::V, &mut S::V)) {
    let (mut unit, mut column) = (covector.clone(), covector.clone());
    unit.as_mut().fill(S::Real::ZERO);
    for k in at..at + count {
        if let Some(x) = unit.as_mut().get_mut(k) {
            *x = S::Real::ONE;
        }
        column.as_mut().fill(S::Real::ZERO);
        map(&unit, &mut column);
        let own = column.as_ref().iter().zip(covector.as_ref()).skip(at).take(count);
        let change = own.fold(S::Real::ZERO, |sum, (&x, &w)| sum + x * w);
        if let Some(to) = to.as_mut().get_mut(k) {
            *to += change;
        }
        if let Some(x) = unit.as_mut().get_mut(k) {
            *x = S::Real::ZERO;
        }
    }
}

/// Adds to the covectors of q and of the step what those of q ⊕ θ and its spin give.
pub(crate) fn retract<S: Sensitive>(
    system: &S,
    step: &S::V,
    (covector, spin): (&S::V, Option<&S::V>),
    (q, by): (&mut S::V, &mut S::V),
) {
    let rest = flat_parts(system, covector);
    for ((q, by), &x) in q.as_mut().iter_mut().zip(by.as_mut()).zip(rest.as_ref()) {
        *q += x;
        *by += x;
    }
    let (step, covector, q, by) = (step.as_ref(), covector.as_ref(), q.as_mut(), by.as_mut());
    for turning in system.turnings() {
        match *turning {
            Turning::Body(at) | Turning::World(at) => {
                let theta: [S::Real; 3] = take(step, at);
                let theta = if matches!(turning, Turning::World(_)) { back(theta) } else { theta };
                let x: [S::Real; 3] = take(covector, at);
                give(q, at, turned(&theta, &x));
                give(by, at, so3::tangent(&back(theta), &x));
            }
            Turning::Sphere(at) => {
                let ([x, y], [c, _]) = (take(covector, at), spin.map_or([S::Real::ZERO; 2], |s| take(s.as_ref(), at)));
                let theta = flat(take(step, at));
                let [a, b, _] = turned(&theta, &[x, y, c]);
                give(q, at, [a, b]);
                let [a, b, _] = so3::tangent(&back(theta), &[x, y, c]);
                give(by, at, [a, b]);
            }
        }
    }
}

/// Adds to the covector of spins what that of aligned entries gives.
pub(super) fn align<S: Sensitive>(system: &S, s: S::Real, vector: &S::V, covector: &S::V, spin: &mut S::V) {
    for turning in system.turnings() {
        let Turning::Sphere(at) = *turning else { continue };
        let ([a, b], [x, y]) = (take(vector.as_ref(), at), take(covector.as_ref(), at));
        give(spin.as_mut(), at, [s * (a * y - b * x)]);
    }
}

/// Adds to the covectors of two points what that of the step between them gives.
pub(super) fn local<S: Sensitive>(
    system: &S,
    at: (&S::Q, &S::Q, &S::V),
    covector: &S::V,
    (from, to): (&mut S::V, &mut S::V),
) {
    let rest = flat_parts(system, covector);
    for ((from, to), &x) in from.as_mut().iter_mut().zip(to.as_mut()).zip(rest.as_ref()) {
        *from -= x;
        *to += x;
    }
    let still = zeros::<S>(covector);
    for &turning in system.turnings() {
        columns::<S>(place(turning), covector, from, |unit, out| charts::local(system, at, (unit, &still), out));
        columns::<S>(place(turning), covector, to, |unit, out| charts::local(system, at, (&still, unit), out));
    }
}

/// Adds to the covectors of a step and a velocity what that of the rate of the step gives.
pub(super) fn step_rate<S: Sensitive>(
    system: &S,
    at: (&S::V, &S::V),
    covector: &S::V,
    (by, v): (&mut S::V, &mut S::V),
) {
    let rest = flat_parts(system, covector);
    for (v, &x) in v.as_mut().iter_mut().zip(rest.as_ref()) {
        *v += x;
    }
    let still = zeros::<S>(covector);
    for &turning in system.turnings() {
        columns::<S>(place(turning), covector, by, |unit, out| charts::step_rate(system, at, (unit, &still), out));
        columns::<S>(place(turning), covector, v, |unit, out| charts::step_rate(system, at, (&still, unit), out));
    }
}

/// Adds to the covectors of a step, a velocity and accelerations what that of v̇ gives.
pub(super) fn velocity_rate<S: Sensitive>(
    system: &S,
    at: (&S::V, &S::V, &S::V),
    covector: &S::V,
    (by, v, a): (&mut S::V, &mut S::V, &mut S::V),
) {
    let still = zeros::<S>(covector);
    for (a, &x) in a.as_mut().iter_mut().zip(covector.as_ref()) {
        *a += x;
    }
    for &turning in system.turnings() {
        let Turning::Sphere(_) = turning else { continue };
        let map = |by: &S::V, v: &S::V, out: &mut S::V| charts::velocity_rate(system, at, (by, v), out);
        columns::<S>(place(turning), covector, by, |unit, out| map(unit, &still, out));
        columns::<S>(place(turning), covector, v, |unit, out| map(&still, unit, out));
    }
}

fn zeros<S: System>(like: &S::V) -> S::V {
    let mut zeros = like.clone();
    zeros.as_mut().fill(S::Real::ZERO);
    zeros
}

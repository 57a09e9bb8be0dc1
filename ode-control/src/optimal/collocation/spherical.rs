//! A point of the sphere at a point of an interval.
//!
//! Its entries of v are about the axes of the frame that q₀ ⊕ θ carries along. Where θ turns, this frame spins against
//! one without spin, and so it does where δθ or δq₀ vary it, by c: then δx + c (−x₂, x₁) are the entries of a vector's
//! variation in the frame without spin, which is that of a model's columns.

use ode_runtime::linalg::DMatrix;
use ode_runtime::{Dual, Sensitive, State, s2, so3};

use crate::optimal::collocation::chart::Chart;
use crate::optimal::collocation::sizes::Sizes;

/// The point of the sphere `at` some velocity, where a is the rate of the entries of v, and becomes a.
pub(super) fn at<S: Sensitive<Real = f64>>(
    sizes: &Sizes,
    (first, at): (usize, usize),
    x: &mut State<S>,
    (step, drift): (&S::V, &S::V),
) -> Chart {
    let two = |block: &[f64]| [block[at], block[at + 1]];
    let (theta, v, e) = (two(step.as_ref()), two(x.v.as_ref()), two(drift.as_ref()));
    let w = [v[0] + e[0], v[1] + e[1]];
    let none = [0.0; 2];
    // no accelerations are in a model of first order
    let bent = if sizes.first_order { none } else { s2::velocity_rate(&theta, &v, &none) };
    let a: [f64; 2] = core::array::from_fn(|i| x.a.as_ref()[at + i] - bent[i]);
    x.a.as_mut()[at..at + 2].copy_from_slice(&a);

    // δq and its spin by (δθ, δq₀)
    let flat = [theta[0], theta[1], 0.0];
    let unit = |k: usize| core::array::from_fn(|i| f64::from(u8::from(i == k)));
    let moved = |k: usize| match k {
        0 | 1 => so3::tangent(&flat, &unit(k)),
        _ => so3::rotate(&so3::exp(&flat.map(|x| -x)), &unit(k - 2)),
    };
    let place = |k: usize| if k < 2 { at + k } else { sizes.columns() + first + k - 2 };
    let turns: [[f64; 3]; 4] = core::array::from_fn(moved);
    let (mut columns, mut spin) = (Vec::new(), Vec::new());
    let (velocity, acceleration) = (sizes.nv + at, 2 * sizes.nv + at);
    for (k, &[x, y, c]) in turns.iter().enumerate() {
        columns.extend([(at, place(k), x), (at + 1, place(k), y)]);
        columns.extend([(velocity, place(k), -c * v[1]), (velocity + 1, place(k), c * v[0])]);
        columns.extend([(acceleration, place(k), -c * a[1]), (acceleration + 1, place(k), c * a[0])]);
        spin.push((place(k), c));
    }
    let lifted = |x: [f64; 2], eps: Option<usize>| -> [Dual<f64>; 2] {
        core::array::from_fn(|i| Dual::new(x[i], f64::from(u8::from(eps == Some(i)))))
    };
    // by θ or by a velocity
    let slopes = |of: &dyn Fn(Option<usize>, Option<usize>) -> [Dual<f64>; 2], by_step: bool| -> DMatrix<f64> {
        DMatrix::from_fn(2, 2, |r, k| if by_step { of(Some(k), None)[r].eps } else { of(None, Some(k))[r].eps })
    };
    let rate = |i, k| s2::step_rate(&lifted(theta, i), &lifted(w, k));
    let bend = |i, k| s2::velocity_rate(&lifted(theta, i), &lifted(v, k), &lifted(none, None));
    let (bend_step, bend_velocity) = (slopes(&bend, true), slopes(&bend, false));
    for (r, k) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let one = f64::from(u8::from(r == k));
        columns.push((velocity + r, velocity + k, one));
        columns.push((acceleration + r, acceleration + k, one));
        columns.push((acceleration + r, at + k, -bend_step[(r, k)]));
        columns.push((acceleration + r, velocity + k, -bend_velocity[(r, k)]));
    }
    let found = s2::step_rate(&theta, &w);
    let rest = vec![found[0] - w[0], found[1] - w[1]];
    let by_velocity = slopes(&rate, false) - DMatrix::identity(2, 2);
    Chart { columns, rest, by_step: slopes(&rate, true), by_velocity, spin }
}

//! Stumpff's functions on ordered numbers, of which rotations and their tangent maps are made.

use crate::numbers::scalar::Real;

/// cₙ(s) = Σ (−s)ᵏ/(n + 2k)!, k = 0, 1, …, for s ≥ 0; NaN below.
///
/// c₀, c₁ and c₂ are one cosine or sine, without cancellation.
#[inline]
pub(crate) fn stumpff<T: Real>(s: T, n: u32) -> T {
    if !(s >= T::ZERO) {
        return T::from_f64(f64::NAN);
    }
    match n {
        0 => s.sqrt().cos(),
        1 => cardinal_sine(s.sqrt()),
        2 => {
            // 1 − cos x = 2 sin²(x/2)
            let half = T::from_f64(0.5);
            let c = cardinal_sine(half * s.sqrt());
            half * (c * c)
        }
        _ => higher(s, n),
    }
}

/// sin x / x
#[inline]
fn cardinal_sine<T: Real>(x: T) -> T {
    if x == T::ZERO { T::ONE } else { x.sin() / x }
}

/// cₙ for n > 2: by the series where it cancels nothing, else up from c₁ or c₂ by cₘ₊₂ = (1/m! − cₘ)/s, in which cₘ is
/// then well below 1/m!.
fn higher<T: Real>(s: T, n: u32) -> T {
    if s <= T::from_f64(0.5 * (f64::from(n) + 1.0) * (f64::from(n) + 2.0)) {
        return series(s, n);
    }
    let first = 2 - n % 2;
    // 1/m!, and 1/1! = 1, 1/2! = 1/2.
    let (mut c, mut factor) = (stumpff(s, first), T::from_f64(f64::from(first)).recip());
    for m in (first..n).step_by(2).map(f64::from) {
        c = (factor - c) / s;
        factor = factor / T::from_f64((m + 1.0) * (m + 2.0));
    }
    c
}

/// The series, its first term added last: the others round in their own, smaller size.
fn series<T: Real>(s: T, n: u32) -> T {
    let first = (2..=n).fold(T::ONE, |factor, k| factor / T::from_f64(f64::from(k)));
    let (mut rest, mut term, mut m) = (T::ZERO, first, f64::from(n));
    loop {
        term = -(term * s) / T::from_f64((m + 1.0) * (m + 2.0));
        let next = rest + term;
        if next == rest {
            return first + rest;
        }
        (rest, m) = (next, m + 2.0);
    }
}

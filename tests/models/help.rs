//! What the tests of models share.
#![allow(dead_code, reason = "each binary uses its part")]

use ode_model::{Solvable, State};

/// The state a model is guessed to start from.
pub fn begin<S: Solvable<Real = f64>>(model: &S) -> State<S> {
    let mut x = State::neutral(model);
    model.guess(&mut x.q, &mut x.v, &mut x.z);
    x
}

#[track_caller]
pub fn close(got: f64, want: f64) {
    assert!((got - want).abs() <= 1e-13 * want.abs().max(1.0), "{got:?} is not {want:?}, off by {:e}", got - want);
}

#[track_caller]
pub fn near(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance, "{got:?} is not {want:?}, off by {:e}", got - want);
}

/// Jacobi's sn, cn and dn by descending Landen transformations (Abramowitz & Stegun 16.4).
pub fn jacobi(u: f64, k: f64) -> [f64; 3] {
    let (mut a, mut b, mut c) = (vec![1.0], (1.0 - k * k).sqrt(), vec![k]);
    while c[c.len() - 1].abs() > 1e-16 {
        let last = a[a.len() - 1];
        c.push(0.5 * (last - b));
        a.push(0.5 * (last + b));
        b = (last * b).sqrt();
    }
    let n = a.len() - 1;
    let mut phi = 2.0_f64.powi(n as i32) * a[n] * u;
    for i in (1..=n).rev() {
        phi = 0.5 * (phi + (c[i] / a[i] * phi.sin()).asin());
    }
    [phi.sin(), phi.cos(), (1.0 - k * k * phi.sin().powi(2)).sqrt()]
}

//! Unstable modes that cost nothing: the regulator stops them with the least inputs, at the mirror images of their
//! poles. H. Kwakernaak, R. Sivan, Linear Optimal Control Systems, 1972, §3.8.1.

use ode_control::{Kalman, Lqr, StateSpace};
use ode_model::linalg::{DMatrix, DVector, eigenvalues};

use crate::systems::{Numbers, apart, system};

fn diagonal(values: &[f64]) -> DMatrix<f64> {
    DMatrix::from_diagonal(&DVector::from_row_slice(values))
}

fn gain(of: &StateSpace, q: DMatrix<f64>) -> DMatrix<f64> {
    let (n, m) = of.b.shape();
    let lqr = Lqr::of(of).matrices(q, DMatrix::identity(m, m), DMatrix::zeros(n, m)).expect("matrices that fit");
    let found = lqr.solve().expect("a gain");
    assert!(found.residual < 1e-12, "{}", found.residual);
    found.gain.into_matrix()
}

/// By the roots of the symmetric root locus and Ackermann's formula; mpmath gives the same to 20 digits.
#[test]
fn two_modes_at_once() {
    let b = DMatrix::from_element(2, 1, 1.0);
    let continuous = system(&diagonal(&[1.0, 3.0]), &b, None);
    let wanted = |k: [f64; 2]| DMatrix::from_row_slice(1, 2, &k);
    assert!(apart(&gain(&continuous, diagonal(&[0.0, 0.0])), &wanted([-4.0, 12.0])) < 1e-12);
    let (two, ten) = (2.0_f64.sqrt(), 10.0_f64.sqrt());
    for (q, k) in [([1.0, 0.0], [-2.0 - 2.0 * two, 9.0 + 3.0 * two]), ([0.0, 1.0], [-1.0 - ten, 6.0 + 2.0 * ten])] {
        assert!(apart(&gain(&continuous, diagonal(&q)), &wanted(k)) < 1e-11, "{q:?}");
    }
    let (p, q) = (1.0 / 1.1, 1.0 / 1.3);
    let k = [(1.1 - p) * (1.1 - q) / (1.1 - 1.3), (1.3 - p) * (1.3 - q) / (1.3 - 1.1)];
    let discrete = system(&diagonal(&[1.1, 1.3]), &b, Some(0.1));
    assert!(apart(&gain(&discrete, diagonal(&[0.0, 0.0])), &wanted(k)) < 1e-11);
}

/// Of the filter: unstable modes that nothing drives.
#[test]
fn modes_without_noise() {
    let a = diagonal(&[1.0, 3.0]);
    let mut of = system(&a, &DMatrix::from_element(2, 1, 1.0), None);
    of.c = ode_model::linalg::Labelled::new(["y"], ["x0", "x1"], |_, _| 1.0);
    of.d = ode_model::linalg::Labelled::new(["y"], ["u0"], |_, _| 0.0);
    let steady = Kalman::of(&of).output("y", 1.0).expect("a name").solve().expect("a gain");
    assert!(apart(&steady.gain, &DMatrix::from_column_slice(2, 1, &[-4.0, 12.0])) < 1e-12, "{}", steady.gain);
}

/// The poles by their sums and products of real systems, in units of every kind.
#[test]
fn random_systems_have_mirrored_poles() {
    let mut numbers = Numbers(11);
    for round in 0..120 {
        let (n, m) = (1 + round % 6, 1 + round % 3);
        let (a, b) = (numbers.matrix(n, n), numbers.matrix(n, m));
        for step in [None, Some(0.1)] {
            let a = if step.is_some() { &a * 1.7 } else { a.clone() };
            let poles = eigenvalues(&a).expect("eigenvalues");
            let size = |z: &ode_model::linalg::Complex<f64>| z.re.hypot(z.im);
            // poles at the border have no mirror image, and near it P is beyond the digits
            let border = poles.iter().map(|z| if step.is_some() { (size(z) - 1.0).abs() } else { z.re.abs() });
            if border.fold(f64::INFINITY, f64::min) < 1e-2 {
                continue;
            }
            let units = DVector::from_fn(n, |_, _| 10.0_f64.powf(3.0 * numbers.next()));
            let (to, back) = (diagonal(units.as_slice()), diagonal(units.map(f64::recip).as_slice()));
            let of = system(&(&to * &a * &back), &(&to * &b), step);
            let lqr = Lqr::of(&of);
            let lqr =
                lqr.matrices(DMatrix::zeros(n, n), DMatrix::identity(m, m), DMatrix::zeros(n, m)).expect("they fit");
            let found = lqr.solve().unwrap_or_else(|error| panic!("{round} {step:?}: {error} {poles:?}"));
            let closed = &a - &b * &*found.gain * &to;
            let (left, right) = if step.is_some() {
                (closed.determinant().abs(), poles.iter().map(|z| size(z).min(1.0 / size(z))).product::<f64>())
            } else {
                (-closed.trace(), poles.iter().map(|z| z.re.abs()).sum())
            };
            assert!((left - right).abs() < 1e-6 * closed.norm().max(1.0), "{round} {step:?}: {left} {right}");
        }
    }
}

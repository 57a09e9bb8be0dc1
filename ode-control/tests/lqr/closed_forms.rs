//! Riccati equations with solutions in closed form, and what every solution must do.

use ode_control::{Kalman, Lqr};
use ode_model::linalg::{DMatrix, DVector};

use crate::systems::{Numbers, apart, system};

/// P. Benner, A. J. Laub, V. Mehrmann, A collection of benchmark examples for the numerical solution of algebraic
/// Riccati equations I: continuous-time case, SPC 95_22, 1995, example 7: an unstable mode that the input hardly moves.
#[test]
fn a_mode_that_is_hardly_controllable() {
    for e in [1.0, 1e-2, 1e-4, 1e-6] {
        let a = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, -2.0]);
        let b = DMatrix::from_row_slice(2, 1, &[e, 0.0]);
        let lqr = Lqr::of(&system(&a, &b, None));
        let (q, r, n) = (DMatrix::from_element(2, 2, 1.0), DMatrix::identity(1, 1), DMatrix::zeros(2, 1));
        let found = lqr.matrices(q, r, n).expect("matrices that fit").solve().expect("a solution");
        let root = (1.0 + e * e).sqrt();
        let (first, mixed) = ((1.0 + root) / (e * e), 1.0 / (2.0 + root));
        let second = 0.25 * (1.0 - (e / (2.0 + root)).powi(2));
        let expected = DMatrix::from_row_slice(2, 2, &[first, mixed, mixed, second]);
        // entry by entry where the problem is well conditioned, to the largest elsewhere
        assert!(apart(&found.cost, &expected) < 1e-13, "{e}: {}", found.cost);
        if e > 1e-3 {
            assert!((found.cost[(1, 1)] - second).abs() < 1e-9, "{e}: {}", found.cost);
        }
    }
}

#[test]
fn one_state_in_closed_form() {
    for (a, b, q, r) in [(0.9, 0.5, 2.0, 1.0), (1.7, 0.3, 0.0, 2.0), (-1.2, 2.0, 0.1, 1e-3), (1e-9, 1.0, 1.0, 1e3)] {
        let one = |x: f64| DMatrix::from_element(1, 1, x);
        let lqr = Lqr::of(&system(&one(a), &one(b), Some(0.1)));
        let lqr = lqr.state("x0", q).and_then(|lqr| lqr.input("u0", r)).expect("names");
        // b² p² + (r − a² r − q b²) p − q r = 0
        let (square, linear, constant): (f64, f64, f64) = (b * b, r - a * a * r - q * b * b, -q * r);
        let root = (linear * linear - 4.0 * square * constant).sqrt();
        let p = if linear < 0.0 { (root - linear) / (2.0 * square) } else { -2.0 * constant / (linear + root) };
        let found = lqr.solve().expect("a gain");
        assert!((found.cost[(0, 0)] - p).abs() < 1e-13 * p, "{a}: {} for {p}", found.cost[(0, 0)]);
        assert!((found.gain[(0, 0)] - a * b * p / (r + b * b * p)).abs() < 1e-13 * (1.0 + a.abs() / b));
    }
}

/// Units of states and inputs are the user's, and change nothing but units.
#[test]
fn gains_do_not_depend_on_units() {
    let mut numbers = Numbers(7);
    let (a, b) = (numbers.matrix(5, 5), numbers.matrix(5, 2));
    let (q, r, n) = (numbers.definite(5), numbers.definite(2), DMatrix::zeros(5, 2));
    let of = |a: &DMatrix<f64>, b: &DMatrix<f64>, q, r, step| {
        let lqr = Lqr::of(&system(a, b, step)).matrices(q, r, n.clone()).expect("matrices that fit");
        (*lqr.solve().expect("a gain").gain).clone()
    };
    let units = DMatrix::from_diagonal(&DVector::from_vec(vec![1e-3, 1.0, 1e3, 1e-6, 1e4]));
    let back = units.clone().try_inverse().expect("a diagonal matrix");
    for step in [None, Some(0.1)] {
        let gain = of(&a, &b, q.clone(), r.clone(), step);
        let scaled = of(&(&units * &a * &back), &(&units * &b), &back * &q * &back, r.clone(), step);
        assert!(apart(&(scaled * &units), &gain) < 1e-8, "{step:?}");
    }
}

/// The cost of a gain that is another one is higher, and Riccati's recursion has the same limit.
#[test]
fn random_systems_have_small_residuals_and_the_limit_of_the_recursion() {
    let mut numbers = Numbers(42);
    for round in 0..60 {
        let (n, m) = (1 + round % 9, 1 + round % 3);
        let (a, b) = (numbers.matrix(n, n), numbers.matrix(n, m));
        let (q, r) = (numbers.definite(n), numbers.definite(m));
        let cross = numbers.matrix(n, m) * 0.05;
        for step in [None, Some(0.05)] {
            let of = system(&a, &b, step);
            let lqr = Lqr::of(&of).matrices(q.clone(), r.clone(), cross.clone()).expect("matrices that fit");
            let found = lqr.solve().expect("a gain");
            assert!(found.residual < 1e-13, "{round} {step:?}: {}", found.residual);
            assert!(found.cost.symmetric_eigenvalues().min() > 0.0);
            if step.is_some() {
                let horizon = lqr.along(&vec![of; 400], DMatrix::zeros(n, n)).expect("gains");
                assert!(apart(&horizon.gains[0], &found.gain) < 1e-10, "{round}");
            } else {
                // from the cost of the loop by vectorised Lyapunov: P = ∫ of the loop's cost
                let closed = &a - &b * &*found.gain;
                let k = &*found.gain;
                let spent = &q + k.transpose() * &r * k - &cross * k - (&cross * k).transpose();
                let one = DMatrix::<f64>::identity(n, n);
                let system = one.kronecker(&closed.transpose()) + closed.transpose().kronecker(&one);
                let right = DMatrix::from_column_slice(n * n, 1, (-spent).as_slice());
                let p = system.lu().solve(&right).expect("a stable loop");
                let p = DMatrix::from_column_slice(n, n, p.as_slice());
                assert!(apart(&found.cost, &p) < 1e-8, "{round}: {}", apart(&found.cost, &p));
            }
        }
    }
}

#[test]
fn a_steady_filter_is_where_the_filter_goes() {
    let mut numbers = Numbers(3);
    for n in 1..6 {
        let (a, b) = (numbers.matrix(n, n), numbers.matrix(n, 1));
        let (q, r) = (numbers.definite(n), numbers.definite(n));
        let kalman = Kalman::of(&system(&a, &b, Some(0.1))).covariances(q.clone(), r.clone()).expect("they fit");
        let steady = kalman.solve().expect("a gain");
        let mut p = q.clone();
        let mut gain = p.clone();
        for _ in 0..300 {
            gain = &p * (&p + &r).try_inverse().expect("a covariance");
            p = &a * (&p - &gain * &p) * a.transpose() + &q;
        }
        assert!(apart(&steady.gain, &gain) < 1e-11 && apart(&steady.covariance, &p) < 1e-11);
    }
    // of a continuous system: a random walk that is seen with noise, p² = q r
    let one = |x: f64| DMatrix::from_element(1, 1, x);
    let walk = Kalman::of(&system(&one(0.0), &one(1.0), None)).input("u0", 4.0).and_then(|k| k.output("x0", 9.0));
    let steady = walk.expect("names").solve().expect("a gain");
    assert!((steady.covariance[(0, 0)] - 6.0).abs() < 1e-13 && (steady.gain[(0, 0)] - 2.0 / 3.0).abs() < 1e-14);
}

/// Inputs of unlike units, as those of states: B = diag(1, 1) and R = diag(1, 1) in other words.
#[test]
fn inputs_of_unlike_units_move_what_they_move() {
    let diagonal = |x: [f64; 2]| DMatrix::from_diagonal(&DVector::from_row_slice(&x));
    for unit in [1e5, 1e9] {
        let of = system(&diagonal([1.0, 2.0]), &diagonal([unit, 1.0 / unit]), None);
        let lqr = Lqr::of(&of).matrices(
            diagonal([1.0, 1.0]),
            diagonal([unit * unit, 1.0 / (unit * unit)]),
            DMatrix::zeros(2, 2),
        );
        let found = lqr.expect("matrices that fit").solve().expect("a gain");
        // of each state alone: p = a + √(a² + 1)
        for (k, a, unit) in [(0, 1.0_f64, unit), (1, 2.0, 1.0 / unit)] {
            let p = a + (a * a + 1.0).sqrt();
            assert!((found.gain[(k, k)] * unit - p).abs() < 1e-12 * p, "{}", found.gain);
        }
    }
}

//! Unit quaternions and their steps.

use crate::common::rigid::{Chart, cross};
use ode_runtime::{Dual, Scalar, so3};

/// Steps from none to half a turn, in no special direction.
fn steps() -> impl Iterator<Item = [f64; 3]> {
    let direction = [2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0];
    [0.0, 1e-160, 1e-9, 1e-4, 3e-3, 5e-3, 0.1, 1.0, 2.0, 3.0, 3.125]
        .map(|angle| direction.map(|x| angle * x))
        .into_iter()
}

const Q: [f64; 4] = [0.1, -0.7, 0.5, 0.5];

#[track_caller]
fn close<const N: usize>(got: [f64; N], want: [f64; N], tolerance: f64) {
    for (a, b) in got.iter().zip(&want) {
        assert!((a - b).abs() <= tolerance, "{got:?} is not {want:?}");
    }
}

#[test]
fn products_turn_one_after_the_other() {
    let (p, x) = (so3::exp(&[0.3, -1.0, 0.8]), [0.4, 0.5, -2.0]);
    close(so3::rotate(&so3::product(&Q, &p), &x), so3::rotate(&Q, &so3::rotate(&p, &x)), 1e-15);
    close(so3::rotate(&so3::conjugate(&Q), &so3::rotate(&Q, &x)), x, 1e-15);
    // A quarter turn about z takes x to y.
    let quarter = so3::exp(&[0.0, 0.0, std::f64::consts::FRAC_PI_2]);
    close(so3::rotate(&quarter, &[1.0, 0.0, 0.0]), [0.0, 1.0, 0.0], 1e-15);
}

#[test]
fn logarithm_undoes_the_exponential_the_shorter_way_round() {
    for theta in steps() {
        let q = so3::exp(&theta);
        close(so3::log(&q), theta, 1e-15);
        close(so3::log(&q.map(|x| -x)), theta, 1e-15);
        close(so3::log(&q.map(|x| 3.0 * x)), theta, 1e-15);
        close(so3::local(&Q, &so3::retract(&Q, &theta)), theta, 2e-15);
    }
    // 3 rad more than half a turn is 3 − 2π.
    let angle = std::f64::consts::TAU - 4.0;
    close(so3::log(&so3::exp(&[4.0, 0.0, 0.0])), [-angle, 0.0, 0.0], 2e-15);
}

#[test]
fn the_logarithm_has_derivatives_at_one() {
    for theta in steps().take(8) {
        for i in 0..3 {
            let seeded = std::array::from_fn(|j| Dual::new(theta[j], f64::from(u8::from(i == j))));
            let back = so3::log(&so3::exp(&seeded));
            close(back.map(|x| x.eps), std::array::from_fn(|j| f64::from(u8::from(i == j))), 1e-14);
        }
    }
}

#[test]
fn the_norm_is_restored_to_second_order() {
    let norm = |q: [f64; 4]| q.iter().map(|x| x * x).sum::<f64>().sqrt();
    for error in [1e-3, 1e-6, -1e-6] {
        let q = so3::normalize(&Q.map(|x| (1.0 + error) * x));
        assert!((norm(q) - 1.0).abs() <= 1.51 * error * error + 3e-16, "{error}: {:e}", norm(q) - 1.0);
    }
}

/// T(θ) θ̇ is the velocity of q ⊕ θ, by duals through the retraction and back through its inverse.
#[test]
fn tangent_maps_are_those_of_the_retractions() {
    for chart in [Chart::Body, Chart::Space, Chart::Cayley] {
        for theta in steps() {
            let rate = [0.3, -0.2, 0.9];
            let moving = std::array::from_fn(|i| Dual::new(theta[i], rate[i]));
            let q = chart.retract(&Q.map(Dual::constant), &moving);
            let v = chart.tangent_map(&theta, &rate);
            // q̇ = ½ q ω or ½ ω q
            let half = v.map(|x| 0.5 * x);
            let (omega, at) = ([0.0, half[0], half[1], half[2]], q.map(|x| x.re));
            let want = if chart == Chart::Space { so3::product(&omega, &at) } else { so3::product(&at, &omega) };
            close(q.map(|x| x.eps), want, 1e-15);
            close(chart.step_rate(&theta, &v), rate, 1e-14);
        }
    }
    let (theta, v) = ([0.3, 0.2, -0.1], [1.0, 2.0, 3.0]);
    close(so3::qdot(&Q, &v), crate::common::Plant::qdot(&crate::common::rigid::Top::free(), &Q, &v), 1e-15);
    // dexp⁻¹ of either side: they differ by θ × v.
    let (body, space) = (Chart::Body.step_rate(&theta, &v), Chart::Space.step_rate(&theta, &v));
    close(std::array::from_fn(|i| body[i] - space[i]), cross(&theta, &v), 1e-15);
}

#[test]
fn beyond_half_a_turn_a_step_has_no_rate() {
    let half = std::f64::consts::PI;
    assert!(so3::step_rate(&[half, 0.0, 0.0_f64], &[1.0, 1.0, 1.0]).iter().all(|x: &f64| x.is_finite()));
    assert!(so3::step_rate(&[3.15_f64, 0.0, 0.0], &[1.0, 1.0, 1.0]).iter().all(|x| x.is_nan()));
}

#[test]
fn single_precision_turns_too() {
    let theta = [0.3_f32, -0.4, 0.5];
    let back = so3::log(&so3::exp(&theta));
    for (a, b) in back.iter().zip(theta) {
        assert!((a - b).abs() <= 2.0 * f32::EPSILON);
    }
    assert_eq!(0.25_f32.stumpff(1), 0.25_f64.stumpff(1) as f32);
}

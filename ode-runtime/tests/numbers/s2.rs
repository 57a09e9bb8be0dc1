//! Points of the sphere and their steps.

use ode_runtime::{Dual, s2, so3};

const Q: [f64; 4] = [0.1, -0.7, 0.5, 0.5];

/// Steps from none to nearly half a turn.
fn steps() -> impl Iterator<Item = [f64; 2]> {
    [0.0, 1e-160, 1e-9, 1e-4, 3e-3, 0.1, 1.0, 2.0, 3.0, 3.125].map(|angle| [0.6 * angle, -0.8 * angle]).into_iter()
}

#[track_caller]
fn close<const N: usize>(got: [f64; N], want: [f64; N], tolerance: f64) {
    for (a, b) in got.iter().zip(&want) {
        assert!((a - b).abs() <= tolerance, "{got:?} is not {want:?}");
    }
}

#[test]
fn every_point_has_a_quaternion() {
    let wave = |i: u32| [0.0, f64::from(i).sin(), (0.7 * f64::from(i)).cos()];
    let poles = [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [1e-9, 0.0, -1.0], [0.0, 1.0, 0.0]];
    for d in (0..50).map(wave).chain(poles) {
        let norm = d.iter().map(|x| x * x).sum::<f64>().sqrt();
        let d = d.map(|x| x / norm);
        close(s2::direction(&s2::pointing(&d)), d, 1e-15);
    }
    close(s2::pointing(&[0.0, 0.0, 1.0]), [1.0, 0.0, 0.0, 0.0], 0.0);
}

#[test]
fn a_step_goes_along_a_great_circle_and_back() {
    let d = s2::direction(&Q);
    for theta in steps() {
        let q = s2::retract(&Q, &theta);
        close(s2::local(&Q, &q), theta, 2e-15);
        // a spin at the end is none of its business; near half a turn the way is nearly any
        let spun = so3::product(&q, &so3::exp(&[0.0, 0.0, 2.5]));
        close(s2::local(&Q, &spun), theta, 1e-13);
        // d cos ϑ + ḋ sin ϑ/ϑ
        let (angle, along) = (theta[0].hypot(theta[1]), s2::velocity(&Q, &theta));
        let part = if angle > 0.0 { angle.sin() / angle } else { 1.0 };
        close(s2::direction(&q), std::array::from_fn(|i| angle.cos() * d[i] + part * along[i]), 1e-15);
    }
    let opposite = s2::local(&Q, &so3::product(&Q, &[0.0, 0.6, 0.8, 0.0]));
    assert!((opposite[0].hypot(opposite[1]) - std::f64::consts::PI).abs() < 1e-15, "{opposite:?}");
}

#[test]
fn velocities_in_space_are_tangent_and_come_back() {
    let (d, v) = (s2::direction(&Q), [0.3, -1.7]);
    let velocity = s2::velocity(&Q, &v);
    assert!((0..3).map(|i| d[i] * velocity[i]).sum::<f64>().abs() < 1e-15);
    close(s2::rates(&Q, &velocity), v, 1e-15);
    let moving = s2::direction(&std::array::from_fn(|i| Dual::new(Q[i], s2::qdot(&Q, &v)[i])));
    close(moving.map(|x| x.eps), velocity, 1e-15);
}

/// The rate of q ⊕ θ by duals: two body rates are T(θ) θ̇, and the third is the spin.
#[test]
fn rates_of_steps_are_those_of_the_retraction() {
    for theta in steps() {
        let rate = [0.3, -0.2];
        let moving: [Dual<f64>; 2] = std::array::from_fn(|i| Dual::new(theta[i], rate[i]));
        let q = s2::retract(&Q.map(Dual::constant), &moving);
        let back = so3::product(&so3::conjugate(&q.map(|x| x.re)), &q.map(|x| x.eps));
        let [x, y, spin] = [2.0 * back[1], 2.0 * back[2], 2.0 * back[3]];
        close(s2::step_rate(&theta, &[x, y]), rate, 1e-13);
        // v̇ = a − σ × v
        let a = [0.7, 0.4];
        close(s2::velocity_rate(&theta, &[x, y], &a), [a[0] + spin * y, a[1] - spin * x], 1e-13);
    }
    assert!(s2::step_rate(&[3.15, 0.0], &[1.0, 1.0]).iter().all(|x: &f64| x.is_nan()));
}

/// The opposite ends of a run by one velocity are one state, whatever steps it took there.
#[test]
fn the_spin_of_a_step_turns_velocities_as_the_way_does() {
    // a constant velocity on the sphere goes along a great circle, and its entries stay
    let (v, start) = ([0.4, 0.9], s2::retract(&Q, &[0.2, -0.5]));
    let end = s2::retract(&start, &v);
    let velocity = s2::velocity(&end, &v);
    // the same in steps from `Q`, by the classical method of order 4
    let (mut theta, mut w, n) = ([0.2, -0.5], v, 200);
    let h = 1.0 / f64::from(n);
    for _ in 0..n {
        let rates =
            |theta: [f64; 2], w: [f64; 2]| (s2::step_rate(&theta, &w), s2::velocity_rate(&theta, &w, &[0.0; 2]));
        let moved = |x: [f64; 2], s: f64, k: [f64; 2]| [x[0] + s * k[0], x[1] + s * k[1]];
        let (k1, l1) = rates(theta, w);
        let (k2, l2) = rates(moved(theta, 0.5 * h, k1), moved(w, 0.5 * h, l1));
        let (k3, l3) = rates(moved(theta, 0.5 * h, k2), moved(w, 0.5 * h, l2));
        let (k4, l4) = rates(moved(theta, h, k3), moved(w, h, l3));
        let sum = |a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]| {
            [0, 1].map(|i| (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]) / 6.0)
        };
        theta = moved(theta, h, sum(k1, k2, k3, k4));
        w = moved(w, h, sum(l1, l2, l3, l4));
    }
    let q = s2::retract(&Q, &theta);
    close(s2::direction(&q), s2::direction(&end), 1e-10);
    close(s2::velocity(&q, &w), velocity, 1e-10);
}

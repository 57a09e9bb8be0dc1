//! Assembly, motions that constraints determine, and the forces they take.

use crate::common::crank::DrivenCrank;
use crate::common::mechanisms::{Hinged, ShortRod, SliderCrank};
use crate::common::on;
use crate::common::plants::{DoublePendulum, Pendulum};
use ode_runtime::analysis::{Assembly, KinematicError, Kinematics, Levels, inverse_dynamics, least_forces};
use ode_runtime::{Cause, Nominal, Solvable, Start, State, StepError, so3};

fn guess<S: Solvable<Real = f64>>(system: &S) -> State<S> {
    let mut x = State::neutral(system);
    system.guess(&mut x.q, &mut x.v, &mut x.z);
    x
}

fn near(got: &[f64], want: &[f64], tolerance: f64) {
    for (g, w) in got.iter().zip(want) {
        assert!((g - w).abs() <= tolerance * w.abs().max(1.0), "{got:?} is not {want:?}");
    }
}

#[test]
fn a_driven_slider_crank_moves_as_its_closed_form() {
    // Long-double closed form at t = 0 and t = 1, θ = ½ + 5 t.
    let (system, follow) = (on(DrivenCrank), Kinematics::with_step(0.05));
    let mut x = follow.start(&system, &Nominal, 0.0).expect("assembled");
    near(&x.lambda, &[26.595_853_527_459_8, -6.990_315_246_027_77, 34.566_090_530_147_9], 1e-12);
    follow.advance_to(&system, &Nominal, &mut x, 1.0).expect("steps");
    assert_eq!(x.t, 1.0);
    near(&x.q, &[5.5, 0.360_529_950_512_12, 2.580_089_782_999_63], 1e-13);
    near(&x.v, &[5.0, -1.893_401_189_988_28, 4.863_572_519_871_67], 1e-12);
    near(&x.a, &[0.0, -8.073_638_484_322_48, -18.729_447_802_273_9], 1e-12);
    near(&x.lambda, &[12.264_079_622_409_6, 15.935_350_557_255_9, -19.600_843_876_566_5], 1e-12);
    // and back again
    follow.advance_to(&system, &Nominal, &mut x, 0.0).expect("steps");
    near(&x.lambda, &[26.595_853_527_459_8, -6.990_315_246_027_77, 34.566_090_530_147_9], 1e-12);
}

#[test]
fn a_mechanism_that_locks_says_when_and_where() {
    // The rod is shorter than the crank: sin θ = ½ is as far as it goes.
    let (system, follow) = (on(ShortRod), Kinematics::with_step(0.05));
    let mut x = follow.start(&system, &Nominal, 0.0).expect("assembled");
    let error = follow.advance_to(&system, &Nominal, &mut x, 1.0).expect_err("locks");
    let KinematicError::Step(StepError { time, cause, .. }) = error else { panic!("{error:?}") };
    let locks = 0.5f64.asin();
    assert!(time <= locks && locks - time < 1e-4, "{time} of {locks}: {cause}");
    assert_eq!(x.t, time);
    let Cause::Dependent { rank, of, rows } = cause else { panic!("{cause:?}") };
    assert!(rank < of && !rows.as_str().is_empty(), "{cause}");
}

#[test]
fn what_is_free_is_not_followed() {
    let error = Kinematics::with_step(0.1).start(&on(SliderCrank), &Nominal, 0.0).expect_err("free");
    assert_eq!(error, KinematicError::Undetermined { rows: 2, velocities: 3 });
}

#[test]
fn an_assembled_pendulum_falls_as_its_closed_form() {
    // Project Chrono's utest_CH_assembly: α = −m g L/2 sin(angle)/(Izz + m L²/4) for a hinge at (1, 2, 3) turned by
    // −45° about x.
    let system = on(Hinged);
    let (x, done) = Assembly::default().solve(&system, &Nominal, guess(&system)).expect("assembled");
    assert!(done.position < 1e-13 && done.velocity < 1e-12 && done.iterations < 8, "{done:?}");
    let attitude = [x.q[3], x.q[4], x.q[5], x.q[6]];
    // the angle about the hinge from the horizontal, and the slope of its plane
    let axis = so3::rotate(&Hinged::ATTITUDE, &[1.0, 0.0, 0.0]);
    let long = so3::rotate(&attitude, &[1.0, 0.0, 0.0]);
    let cosine: f64 = axis.iter().zip(long).map(|(a, b)| a * b).sum();
    let want = 9.80665 * 2.0 * 0.5f64.sqrt() * cosine / (0.1 + 4.0);
    assert!((x.a[5] - want).abs() < 1e-12, "{:?} is not {want}", x.a);
    assert!(x.a[3].abs() < 1e-12 && x.a[4].abs() < 1e-12);
    // Chrono's own state: placed exactly, at rest
    let exact = State { q: Hinged::placed(), ..State::neutral(&system) };
    let (x, done) = Assembly::default().solve(&system, &Nominal, exact).expect("assembled");
    assert_eq!(done.iterations, 0);
    let want = 9.80665 * 2.0 * 0.5f64.sqrt() / 4.1;
    assert!((x.a[5] - want).abs() < 1e-13 * want);
}

#[test]
fn velocities_that_do_not_fit_are_projected_before_accelerations() {
    // Accelerations as differences of velocities would be of the size of the change over a tiny step.
    let system = on(Pendulum::standard());
    let x = State { q: [0.6, 0.8], v: [1.0, 2.0], ..State::neutral(&system) };
    let (x, _) = Assembly::default().solve(&system, &Nominal, x).expect("assembled");
    // tangential part of v, and v²/l inwards with gravity's part along the circle
    near(&x.v, &[1.0 - 2.2 * 0.6, 2.0 - 2.2 * 0.8], 1e-14);
    let square = x.v[0] * x.v[0] + x.v[1] * x.v[1];
    let along = -9.81 * 0.6;
    near(&x.a, &[-0.8 * along - 0.6 * square, 0.6 * along - 0.8 * square], 1e-13);
}

#[test]
fn levels_are_made_one_by_one() {
    let system = on(Pendulum::standard());
    let off = State { q: [0.7, 0.8], v: [1.0, 2.0], ..State::neutral(&system) };
    let (x, done) = Assembly::of(Levels::POSITION).solve(&system, &Nominal, off.clone()).expect("assembled");
    assert!(done.position < 1e-14 && x.v == off.v && x.a == off.a && done.velocity > 0.1);
    let (x, done) = Assembly::of(Levels::VELOCITY).solve(&system, &Nominal, off.clone()).expect("assembled");
    assert!(x.q == off.q && done.velocity < 1e-14 && done.iterations == 0);
    let (x, _) = Assembly::of(Levels::ACCELERATION).solve(&system, &Nominal, off.clone()).expect("assembled");
    assert!(x.q == off.q && x.v == off.v && x.a != off.a);
}

#[test]
fn heavy_coordinates_move_less() {
    // The rod and the slider of the crank: the change is orthogonal, in M, to what the constraints leave free.
    let system = on(SliderCrank);
    let start = guess(&system);
    let mut off = start.clone();
    off.q[2] += 1e-4;
    let (x, _) = Assembly::of(Levels::POSITION).solve(&system, &Nominal, off.clone()).expect("assembled");
    let delta: Vec<f64> = x.q.iter().zip(off.q).map(|(a, b)| a - b).collect();
    // δᵀ M n with n the motion of the mechanism: its velocity at unit crank speed
    let (th, ph) = (start.q[0], start.q[1]);
    let rod = -th.cos() / (2.0 * ph.cos());
    let n = [1.0, rod, -th.sin() - 2.0 * ph.sin() * rod];
    let couple = (th - ph).cos();
    let m = [[1.5, couple, 0.0], [couple, 4.0 / 3.0, 0.0], [0.0, 0.0, 1.0]];
    let product: f64 = (0..3).map(|i| (0..3).map(|j| delta[i] * m[i][j] * n[j]).sum::<f64>()).sum();
    assert!(product.abs() < 1e-8, "{product}");
}

#[test]
fn an_assembly_that_is_impossible_names_the_row() {
    // A rod of length 1 about a guess that Newton cannot leave: the gradient of x² + y² vanishes at the origin.
    let system = on(Pendulum::standard());
    let error = Assembly::default().solve(&system, &Nominal, State::neutral(&system)).expect_err("no direction");
    assert!(matches!(error.cause, Cause::Dependent { rank: 0, of: 1, rows } if rows.as_str() == "`circle`"), "{error}");
    let few = Assembly { iterations: 1, ..Assembly::default() };
    let far = State { q: [5.0, 7.0], ..State::neutral(&system) };
    let error = few.solve(&system, &Nominal, far).expect_err("too few");
    assert!(matches!(error.cause, Cause::NotConverged { name, .. } if name.as_str() == "circle"), "{error}");
}

#[test]
fn a_motion_takes_the_forces_it_lacks() {
    // M a − f of the double pendulum, whose M and f are written down.
    let system = on(DoublePendulum);
    let x = State { q: [0.3, -0.8], v: [1.5, -0.5], a: [2.0, -3.0], ..State::neutral(&system) };
    let (c, s) = (0.5 * 1.1f64.cos(), -0.5 * 1.1f64.sin());
    let want = [
        2.25 * 2.0 - 3.0 * c - (s * 0.25 - 15.0 * 0.3f64.cos()),
        c * 2.0 - 1.25 * 3.0 - (-s * 2.25 - 5.0 * 0.8f64.cos()),
    ];
    near(&inverse_dynamics(&system, &Nominal, &x).expect("finite"), &want, 1e-14);
    // none where it moves by itself
    let free = Start::default().solve(&system, &Nominal).expect("a start");
    near(&inverse_dynamics(&system, &Nominal, &free).expect("finite"), &[0.0, 0.0], 1e-13);
}

#[test]
fn multipliers_take_what_they_can() {
    // At t = 1 the driven crank: q, v and a alone give the reactions and the drive, and nothing is left over.
    let system = on(DrivenCrank);
    let mut x = State { t: 1.0, ..State::neutral(&system) };
    x.q = [5.5, 0.360_529_950_512_12, 2.580_089_782_999_63];
    x.v = [5.0, -1.893_401_189_988_28, 4.863_572_519_871_67];
    x.a = [0.0, -8.073_638_484_322_48, -18.729_447_802_273_9];
    let force = least_forces(&system, &Nominal, &mut x).expect("regular");
    near(&force, &[0.0; 3], 1e-12);
    near(&x.lambda, &[12.264_079_622_409_6, 15.935_350_557_255_9, -19.600_843_876_566_5], 1e-12);
    // Without the drive, τ along the mechanism is what the drive did: its power at the crank's speed.
    let free = on(SliderCrank);
    let mut y = State { q: x.q, v: x.v, a: x.a, ..State::neutral(&free) };
    let force = least_forces(&free, &Nominal, &mut y).expect("regular");
    let power: f64 = force.iter().zip(x.v).map(|(f, v)| f * v).sum();
    assert!((power - 5.0 * x.lambda[2]).abs() < 1e-9, "{power}");
}

#[test]
fn steps_that_time_does_not_notice_are_refused() {
    let (system, follow) = (on(DrivenCrank), Kinematics::with_step(1e-20));
    let mut x = Kinematics::with_step(0.1).start(&system, &Nominal, 1.0).expect("assembled");
    let error = follow.advance_to(&system, &Nominal, &mut x, 2.0).expect_err("for ever");
    let KinematicError::Step(StepError { time, cause, .. }) = error else { panic!("{error:?}") };
    assert!(time == 1.0 && matches!(cause, Cause::StepTooSmall { .. }), "{cause}");
}

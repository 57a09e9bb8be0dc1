//! States of models with rotations: neutral ones, refused ones, and the defaults of blocks.

use ode_model::integrators::Geodesic;
use ode_model::{Cause, Dual, Nominal, Quantity, Real, Simulation, Start, State, System, model};

use super::near;

model! {
    /// A body that turns about a point.
    pub struct Ball<T> {
        coord (q, w): SO3;
        kinetic = 0.5 * w.dot(w);
        init q = rot_x(0.3) * rot_z(1.0);
    }
}

model! {
    /// Every kind of rotation, two in an array and one of a part.
    pub struct Turned<T> {
        sub leg: Ball<T>;
        coord x: Real;
        coord (a, spin): SO2;
        coord (p, rate): [SO3; 2];
        coord (b, twist): SE3;
        guess x = 0.0;
        guess b.origin = vec3(0.0, 0.0, 0.0);
        input pull: Real = 0.5;
        mode gear: Real = 2.0;
        kinetic = 0.5 * sq(der(x)) + 0.5 * sq(spin) + 0.5 * rate[0].dot(rate[0]) + rate[1].dot(rate[1]);
        kinetic = 0.5 * twist[0].dot(twist[0]) + 0.5 * twist[1].dot(twist[1]);
        force push on x = gear * pull;
        event turn when x > 0.1 {
            p[1] = p[0] * rot_x(0.3) * rot_y(0.2);
            gear = 1.0;
        }
    }
}

/// The coordinates that are rotations, by their first entries.
fn rotations() -> [(&'static str, usize, usize); 5] {
    [
        ("leg.q", turned::Q::LEG_Q_W.position(), 4),
        ("a", turned::Q::A_COS.position(), 2),
        ("p[0]", turned::Q::P_0_W.position(), 4),
        ("p[1]", turned::Q::P_1_W.position(), 4),
        ("b", turned::Q::B_QW.position(), 4),
    ]
}

#[test]
fn a_neutral_state_turns_nothing_over_any_scalar() {
    fn neutral<T: Real>() {
        let x = State::neutral(&Turned::<T>::default());
        let mut want = [T::ZERO; turned::NQ];
        rotations().iter().for_each(|(_, first, _)| want[*first] = T::ONE);
        assert!(x.q.as_array() == &want && x.q == turned::Q::default());
        assert!(x.modes.gear() == T::from_f64(2.0));
    }
    neutral::<f64>();
    neutral::<f32>();
    let dual = Turned::<f64>::default().cast::<Dual<f64>>();
    assert_eq!(State::neutral(&dual).q.array().map(|x| x.re), turned::Q::<f64>::default().array());
}

#[test]
fn blocks_begin_with_what_the_model_says() {
    assert_eq!((turned::U::<f64>::default().pull(), turned::Modes::<f64>::default().gear()), (0.5, 2.0));
    let mut u = turned::U::from([0.0; 1]);
    Turned::<f64>::default().nominal(&mut u);
    assert_eq!(u, turned::U::default());
}

#[test]
fn the_rotation_that_is_none_is_named() {
    let system = Turned::<f64>::default();
    let mut known: Vec<(usize, usize)> = rotations().iter().map(|&(_, first, count)| (first, count)).collect();
    known.sort_unstable();
    assert_eq!(system.rotations(), known);
    for (name, first, count) in rotations() {
        for size in [0.0, 2.0, 1e-8, f64::NAN] {
            let mut x = State::neutral(&system);
            x.q.array_mut()[first] = size;
            let given = Simulation::of(&system, Geodesic).given(x.clone()).fixed(0.01).map(|_| ());
            let found = Start::default().solve_from(&system, &Nominal, x.clone()).map(|_| ());
            for cause in [given, found].map(|outcome| outcome.expect_err("no rotation").cause) {
                match cause {
                    Cause::NotARotation { name: coordinate, norm } => {
                        assert_eq!((coordinate.as_str(), norm), (name, size));
                    }
                    Cause::NonFinite { quantity: Quantity::Coordinate, name } if size.is_nan() => {
                        assert_eq!(name.as_str(), system.layout().q[first]);
                    }
                    other => panic!("{name}: {other}"),
                }
            }
        }
        // typed with a few decimals
        let mut x = State::neutral(&system);
        let typed: &[f64] = if count == 2 { &[0.83205, -0.55470] } else { &[0.182574, 0.365148, 0.547723, 0.730297] };
        x.q.array_mut()[first..first + count].copy_from_slice(typed);
        let run = Simulation::of(&system, Geodesic).given(x).fixed(0.01).expect("a rotation");
        let square: f64 = run.state().q.array()[first..first + count].iter().map(|x| x * x).sum();
        near(square, 1.0, 1e-15);
    }
}

/// Of zeros the exact condition said nothing, whatever it asked for.
#[test]
fn a_neutral_state_is_turned_to_the_init() {
    let ball = Ball::<f64>::default();
    let (own, near_neutral) = (
        Start::default().solve(&ball, &Nominal).expect("a start"),
        Start::default().solve_from(&ball, &Nominal, State::neutral(&ball)).expect("a start"),
    );
    for (x, want) in near_neutral.q.array().iter().zip(own.q.as_array()) {
        near(*x, *want, 1e-14);
    }
    let mut zeros = State::neutral(&ball);
    zeros.q = [0.0; 4].into();
    let error = Start::default().solve_from(&ball, &Nominal, zeros).expect_err("no rotation");
    assert_eq!(
        error.to_string(),
        "start at t = 0: `q` is not a rotation: its entries are zero; begin with the identity of `State::neutral`"
    );
}

#[test]
fn what_an_event_turns_is_a_rotation() {
    let system = Turned::<f64>::default();
    let mut run = Simulation::of(&system, Geodesic).fixed(0.01).expect("a start");
    run.advance_to(1.0).expect("steps");
    assert_eq!(run.state().modes.gear(), 1.0);
    let again = Simulation::of(&system, Geodesic).given(run.state().clone()).fixed(0.01).expect("the same");
    assert_eq!(again.state().q, run.state().q);
    let half: [f64; 4] = run.state().q.p()[1];
    near(half[0], 0.15_f64.cos() * 0.1_f64.cos(), 1e-14);
}

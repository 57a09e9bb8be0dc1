//! Integral action applied: loads that no model knows leave no deviation, and bounds wind nothing up.
//!
//! Gains: python-control 0.10.2, `lqr` and `dlqr` with `integral_action`; its ξ of steps is h times smaller.

#[path = "../../../ode-runtime/tests/common/heap.rs"]
mod heap;

use ode_control::{Feedback, GainError, IntegralFeedback, Linearizer, Lqr, Regulator, StateSpace};
use ode_model::StepMap;
use ode_model::linalg::{Labelled, SMatrix};
use ode_model::prelude::*;

model! {
    /// A motor with friction, and a load that the controller does not know.
    struct Motor<T> {
        param j: Real = 0.01;
        param d: Real = 0.1;
        param load: Real = 0.0;
        coord th: Real;
        input u: Real in -2.0..=2.0;
        kinetic = 0.5 * j * sq(der(th));
        force motor on th = u - load;
        force friction on th = -d * der(th);
        output angle = th;
    }
}

const H: f64 = 0.01;

fn weighted(system: &StateSpace) -> Result<Regulator, GainError> {
    Lqr::of(system).state("th", 10.0)?.state("der(th)", 0.1)?.input("u", 1.0)?.integral("angle", 50.0)?.solve()
}

fn steps(motor: &Motor<f64>) -> Result<StateSpace, Box<dyn std::error::Error>> {
    let mut map = StepMap::of(motor, DormandPrince8, &[])?;
    Ok(Linearizer::of(motor).step(&mut map, &State::neutral(motor), [0.0], H)?.system)
}

#[test]
fn gains_with_integral_action_are_those_of_the_reference() -> Result<(), Box<dyn std::error::Error>> {
    let motor = Motor::default();
    let continuous = StateSpace::of(&motor, &State::neutral(&motor), [0.0])?;
    let sampled = steps(&motor)?;
    for (system, wanted) in [
        (&continuous, [4.021360513225949, 0.3363796629822687, 7.071067811865108]),
        (&sampled, [3.463293335148618, 0.287318171257877, 0.05980902858310158 / H]),
        (&continuous.discretized(H)?, [3.463293335148618, 0.287318171257877, 0.05980902858310158 / H]),
    ] {
        let gain = weighted(system)?.gain;
        assert_eq!(gain.column_names(), ["th", "der(th)", "integral of angle"]);
        let off = (0..3).map(|k| (gain[(0, k)] - wanted[k]).abs()).fold(0.0, f64::max);
        assert!(off < 1e-11 * wanted[2], "{off:e} {gain}");
    }
    Ok(())
}

/// A run from this angle to zero: the greatest angle and the last one.
fn run(
    motor: &Motor<f64>,
    from: f64,
    mut control: impl FnMut(&State<Motor<f64>>, &mut <Motor<f64> as ode_model::System>::U),
) -> Result<[f64; 2], Box<dyn std::error::Error>> {
    let mut start = State::neutral(motor);
    start.q.set_th(from);
    let mut greatest = from;
    let mut run = Simulation::of(motor, DormandPrince8)
        .given(start)
        .sampled(H, |now, u| {
            control(now, u);
            greatest = greatest.max(now.q.th());
        })
        .adaptive(1e-9)?;
    run.advance_to(20.0)?;
    let end = run.state().q.th();
    Ok([greatest, end])
}

#[test]
fn a_constant_load_leaves_no_deviation() -> Result<(), Box<dyn std::error::Error>> {
    let (motor, loaded) = (Motor::default(), Motor { load: 0.5, ..Motor::default() });
    let gain = weighted(&steps(&motor)?)?.gain;
    let at = State::neutral(&loaded);
    let mut named = IntegralFeedback::of(&loaded, &at, [0.0], &gain, ["angle"], H)?;
    let k = SMatrix::<f64, 1, 2>::new(gain[(0, 0)], gain[(0, 1)]);
    let mut sized = IntegralFeedback::sized(&loaded, &at, [0.0], &k, [("angle", [gain[(0, 2)]])], H)?;
    let [_, near] = run(&loaded, 0.0, |now, u| named.step(now, u))?;
    assert!(near.abs() < 1e-8, "{near:e}");
    // at rest u = −Kᵢ ξ carries the load
    assert!((gain[(0, 2)] * named.integrals()[0] + 0.5).abs() < 1e-7, "{:?}", named.integrals());
    assert_eq!(run(&loaded, 0.0, |now, u| sized.step(now, u))?[1], near);
    // begun again, it does the same again
    named.reset();
    assert_eq!(run(&loaded, 0.0, |now, u| named.step(now, u))?[1], near);
    // the states alone leave load/K
    let states = Labelled::new(["u"], ["th", "der(th)"], |_, k| gain[(0, k)]);
    let states = Feedback::of(&loaded, &at, [0.0], &states)?;
    let [_, left] = run(&loaded, 0.0, |now, u| states.apply(now, u))?;
    assert!((left + 0.5 / gain[(0, 0)]).abs() < 1e-6, "{left}");
    Ok(())
}

/// From far away at full torque: an integral that does not wait goes far beyond.
#[test]
fn bounds_wind_nothing_up() -> Result<(), Box<dyn std::error::Error>> {
    let motor = Motor { load: 0.5, ..Motor::default() };
    let gain = weighted(&steps(&Motor::default())?)?.gain;
    let mut control = IntegralFeedback::of(&motor, &State::neutral(&motor), [0.0], &gain, ["angle"], H)?;
    let mut waits = true;
    let [greatest, end] = run(&motor, -60.0, |now, u| {
        let before = control.integrals()[0];
        control.step(now, u);
        waits &= !(u.u() == 2.0 && now.q.th() < 0.0) || control.integrals()[0] == before;
    })?;
    assert!(waits && end.abs() < 1e-7, "{end}");
    let mut wound = 0.0;
    let [beyond, _] = run(&motor, -60.0, |now, u| {
        let asked = -gain[(0, 0)] * now.q.th() - gain[(0, 1)] * now.v.th() - gain[(0, 2)] * wound;
        u.set_u(asked.clamp(-2.0, 2.0));
        wound += H * now.q.th();
    })?;
    assert!(greatest < 0.05 * beyond && beyond > 10.0, "{greatest} {beyond}");
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused_by_name() -> Result<(), Box<dyn std::error::Error>> {
    let motor = Motor::default();
    let gain = weighted(&steps(&motor)?)?.gain;
    let at = State::neutral(&motor);
    let of = |gain: &Labelled<f64>, output: &str, h: f64| {
        IntegralFeedback::of(&motor, &at, [0.0], gain, [output], h).map(|_| ()).map_err(|error| error.to_string())
    };
    let text = "there is no column of the gain `integral of th`; there are `th`, `der(th)`, `integral of angle`";
    assert_eq!(of(&gain, "th", H), Err(text.to_owned()));
    let states = Labelled::new(["u"], ["integral of speed"], |_, _| 1.0);
    assert_eq!(of(&states, "speed", H), Err("there is no output `speed`; there is only `angle`".to_owned()));
    for h in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        assert!(of(&gain, "angle", h).expect_err("a step").contains("step of the controller"));
    }
    let wild = Labelled::new(["u"], ["integral of angle"], |_, _| f64::NAN);
    assert!(of(&wild, "angle", H).expect_err("NaN").contains("gain of an integral"));
    let k = SMatrix::<f64, 1, 3>::zeros();
    let wrong = IntegralFeedback::sized(&motor, &at, [0.0], &k, [("angle", [1.0])], H);
    let error = wrong.expect_err("three columns").to_string();
    assert!(error.contains("number of columns of a gain is 3, but must be 2"), "{error}");
    // a state that is none is not integrated
    let mut control = IntegralFeedback::of(&motor, &at, [0.0], &gain, ["angle"], H)?;
    let (mut lost, mut u) = (at, [0.0].into());
    lost.q.set_th(f64::NAN);
    control.step(&lost, &mut u);
    assert_eq!(control.integrals(), &[0.0]);
    Ok(())
}

#[test]
fn no_heap_is_needed_and_single_precision_is_enough() -> Result<(), Box<dyn std::error::Error>> {
    let (double, single) = (Motor::<f64>::default(), Motor::<f32>::default());
    let k = [3.463293335148618, 0.287318171257877, 5.980902858310158];
    let (at, at_single) = (State::neutral(&double), State::neutral(&single));
    let wide = SMatrix::<f64, 1, 2>::new(k[0], k[1]);
    let mut exact = IntegralFeedback::sized(&double, &at, [0.0], &wide, [("angle", [k[2]])], H)?;
    let mut short = IntegralFeedback::sized(&single, &at_single, [0.0], &wide.cast(), [("angle", [k[2] as f32])], H)?;
    let (mut x, mut y) = (at, at_single);
    x.q.set_th(0.1);
    y.q.set_th(0.1);
    let (mut u, mut v) = ([0.0].into(), [0.0].into());
    let calls = heap::calls(|| {
        for _ in 0..200 {
            exact.step(&x, &mut u);
            short.step(&y, &mut v);
        }
    });
    assert_eq!(calls, 0);
    // −K x − Kᵢ ξ after 199 steps
    let wanted = -k[0] * 0.1 - k[2] * 199.0 * H * 0.1;
    assert!((u.u() - wanted).abs() < 1e-12 && (f64::from(v.u()) - wanted).abs() < 1e-5 * wanted.abs());
    Ok(())
}

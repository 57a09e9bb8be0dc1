//! Gains along a trajectory, and what is refused of gains, inputs and trajectories.

#![allow(unreachable_pub, reason = "models are public as users write them")]

use ode_control::{Feedback, Horizon, Lqr, StateSpace, Tracking};
use ode_model::integrators::DormandPrince8;
use ode_model::linalg::nalgebra::SMatrix;
use ode_model::linalg::{DMatrix, Labelled};
use ode_model::{Cause, Quantity, RunError, State, StepMap, System, model};

model! {
    /// A sled on ice.
    pub struct Sled {
        coord x: Real;
        input u: Real;
        kinetic = 0.5 * sq(der(x));
        force push on x = u;
    }
}

const H: f64 = 0.1;
/// when the trajectory begins
const BEGIN: f64 = 5.0;

type Trajectory = Vec<(State<Sled>, <Sled as System>::U)>;

/// Five steps with gains of their own, along a motion that a constant push makes.
fn plan(model: &Sled) -> Result<(Trajectory, Horizon), Box<dyn std::error::Error>> {
    let mut map = StepMap::of(model, DormandPrince8, &[])?;
    let (mut x, mut trajectory, mut linear) = (State::neutral(model), Vec::new(), Vec::new());
    x.t = BEGIN;
    for _ in 0..5 {
        let step = map.step(&x, [0.3], H)?;
        linear.push(StateSpace::of_states(step.a().labelled(), step.b().labelled(), Some(H))?);
        trajectory.push((x, [0.3].into()));
        x = step.end.clone();
    }
    let lqr = Lqr::of(&linear[0]).state("x", 1.0)?.input("u", 0.1)?;
    Ok((trajectory, lqr.along(&linear, DMatrix::identity(2, 2))?))
}

#[test]
fn each_step_has_its_gain_whenever_the_trajectory_begins() -> Result<(), Box<dyn std::error::Error>> {
    let model = Sled::default();
    let (trajectory, horizon) = plan(&model)?;
    let tracking = Tracking::of(&model, &trajectory, H, &horizon)?;
    for (k, ((at, _), gain)) in trajectory.iter().zip(&horizon.gains).enumerate() {
        let mut x = at.clone();
        x.q.as_mut()[0] += 0.02;
        x.v.as_mut()[0] -= 0.05;
        let wanted = 0.3 - (0.02 * gain[(0, 0)] - 0.05 * gain[(0, 1)]);
        // after a round-off less than the step's beginning, and before its end; before and after all, first and last
        let mut times = vec![-1e-12, 0.5 * H, 0.99 * H];
        times.extend((k == 0).then_some(-2.0));
        times.extend((k == 4).then_some(2.0));
        for time in times {
            x.t = BEGIN + k as f64 * H + time;
            let mut u = [0.0].into();
            tracking.apply(&x, &mut u);
            assert!((u.u() - wanted).abs() < 1e-14, "{k} {time}: {} {wanted}", u.u());
        }
    }
    let gains: Vec<f64> = horizon.gains.iter().map(|gain| gain[(0, 0)]).collect();
    assert!(gains.windows(2).all(|pair| (pair[0] - pair[1]).abs() > 1e-3), "they differ: {gains:?}");
    Ok(())
}

#[test]
fn trajectories_that_do_not_fit_are_refused() -> Result<(), Box<dyn std::error::Error>> {
    let model = Sled::default();
    let (trajectory, horizon) = plan(&model)?;
    let refused = |states: &[_], h: f64| Tracking::of(&model, states, h, &horizon).expect_err("refused").to_string();
    assert_eq!(refused(&trajectory[1..], H), "number of steps of a trajectory is 4, but must be 5");
    let long = [trajectory.clone(), trajectory.clone()].concat();
    assert_eq!(refused(&long, H), "number of steps of a trajectory is 10, but must be 5");
    for h in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        assert_eq!(refused(&trajectory, h), format!("step of a trajectory cannot be {h}"));
    }
    Ok(())
}

#[test]
fn gains_and_inputs_that_are_no_numbers_are_refused_by_name() {
    let model = Sled::default();
    let rest = State::neutral(&model);
    for lost in [f64::NAN, f64::INFINITY] {
        let gain = Labelled::new(["u"], ["x", "der(x)"], |_, c| [1.0, lost][c]);
        let error = Feedback::of(&model, &rest, [0.0], &gain).expect_err("no gain");
        let RunError::Evaluation(Cause::NonFinite { quantity, name }) = error else { panic!("{error}") };
        assert_eq!((quantity, name.as_str()), (Quantity::Derivative, "der(x)"));
        let sized = Feedback::sized(&model, &rest, [0.0], &SMatrix::<f64, 1, 2>::new(lost, 1.0));
        assert_eq!(sized.expect_err("no gain").to_string(), "derivative by `x` is not finite");
        let push = Feedback::sized(&model, &rest, [lost], &SMatrix::<f64, 1, 2>::new(1.0, 1.0));
        assert_eq!(push.expect_err("no input").to_string(), "input `u` is not finite");
    }
}

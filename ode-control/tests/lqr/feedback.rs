//! Gains applied to models.

use ode_control::{Feedback, Lqr, StateSpace, Tracking};
use ode_model::analysis::Linearization;
use ode_model::linalg::nalgebra::SMatrix;
use ode_model::linalg::{DMatrix, Labelled};
use ode_model::prelude::*;
use ode_model::{Nominal, RunError, StepMap};

model! {
    struct CartPole<T> {
        param m_c: Real [kg] = 1.0;
        param m_p: Real [kg] = 0.1;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        coord x: Real [m];
        coord th: Angle;
        input u: Real [N] in -10.0..=10.0;
        let tip = vec2(x + l * sin(th), -l * cos(th));
        kinetic = 0.5 * m_c * sq(der(x)) + 0.5 * m_p * der(tip).dot(der(tip));
        potential = m_p * g * tip.y;
        force drive on x = u;
        init x = 0.3;
        init th = 2.9;
    }
}

model! {
    /// A satellite with three wheels.
    struct Satellite {
        coord (att, w): SO3;
        input tx: Real;
        input ty: Real;
        input tz: Real;
        kinetic = 0.5 * (sq(w.x) + 2.0 * sq(w.y) + 3.0 * sq(w.z));
        torque wheels on att = vec3(tx, ty, tz);
        init w = vec3(0.1, -0.2, 0.3);
    }
}

fn upright() -> State<CartPole<f64>> {
    let mut upright = State::neutral(&CartPole::<f64>::default());
    upright.q.set_th(std::f64::consts::PI);
    upright
}

/// The steps that a controller at 50 Hz sees.
fn sampled(model: &CartPole<f64>) -> Result<StateSpace, Box<dyn std::error::Error>> {
    let mut map = StepMap::of(model, DormandPrince8, &[])?;
    let step = map.step(&upright(), [0.0], 0.02)?;
    Ok(StateSpace::of_states(step.a().labelled(), step.b().labelled(), Some(0.02))?)
}

fn weighted(system: &StateSpace) -> Result<Lqr, Box<dyn std::error::Error>> {
    Ok(Lqr::of(system).state("x", 1.0)?.state("th", 10.0)?.input("u", 0.01)?)
}

#[test]
fn a_sampled_regulator_balances_within_its_bounds() -> Result<(), Box<dyn std::error::Error>> {
    let model = CartPole::default();
    let regulator = weighted(&sampled(&model)?)?.solve()?;
    let feedback = Feedback::of(&model, &upright(), [0.0], &regulator.gain)?;
    let sized = Feedback::sized(&model, &upright(), [0.0], &regulator.gain.fixed::<1, 4>()?)?;
    let mut greatest: f64 = 0.0;
    let mut run = Simulation::of(&model, DormandPrince8)
        .sampled(0.02, |now, u| {
            feedback.apply(now, u);
            assert_eq!(*u, sized.at(now), "a gain by names and by places");
            greatest = greatest.max(u.u().abs());
        })
        .adaptive(1e-9)?;
    run.advance_to(12.0)?;
    assert!((run.state().q.th() - std::f64::consts::PI).abs() < 1e-6 && run.state().q.x().abs() < 1e-5);
    assert!(greatest == 10.0, "{greatest}");
    Ok(())
}

/// Unbounded, the cost of the closed loop of the linear system is xᵀP x; in f32 the same to its digits.
#[test]
fn in_single_precision_too() -> Result<(), Box<dyn std::error::Error>> {
    let regulator = weighted(&sampled(&CartPole::default())?)?.solve()?;
    let (model, single) = (CartPole::<f64>::default(), CartPole::<f32>::default());
    let gain: SMatrix<f32, 1, 4> = regulator.gain.fixed::<1, 4>()?.cast();
    let mut at = State::neutral(&single);
    at.q.set_th(std::f32::consts::PI);
    let feedback = Feedback::sized(&single, &at, [0.0], &gain)?;
    let (mut x, mut y) = (upright(), at);
    x.v.as_mut()[1] = 0.01;
    y.v.as_mut()[1] = 0.01;
    let exact = Feedback::of(&model, &upright(), [0.0], &regulator.gain)?.at(&x).u();
    assert!((f64::from(feedback.at(&y).u()) - exact).abs() < 1e-6 * exact.abs());
    assert!(exact.abs() > 0.1);
    Ok(())
}

#[test]
fn a_rotation_is_subtracted_on_its_tangent_space() -> Result<(), Box<dyn std::error::Error>> {
    let model = Satellite::default();
    let rest = State::neutral(&model);
    let linear = Linearization::with_inputs(&model, &Nominal, &rest, 1e-9)?;
    let names: Vec<&str> = model.layout().state_direction_names().collect();
    let a = Labelled::new(&names, &names, |r, c| linear.a[(r, c)]);
    let b = Labelled::new(&names, model.layout().u, |r, c| linear.b[(r, c)]);
    let lqr = Lqr::of(&StateSpace::of_states(a, b, None)?);
    let lqr = lqr.matrices(DMatrix::identity(6, 6), DMatrix::identity(3, 3), DMatrix::zeros(6, 3))?;
    let feedback = Feedback::of(&model, &rest, [0.0; 3], &lqr.solve()?.gain)?;
    let mut run =
        Simulation::of(&model, DormandPrince8).sampled(0.01, |now, u| feedback.apply(now, u)).adaptive(1e-9)?;
    run.advance_to(30.0)?;
    let mut off = run.state().v;
    model.local(&rest.q, &run.state().q, &mut off);
    assert!(off.as_ref().iter().chain(run.state().v.as_ref()).all(|x| x.abs() < 1e-4), "{off:?} {:?}", run.state().v);
    Ok(())
}

/// A small push at the start leads away from the trajectory; with the gains along it, the motion comes back.
#[test]
fn along_a_trajectory_the_gains_of_each_step_are_applied() -> Result<(), Box<dyn std::error::Error>> {
    let (model, h, steps) = (CartPole::<f64>::default(), 0.02, 100);
    let push = |k: usize| [3.0 * (0.1 * k as f64).sin()];
    let mut map = StepMap::of(&model, DormandPrince8, &[])?;
    let (mut x, mut trajectory, mut linear) = (upright(), Vec::new(), Vec::new());
    for k in 0..steps {
        let step = map.step(&x, push(k), h)?;
        linear.push(StateSpace::of_states(step.a().labelled(), step.b().labelled(), Some(h))?);
        trajectory.push((x, push(k).into()));
        x = step.end.clone();
    }
    let horizon = weighted(&linear[0])?.along(&linear, DMatrix::identity(4, 4) * 10.0)?;
    let tracking = Tracking::of(&model, &trajectory, h, &horizon)?;
    let beside = |tracked: bool| -> Result<f64, Box<dyn std::error::Error>> {
        let mut start = trajectory[0].0.clone();
        start.v.as_mut()[1] += 0.02;
        let mut run = Simulation::of(&model, DormandPrince8)
            .given(start)
            .sampled(h, |now, u| {
                let k = (now.t / h).round() as usize;
                *u = push(k.min(steps - 1)).into();
                if tracked {
                    tracking.apply(now, u);
                }
            })
            .fixed(h)?;
        run.advance_to(h * steps as f64)?;
        Ok((run.state().q.th() - x.q.th()).abs())
    };
    let (tracked, left) = (beside(true)?, beside(false)?);
    assert!(left > 5e-3 && tracked < 0.02 * left, "{tracked} {left}");
    Ok(())
}

#[test]
fn gains_that_do_not_fit_are_refused_by_name() {
    let model = CartPole::<f64>::default();
    let gain = Labelled::new(["u"], ["y"], |_, _| 1.0);
    let error = Feedback::of(&model, &upright(), [0.0], &gain).expect_err("no such state");
    assert!(matches!(error, RunError::Name(_)), "{error:?}");
    let gain = Labelled::new(["f"], ["x"], |_, _| 1.0);
    let error = Feedback::of(&model, &upright(), [0.0], &gain).expect_err("no such input");
    assert_eq!(error.to_string(), "there is no input `f`; there is only `u`");
    let wrong = Feedback::sized(&model, &upright(), [0.0], &SMatrix::<f64, 1, 3>::zeros());
    assert_eq!(wrong.expect_err("three columns").to_string(), "number of columns of a gain is 3, but must be 4");
    let mut lost = upright();
    lost.q.set_x(f64::NAN);
    assert!(Feedback::of(&model, &lost, [0.0], &Labelled::new(["u"], ["x"], |_, _| 1.0)).is_err());
}

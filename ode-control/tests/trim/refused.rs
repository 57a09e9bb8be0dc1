//! Points that do not exist, and what is said then.

use ode_control::{Trim, TrimError};
use ode_model::prelude::*;

use crate::models::{Crane, Press, Quadrotor};

fn said(error: Result<impl core::fmt::Debug, TrimError>) -> String {
    error.expect_err("no point").to_string()
}

#[test]
fn names_and_bounds_must_make_sense() {
    let crane = Crane::default();
    let trim = || Trim::of(&crane);
    assert_eq!(
        said(trim().hold("tha", 1.0)),
        "there is no coordinate, velocity, state, input or output `tha`; did you mean `th`?"
    );
    assert_eq!(said(trim().between("x", 2.0, 1.0)), "there is no number for `x` between 2 and 1");
    assert_eq!(said(trim().hold("x", f64::NAN)), "`x` cannot be held at NaN");
    assert_eq!(said(trim().hold("x", f64::INFINITY)), "`x` cannot be held at inf");
    let plant = Quadrotor::default();
    assert_eq!(
        said(Trim::of(&plant).hold("q.step.x", 0.1)),
        "`q.step.x` is of a rotation and has no value; `keep(\"q.step.x\")` holds it where the guess is"
    );
    assert_eq!(
        said(Trim::of(&plant).hold("q", 0.1)),
        "`q` is of a rotation and has no value; `keep(\"q\")` holds it where the guess is"
    );
    assert!(Trim::of(&plant).keep("q").is_ok());
}

#[test]
fn one_thing_is_asked_of_each() -> Result<(), TrimError> {
    let crane = Crane::default();
    let twice = "`th` is asked for twice";
    assert_eq!(said(Trim::of(&crane).hold("th", 0.1)?.hold("th", 0.2)), twice);
    assert_eq!(said(Trim::of(&crane).keep("th")?.between("th", 0.1, 0.2)), twice);
    assert_eq!(said(Trim::of(&crane).hold("th", 0.1)?.keep("th")), twice);
    assert_eq!(said(Trim::of(&crane).hold("push", 0.1)?.free("push")), "`push` is asked for twice");
    let plant = Quadrotor::default();
    assert_eq!(said(Trim::of(&plant).keep("q")?.keep("q.step.z")), "`q.step.z` is asked for twice");
    // what is held stays so, whatever the order
    let point = Trim::of(&crane).hold("weak", 0.5)?.free_inputs().solve()?;
    assert_eq!(point.inputs.weak(), 0.5);
    Ok(())
}

/// What a controller would clamp is no operating point.
#[test]
fn inputs_stay_within_the_bounds_of_the_model() -> Result<(), TrimError> {
    let crane = Crane::default();
    let outside = "input `weak` must be within its bounds in the model, -1 to 1";
    assert_eq!(said(Trim::of(&crane).hold("weak", 5.0)), outside);
    assert_eq!(said(Trim::of(&crane).between("weak", -3.0, -2.0)), outside);
    // 4 N m are needed, and a wider interval does not widen the model's
    let th = (4.0 / (crane.m * crane.g * crane.l)).asin();
    let error = Trim::of(&crane).hold("th", th)?.between("weak", -9.0, 9.0)?.solve().expect_err("too weak");
    let TrimError::Unbalanced { residual, bounds, .. } = error else { panic!("{error}") };
    assert_eq!(bounds.as_str(), "`weak`");
    assert!((residual.abs() - 3.0).abs() < 1e-6, "{residual}");
    Ok(())
}

#[test]
fn what_cannot_be_balanced_is_named_with_the_inputs_at_their_bounds() -> Result<(), TrimError> {
    let crane = Crane::default();
    // 9.81 N m are needed
    let trim = Trim::of(&crane).hold("th", std::f64::consts::FRAC_PI_2)?.between("strong", 0.0, 5.0)?.free("weak")?;
    let error = trim.solve().expect_err("too weak");
    let TrimError::Unbalanced { name, residual, bounds, .. } = error else { panic!("{error}") };
    assert_eq!((name.as_str(), bounds.as_str()), ("th", "`strong`, `weak`"));
    assert!((residual.abs() - 3.81).abs() < 1e-6, "{residual}");
    assert!(error.to_string().ends_with("with `strong`, `weak` at a bound; free an input, or widen the bounds"));
    let nothing = Trim::of(&crane).hold("th", 1.0)?.solve();
    assert!(said(nothing).ends_with("free an input, or begin elsewhere"));
    // no input is held, and an output is no initial condition
    let high = said(Trim::of(&crane).hold("height", 2.0)?.free_inputs().solve());
    assert!(high.starts_with("no operating point was found: output `height` is -1.500e0 at the best"), "{high}");
    assert!(high.ends_with("; begin elsewhere"), "{high}");
    Ok(())
}

#[test]
fn numbers_that_are_none_are_named() -> Result<(), TrimError> {
    let crane = Crane { m: f64::NAN, ..Crane::default() };
    assert!(matches!(Trim::of(&crane).free_inputs().solve(), Err(TrimError::Evaluation(_))));
    let crane = Crane::default();
    let mut lost = State::neutral(&crane);
    lost.q.set_x(f64::NAN);
    assert!(matches!(Trim::of(&crane).near(&lost).solve(), Err(TrimError::Evaluation(_))));
    let plant = Quadrotor::default();
    let mut long = State::neutral(&plant);
    long.q.set_q([2.0, 0.0, 0.0, 0.0]);
    assert!(matches!(Trim::of(&plant).near(&long).solve(), Err(TrimError::Evaluation(_))));
    Ok(())
}

/// However stiff a spring is, what it does not balance where it is held is left.
#[test]
fn what_is_held_sets_no_scale() -> Result<(), TrimError> {
    let press = Press::default();
    let error = Trim::of(&press).hold("x", 0.0)?.hold("fx", 0.5)?.solve().expect_err("half a newton");
    let TrimError::Unbalanced { name, residual, .. } = error else { panic!("{error}") };
    assert_eq!((name.as_str(), residual.abs()), ("x", 0.5));
    // the soft spring lacks 10 N, which are 10 µm of it
    let trim = Trim::of(&press).hold("x", 0.0)?.hold("fx", 0.5)?.hold("fy", 10.0)?.between("y", -1.0, 0.0)?;
    let error = trim.solve().expect_err("no room");
    let TrimError::Unbalanced { name, bounds, .. } = error else { panic!("{error}") };
    assert_eq!((name.as_str(), bounds.as_str()), ("x", "`y`"));
    // round-off of great forces is none
    let off = |k: i32| press.stiff * (f64::from(k) / 7.0) - press.stiff * f64::from(k) / 7.0;
    assert!((1..20).any(|k| off(k).abs() > 1e-8));
    for k in 1..20 {
        let trim = Trim::of(&press).hold("x", f64::from(k) / 7.0)?.hold("fx", press.stiff * f64::from(k) / 7.0)?;
        assert!(trim.solve().is_ok(), "{k}");
    }
    Ok(())
}

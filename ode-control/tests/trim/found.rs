//! Points that are found.

use ode_control::Trim;
use ode_model::prelude::*;

use crate::models::{Bead, Crane, Motor, Quadrotor, Whirl};

type Done = Result<(), Box<dyn std::error::Error>>;

/// Two motors share a torque so that Σ (u/range)² is the least: as the squares of their ranges, 20 and 1 N m.
#[test]
fn the_least_inputs_hold_an_arm_and_a_weak_one_stops_at_its_bound() -> Done {
    let crane = Crane::default();
    let needed = crane.m * crane.g * crane.l * f64::sin(0.1);
    let point = Trim::of(&crane).hold("th", 0.1)?.free_inputs().solve()?;
    let (strong, weak) = (point.inputs.strong(), point.inputs.weak());
    assert!((strong - needed * 400.0 / 401.0).abs() < 1e-9 && (weak - needed / 401.0).abs() < 1e-9, "{strong} {weak}");
    assert!(point.inputs.push().abs() < 1e-12 && point.at_bounds.is_empty());
    let needed = crane.m * crane.g * crane.l;
    let trim = Trim::of(&crane).hold("th", std::f64::consts::FRAC_PI_2)?.between("weak", -0.01, 0.01)?;
    let point = trim.free_inputs().solve()?;
    assert_eq!((point.inputs.weak(), point.at_bounds), (0.01, vec!["weak".to_owned()]));
    assert!((point.inputs.strong() - (needed - 0.01)).abs() < 1e-12);
    Ok(())
}

/// Without free inputs the coordinates move, to the nearest equilibrium.
#[test]
fn without_inputs_the_arm_hangs() -> Done {
    let point = Trim::of(&Crane::default()).solve()?;
    assert!(point.state.q.th().abs() < 1e-14 && point.state.q.x() == 0.0);
    Ok(())
}

#[test]
fn a_steady_drive_balances_friction_and_an_output_has_its_value() -> Done {
    let crane = Crane::default();
    let trim = Trim::of(&crane).hold("der(x)", 2.0)?.free("push")?.free("strong")?.hold("height", -0.3)?;
    let point = trim.solve()?;
    assert!((point.inputs.push() - 6.0).abs() < 1e-12 && (point.state.v.x() - 2.0).abs() < 1e-15);
    assert!((crane.l * point.state.q.th().cos() - 0.3).abs() < 1e-12);
    // it stays so
    let mut run = Simulation::of(&crane, DormandPrince8)
        .given(point.state.clone())
        .inputs(Constant([point.inputs.push(), point.inputs.strong(), 0.0]))
        .adaptive(1e-11)?;
    run.advance_to(0.5)?;
    assert!((run.state().q.x() - 1.0).abs() < 1e-9 && (run.state().q.th() - point.state.q.th()).abs() < 1e-9);
    // the height between two values is at the one nearer to the guess, which holds the arm at −0.49 m
    let trim = Trim::of(&crane).free("strong")?.between("height", -0.4, 0.0)?;
    let point = trim.solve()?;
    assert!((crane.l * point.state.q.th().cos() - 0.4).abs() < 1e-9, "{}", point.state.q.th());
    assert_eq!(point.at_bounds, ["height"]);
    Ok(())
}

#[test]
fn a_quadrotor_hovers_and_leans_into_the_wind_of_its_flight() -> Done {
    let plant = Quadrotor::default();
    let hover = Trim::of(&plant).free_inputs().solve()?;
    assert!(hover.inputs.as_ref().iter().chain(hover.state.z.as_ref()).all(|f| (f - 9.81 / 4.0).abs() < 1e-10));

    let flight = Trim::of(&plant).free_inputs().hold("der(r.x)", 5.0)?.keep("r.x")?.solve()?;
    let lean = (plant.c_lin * 5.0 / (plant.m * plant.g)).atan();
    let thrust: f64 = flight.state.z.as_ref().iter().sum();
    assert!((thrust - (plant.m * plant.g).hypot(0.5)).abs() < 1e-9);
    // the thrust's axis leans by that angle, whatever the heading
    let [w, x, y, z] = flight.state.q.q();
    let up = [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)];
    assert!((up[0] - lean.sin()).abs() < 1e-10 && up[1].abs() < 1e-10);
    // the nearest attitude does not turn the heading
    assert!(z.abs() < 1e-6, "{z}");

    let mut run = Simulation::of(&plant, DormandPrince8)
        .given(flight.state.clone())
        .inputs(Constant(flight.inputs.array()))
        .adaptive(1e-10)?;
    run.advance_to(1.0)?;
    assert!((run.state().q.r()[0] - 5.0).abs() < 1e-8 && run.state().q.r()[2].abs() < 1e-8);
    Ok(())
}

/// cos φ = g/(ω² l), with a dependent row.
#[test]
fn a_rod_whirls_at_the_angle_of_its_speed() -> Done {
    let whirl = Whirl::default();
    let point = Trim::of(&whirl).hold("der(turn)", 5.0)?.between("s", 0.1, 2.0)?.solve()?;
    assert!((point.state.q.y() + whirl.g / 25.0).abs() < 1e-10, "{:?}", point.state.q);
    assert!((point.state.q.s().hypot(point.state.q.y()) - 1.0).abs() < 1e-12);
    assert!(point.inputs.drive().abs() < 1e-12);
    Ok(())
}

/// As slow as it whirls at all, √(g/l) = 3.132 1/s.
#[test]
fn a_rod_barely_whirls() -> Done {
    let whirl = Whirl::default();
    for speed in [3.159, 3.29] {
        let point = Trim::of(&whirl).hold("der(turn)", speed)?.between("s", 0.05, 2.0)?.solve()?;
        assert!((point.state.q.y() + whirl.g / (speed * speed)).abs() < 1e-8, "{speed}: {:?}", point.state.q);
    }
    Ok(())
}

#[test]
fn algebraic_variables_and_first_order_models_are_trimmed_too() -> Done {
    let motor = Motor::default();
    let point = Trim::of(&motor).hold("der(th)", 20.0)?.free("v")?.solve()?;
    let i = motor.c * 20.0 / motor.k;
    assert!((point.state.z.i() - i).abs() < 1e-12 && (point.inputs.v() - (motor.r * i + motor.k * 20.0)).abs() < 1e-12);

    let bead = Bead::default();
    let point = Trim::of(&bead).hold("x", 0.5)?.free("f")?.solve()?;
    assert!((point.inputs.f() - (4.0 * 0.5 + 0.125)).abs() < 1e-12 && point.state.v.x() == 0.0);
    // without the force it goes to where the springs rest
    let point = Trim::of(&bead).solve()?;
    assert!(point.state.q.x().abs() < 1e-12 && point.state.v.x() == 0.0, "{:?}", point.state);
    // a force of 1 N drags it at ½ m/s there
    let point = Trim::of(&bead).hold("x", 0.0)?.free("der(x)")?.hold("f", 1.0)?.solve()?;
    assert!((point.state.v.x() - 0.5).abs() < 1e-12, "{:?}", point.state);
    Ok(())
}

/// The equations of a point are met to round-off from guesses all around.
#[test]
fn from_afar() -> Done {
    let crane = Crane::default();
    for k in 0..24 {
        let mut guess = State::neutral(&crane);
        guess.q.set_th(0.3 * f64::from(k) - 3.4);
        let point = Trim::of(&crane).near(&guess).between("strong", -4.0, 4.0)?.solve()?;
        let torque = crane.m * crane.g * crane.l * point.state.q.th().sin();
        assert!((torque - point.inputs.strong()).abs() < 1e-10, "{k}");
        assert!((point.state.q.th() - guess.q.th()).abs() < 1.6, "{k}: {}", point.state.q.th());
    }
    Ok(())
}

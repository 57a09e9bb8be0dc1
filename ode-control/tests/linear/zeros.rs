//! Zeros of transfer functions.

use ode_control::StateSpace;
use ode_model::linalg::{Complex, Labelled};

use crate::drive::{drive, transfers};

#[test]
fn zeros_are_those_of_the_rest_held_still() {
    let [motor, load] = transfers();
    let zeros = motor.zeros().expect("zeros");
    // j2 s² + c s + k
    let wanted = Complex { re: -0.05, im: (150.0_f64 - 0.05 * 0.05).sqrt() };
    assert!(zeros.len() == 2 && (zeros[0] - wanted).norm_sqr().sqrt() < 1e-11, "{zeros:?}");
    let zeros = load.zeros().expect("zeros");
    assert!(zeros.len() == 1 && (zeros[0] - Complex { re: -1500.0, im: 0.0 }).norm_sqr().sqrt() < 1e-7, "{zeros:?}");
    // an acceleration has two zeros at rest beside those of the angle
    let system = drive();
    let rates = (&*system.c * &*system.a * &*system.a, &*system.c * &*system.a * &*system.b);
    let c = Labelled::new(system.outputs(), system.states(), |r, c| rates.0[(r, c)]);
    let d = Labelled::new(system.outputs(), system.inputs(), |r, c| rates.1[(r, c)]);
    let acceleration = StateSpace::new(system.a, system.b, c, d, None).expect("a system");
    let acceleration = acceleration.transfer("motor_angle", "u").expect("a transfer function");
    let zeros = acceleration.zeros().expect("zeros");
    assert!(zeros.len() == 4 && zeros[1].norm_sqr() < 1e-12 && (zeros[2] - wanted).norm_sqr() < 1e-18, "{zeros:?}");
}

//! Zeros of transfer functions.

use ode_control::{StateSpace, SystemError};
use ode_model::linalg::{Complex, Labelled};

use crate::drive::{drive, matrix, transfers};

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

/// Controllers of integrators: (3 s + 2)/s, (s² + 3 s)/s², and (s + 1 + 10⁻¹¹)/(s + 10⁻¹¹).
#[test]
fn a_direct_effect_has_zeros_whatever_the_poles() {
    let zeros = |a: f64, b: &[f64], c: &[f64], d: f64| {
        let states: Vec<String> = (0..b.len()).map(|i| format!("x{i}")).collect();
        let a = Labelled::new(&states, &states, |r, c| if r == c { a } else { 0.0 });
        let system = StateSpace::new(
            a,
            Labelled::new(&states, ["u"], |r, _| b[r]),
            Labelled::new(["y"], &states, |_, k| c[k]),
            matrix(["y"], ["u"], [[d]]),
            None,
        );
        system.expect("matrices that fit").transfer("y", "u").expect("a transfer function").zeros()
    };
    let real = |x: f64| Complex { re: x, im: 0.0 };
    let near = |found: Result<Vec<Complex<f64>>, SystemError>, wanted: &[f64]| {
        let found = found.expect("zeros");
        assert_eq!(found.len(), wanted.len(), "{found:?}");
        assert!(found.iter().zip(wanted).all(|(x, &y)| (x - real(y)).norm_sqr() < 1e-28), "{found:?} {wanted:?}");
    };
    near(zeros(0.0, &[1.0], &[2.0], 3.0), &[-2.0 / 3.0]);
    near(zeros(0.0, &[1.0, 1.0], &[1.0, 2.0], 1.0), &[0.0, -3.0]);
    near(zeros(-1e-11, &[1.0], &[1.0], 1.0), &[-1.0 - 1e-11]);
    near(zeros(0.0, &[1.0], &[1.0], 0.0), &[]);
    assert_eq!(zeros(0.0, &[1.0], &[0.0], 0.0), Err(SystemError::Idle));
    // two integrators that the output does not show the sum of
    assert_eq!(zeros(0.0, &[1.0, 1.0], &[1.0, -1.0], 0.0), Err(SystemError::Idle));
}

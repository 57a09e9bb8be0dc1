//! Poles, their frequencies and damping. Values: NumPy 2.3 and python-control 0.10.2.

use ode_control::StateSpace;
use ode_model::linalg::Complex;

use crate::cart_poles::upright;
use crate::drive::drive;

#[test]
fn poles_have_frequencies_and_damping() {
    let system = drive();
    let sampled = system.discretized(0.05).expect("steps");
    for system in [&system, &sampled] {
        let poles = system.poles().expect("poles");
        let wanted = [
            (2.3772451934431906, 0.02938686750074002),
            (2.3772451934431906, 0.02938686750074002),
            (14.571915529337424, 0.00687213772835173),
            (14.571915529337424, 0.00687213772835173),
        ];
        for (pole, (frequency, damping)) in poles.iter().zip(wanted) {
            assert!((pole.frequency() - frequency).abs() < 1e-11 * frequency, "{pole}");
            assert!((pole.damping_ratio() - damping).abs() < 1e-11, "{pole}");
            assert!((pole.time_constant() - 1.0 / (frequency * damping)).abs() < 1e-8, "{pole}");
            assert!(pole.is_stable());
        }
        assert!(poles[0].value.im > 0.0 && poles[1].value.im < 0.0);
    }
    let z = sampled.poles().expect("poles")[2].value;
    assert!((z - Complex { re: 0.7423950551287595, im: 0.6624843654232615 }).norm_sqr() < 1e-26);
    assert_eq!(
        system.poles().expect("poles")[0].to_string(),
        "-0.069860+2.376218i 1/s: 2.377245 rad/s, damping ratio 0.0294"
    );

    let (model, x) = upright();
    let poles = StateSpace::of(&model, &x, [0.0]).expect("a linear system").poles().expect("poles");
    let wanted = [0.0, -0.04545411031026034, 4.621455823182436, -4.670001712872176];
    for (pole, wanted) in poles.iter().zip(wanted) {
        assert!((pole.value.re - wanted).abs() < 1e-12 && pole.value.im == 0.0, "{pole}");
    }
    assert_eq!(poles.iter().map(|pole| pole.is_stable()).collect::<Vec<_>>(), [false, true, false, true]);
}

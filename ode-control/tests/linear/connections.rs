//! Systems made of systems.

use ode_control::StateSpace;
use ode_model::linalg::DMatrix;

use crate::cart_poles::upright;
use crate::drive::{drive, matrix};

#[test]
fn a_loop_closed_by_a_gain_has_its_poles() {
    // the gain of the continuous regulator of the reference, and the poles that it gives
    let (model, x) = upright();
    let system = StateSpace::of(&model, &x, [0.0]).expect("a linear system");
    let gain = DMatrix::from_row_slice(1, 4, &[-10.0, 72.3875371319888867, -11.6939502198218746, 14.7249886744716349]);
    let closed = system.closed(&gain).expect("a loop");
    let poles = closed.poles().expect("poles");
    let wanted = [(-1.33382100272123, 1.0237435456190753), (-7.591192561839468, 3.431153469466268)];
    for (pole, (re, im)) in poles.iter().step_by(2).zip(wanted) {
        assert!((pole.value.re - re).abs() < 1e-11 && (pole.value.im - im).abs() < 1e-11, "{pole}");
    }
    // the acceleration reads u = −K x + r
    let push = |column: &str| closed.c.at("push", column).expect("an entry");
    assert!((push("th") - (0.981 - 1.5 * 72.3875371319888867)).abs() < 1e-12 && push("x") == 15.0);
    assert_eq!(closed.d, system.d);
}

#[test]
fn systems_in_series_multiply() {
    let lag = StateSpace::of_states(matrix(["lag"], ["lag"], [[-7.0]]), matrix(["lag"], ["u"], [[7.0]]), None)
        .expect("a lag");
    let both = lag.then(&drive()).expect("a series");
    assert_eq!(both.states(), ["lag", "a", "b", "der(a)", "der(b)"]);
    let response =
        |system: &StateSpace, output| system.transfer(output, "u").expect("one").at(3.0).expect("a response");
    let product = response(&lag, "lag") * response(&drive(), "load_angle");
    assert!((response(&both, "load_angle") - product).norm_sqr() < 1e-28);

    let error = drive().then(&drive()).expect_err("two outputs, one input").to_string();
    assert_eq!(error, "B of the next system is 4 × 1, where this system needs 4 × 2");
    let sampled = drive().discretized(0.1).expect("steps");
    let error = lag.then(&sampled).expect_err("steps").to_string();
    assert_eq!(error, "the first system is continuous and the second has steps of 0.1 s");
}

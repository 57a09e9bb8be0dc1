//! Questions to linear systems without an answer, and numbers at the ends of their range.

use ode_control::{Misfit, StateSpace, SystemError};
use ode_model::linalg::{DMatrix, Labelled};

use crate::cart_poles::upright;
use crate::drive::{drive, matrix};

#[test]
fn what_has_no_answer_says_so() {
    let system = drive();
    let text = |error: SystemError| error.to_string();
    let error = system.transfer("load", "u").expect_err("a name");
    assert_eq!(text(error), "there is no output `load`; there are `motor_angle`, `load_angle`");
    let error = system.transfer("load_angle", "torque").expect_err("a name");
    assert_eq!(text(error), "there is no input `torque`; there is only `u`");
    assert_eq!(
        text(system.discretized(0.0).expect_err("a step")),
        "the step cannot be 0: it must be positive and finite"
    );
    assert!(matches!(system.discretized(f64::NAN), Err(SystemError::Step { .. })));
    let sampled = system.discretized(0.1).expect("steps");
    assert_eq!(
        text(sampled.discretized(0.1).expect_err("twice")),
        "the system has steps of 0.1 s already: ask the continuous system"
    );
    let (model, x) = upright();
    let unstable = StateSpace::of(&model, &x, [0.0]).expect("a linear system");
    let error = text(unstable.discretized(1e4).expect_err("e^46214"));
    assert!(error.ends_with("is not finite"), "{error}");
    assert_eq!(
        text(system.closed(&DMatrix::zeros(2, 4)).expect_err("a gain")),
        "K is 2 × 4, where this system needs 1 × 4"
    );
    assert!(matches!(
        system.closed(&DMatrix::from_element(1, 4, f64::NAN)),
        Err(SystemError::NonFinite { matrix: "A", .. })
    ));

    let transfer = system.transfer("load_angle", "u").expect("a transfer function");
    assert!(matches!(transfer.at(f64::INFINITY), Err(SystemError::Frequency { .. })));
    for (from, to) in [(0.0, 1.0), (-1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
        assert!(matches!(transfer.bode(from, to, 5), Err(SystemError::Frequency { .. })), "{from} {to}");
    }
    assert_eq!(transfer.bode(1.0, 2.0, 0).expect("nothing").len(), 0);
    assert_eq!(transfer.bode(1.0, 2.0, 1).expect("a row").len(), 1);
    let integrator =
        StateSpace::of_states(matrix(["x"], ["x"], [[0.0]]), matrix(["x"], ["u"], [[1.0]]), None).expect("a system");
    let error = integrator.transfer("x", "u").expect("a transfer function").gain().expect_err("an integrator");
    assert_eq!(text(error), "the response at 0 rad/s is infinite: an undamped pole is there");
    let idle =
        StateSpace::of_states(matrix(["x"], ["x"], [[-1.0]]), matrix(["x"], ["u"], [[0.0]]), None).expect("a system");
    assert_eq!(idle.transfer("x", "u").expect("one").zeros(), Err(SystemError::Idle));
    assert_eq!(idle.controllability().expect("a rank").rank, 0);

    // matrices that do not fit, or are not finite
    let broken = StateSpace::of_states(matrix(["x"], ["x"], [[f64::NAN]]), matrix(["x"], ["u"], [[1.0]]), None);
    let error = broken.expect_err("NaN");
    assert_eq!(text(error), "the entry of A in row `x` and column `x` is not finite");
    let mut bent = system.clone();
    bent.b = matrix(["x"], ["u"], [[1.0]]);
    assert!(matches!(bent.poles(), Err(SystemError::Misfit(Misfit { matrix: "B", .. }))));
    let mut backwards = integrator.clone();
    backwards.step = Some(-1.0);
    assert!(matches!(backwards.poles(), Err(SystemError::Step { .. })));

    // nothing at all
    let none: [&str; 0] = [];
    let nothing =
        StateSpace::of_states(Labelled::new(none, none, |_, _| 0.0), Labelled::new(none, ["u"], |_, _| 0.0), None);
    let nothing = nothing.expect("a system");
    assert!(nothing.poles().expect("poles").is_empty() && nothing.controllability().expect("a rank").is_full());
    assert_eq!(nothing.discretized(0.1).expect("steps").b.shape(), (0, 1));
    assert!(nothing.observability_gramian().expect("a gramian").is_empty());
}

/// Numbers at the ends of their range have an answer, if only that there is none.
#[test]
fn no_number_is_too_large_or_small() {
    for (big, small) in [(1e300, 1e-300), (1.7e308, 5e-324), (1e160, 1.0), (1.0, 1e-200), (1e-300, 1e-310)] {
        for sign in [-1.0, 1.0] {
            let a = matrix(
                ["x", "v", "z"],
                ["x", "v", "z"],
                [[0.0, big, 0.0], [-big, sign * small, big], [small, 0.0, sign]],
            );
            let b = matrix(["x", "v", "z"], ["u", "w"], [[big, 0.0], [small, big], [0.0, small]]);
            for step in [None, Some(0.1)] {
                let system = StateSpace::of_states(a.clone(), b.clone(), step).expect("matrices that fit");
                let _ =
                    (system.poles(), system.discretized(0.1), system.discretized(1e300), system.discretized(1e-300));
                let _ = (system.controllability(), system.observability());
                let _ = (system.controllability_gramian(), system.observability_gramian());
                let transfer = system.transfer("x", "w").expect("a transfer function");
                let _ = (transfer.at(1.0), transfer.zeros(), transfer.bode(1e-300, 1e300, 7), transfer.gain());
                let _ = system.closed(&DMatrix::from_element(2, 3, big));
            }
        }
    }
}

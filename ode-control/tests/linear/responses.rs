//! Responses of a drive with a flexible shaft to frequencies, by mpmath at 30 digits.

use ode_control::StateSpace;
use ode_model::linalg::Complex;
use ode_model::prelude::*;

use crate::drive::{Drive, drive, transfers};

#[test]
fn frequency_responses_are_those_of_the_reference() {
    let wanted = [
        (0.5, [(0.26139894554406983, -0.0034170561549228675), (0.26183533582033454, -0.0034229064624523763)]),
        (2.5, [(-1.7390474753921125, -1.0129931483433248), (-1.8147346031058137, -1.0569046989187499)]),
        (12.25, [(6.3913129407870834e-6, -0.00027246254452906729), (-0.033323455771104612, 0.00064510402247172932)]),
        (14.0, [(0.028638461518913988, -0.0055102937340272799), (-0.093987269682405016, 0.014236261661353161)]),
        (100.0, [(-0.00020138656514068308, -4.8917064359594512e-7), (3.0660855746443157e-6, 2.1501544199925539e-7)]),
    ];
    let transfers = transfers();
    for (frequency, values) in wanted {
        for (transfer, (re, im)) in transfers.iter().zip(values) {
            let found = transfer.at(frequency).expect("a response");
            assert!((found - Complex { re, im }).norm_sqr().sqrt() < 1e-13, "{frequency}: {found}");
        }
    }
    assert!((transfers[0].gain().expect("a gain") - 0.25).abs() < 1e-14);
    let sampled = drive().discretized(0.05).expect("steps").transfer("load_angle", "u").expect("a transfer function");
    let found = sampled.at(3.0).expect("a response");
    assert!((found - Complex { re: -0.4362380007136898, im: -0.02120383773484341 }).norm_sqr() < 1e-24, "{found}");
}

#[test]
fn a_bode_plot_has_a_continuous_phase() {
    // a phase of −360° and more, from nine frequencies, two of them beside poles of little damping
    let bode = transfers()[1].bode(0.1, 1000.0, 9).expect("a table");
    let magnitudes = [
        -12.025434073794174,
        -11.8823101776718532,
        -10.3126347867949907,
        -9.39106484148437379,
        -30.9651774525262257,
        -68.333553776186569,
        -110.247009178555574,
        -150.24976989201818,
        -188.858673085408471,
    ];
    let phases = [
        -0.143490516855478781,
        -0.461030665115182956,
        -1.73668243494709962,
        -174.25715793683842,
        -179.790969031712261,
        1.92300529410851976 - 360.0,
        4.01141505469468864 - 360.0,
        11.9663697104742205 - 360.0,
        33.7095505732240298 - 360.0,
    ];
    for (name, wanted) in [("magnitude", magnitudes), ("phase", phases)] {
        for (found, wanted) in bode.column(name).expect("a column").zip(wanted) {
            assert!((found - wanted).abs() < 1e-11, "{name}: {found} {wanted}");
        }
    }
    assert_eq!(
        bode.columns().iter().map(|column| column.to_string()).collect::<Vec<_>>(),
        ["frequency [rad/s]", "magnitude [dB]", "phase [deg]",]
    );

    // undamped: a pole falls, a zero rises
    let undamped = Drive { d1: 0.0, c: 0.0, ..Drive::default() };
    let system = StateSpace::of(&undamped, &State::neutral(&undamped), [0.0]).expect("a linear system");
    let phase = |output: &str| {
        let bode = system.transfer(output, "u").expect("a transfer function").bode(0.1, 1000.0, 50).expect("a table");
        bode.column("phase").expect("a column").last().expect("a row")
    };
    assert!((phase("motor_angle") + 180.0).abs() < 1e-6 && (phase("load_angle") + 360.0).abs() < 1e-6);
}

//! Responses of a drive with a flexible shaft to frequencies, by mpmath at 30 digits.

use ode_control::{StateSpace, Transfer};
use ode_model::linalg::{Complex, Labelled};
use ode_model::prelude::*;

use crate::drive::{Drive, drive, matrix, transfers};

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

/// A resonance at each of these frequencies, with this ratio of damping, one after the other, times a gain.
fn resonances(frequencies: &[f64], damping: f64, gain: f64) -> Transfer {
    let mut all: Option<StateSpace> = None;
    for (k, w) in frequencies.iter().enumerate() {
        let (x, v) = (format!("x{k}"), format!("v{k}"));
        let names = [x.as_str(), v.as_str()];
        let a = matrix(names, names, [[0.0, 1.0], [-w * w, -2.0 * damping * w]]);
        let gain = if k == 0 { gain } else { 1.0 };
        let c = Labelled::new(["y"], names, |_, c| if c == 0 { 1.0 } else { 0.0 });
        let next = StateSpace::new(a, matrix(names, ["u"], [[0.0], [gain]]), c, matrix(["y"], ["u"], [[0.0]]), None);
        let next = next.expect("matrices that fit");
        all = Some(match all {
            None => next,
            Some(before) => before.then(&next).expect("a series"),
        });
    }
    all.expect("a system").transfer("y", "u").expect("a transfer function")
}

/// A turn and more between two frequencies is seen, and so it is where squares of responses underflow.
#[test]
fn turns_between_two_frequencies_are_counted() {
    for gain in [1.0, 1e-170] {
        for (damping, beside) in [(1e-9, 1e-6), (0.0, 1e-6), (0.1, 15.0)] {
            let bode = resonances(&[1.0, 1.01, 1.1], damping, gain).bode(0.1, 10.0, 2).expect("a table");
            let phases: Vec<f64> = bode.column("phase").expect("a column").collect();
            assert!(phases[0].abs() < beside && (phases[1] + 540.0).abs() < beside, "{gain} {damping}: {phases:?}");
        }
        // what grows turns the other way
        let growing = resonances(&[1.0], -0.01, gain).bode(0.01, 100.0, 2).expect("a table");
        let phases: Vec<f64> = growing.column("phase").expect("a column").collect();
        assert!((phases[1] - phases[0] - 180.0).abs() < 0.1, "{phases:?}");
    }
    // of steps too
    let of_steps = |output: &str, count: usize| {
        let sampled = drive().discretized(0.05).expect("steps").transfer(output, "u").expect("a transfer function");
        sampled.bode(0.1, 60.0, count).expect("a table").column("phase").expect("a column").last().expect("a row")
    };
    for output in ["motor_angle", "load_angle"] {
        let (coarse, fine) = (of_steps(output, 2), of_steps(output, 20_000));
        assert!((coarse - fine).abs() < 1e-8, "{output}: {coarse} {fine}");
    }
}

//! The cart-pole at its upright equilibrium: gains to sixty digits by Newton's method in mpmath, from exact rational A
//! and B; SciPy 1.16 differs by 3e-15 and 1.5e-14 of them, python-control 0.10 by 9e-15 and 1e-13, Drake 1.4 by 3e-16
//! and 9e-16.

use ode_control::{Lqr, StateSpace};
use ode_model::linalg::{DMatrix, Labelled};

const STATES: [&str; 4] = ["x", "th", "der(x)", "der(th)"];

fn named(a: [[f64; 4]; 4], b: [f64; 4], step: Option<f64>) -> StateSpace {
    let a = Labelled::new(STATES, STATES, |r, c| a[r][c]);
    StateSpace::of_states(a, Labelled::new(STATES, ["u"], |r, _| b[r]), step).expect("matrices that fit")
}

fn weighted(system: &StateSpace) -> Lqr {
    let lqr = Lqr::of(system).state("x", 1.0).and_then(|lqr| lqr.state("th", 10.0));
    let lqr = lqr.and_then(|lqr| lqr.state("der(x)", 0.1)).and_then(|lqr| lqr.state("der(th)", 0.1));
    lqr.and_then(|lqr| lqr.input("u", 0.01)).expect("names of the system")
}

fn continuous() -> StateSpace {
    let a = [
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
        [0.0, 981.0 / 1000.0, -1.0 / 20.0, -1.0 / 500.0],
        [0.0, 10791.0 / 500.0, -1.0 / 10.0, -11.0 / 250.0],
    ];
    named(a, [0.0, 0.0, 1.0, 2.0], None)
}

/// By zero-order hold over 0.02.
fn discrete() -> StateSpace {
    let a = [
        [1.0, 0.000_196_218_199_123_122_04, 0.019_990_002_945_278_424, 9.079_127_485_194_563e-7],
        [0.0, 1.004_318_108_330_560_4, -0.000_020_001_855_160_359_026, 0.020_019_977_953_326_03],
        [0.0, 0.019_629_787_462_256_68, 0.999_000_409_061_461_2, 0.000_156_198_245_071_630_34],
        [0.0, 0.432_051_542_368_770_1, -0.002_000_997_702_574_585, 1.003_437_269_304_324_4],
    ];
    let b =
        [0.000_199_941_094_431_539_26, 0.000_400_037_103_207_180_5, 0.019_991_818_770_775_462, 0.040_019_954_051_491_7];
    named(a, b, Some(0.02))
}

#[test]
fn the_continuous_gain_is_that_of_sixty_digits() {
    let regulator = weighted(&continuous()).solve().expect("a gain");
    let gain = [-10.0, 72.387_537_131_988_89, -11.693_950_219_821_875, 14.724_988_674_471_635];
    for (k, expected) in gain.into_iter().enumerate() {
        assert!((regulator.gain[(0, k)] - expected).abs() < 1e-12 * 72.4, "{}", regulator.gain);
    }
    assert!((regulator.cost.at("th", "th").expect("names") - 5.699_906_685_000_07).abs() < 1e-12);
    assert!(regulator.residual < 1e-14, "{}", regulator.residual);
    let [slow, _, fast, _] = regulator.poles[..] else { panic!("{:?}", regulator.poles) };
    assert!((fast.value.re + 7.591_192_561_839_468).abs() < 1e-11);
    assert!((slow.value.im - 1.023_743_545_619_075_3).abs() < 1e-11 && slow.damping_ratio() > 0.7);
}

#[test]
fn the_discrete_gain_is_that_of_sixty_digits() {
    let regulator = weighted(&discrete()).solve().expect("a gain");
    let gain = [-8.374_026_746_619_603, 63.395_978_306_961_2, -9.889_498_924_213_077, 12.979_011_261_428_79];
    for (k, expected) in gain.into_iter().enumerate() {
        assert!((regulator.gain[(0, k)] - expected).abs() < 1e-12 * 63.4, "{}", regulator.gain);
    }
    assert!((regulator.cost.at("x", "x").expect("names") - 58.750_104_471_454_25).abs() < 1e-10);
    assert!(regulator.residual < 1e-14, "{}", regulator.residual);
}

#[test]
fn a_long_horizon_begins_with_the_gain_of_an_infinite_one() {
    let system = discrete();
    let lqr = weighted(&system);
    let endless = lqr.solve().expect("a gain");
    let horizon = lqr.along(&vec![system; 2000], DMatrix::zeros(4, 4)).expect("gains");
    assert!((&*horizon.gains[0] - &*endless.gain).amax() < 1e-11 * endless.gain.amax());
    assert!((&*horizon.costs[0] - &*endless.cost).amax() < 1e-11 * endless.cost.amax());
    assert_eq!((horizon.gains.len(), horizon.costs.len()), (2000, 2001));
}

#[test]
fn integral_action_leaves_no_deviation_under_a_constant_push() {
    let system = continuous();
    let lqr = weighted(&system).integral("x", 2.0).expect("an output");
    let regulator = lqr.solve().expect("a gain");
    assert_eq!(regulator.gain.column_names()[4], "integral of x");
    let whole = system.with_integral("x").expect("an output");
    let closed = &*whole.a - &*whole.b * &*regulator.gain;
    // at rest under a push through the input: 0 = A_c x + B
    let rest = closed.lu().solve(&(-&*whole.b)).expect("one state of rest");
    assert!(rest[0].abs() < 1e-12 && rest[4].abs() > 1e-3, "{rest}");
}

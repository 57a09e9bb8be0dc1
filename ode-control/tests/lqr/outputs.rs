//! Weights and measurements of outputs, y = C x + D u, of a damped oscillator: python-control 0.10.2, `lqr`, `dlqr`,
//! `lqe`, `dlqe` and `zeros` of matrices by SciPy's `expm`.

use ode_control::{Kalman, Lqr, Pole, StateSpace};
use ode_model::linalg::Labelled;

const STATES: [&str; 2] = ["x", "v"];
const STEP: f64 = 0.1;

/// ẍ = −2 x − 0.3 ẋ + u, y = x + 0.5 ẋ + d u.
fn oscillator(d: f64) -> StateSpace {
    let a = Labelled::new(STATES, STATES, |r, c| [[0.0, 1.0], [-2.0, -0.3]][r][c]);
    let b = Labelled::new(STATES, ["u"], |r, _| [0.0, 1.0][r]);
    let c = Labelled::new(["y"], STATES, |_, c| [1.0, 0.5][c]);
    StateSpace::new(a, b, c, Labelled::new(["y"], ["u"], |_, _| d), None).expect("matrices that fit")
}

fn sampled(d: f64) -> StateSpace {
    oscillator(d).discretized(STEP).expect("steps")
}

fn near(found: &[f64], wanted: &[f64]) {
    let size = wanted.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    assert_eq!(found.len(), wanted.len());
    assert!(found.iter().zip(wanted).all(|(x, y)| (x - y).abs() < 1e-11 * size), "{found:?} {wanted:?}");
}

/// Conjugate poles at this one.
fn at(poles: &[Pole], re: f64, im: f64) {
    let [above, below] = poles else { panic!("{poles:?}") };
    near(&[above.value.re, above.value.im, below.value.im], &[re, im, -im]);
}

/// With products of states and inputs: N = Cᵀ W D.
#[test]
fn weights_of_outputs_have_products_with_inputs() {
    let solved = |system: &StateSpace| {
        let lqr = Lqr::of(system).output("y", 4.0).and_then(|lqr| lqr.input("u", 0.1)).expect("names");
        lqr.solve().expect("a gain")
    };
    let found = solved(&oscillator(0.7));
    near(found.gain.as_slice(), &[1.3732240922741894, 0.7055871250676277]);
    at(&found.poles, -0.5027935625338147, 1.7664718298769295);
    let found = solved(&sampled(0.7));
    near(found.gain.as_slice(), &[1.3684490881646494, 0.7063023706190855]);
    at(&found.poles, 0.9373313512315817, 0.170884784599403);
    assert!(found.poles.iter().all(|pole| pole.step == Some(STEP) && pole.damping_ratio() > 0.2));
}

#[test]
fn steady_filters_see_outputs_and_are_driven_through_inputs() {
    let solved = |system: &StateSpace| {
        let kalman = Kalman::of(system).input("u", 3.0).and_then(|kalman| kalman.output("y", 0.2)).expect("names");
        kalman.solve().expect("a gain")
    };
    let found = solved(&oscillator(0.7));
    near(found.gain.as_slice(), &[1.0710532876580443, 3.1086362449013043]);
    near(
        found.covariance.as_slice(),
        &[0.15685290028145357, 0.11471551450031062, 0.11471551450031062, 1.0140234689599006],
    );
    // of A − L C, by NumPy
    at(&found.poles, -1.4626857050543483, 1.4897816859427215);
    let found = solved(&sampled(0.7));
    // `dlqe` has the gain of the predictor, A L
    let system = sampled(0.7);
    near((&*system.a * &*found.gain).as_slice(), &[0.12029284773497541, 0.2425700276020997]);
    near(
        found.covariance.as_slice(),
        &[0.01697814132867924, 0.01518282028069976, 0.01518282028069976, 0.11092682213703971],
    );
    at(&found.poles, 0.8545987551488685, 0.12831923846814805);
}

/// With an integral: the sum of h y, in the steps of a regulator.
#[test]
fn integrals_of_steps_are_sums() {
    let whole = sampled(0.7).with_integral("y").expect("an output");
    assert_eq!(whole.states(), ["x", "v", "integral of y"]);
    near(whole.a.row(2).transpose().as_slice(), &[STEP, 0.5 * STEP, 1.0]);
    assert_eq!((whole.b[(2, 0)], whole.c[(0, 2)], whole.step), (STEP * 0.7, 0.0, Some(STEP)));
    let whole = oscillator(0.7).with_integral("y").expect("an output");
    near(whole.a.row(2).transpose().as_slice(), &[1.0, 0.5, 0.0]);
    assert_eq!((whole.b[(2, 0)], whole.c[(0, 2)]), (0.7, 0.0));
}

#[test]
fn zeros_of_steps() {
    let zeros = |d: f64| sampled(d).transfer("y", "u").expect("one").zeros().expect("zeros");
    let found = zeros(0.7);
    near(&[found[0].re, found[0].im.abs()], &[0.9367908549576031, 0.17240905199057344]);
    assert!(found.len() == 2 && found[0] == found[1].conj());
    let found = zeros(0.0);
    near(&[found[0].re, found[0].im], &[0.8179887420633482, 0.0]);
    assert_eq!(found.len(), 1);
}

//! Length, damping and start of a pendulum from a hundred noisy angles.
//!
//! `pendulum.csv`: angles at t = 0.05 k with errors of σ = 0.02 about the motion of l = 0.8, c = 0.15, θ = 1.2, ω =
//! −0.5. Estimates and covariances: SciPy, `least_squares(method="lm")` on DOP853 to 10⁻¹² with variational
//! equations; CasADi's IPOPT with exact second derivatives agrees to 6e-11.

use ode_control::{Doubt, Fit, Fitted, Log};
use ode_model::integrators::RungeKutta4;
use ode_model::linalg::DMatrix;
use ode_model::model;

model! {
    /// θ̈ = −(g/l) sin θ − c/(m l²) θ̇
    pub struct Pendulum {
        param m: Real = 1.0;
        param l: Real = 1.0;
        param c: Real = 0.05;
        param g: Real = 9.81;
        coord th: Real;
        kinetic = 0.5 * m * sq(l * der(th));
        potential = -m * g * l * cos(th);
        dissipation = 0.5 * c * sq(der(th));
        output angle = th;
    }
}

pub const LOG: &str = include_str!("pendulum.csv");
pub const SIGMA: f64 = 0.02;
/// l, c, θ, ω
pub const GUESS: [f64; 4] = [1.0, 0.05, 1.158679, 0.0];
pub const ESTIMATE: [f64; 4] = [0.799539253222353, 0.14828128753643963, 1.200872702380744, -0.495817222576559];
pub const COST: f64 = 48.17616417565111;
/// (JᵀJ)⁻¹
const GAUSS_NEWTON: [[f64; 4]; 4] = [
    [1.4438553374840943e-06, 8.131260508398496e-07, -1.7827275618365713e-06, -1.5841140645901297e-05],
    [8.1312605083985e-07, 7.567020598136811e-06, 1.3807891774363286e-05, -4.302793924437763e-05],
    [-1.7827275618365708e-06, 1.3807891774363288e-05, 4.343210029422428e-05, -8.290832632232326e-05],
    [-1.5841140645901297e-05, -4.302793924437762e-05, -8.290832632232325e-05, 0.000578406807688944],
];
/// of the exact second derivatives
const EXACT: [[f64; 4]; 4] = [
    [1.4417726477229995e-06, 8.209686297660051e-07, -1.7655008954993692e-06, -1.5859769522361277e-05],
    [8.209686297660048e-07, 7.58642334076112e-06, 1.3854144196722566e-05, -4.3266831152896706e-05],
    [-1.7655008954993683e-06, 1.3854144196722569e-05, 4.3553292995211705e-05, -8.347062318664051e-05],
    [-1.585976952236128e-05, -4.326683115289673e-05, -8.347062318664051e-05, 0.0005802451531329613],
];

/// The angles, with the start at l, c, θ, ω.
pub fn log(at: [f64; 4]) -> Log {
    let log = Log::read_csv(LOG.as_bytes(), "t", &["angle"]).expect("a log");
    log.beginning_with("th", at[2]).beginning_with("der(th)", at[3])
}

pub fn model(at: [f64; 4]) -> Pendulum {
    Pendulum { l: at[0], c: at[1], ..Pendulum::default() }
}

/// From l, c, θ, ω on, at most so many evaluations.
fn fit(at: [f64; 4], evaluations: usize) -> Fitted<Pendulum> {
    let (model, log) = (model(at), log(at));
    let fit = Fit::of(&model).log(&log).measured("angle", SIGMA).evaluations(evaluations);
    fit.parameter("l").parameter("c").start_of("th").start_of("der(th)").solve().expect("a fit")
}

/// Relative to the deviations.
fn assert_near(found: &DMatrix<f64>, wanted: &[[f64; 4]; 4], share: f64) {
    for (i, row) in wanted.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            let off = (found[(i, j)] - entry).abs() / (wanted[i][i] * wanted[j][j]).sqrt();
            assert!(off < share, "{i} {j}: {off:e}");
        }
    }
}

#[test]
fn estimate_and_covariance_are_the_reference() {
    let fitted = fit(GUESS, 16);
    println!("{fitted}{}", fitted.history);
    assert!(fitted.ending.converged() && fitted.doubts.is_empty(), "{fitted}");
    for (found, wanted) in fitted.values.iter().zip(ESTIMATE) {
        assert!((found - wanted).abs() < 1e-8, "{found} {wanted}");
    }
    assert!((fitted.cost - COST).abs() < 1e-9 * COST);
    assert_near(&fitted.covariance, &GAUSS_NEWTON, 1e-8);
    assert!(fitted.residual_evaluations <= 16, "{}", fitted.residual_evaluations);
    assert_eq!(fitted.values.row_names(), ["l", "c", "start of th", "start of der(th)"]);
    assert_eq!((fitted.starts[0].q.th(), fitted.model.c), (fitted.values[(2, 0)], fitted.values[(1, 0)]));
}

/// The reference's second derivatives are CasADi's, of Runge and Kutta's method with these steps.
#[test]
fn observed_information_is_the_reference() {
    let (model, log) = (model(GUESS), log(GUESS));
    let fit = Fit::of(&model).method(RungeKutta4, |setup| setup.fixed(0.0025)).log(&log).measured("angle", SIGMA);
    let fit = fit.parameter("l").parameter("c").start_of("th").start_of("der(th)").between("c", 0.0, 1.0);
    let fitted = fit.observed_information().solve().expect("a fit");
    assert!(fitted.doubts.is_empty(), "{fitted}");
    assert_near(&fitted.covariance, &EXACT, 1e-9);
}

#[test]
fn observed_information_of_adaptive_runs_is_the_reference() {
    let (model, log) = (model(GUESS), log(GUESS));
    let fit = Fit::of(&model).log(&log).measured("angle", SIGMA).observed_information();
    let fitted = fit.parameter("l").parameter("c").start_of("th").start_of("der(th)").solve().expect("a fit");
    assert_near(&fitted.covariance, &EXACT, 1e-9);
}

#[test]
fn a_guess_has_no_observed_information() {
    let (model, log) = (model(GUESS), log(GUESS));
    let fit = Fit::of(&model).log(&log).measured("angle", SIGMA).observed_information().evaluations(1);
    let fitted = fit.parameter("l").parameter("c").start_of("th").solve().expect("a fit");
    let names = ["l", "c", "start of th"].map(str::to_owned).to_vec();
    assert_eq!(fitted.doubts, [Doubt::NoMinimum { names }]);
    assert_eq!(fitted.deviation("l"), Ok(None));
    assert!(fitted.to_string().contains("no minimum here by `l`, `c`, `start of th`"), "{fitted}");
}

/// Steps of an adaptive run change with the unknowns: the cost is smooth to much less than what a fit looks at.
#[test]
fn the_cost_does_not_jump_with_the_steps() {
    let deviation = GAUSS_NEWTON[0][0].sqrt();
    // within a hundredth of a deviation, a cubic is exact to 1e-11
    let cost = |s: f64| fit([ESTIMATE[0] + 0.01 * s * deviation, ESTIMATE[1], ESTIMATE[2], ESTIMATE[3]], 1).cost;
    let points: Vec<(f64, f64)> = (-10..=10).map(|k| f64::from(k) / 10.0).map(|s| (s, cost(s))).collect();
    let basis = DMatrix::from_fn(points.len(), 4, |r, c| points[r].0.powi(c as i32));
    let costs = DMatrix::from_fn(points.len(), 1, |r, _| points[r].1);
    let fitted = basis.clone().svd(true, true).solve(&costs, 1e-14).expect("a cubic");
    let jumps = (&basis * fitted - costs).amax();
    assert!(jumps < 1e-11, "{jumps:e}");
}

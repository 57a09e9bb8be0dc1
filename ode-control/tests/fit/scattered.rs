//! Robust losses whose noise follows from the residuals, against statsmodels.
//!
//! Data: K. A. Brownlee, Statistical Theory and Methodology, 1965, §13.12, losses of ammonia in a plant. Estimates and
//! errors: statsmodels 0.15.0, `RLM` with `HuberT(1.345)`, a scale that stays 2, and `cov="H1"`.

use ode_control::{Between, Doubt, Fit, FitError, Fitted, Log, Loss};
use ode_model::model;

model! {
    /// The loss of ammonia is linear in air flow, temperature of the water and concentration of the acid.
    pub struct Plant {
        param b0, b1, b2, b3: Real = 0.0;
        input air, water, acid: Real;
        // a model needs something that changes
        state idle: Real;
        der(idle) = 0.0;
        output loss = b0 + b1 * air + b2 * water + b3 * acid;
    }
}

#[rustfmt::skip]
const PLANT: [[f64; 4]; 21] = [
    [42.0, 80.0, 27.0, 89.0], [37.0, 80.0, 27.0, 88.0], [37.0, 75.0, 25.0, 90.0], [28.0, 62.0, 24.0, 87.0],
    [18.0, 62.0, 22.0, 87.0], [18.0, 62.0, 23.0, 87.0], [19.0, 62.0, 24.0, 93.0], [20.0, 62.0, 24.0, 93.0],
    [15.0, 58.0, 23.0, 87.0], [14.0, 58.0, 18.0, 80.0], [14.0, 58.0, 18.0, 89.0], [13.0, 58.0, 17.0, 88.0],
    [11.0, 58.0, 18.0, 82.0], [12.0, 58.0, 19.0, 93.0], [8.0, 50.0, 18.0, 89.0], [7.0, 50.0, 18.0, 86.0],
    [8.0, 50.0, 19.0, 72.0], [8.0, 50.0, 19.0, 79.0], [9.0, 50.0, 20.0, 80.0], [15.0, 56.0, 20.0, 82.0],
    [15.0, 70.0, 20.0, 91.0],
];

/// With noise from the residuals, at most so many evaluations.
fn fit((loss, deviation): (Loss, f64), curved: bool, evaluations: usize) -> Result<Fitted<Plant>, FitError> {
    let times: Vec<f64> = (0..21).map(f64::from).collect();
    let column = |k: usize| PLANT.map(|row| row[k]);
    let names = ["loss", "air", "water", "acid"].into_iter().enumerate();
    let log = Log::new(&times).and_then(|log| {
        names.map(|(k, name)| (name, column(k))).try_fold(log, |log, (name, column)| log.with(name, &column))
    })?;
    let model = Plant::default();
    let fit = Fit::of(&model).log(&log).measured("loss", deviation).loss(loss).noise_from_residuals();
    let fit = fit.inputs(&["air", "water", "acid"], Between::Linear).evaluations(evaluations);
    let fit = ["b0", "b1", "b2", "b3"].into_iter().fold(fit, |fit, name| fit.parameter(name));
    if curved { fit.observed_information().solve() } else { fit.solve() }
}

#[test]
fn errors_of_a_robust_regression_are_those_of_statsmodels() {
    let fitted = fit((Loss::Huber(1.345), 2.0), false, 200).expect("a fit");
    assert!(fitted.ending.converged() && fitted.doubts.is_empty() && fitted.freedom == 17, "{fitted}");
    for (name, estimate, error) in [
        ("b0", -40.55578320270041, 9.246518788480106),
        ("b1", 0.8291004732826122, 0.1048225516805892),
        ("b2", 0.8635743554896098, 0.2860578500637676),
        ("b3", -0.11890628980928672, 0.12148421234220745),
    ] {
        let found = fitted.deviation(name).expect("a name").expect("a deviation");
        assert!((fitted.value(name).expect("a name") / estimate - 1.0).abs() < 1e-6, "{name}: {fitted}");
        assert!((found / error - 1.0).abs() < 1e-6, "{name}: {found} {error}");
    }
}

#[test]
fn what_residuals_do_not_tell_is_said() {
    // at the guess all residuals are beyond the knee, where Cauchy's loss bends down
    let fitted = fit((Loss::Cauchy(1.0), 1.0), false, 1).expect("a fit");
    assert!(fitted.doubts.contains(&Doubt::NoScatter) && fitted.deviation("b1") == Ok(None), "{fitted}");
    let refused = fit((Loss::Huber(1.345), 2.0), true, 200).expect_err("no formula");
    assert_eq!(
        refused.to_string(),
        "a robust loss with noise from residuals has no covariance by observed information; leave one out"
    );
}

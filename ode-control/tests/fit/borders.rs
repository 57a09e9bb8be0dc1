//! Fits beside bounds and beside what is no model: the end of the search, and second derivatives against closed forms.

use ode_control::{Doubt, Ending, Fit, Fitted, Log};
use ode_model::model;

model! {
    /// y = exp(c t), of a c within a window.
    pub struct Growth {
        param c: Real = 0.1;
        param lowest: Real = -10.0;
        param highest: Real = 10.0;
        // a model needs something that changes
        state idle: Real;
        der(idle) = 0.0;
        output y = exp(c * t);
        require c >= lowest;
        require c <= highest;
    }
}

const MEASURED: [f64; 5] = [1.1, 0.7, 1.8, 0.6, 1.2];
const SIGMA: f64 = 0.4;

/// The fit of a model, with the unknown between bounds.
fn fit(model: &Growth, (low, high): (f64, f64)) -> Fitted<Growth> {
    let times: Vec<f64> = (0..5).map(f64::from).collect();
    let log = Log::new(&times).and_then(|log| log.with("y", &MEASURED)).expect("a log");
    let fit = Fit::of(model).log(&log).measured("y", SIGMA).parameter("c").between("c", low, high);
    fit.observed_information().solve().expect("a fit")
}

/// Deviations at c by the second derivative of the cost, and by Gauss–Newton's part of it.
fn deviations(c: f64) -> [f64; 2] {
    let (mut square, mut bend) = (0.0, 0.0);
    for (t, y) in (0..5).map(f64::from).zip(MEASURED) {
        let predicted = (c * t).exp();
        square += (t * predicted / SIGMA).powi(2);
        bend += (predicted - y) * t * t * predicted / (SIGMA * SIGMA);
    }
    [(square + bend).sqrt().recip(), square.sqrt().recip()]
}

#[test]
fn a_model_that_ends_beside_the_optimum_keeps_its_fit() {
    let free = fit(&Growth::default(), (-10.0, 10.0));
    let (c, [exact, gauss_newton]) = (free.model.c, deviations(free.model.c));
    assert!((exact / gauss_newton - 1.0).abs() > 1e-3 && c > 0.0 && c < 0.5 * exact, "{c} {exact} {gauss_newton}");
    let inf = f64::INFINITY;
    for (window, bounds) in [
        ((-10.0, 10.0), (-10.0, 10.0)),
        ((0.0, 10.0), (-10.0, 10.0)),
        ((-10.0, c + 0.01 * exact), (-inf, inf)),
        ((-10.0, 10.0), (c - 1e-6 * exact, 10.0)),
        ((-10.0, 10.0), (-10.0, c + 1e-6 * exact)),
    ] {
        let fitted = fit(&Growth { c, lowest: window.0, highest: window.1 }, bounds);
        let found = fitted.deviation("c").expect("a name").expect("a deviation");
        assert!(fitted.doubts.is_empty() && fitted.ending.converged(), "{window:?} {bounds:?}: {fitted}");
        assert!((found / exact - 1.0).abs() < 1e-6, "{window:?} {bounds:?}: {found} {exact}");
    }
}

#[test]
fn without_room_the_deviation_is_gauss_newtons_and_told() {
    let free = fit(&Growth::default(), (-10.0, 10.0));
    let (c, [exact, gauss_newton]) = (free.model.c, deviations(free.model.c));
    let little = 1e-3 * exact;
    for (window, bounds) in [
        ((c - little, c + little), (-10.0, 10.0)),
        ((-10.0, 10.0), (c - little, c + little)),
        ((c - little, 10.0), (-10.0, c + little)),
    ] {
        let fitted = fit(&Growth { c, lowest: window.0, highest: window.1 }, bounds);
        let found = fitted.deviation("c").expect("a name").expect("a deviation");
        assert!((found / gauss_newton - 1.0).abs() < 1e-8, "{window:?} {bounds:?}: {found} {gauss_newton}");
        assert_eq!(fitted.doubts, [Doubt::NoCurvature { name: "c".to_owned() }]);
        let said = "`c` has no room beside it for second derivatives: deviations are Gauss–Newton's";
        assert!(fitted.ending.converged() && fitted.to_string().contains(said), "{fitted}");
    }
}

/// The search cannot leave a guess at the end of what is a model: it has not converged there.
#[test]
fn a_guess_from_which_all_runs_fail_is_no_optimum() {
    let model = Growth { c: -0.5, lowest: -10.0, highest: -0.5 };
    let fitted = fit(&model, (-10.0, 10.0));
    assert_eq!((fitted.ending, fitted.model.c), (Ending::NoWay, -0.5));
    assert!(!fitted.ending.converged() && fitted.to_string().contains("the runs ahead fail"), "{fitted}");
}

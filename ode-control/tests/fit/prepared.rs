//! The fit of a model with prepared values: each trial has those of its own parameters.

use ode_control::Fit;
use ode_model::model;

use super::pendulum::{ESTIMATE, GUESS, SIGMA, log};

model! {
    /// That of `pendulum`.
    #[model(prepared)]
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

#[test]
fn the_estimate_is_that_of_plain_parameters() {
    let mut model = Pendulum::default();
    model.change(|p| (p.l, p.c) = (GUESS[0], GUESS[1]));
    let log = log(GUESS);
    let fit = Fit::of(&model).log(&log).measured("angle", SIGMA).parameter("l").parameter("c");
    let fitted = fit.start_of("th").start_of("der(th)").solve().expect("a fit");
    for (name, wanted) in ["l", "c", "start of th", "start of der(th)"].into_iter().zip(ESTIMATE) {
        let (found, deviation) = (fitted.value(name).expect("a value"), fitted.covariance.at(name, name));
        let deviation = deviation.expect("a variance").sqrt();
        assert!((found - wanted).abs() < 1e-4 * deviation, "{name}: {found}");
    }
    assert_eq!((fitted.model.l, fitted.model.c), (fitted.value("l").unwrap(), fitted.value("c").unwrap()));
}

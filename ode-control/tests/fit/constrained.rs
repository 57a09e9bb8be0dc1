//! Models with constraints: their starts follow from entries that are independent.

use ode_control::{Fit, Log};
use ode_model::model;

use crate::pendulum::{COST, ESTIMATE, GUESS, LOG, SIGMA};

model! {
    /// The pendulum in points, begun by parameters.
    pub struct Points {
        param l: Real = 1.0;
        param c: Real = 0.05;
        param th0: Real = 1.158679;
        param w0: Real = 0.0;
        param g: Real = 9.81;
        coord r: Vec2;
        kinetic = 0.5 * der(r).dot(der(r));
        potential = g * r.y;
        // of the angle's rate, θ̇ = (x' y − x y')/l²
        dissipation = 0.5 * c * sq((der(r.x) * r.y - r.x * der(r.y)) / sq(l));
        constraint rod: 0.5 * r.dot(r) == 0.5 * sq(l);
        output angle = atan2(r.x, -r.y);
        init r.x = l * sin(th0);
        guess r.y = -l * cos(th0);
        init der(r.x) = l * cos(th0) * w0;
    }
}

fn log() -> Log {
    Log::read_csv(LOG.as_bytes(), "t", &["angle"]).expect("a log")
}

#[test]
fn the_pendulum_in_points_has_the_same_parameters() {
    let (model, [l, _, th, w]) = (Points::default(), GUESS);
    let log = log().beginning_with("r.x", l * f64::sin(th)).beginning_with("der(r.x)", l * f64::cos(th) * w);
    let fit = Fit::of(&model).log(&log).measured("angle", SIGMA).parameter("l").parameter("c");
    let fitted = fit.start_of("r.x").start_of("der(r.x)").solve().expect("a fit");
    assert!(fitted.ending.converged() && fitted.doubts.is_empty(), "{fitted}");
    for (name, wanted) in [("l", ESTIMATE[0]), ("c", ESTIMATE[1])] {
        assert!((fitted.value(name).expect("a name") - wanted).abs() < 1e-7, "{name}: {fitted}");
    }
    assert!((fitted.cost - COST).abs() < 1e-9 * COST);
    let (x, l) = (&fitted.starts[0], fitted.model.l);
    let [right, up] = x.q.r();
    assert!((right - l * ESTIMATE[2].sin()).abs() < 1e-7 && (up + l * ESTIMATE[2].cos()).abs() < 1e-7, "{x:?}");
}

#[test]
fn its_start_may_be_parameters_of_init() {
    let (model, log) = (Points::default(), log());
    let fit = Fit::of(&model).log(&log).measured("angle", SIGMA);
    let fit = fit.parameter("l").parameter("c").parameter("th0").parameter("w0");
    let fitted = fit.solve().expect("a fit");
    for (name, wanted) in ["l", "c", "th0", "w0"].into_iter().zip(ESTIMATE) {
        assert!((fitted.value(name).expect("a name") - wanted).abs() < 1e-7, "{name}: {fitted}");
    }
    assert!((fitted.cost - COST).abs() < 1e-9 * COST);
}

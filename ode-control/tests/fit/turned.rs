//! The attitude and the rates that a body begins with, from directions that it sees.

use ode_control::{Fit, FitError, Log};
use ode_model::integrators::DormandPrince8;
use ode_model::prelude::*;
use ode_model::so3;

model! {
    /// A body that turns freely and sees two stars.
    pub struct Body {
        param j: Real = 2.0;
        coord (q, w): SO3;
        let body = frame(vec3(0.0, 0.0, 0.0), q);
        kinetic = 0.5 * w.dot(diag(1.0, j, 3.0) * w);
        output a: Vec3 = body.inv().vec(vec3(1.0, 0.0, 0.0));
        output b: Vec3 = body.inv().vec(vec3(0.0, 0.6, 0.8));
    }
}

const SEEN: [&str; 6] = ["a.x", "a.y", "a.z", "b.x", "b.y", "b.z"];

/// What a body with these attitude and rates sees.
fn log(attitude: [f64; 4], w: [f64; 3]) -> Log {
    let model = Body { j: 1.7 };
    let mut x = State::neutral(&model);
    x.q.as_mut().copy_from_slice(&attitude);
    x.v.as_mut().copy_from_slice(&w);
    let mut run = Simulation::of(&model, DormandPrince8).given(x).adaptive(1e-12).expect("a run");
    let mut table = Table::of(&model);
    run.run(4.0, 0.1, |seen| table.record(seen)).expect("no failure");
    Log::of_table(&table, &SEEN).expect("a log")
}

#[test]
fn attitude_and_rates_are_found_from_far_away() {
    let (attitude, w) = (so3::exp(&[0.9, -0.7, 1.1]), [0.4, 1.1, -0.3]);
    let (model, log) = (Body::default(), log(attitude, w));
    let fit = SEEN.iter().fold(Fit::of(&model).log(&log).parameter("j"), |fit, name| fit.measured(name, 0.01));
    let names = ["q.step.x", "q.step.y", "q.step.z", "w.x", "w.y", "w.z"];
    let fitted = names.into_iter().fold(fit, |fit, name| fit.start_of(name)).solve().expect("a fit");
    assert!(fitted.ending.converged() && fitted.cost < 1e-12, "{fitted}");
    let x = &fitted.starts[0];
    let sign = if x.q.as_ref()[0] * attitude[0] < 0.0 { -1.0 } else { 1.0 };
    let turned = x.q.as_ref().iter().map(|q| sign * q).zip(attitude);
    for (found, wanted) in turned.chain(x.v.as_ref().iter().copied().zip(w)) {
        assert!((found - wanted).abs() < 1e-8, "{fitted}");
    }
    assert!((fitted.model.j - 1.7).abs() < 1e-7);
}

#[test]
fn one_direction_is_found_and_the_others_stay() {
    let (model, log) = (Body { j: 1.7 }, log(so3::exp(&[0.0, 0.4, 0.0]), [0.0, 0.0, 0.0]));
    let fit = SEEN.iter().fold(Fit::of(&model).log(&log), |fit, name| fit.measured(name, 0.01));
    let fitted = fit.start_of("q.step.y").solve().expect("a fit");
    assert!((fitted.value("start of q.step.y").expect("a name") - 0.4).abs() < 1e-8, "{fitted}");

    let fit = Fit::of(&model).log(&log).measured("a.x", 0.01).start_of("q.step.y");
    let refused = fit.between("start of q.step.y", -1.0, 1.0).solve().expect_err("no bounds");
    assert!(matches!(refused, FitError::Unbounded { .. }));
    assert_eq!(refused.to_string(), "`start of q.step.y` is a step of a rotation, which has no bounds");
}

//! Several logs, inputs that were recorded, offsets, starts that follow parameters, methods, progress.

use core::ops::ControlFlow;

use ode_control::{Between, Ending, Fit, Log};
use ode_model::integrators::{DormandPrince8, GeneralizedAlpha};
use ode_model::prelude::*;

use crate::pendulum::{self, SIGMA};

model! {
    /// A cart on a spring, pushed.
    pub struct Cart {
        param: Real [mm] { l = 100.0; }
        param k: Real [N/m] = 10.0;
        param c: Real [N*s/m] = 0.2;
        coord x: Real [m];
        input f: Real [N] = 0.3;
        input g: Real [N];
        kinetic = 0.5kg * sq(der(x));
        potential = 0.5 * k * sq(x - l);
        dissipation = 0.5 * c * sq(der(x));
        force push on x = f + g;
        output place: Real [m] = x;
        init x = 0.5 * l;
    }
}

const TRUTH: Cart = Cart { l: 0.08, k: 14.0, c: 0.35 };

/// A run of the truth: every 0.05 s the force, and every 0.1 s the place, with an offset.
fn cart(x: f64, w: f64, phase: f64, between: Between) -> Log {
    let times: Vec<f64> = (0..=80).map(|k| 0.05 * f64::from(k)).collect();
    let forces: Vec<f64> = times.iter().map(|t| (2.0 * t + phase).sin()).collect();
    let values: Vec<[f64; 2]> = forces.iter().map(|f| [*f, 0.0]).collect();
    let inputs = match between {
        Between::Held => Piecewise::constant(&times, &values),
        Between::Linear => Piecewise::linear(&times, &values),
    };
    let mut first = State::neutral(&TRUTH);
    (first.q.as_mut()[0], first.v.as_mut()[0]) = (x, w);
    let mut run = Simulation::of(&TRUTH, DormandPrince8).inputs(inputs).given(first).adaptive(1e-12).expect("a run");
    let mut places = Vec::new();
    for (k, &t) in times.iter().enumerate() {
        run.advance_to(t).expect("no failure");
        places.push(if k % 2 == 0 { run.state().q.x() + 0.02 } else { f64::NAN });
    }
    Log::new(&times)
        .and_then(|log| log.with("enc", &places)?.with("f", &forces)?.with("g", &vec![0.0; 81]))
        .expect("a log")
}

#[test]
fn two_logs_have_a_start_each_and_an_offset_in_common() {
    for between in [Between::Held, Between::Linear] {
        let model = Cart { l: TRUTH.l, ..Cart::default() };
        let logs = [cart(0.3, -0.2, 0.0, between), cart(-0.1, 0.5, 1.0, between)]
            .map(|log| log.renamed("enc", "place").expect("a column"));
        let fit = logs.iter().fold(Fit::of(&model), |fit, log| fit.log(log)).inputs(&["f", "g"], between);
        let fit = fit.measured("place", 0.001).parameter("k").parameter("c").offset("place");
        let fitted = fit.start_of("x").start_of("der(x)").solve().expect("a fit");
        assert!(fitted.ending.converged() && fitted.cost < 1e-9 && fitted.doubts.is_empty(), "{fitted}");
        for (name, wanted) in [
            ("k", 14.0),
            ("c", 0.35),
            ("offset of place", 0.02),
            ("start of x in log 1", 0.3),
            ("start of der(x) in log 1", -0.2),
            ("start of x in log 2", -0.1),
            ("start of der(x) in log 2", 0.5),
        ] {
            let found = fitted.value(name).expect("a name");
            assert!((found - wanted).abs() < 1e-6, "{name}: {found}\n{fitted}");
        }
        assert_eq!(fitted.residuals.iter().map(Table::len).collect::<Vec<_>>(), [41, 41]);
        assert_eq!(fitted.jacobian.row_names()[41], "place at 0 in log 2");
        assert_eq!(fitted.residuals[1].about("place.predicted").expect("a column").unit, "m");
    }
}

/// The start that is not fitted follows the parameters of the model's `init`; a length has its declared unit.
#[test]
fn a_start_follows_parameters() {
    let truth = Cart { l: 0.08, ..TRUTH };
    let mut table = Table::of(&truth);
    let mut run = Simulation::of(&truth, DormandPrince8).adaptive(1e-12).expect("a run");
    run.run(3.0, 0.1, |seen| table.record(seen)).expect("no failure");
    let log = Log::of_table(&table, &["x", "der(x)"]).expect("a log");
    let model = Cart { k: 14.0, ..Cart::default() };
    for chosen in [false, true] {
        // the velocity is given, so that the place follows without a consistent start of both
        let log = if chosen { log.clone().beginning_with("der(x)", 0.0) } else { log.clone() };
        let fit = Fit::of(&model).log(&log).measured("x", 0.01).measured("der(x)", 0.1).parameter("l").parameter("c");
        let fitted = fit.solve().expect("a fit");
        assert!((fitted.value("l").expect("a name") - 80.0).abs() < 1e-6, "{fitted}");
        assert!((fitted.model.l - 0.08).abs() < 1e-9 && (fitted.model.c - 0.35).abs() < 1e-7, "{fitted}");
        // the Jacobian, by differences of the residuals
        let at = |l: f64, evaluations| {
            let model = Cart { l: 1e-3 * l, k: 14.0, c: 0.35 };
            let fit = Fit::of(&model).log(&log).measured("x", 0.01).measured("der(x)", 0.1).parameter("l");
            fit.evaluations(evaluations).solve().expect("a fit")
        };
        let (here, high, low) = (at(90.0, 1), at(90.1, 1), at(89.9, 1));
        let columns = ["x", "der(x)"].map(|name| format!("{name}.residual"));
        let residuals = |of: &ode_control::Fitted<Cart>, row: usize| {
            let (column, deviation) = if row.is_multiple_of(2) { (&columns[0], 0.01) } else { (&columns[1], 0.1) };
            of.residuals[0].column(column).expect("a column").nth(row / 2).expect("a row") / deviation
        };
        for row in 0..62 {
            let slope = (residuals(&high, row) - residuals(&low, row)) / 0.2;
            assert!((here.jacobian[(row, 0)] - slope).abs() < 1e-7, "{row}: {slope} {}", here.jacobian[(row, 0)]);
        }
    }
}

/// A method of fixed steps is another function of the unknowns, with derivatives of its own.
#[test]
fn the_method_is_the_users() {
    let (model, log) = (pendulum::model(pendulum::GUESS), pendulum::log(pendulum::GUESS));
    let fit = Fit::of(&model).log(&log).measured("angle", SIGMA);
    let fit = fit.method(GeneralizedAlpha::with_spectral_radius(0.9), |setup| setup.fixed(0.005));
    let fit = fit.parameter("l").parameter("c").start_of("th").start_of("der(th)");
    let fitted = fit.solve().expect("a fit");
    assert!(fitted.ending.converged() && fitted.residual_evaluations <= 16, "{fitted}");
    // the method's error is of order h²
    assert!((fitted.value("l").expect("a name") - pendulum::ESTIMATE[0]).abs() < 1e-3, "{fitted}");
    assert!((fitted.cost - pendulum::COST).abs() < 0.1, "{fitted}");
}

#[test]
fn progress_is_shown_and_may_end_the_fit() {
    let (model, log) = (pendulum::model(pendulum::GUESS), pendulum::log(pendulum::GUESS));
    let mut costs = Vec::new();
    let fit = Fit::of(&model).log(&log).measured("angle", SIGMA).parameter("l").parameter("c");
    let fit = fit.start_of("th").start_of("der(th)").progress(|iteration| {
        costs.push(iteration.cost);
        assert_eq!(iteration.values().map(|(name, _)| name).next(), Some("l"));
        if iteration.number < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let fitted = fit.solve().expect("a fit");
    assert_eq!((fitted.ending, fitted.history.len()), (Ending::Cancelled, 4));
    assert!(costs.windows(2).all(|pair| pair[1] < pair[0]) && costs.len() == 4);
    assert_eq!(fitted.cost, costs[3]);
}

//! Sensitivities by inputs at knots, and through controllers, against differences of the same runs.

use ode_model::integrators::*;
use ode_model::prelude::*;
use ode_model::variation::Direction;
use ode_model::{By, Cause, Differentiable, Method, Sensitive, Setup, Solvable, StartError, State, StepMap};

use crate::blocks::Near;
use crate::models::{Bob, Cart, Motor, bob};
use crate::perturb::{derivative, tangent};

const KNOTS: [f64; 4] = [0.0, 0.13, 0.3, 0.42];
const VALUES: [[f64; 1]; 4] = [[0.6], [-0.9], [0.4], [1.3]];
const END: f64 = 0.5;

fn made(linear: bool, values: &[[f64; 1]; 4]) -> Piecewise<'_, f64, [f64; 1]> {
    if linear { Piecewise::linear(&KNOTS, values) } else { Piecewise::constant(&KNOTS, values) }
}

/// The derivatives of a run to its end by all values at knots, and those of differences of the same run.
fn check<S, M>(model: &S, method: M, linear: bool)
where
    S: Solvable<Real = f64> + Sensitive,
    M: Vary<S> + Copy,
    [f64; 1]: Into<S::U>,
{
    let run = |values: &[[f64; 1]; 4]| {
        let mut run = Simulation::of(model, method).inputs(made(linear, values)).fixed(0.02).expect("a start");
        run.advance_to(END).expect("steps");
        run.state().clone()
    };
    let setup = Simulation::of(model, method).inputs(made(linear, &VALUES)).fixed(0.02).expect("a start");
    let mut varied = setup.vary(&By::new().inputs()).expect("a linearisation");
    varied.advance_to(END).expect("steps");
    assert_eq!(varied.run().state(), &run(&VALUES));
    let found = varied.jacobian();
    for k in 0..4 {
        let wanted = derivative(1e-3, |h| {
            let mut values = VALUES;
            values[k][0] += h;
            tangent(model, varied.run().state(), &run(&values))
        });
        let found: Vec<f64> = found.column(k).iter().copied().collect();
        let near = Near { share: 1e-8, ..Near::differences(1e-3) };
        assert_eq!(near.mistake_of(model, varied.run().state(), &found, &wanted), None, "{k} {linear}");
    }
}

#[test]
fn values_at_knots_vary_as_their_differences() {
    for linear in [false, true] {
        check(&Cart::<f64>::default(), DormandPrince, linear);
        check(&Cart::<f64>::default(), Bdf2::default(), linear);
        check(&Cart::<f64>::default(), ImplicitMidpoint::default(), linear);
        check(&Motor::<f64>::default(), RungeKutta4, linear);
        check(&Bob::<f64>::default(), GeneralizedAlpha::with_spectral_radius(0.8), linear);
        check(&Bob::<f64>::default(), SemiExplicitEuler::implicit_position(), linear);
    }
}

#[test]
fn values_at_knots_have_names() {
    let model = Cart::<f64>::default();
    let names = |by: &By| {
        let inputs = Piecewise::linear(&KNOTS, &VALUES);
        let run = Simulation::of(&model, Heun).inputs(inputs).fixed(0.02).expect("a start");
        run.vary(by).map(|run| run.names().join(" ")).map_err(|error| error.to_string())
    };
    assert_eq!(names(&By::new().inputs()), Ok("u[0] u[1] u[2] u[3]".to_owned()));
    assert_eq!(names(&By::new().input("u[2]").input("u")), Ok("u[2] u[0] u[1] u[2] u[3]".to_owned()));
    let unknown = names(&By::new().input("u[4]")).expect_err("there are four");
    assert!(unknown.starts_with("there is no input `u[4]`"), "{unknown}");
}

type Held<'a, 'b> = Setup<'a, Cart<f64>, RungeKutta4, Piecewise<'b, f64, [f64; 1]>>;

/// A run over knots that stops at a time, and another that goes on from there, are one run.
#[test]
fn runs_over_knots_resume() {
    let model = Cart::<f64>::default();
    for linear in [false, true] {
        let setup = || -> Held<'_, '_> { Simulation::of(&model, RungeKutta4).inputs(made(linear, &VALUES)) };
        for stop in [0.0, 0.1, 0.13, 0.3, 0.35, 0.42, 0.45] {
            let mut whole = setup().fixed(0.01).expect("a start");
            whole.advance_to(stop).expect("steps");
            let (point, saved) = (whole.checkpoint(), whole.save());
            whole.advance_to(END).expect("steps");
            let mut part = setup().resume(point.clone()).fixed(0.01).expect("the same settings");
            part.advance_to(END).expect("steps");
            assert_eq!(whole.state(), part.state());
            let mut part = setup().resume_saved(saved).fixed(0.01).expect("the same settings");
            part.advance_to(END).expect("steps");
            assert_eq!(whole.state(), part.state());
            whole.restore(point).expect("its own");
            whole.advance_to(END).expect("steps");
            assert_eq!(whole.state(), part.state());
        }
    }
}

/// ẍ = f is linear between knots: x of a polynomial of degree three, which the method has exactly.
#[test]
fn straight_lines_between_knots_are_integrated() {
    let model = Mass::default();
    let (knots, values) = ([0.0, 0.5, 1.0], [[1.0], [-1.0], [2.0]]);
    let end = |inputs: Piecewise<'_, f64, [f64; 1]>| {
        let mut run = Simulation::of(&model, RungeKutta4).inputs(inputs).fixed(0.3).expect("a start");
        run.advance_to(1.5).expect("steps");
        (run.state().q.x(), run.state().v.x())
    };
    // v: held 1/2, −1/2 and 1; joined 0, 1/4 and 1. x: ∫ v
    let (x, v) = end(Piecewise::constant(&knots, &values));
    assert!((v - 1.0).abs() < 1e-14 && (x - (0.125 + 0.25 - 0.125 + 0.25)).abs() < 1e-14, "{x} {v}");
    let (x, v) = end(Piecewise::linear(&knots, &values));
    let first = 0.5 * 0.25 - 4.0 / 6.0 * 0.125;
    let second = -0.5 * 0.25 + 6.0 / 6.0 * 0.125;
    assert!((v - 1.25).abs() < 1e-14 && (x - (first + second + 0.25 * 0.5 + 0.25)).abs() < 1e-14, "{x} {v}");
}

model! {
    pub struct Mass {
        coord x: Real;
        input f: Real;
        kinetic = 0.5 * sq(der(x));
        force push on x = f;
        init x = 0.0;
        init der(x) = 0.0;
    }
}

#[test]
fn bad_knots_are_refused_by_what_is_wrong() {
    let model = Mass::default();
    let refused = |knots: &[f64], values: &[[f64; 1]], start: f64| {
        let setup = Simulation::of(&model, Heun).inputs(Piecewise::linear(knots, values)).start(Start::at(start));
        setup.fixed(0.1).map(drop).expect_err("bad knots").cause.to_string()
    };
    let two = [[1.0], [2.0]];
    assert_eq!(refused(&[], &[], 0.0), "number of knots cannot be 0");
    assert_eq!(refused(&[0.0], &two, 0.0), "number of values, one for each knot, is 2, but must be 1");
    assert_eq!(refused(&[0.0, f64::NAN], &two, 0.0), "knot cannot be NaN");
    assert_eq!(refused(&[0.0, 0.0], &two, 0.0), "knot, which must be later than the one before it, cannot be 0");
    assert_eq!(refused(&[0.0, -1.0], &two, 0.0), "knot, which must be later than the one before it, cannot be -1");
    assert_eq!(refused(&[0.0, 1.0], &[[1.0], [f64::INFINITY]], 0.0), "value at a knot cannot be inf");
    let found = refused(&[0.5, 1.0], &two, 0.0);
    assert_eq!(found, "the start of a run with knots is 0, but must be between 0.5 and inf");
}

/// A run with a controller, from a start that depends on parameters.
fn controlled<S: Solvable<Real = f64>, M: Method<S>>(
    model: &S,
    method: M,
    law: impl FnMut(&State<S>, &mut S::U),
) -> Result<State<S>, StartError> {
    let mut run = Simulation::of(model, method).sampled(0.07, law).fixed(0.02)?;
    run.advance_to(END).expect("steps");
    Ok(run.state().clone())
}

#[test]
fn sampled_controllers_vary_as_their_differences() {
    type Model = Bob<f64>;
    let law = |now: &State<Model>, u: &mut bob::U<f64>| {
        u.set_u(now.q.r()[0] * now.v.r()[0] + now.q.r()[1] + now.t.sin());
    };
    fn of<M: Vary<Model> + Copy>(method: M, law: impl FnMut(&State<Model>, &mut bob::U<f64>) + Copy) {
        let model = Model::default();
        let setup = Simulation::of(&model, method).sampled(0.07, law).input_derivative(|now, d| {
            let change = now.v.r()[0] * d.q.as_ref()[0] + now.q.r()[0] * d.v.as_ref()[0] + now.t.cos() * d.t;
            d.u.set_u(change + d.q.as_ref()[1]);
        });
        let mut run = setup.fixed(0.02).expect("a start").vary(&By::new().parameters()).expect("a linearisation");
        run.advance_to(END).expect("steps");
        let found = run.jacobian();
        let p = model.parameter_block();
        for k in 0..run.names().len() {
            let wanted = derivative(1e-3 * p.as_ref()[k], |h| {
                let mut p = p;
                p.as_mut()[k] += h;
                let moved = controlled(&model.with_parameters(&p), method, law).expect("a start");
                tangent(&model, run.run().state(), &moved)
            });
            let found: Vec<f64> = found.column(k).iter().copied().collect();
            let near = Near::differences(1e-3 * p.as_ref()[k]);
            assert_eq!(near.mistake_of(&model, run.run().state(), &found, &wanted), None, "{k}");
        }
    }
    of(DormandPrince, law);
    of(GeneralizedAlpha::with_spectral_radius(0.8), law);
    of(Bdf2::default(), law);
}

model! {
    /// A mass that a wall returns.
    pub struct Returned {
        param wall: Real = 0.5;
        coord x: Real;
        input f: Real;
        kinetic = 0.5 * sq(der(x));
        force push on x = f;
        event hit when x > wall { der(x) = -der(x); }
        init x = 0.0;
        init der(x) = 1.0;
    }
}

#[test]
fn an_event_at_a_sample_instant_has_no_derivative() {
    let model = Returned::default();
    let by = By::new().parameters();
    // the wall is reached at a knot
    let inputs = Piecewise::constant(&[0.0, 0.5, 1.0], &[[0.0], [0.1], [0.0]]);
    let run = Simulation::of(&model, Heun).inputs(inputs).fixed(0.1).expect("a start");
    let mut run = run.vary(&by).expect("a linearisation");
    let error = run.advance_to(1.0).expect_err("both at once");
    let Cause::EventAtSample { event, sample: 1 } = error.cause else { panic!("{error}") };
    assert_eq!(event.as_str(), "hit");
    assert!(run.run().state().t < 0.45);
    // and of a controller
    let run = Simulation::of(&model, Heun).sampled(0.125, |_, _| {}).input_derivative(|_, _| {});
    let mut run = run.fixed(0.1).expect("a start").reversible(&by, 5).expect("room");
    let error = run.advance_to(1.0).expect_err("both at once").to_string();
    let wanted = "event `hit` happens at the sample instant or knot 4 of the inputs: their order would decide";
    assert!(error.contains(wanted), "{error}");
    assert!(run.run().state().t < 0.45);
}

#[test]
fn what_is_not_finite_has_a_name() {
    let cart = Cart::<f64>::default();
    let not_after = |limit: f64, t: f64| if t > limit { f64::NAN } else { 0.0 };
    // a closure whose derivative is not a number after a while
    let start = || {
        let run = Simulation::of(&cart, RungeKutta4).input_fn(|_, u| u.set_u(1.0));
        let run = run.input_derivative(move |at, d| d.u.set_u(not_after(0.25, at.t) * d.q.th()));
        run.fixed(0.1).expect("a start")
    };
    let by = By::new().start_of("th");
    let mut run = start().vary(&by).expect("a linearisation");
    let error = run.advance_to(1.0).expect_err("no derivative").to_string();
    assert!(error.ends_with("derivative by `th` is not finite"), "{error}");
    assert!((run.run().state().t - 0.2).abs() < 1e-15);
    assert!(run.jacobian().iter().all(|x| x.is_finite()));
    let mut run = start().reversible(&by, 5).expect("room");
    run.advance_to(1.0).expect("steps");
    let error = run.gradient(|passed, by| {
        by.q.set_x(1.0);
        passed.state.q.x()
    });
    let error = error.expect_err("no derivative").to_string();
    // found where the step reads it
    assert!(error.ends_with("derivative by `t` is not finite"), "{error}");
    // shares that are not numbers, at their time
    let share = |value: f64, by: f64| {
        let mut run = start().reversible(&By::new().parameters(), 5).expect("room");
        run.advance_to(0.2).expect("steps");
        let gradient = run.gradient(|passed, covector| {
            if passed.index != 1 {
                return 0.0;
            }
            covector.v.set_x(by);
            value
        });
        gradient.expect_err("no number").to_string()
    };
    assert_eq!(share(f64::NAN, 0.0), "at t = 0.1: share of a cost cannot be NaN");
    assert_eq!(share(0.0, f64::INFINITY), "at t = 0.1: derivative of a share of a cost cannot be inf");
}

#[test]
fn a_controller_whose_derivative_is_missing_once_is_asked_again() {
    let cart = Cart::<f64>::default();
    let broken = std::cell::Cell::new(false);
    let start = || {
        let run = Simulation::of(&cart, RungeKutta4).sampled(0.1, |now, u| u.set_u(-now.v.x()));
        let derivative = |_: Moment<'_, Cart<f64>>, d: &mut Direction<Cart<f64>>| {
            d.u.set_u(if broken.get() { f64::NAN } else { -d.v.x() });
        };
        let run = run.input_derivative(derivative).fixed(0.05).expect("a start");
        run.vary(&By::new().start().parameters()).expect("a linearisation")
    };
    let (mut run, mut other) = (start(), start());
    other.advance_to(0.3).expect("steps");
    run.advance_to(0.15).expect("steps");
    broken.set(true);
    run.advance_to(0.3).expect_err("no derivative");
    broken.set(false);
    run.advance_to(0.3).expect("steps");
    assert_eq!(run.jacobian(), other.jacobian());
}

/// A force whose derivative by its parameter is infinite where that is zero.
mod root {
    ode_model::model! {
        pub struct Root {
            param m: Real = 1.0;
            param c: Real = 0.5;
            coord x: Real;
            kinetic = 0.5 * m * sq(der(x));
            force f on x = sqrt(c);
            init x = 0.3;
        }
    }
}

#[test]
fn a_parameter_without_derivative_has_a_name() {
    let root = root::Root { c: 0.0, ..Default::default() };
    let named = |text: String| assert!(text.ends_with("derivative by `c` is not finite"), "{text}");
    let x = Start::default().solve(&root, &Nominal).expect("a start");
    let mut map = StepMap::of(&root, RungeKutta4, &["m", "c"]).expect("parameters");
    named(map.step(&x, [], 0.1).map(|_| ()).expect_err("no derivative").to_string());
    let run = || Simulation::of(&root, RungeKutta4).fixed(0.1).expect("a start");
    named(run().vary(&By::new().parameters()).map(|_| ()).expect_err("no derivative").to_string());
    let given = || Simulation::of(&root, RungeKutta4).given(x.clone()).fixed(0.1).expect("a start");
    named(given().vary(&By::new().parameters()).map(|_| ()).expect_err("no derivative").to_string());
}

/// Of a closure there is none to vary by, though the model has an input of that name.
#[test]
fn inputs_from_a_closure_have_no_numbers() {
    let cart = Cart::<f64>::default();
    let run = || Simulation::of(&cart, Heun).input_fn(|_, u| u.set_u(1.0)).input_derivative(|_, _| {});
    let run = || run().fixed(0.1).expect("a start");
    let refused = |name: &str| run().vary(&By::new().input(name)).map(drop).expect_err("no number").to_string();
    let wanted = "input `u` is given by a function, which has no number of its own to vary by: use `Constant` or";
    assert!(refused("u").starts_with(wanted), "{}", refused("u"));
    assert_eq!(refused("v"), "there is no input `v`; there is none at all");
    assert!(run().vary(&By::new().inputs()).is_ok());
}

//! Sensitivities of runs.

use ode_model::integrators::*;
use ode_model::linalg::Labelled;
use ode_model::prelude::*;
use ode_model::solve::Projection;
use ode_model::variation::{Controls, Direction};
use ode_model::{By, Differentiable, Inputs, Moment, RunError, Sensitive, Solvable, State, System};

use crate::blocks::Near;
use crate::impacts::Refused;
use crate::models::{Bob, Cart, Motor, Top};
use crate::perturb::derivative;

model! {
    /// A mass on a spring with a damper and a push.
    pub struct Oscillator {
        param m: Real = 1.3;
        param k: Real = 5.2;
        param c: Real = 0.4;
        coord x: Real;
        input u: Real = 0.7;
        kinetic = 0.5 * m * sq(der(x));
        potential = 0.5 * k * sq(x);
        dissipation = 0.5 * c * sq(der(x));
        force push on x = u;
        init x = 0.6;
        init der(x) = -0.3;
    }
}

/// x(t) in closed form.
fn position(t: f64, [m, k, c, u, x0, v0]: [f64; 6]) -> f64 {
    let (decay, rest) = (0.5 * c / m, u / k);
    let frequency = (k / m - decay * decay).sqrt();
    let (sin, cos) = (frequency * t).sin_cos();
    rest + (-decay * t).exp() * ((x0 - rest) * cos + (v0 + decay * (x0 - rest)) / frequency * sin)
}

#[test]
fn those_of_an_oscillator_are_its_closed_form() {
    let model = Oscillator::default();
    let by = By::new().parameters().inputs().start();
    let run = Simulation::of(&model, DormandPrince8).adaptive(1e-13).expect("a start");
    let mut run = run.vary(&by).expect("a linearisation");
    assert_eq!(run.names(), ["m", "k", "c", "u", "x", "der(x)"]);
    run.advance_to(3.0).expect("steps");
    let jacobian = run.jacobian();
    assert_eq!(jacobian.row_names(), ["x", "der(x)", "der(der(x))"]);
    assert_eq!(jacobian.at("der(x)", "k"), Ok(jacobian[(1, 1)]));
    let numbers = [1.3, 5.2, 0.4, 0.7, 0.6, -0.3];
    for k in 0..6 {
        let at = |h: f64| {
            let mut moved = numbers;
            moved[k] += h;
            position(3.0, moved)
        };
        let wanted = (8.0 * (at(1e-3) - at(-1e-3)) - (at(2e-3) - at(-2e-3))) / 12e-3;
        assert!((jacobian[(0, k)] - wanted).abs() < 1e-10, "{}: {} {wanted}", run.names()[k], jacobian[(0, k)]);
    }
}

#[test]
fn a_direction_that_does_not_exist_is_named() {
    let model = Cart::<f64>::default();
    let run = || Simulation::of(&model, Heun).fixed(0.01).expect("a start");
    let Err(RunError::Name(unknown)) = run().vary(&By::new().parameter("mq")) else { panic!("it exists") };
    assert_eq!(unknown.to_string(), "there is no parameter `mq`; did you mean `mp`?");
    let Err(RunError::Name(unknown)) = run().vary(&By::new().start_of("thh")) else { panic!("it exists") };
    assert_eq!(unknown.to_string(), "there is no entry of the state `thh`; did you mean `th`?");
    assert!(run().vary(&By::new().start_of("der(th)").input("u")).is_ok());
}

/// The composition of two runs is that of their derivatives: by the state in the middle.
#[test]
fn a_run_is_the_chain_of_its_parts() {
    let model = Bob::<f64>::default();
    let whole = |by: &By| {
        let how = Projection::to(1e-12);
        let run = Simulation::of(&model, DormandPrince).project(how).fixed(0.01).expect("a start");
        let mut run = run.vary(by).expect("a linearisation");
        run.advance_to(0.5).expect("steps");
        let middle = run.jacobian();
        run.advance_to(1.0).expect("steps");
        (middle, run.jacobian())
    };
    let (middle, end) = whole(&By::new().start());
    let how = Projection::to(1e-12);
    let mut first = Simulation::of(&model, DormandPrince).project(how).fixed(0.01).expect("a start");
    first.advance_to(0.5).expect("steps");
    let state = first.state().clone();
    let second = Simulation::of(&model, DormandPrince).project(how).given(state).fixed(0.01).expect("a start");
    let mut second = second.vary(&By::new().start()).expect("a linearisation");
    second.advance_to(1.0).expect("steps");
    let last = second.jacobian();
    let n = 4;
    for r in 0..n {
        for c in 0..n {
            let product: f64 = (0..n).map(|k| last[(r, k)] * middle[(k, c)]).sum();
            assert!((product - end[(r, c)]).abs() < 1e-9, "({r}, {c}): {product} {}", end[(r, c)]);
        }
    }
}

/// Without rigid rows linearised backward Euler shows the slopes of its step, a = (v⁺ − v)/h and ż = (z⁺ − z)/h.
#[test]
fn a_linearised_step_shows_its_own_slopes() {
    fn check<S: Solvable<Real = f64> + Sensitive>(model: &S) {
        let run = Simulation::of(model, BackwardEuler::linearized()).fixed(0.02).expect("a start");
        let mut run = run.vary(&By::new().start().inputs().parameters()).expect("a linearisation");
        let (nv, nz) = (model.layout().v.len(), model.layout().z.len());
        for _ in 0..3 {
            let (from, before) = (run.run().state().clone(), run.jacobian());
            run.step_towards(1.0).expect("a step");
            let (x, after) = (run.run().state(), run.jacobian());
            let h = x.t - from.t;
            let near = Near { share: 1e-12, round_off: 1e-15 / h };
            let slopes = |found: &[f64], to: &[f64], from: &[f64]| {
                let wanted: Vec<f64> = to.iter().zip(from).map(|(to, from)| (to - from) / h).collect();
                assert_eq!(near.mistake(to, found, &wanted), None, "{}", model.layout().name);
            };
            slopes(x.a.as_ref(), x.v.as_ref(), from.v.as_ref());
            slopes(x.zdot.as_ref(), x.z.as_ref(), from.z.as_ref());
            for k in 0..run.names().len() {
                let rows = |of: &Labelled<f64>, first: usize, count: usize| -> Vec<f64> {
                    (first..first + count).map(|row| of[(row, k)]).collect()
                };
                // (q, v, z, a, ż)
                let (v, z, a) = (nv, 2 * nv, 2 * nv + nz);
                slopes(&rows(&after, a, nv), &rows(&after, v, nv), &rows(&before, v, nv));
                slopes(&rows(&after, a + nv, nz), &rows(&after, z, nz), &rows(&before, z, nz));
            }
        }
    }
    check(&Cart::<f64>::default());
    check(&Top::<f64>::default());
    check(&Motor::<f64>::default());
}

/// Steps until a step has no derivative; state and sensitivities are those before it.
fn refused(model: &Refused<f64>, x: [f64; 2], v: [f64; 2]) -> String {
    let mut start = State::neutral(model);
    start.q.as_mut().copy_from_slice(&x);
    start.v.as_mut().copy_from_slice(&v);
    let run = Simulation::of(model, RungeKutta4).given(start).fixed(0.25).expect("a start");
    let mut run = run.vary(&By::new().start().parameters()).expect("a linearisation");
    loop {
        let (state, steps, jacobian) = (run.run().state().clone(), run.run().statistics().taken, run.jacobian());
        assert!(state.t < 2.0, "every step has a derivative");
        // a step ends just before t = 1
        let end = if state.t < 0.99 { 1.0 - 5e-8 } else { 2.0 };
        if let Err(error) = run.step_towards(end) {
            assert_eq!((run.run().state(), run.run().statistics().taken), (&state, steps));
            assert_eq!(run.jacobian(), jacobian);
            assert_eq!(run.step_towards(end), Err(error), "the same step fails again");
            return error.cause.to_string();
        }
    }
}

#[test]
fn events_without_derivatives_end_a_run_by_name() {
    // x = t − t²/2 touches its top at t = 1
    let grazing = Refused { top: 0.5 - 5e-15 };
    let found = refused(&grazing, [0.0, 1.0], [1.0, 0.0]);
    assert!(found.starts_with("event `touch` only touches zero, at the rate"), "{found}");
    let model = Refused::default();
    let found = refused(&model, [-5.0, 1.0], [0.1, -1.0]);
    assert!(found.starts_with("events `left` and `right` happen at the same time:"), "{found}");
    let found = refused(&model, [-5.0, 1.0], [0.1, 1.0]);
    assert!(found.starts_with("event `keep` sets mode `seen` to a number that varies:"), "{found}");
}

#[test]
fn what_has_no_derivative_is_refused() {
    let model = Cart::<f64>::default();
    let fed_back =
        Simulation::of(&model, GeneralizedAlpha::trapezoidal()).inputs(FedBack).fixed(0.01).expect("a start");
    let mut run = fed_back.vary(&By::new().parameters()).expect("a linearisation");
    let error = run.advance_to(0.1).expect_err("the derivative of the feedback is not a number");
    assert!(error.to_string().contains("derivative by `u` is not finite"), "{error}");
    assert!(run.run().state().t == 0.0, "the state is that before");
}

/// u = −x, with a derivative that is only known where nothing varies.
struct FedBack;

impl Inputs<Cart<f64>> for FedBack {
    fn evaluate(&self, _: &Cart<f64>, at: Moment<'_, Cart<f64>>, u: &mut <Cart<f64> as System>::U) {
        u.as_mut()[0] = -at.q.as_ref()[0];
    }
}

impl Controls<Cart<f64>> for FedBack {
    fn vary(&self, _: &Cart<f64>, _: Moment<'_, Cart<f64>>, _: Option<usize>, d: &mut Direction<Cart<f64>>) {
        d.u.as_mut()[0] = if d.q.as_ref()[0] == 0.0 { 0.0 } else { f64::NAN };
    }
}

/// From where a run is on its way, its state and what its method remembers are given: parameters and inputs change
/// what follows.
fn on_the_way<M: Vary<Bob<f64>> + Copy>(method: M) {
    let model = Bob::<f64>::default();
    let begun = || {
        let mut run = Simulation::of(&model, method).fixed(0.02).expect("a start");
        run.advance_to(0.1).expect("steps");
        run
    };
    let checkpoint = begun().checkpoint();
    let (by, end) = (By::new().parameters().inputs(), 0.18);
    let mut run = begun().vary(&by).expect("a linearisation");
    run.advance_to(end).expect("steps");
    let jacobian = run.jacobian();
    let mut back = begun().reversible(&by, 3).expect("room");
    back.advance_to(end).expect("steps");
    let x = run.run().state();
    let rows = |x: &State<Bob<f64>>| [x.q.as_ref(), x.v.as_ref(), x.a.as_ref(), x.lambda.as_ref()].concat();
    for (row, _) in rows(x).iter().enumerate() {
        let gradient = back.gradient(|passed, by| {
            if passed.is_last() {
                by.blocks_mut().into_iter().flatten().nth(row).into_iter().for_each(|x| *x = 1.0);
            }
            0.0
        });
        let gradient = gradient.expect("a gradient").by;
        let wanted: Vec<f64> = jacobian.row(row).iter().copied().collect();
        // by parameters, and by the input
        for (found, wanted) in [(&gradient[..3], &wanted[..3]), (&gradient[3..], &wanted[3..])] {
            assert_eq!(Near::to(1e-12).mistake(&[], found, wanted), None, "{row}");
        }
    }
    for (k, name) in run.names().iter().enumerate() {
        let wanted = derivative(3e-4, |h| {
            let (mut p, mut u) = (model.parameter_block(), [0.3]);
            match p.as_mut().get_mut(k) {
                Some(p) => *p += h,
                None => u[0] += h,
            }
            let moved = model.with_parameters(&p);
            let run = Simulation::of(&moved, method).inputs(Constant(u)).resume(checkpoint.clone());
            let mut run = run.fixed(0.02).expect("a checkpoint");
            run.advance_to(end).expect("steps");
            rows(run.state())
        });
        let found: Vec<f64> = jacobian.column(k).iter().copied().collect();
        let mistake = Near::differences(3e-4).mistake_of(&model, x, &found, &wanted);
        assert_eq!(mistake, None, "{} {name}", method.name());
    }
}

#[test]
fn what_is_remembered_on_the_way_is_given() {
    let newton = Newton { tolerance: 1e-14, constraint: 1e-14, iterations: 30, ..Newton::default() };
    on_the_way(Bdf2 { newton, ..Bdf2::default() });
    on_the_way(BackwardEuler::linearized());
    on_the_way(GeneralizedAlpha { newton, ..GeneralizedAlpha::with_spectral_radius(0.8) });
}

//! What derivatives may be asked for, and what inputs are asked: numbers that do not exist are refused, and those that
//! do not matter at a time are not asked for.

use std::cell::Cell;
use std::ops::Range;

use ode_model::integrators::*;
use ode_model::prelude::model;
use ode_model::variation::{
    Beginning, Controls, Direction, ForwardMode, Remembered, Saltation, Seed, Several, Transition,
};
use ode_model::{
    By, Cause, Context, HeldInput, Inputs, Layout, Moment, Nominal, Outcome, Piecewise, Proposal, Sensitive,
    Simulation, Solvable, Start, State, System, Work,
};

use crate::impacts::Ball;
use crate::models::{Bob, Cart};

/// One column.
fn one<S: Solvable<Real = f64> + Sensitive>(model: &S, seed: Seed<f64>) -> ForwardMode<S, Several> {
    ForwardMode::new(model, Several(1), vec![seed])
}

/// What a step says that is varied along a seed, and taken back to the same number of the inputs.
fn refused<M: Vary<Bob<f64>>>(method: M, seed: Seed<f64>) -> [Option<Cause>; 2] {
    let model = Bob::<f64>::default();
    let mut work = Work::default();
    let mut cx = Context { system: &model, inputs: &Nominal, work: &mut work };
    let mut x = Start::default().solve(&model, &Nominal).expect("a start");
    let (mut w, mut next) = (method.scratch(&model), Proposal::new(&model));
    next.acceleration.settle(&mut cx, &mut x).expect("an evaluation");
    let m = method.restart(&mut cx, &mut x, 0.02, &mut w, &mut next.acceleration).expect("a start");
    next.attempt(&method, &mut cx, (&x, &m), 0.02, &mut w).expect("a step");

    let mut chain = one(&model, seed);
    let at = chain.zeros(&model);
    let memory = Remembered::nothing(&mut chain, &model, &at);
    let forward = method.vary(&mut cx, (&x, &m), 0.02, (&next.x, &mut w), &mut chain, (&at, &memory));

    let mut adjoint = Adjoint::new(&model, seed.input.into_iter().collect(), true);
    adjoint.state.q.as_mut()[0] = 1.0;
    let given = adjoint.state.blocks().concat();
    let made = Attempted { proposed: &next.x, end: &next.x, scratch: &mut w, projection: None };
    let back = adjoint.back(&method, &mut cx, ((&x, &m), 0.02), made);
    assert!(back.is_ok() || adjoint.state.blocks().concat() == given);
    [forward.err(), back.err()]
}

/// A method of each family, for a parameter and a number of the inputs behind the last and far away.
#[test]
fn steps_refuse_numbers_that_do_not_exist() {
    fn check<M: Vary<Bob<f64>> + Copy>(method: M) {
        let parameter = |i| Seed { parameter: Some(i), ..Seed::STATE };
        let input = |i| Seed { input: Some(i), ..Seed::STATE };
        assert_eq!(refused(method, parameter(2)), [None, None]);
        assert_eq!(refused(method, input(0)), [None, None]);
        for number in [3, 99, usize::MAX] {
            assert_eq!(refused(method, parameter(number)), [Some(Cause::NoParameter { number, count: 3 }), None]);
        }
        for number in [1, 99, usize::MAX] {
            let cause = Some(Cause::NoInput { number, count: 1 });
            assert_eq!(refused(method, input(number)), [cause, cause]);
        }
    }
    check(RungeKutta4);
    check(BackwardEuler::default());
    check(BackwardEuler::linearized());
    check(GeneralizedAlpha::with_spectral_radius(0.8));
    check(Bdf2::default());
    check(SemiExplicitEuler::implicit_position());
    check(ImplicitMidpoint::default());
    check(SymplecticEuler::momenta_first());
    check(Leapfrog::default());
}

#[test]
fn the_messages_name_the_number() {
    let text = Cause::NoParameter { number: 99, count: 3 }.to_string();
    assert_eq!(text, "there is no parameter 99: the model has 3");
    let text = Cause::NoInput { number: 99, count: 1 }.to_string();
    assert_eq!(text, "there is no number 99 of the inputs to vary: they have 1");
}

#[test]
fn starts_and_events_refuse_them_too() {
    let model = Ball::<f64>::default();
    let chain = one(&model, Seed { parameter: Some(99), ..Seed::STATE });
    let missing = Err(Cause::NoParameter { number: 99, count: 2 });
    let mut at = chain.zeros(&model);
    let found = Beginning::new(&model).apply(&model, &Start::default(), &State::neutral(&model), &chain, &mut at);
    assert_eq!(found, missing);

    let mut run = Simulation::of(&model, RungeKutta4).fixed(0.01).expect("a start");
    while !matches!(run.step_towards(2.0), Ok(Outcome::Event { .. })) {}
    let happened = Transition { event: 0, within: 3e-14, size: 1.0, before: run.before_event(), after: run.state() };
    let mut work = Work::default();
    let mut cx = Context { system: &model, inputs: &Nominal, work: &mut work };
    let found = Saltation::new(&model).apply(&mut cx, &happened, &chain, &mut at);
    assert_eq!(found.map(drop), missing);
    let chain = one(&model, Seed { input: Some(0), ..Seed::STATE });
    let found = Saltation::new(&model).apply(&mut cx, &happened, &chain, &mut at);
    assert_eq!(found.map(drop), Err(Cause::NoInput { number: 0, count: 0 }));
}

/// Values at knots, which count how often they are asked what they vary by.
struct Counted<'a> {
    knots: Piecewise<'a, f64, [f64; 1]>,
    asked: &'a Cell<u32>,
}

type Block = <Cart<f64> as System>::U;

impl Inputs<Cart<f64>> for Counted<'_> {
    fn evaluate(&self, system: &Cart<f64>, at: Moment<'_, Cart<f64>>, u: &mut Block) {
        self.knots.evaluate(system, at, u);
    }

    fn next_sample(&self) -> Option<f64> {
        Inputs::<Cart<f64>>::next_sample(&self.knots)
    }

    fn sample(&mut self, system: &Cart<f64>, x: &State<Cart<f64>>) {
        self.knots.sample(system, x);
    }

    fn held(&self) -> Option<HeldInput<Cart<f64>>> {
        self.knots.held()
    }

    fn holds(&self) -> bool {
        Inputs::<Cart<f64>>::holds(&self.knots)
    }

    fn resume(&mut self, held: HeldInput<Cart<f64>>) {
        self.knots.resume(held);
    }
}

impl Controls<Cart<f64>> for Counted<'_> {
    fn vary(&self, system: &Cart<f64>, at: Moment<'_, Cart<f64>>, own: Option<usize>, d: &mut Direction<Cart<f64>>) {
        self.asked.set(self.asked.get() + 1);
        self.knots.vary(system, at, own, d);
    }

    fn numbers_at(&self, layout: &Layout<'_>, t: f64) -> Range<usize> {
        Controls::<Cart<f64>>::numbers_at(&self.knots, layout, t)
    }

    fn names(&self, layout: &Layout<'_>) -> Vec<String> {
        Controls::<Cart<f64>>::names(&self.knots, layout)
    }

    fn depends_on_state(&self) -> bool {
        Controls::<Cart<f64>>::depends_on_state(&self.knots)
    }
}

/// A sweep asks for each knot as long as it has a share, however many others there are.
#[test]
fn a_sweep_asks_for_the_knots_of_each_step() {
    let model = Cart::<f64>::default();
    let asked_a_step = |linear: bool, count: usize| {
        let (asked, h) = (Cell::new(0), 1e-3);
        let knots: Vec<f64> = (0..count).map(|k| k as f64 * h).collect();
        let values: Vec<[f64; 1]> = (0..count).map(|k| [(0.1 * k as f64).sin()]).collect();
        let knots = if linear { Piecewise::linear(&knots, &values) } else { Piecewise::constant(&knots, &values) };
        let inputs = Counted { knots, asked: &asked };
        let run = Simulation::of(&model, RungeKutta4).inputs(inputs).fixed(h).expect("a start");
        let mut run = run.reversible(&By::new().inputs(), count).expect("room");
        run.advance_to(h * count as f64).expect("steps");
        asked.set(0);
        let gradient = run.gradient(|passed, by| {
            by.v.set_x(1.0);
            passed.state.v.x()
        });
        // each knot but the last acts for a step
        assert!(gradient.expect("a gradient").by.iter().all(|by| by.abs() > 1e-6), "{linear} {count}");
        f64::from(asked.get()) / count as f64
    };
    for linear in [false, true] {
        let (few, many) = (asked_a_step(linear, 10), asked_a_step(linear, 100));
        assert!(many <= 1.2 * few, "{linear}: {few} and {many} a step");
    }
}

/// Inputs that keep an output for checkpoints, and move on from it: u(t) = u₀ + rate (t − t₀).
#[derive(Clone)]
struct Ramp {
    rate: f64,
    holds: Option<bool>,
    kept: Option<HeldInput<Cart<f64>>>,
}

impl Inputs<Cart<f64>> for Ramp {
    fn evaluate(&self, _: &Cart<f64>, at: Moment<'_, Cart<f64>>, u: &mut Block) {
        let kept = self.kept.as_ref().expect("a sample");
        u.set_u(kept.output.u() + self.rate * (at.t - kept.first));
    }

    fn next_sample(&self) -> Option<f64> {
        Some(self.kept.as_ref().map_or(0.0, |kept| kept.first + 0.1 * kept.taken as f64))
    }

    fn sample(&mut self, _: &Cart<f64>, x: &State<Cart<f64>>) {
        let (first, taken) = self.kept.as_ref().map_or((x.t, 0), |kept| (kept.first, kept.taken));
        self.kept = Some(HeldInput { first, taken: taken + 1, output: [0.5].into() });
    }

    fn held(&self) -> Option<HeldInput<Cart<f64>>> {
        self.kept.clone()
    }

    fn holds(&self) -> bool {
        self.holds.unwrap_or(self.held().is_some())
    }

    fn resume(&mut self, held: HeldInput<Cart<f64>>) {
        self.kept = Some(held);
    }
}

impl Controls<Cart<f64>> for Ramp {
    fn vary(&self, _: &Cart<f64>, _: Moment<'_, Cart<f64>>, own: Option<usize>, d: &mut Direction<Cart<f64>>) {
        d.u.set_u(self.rate * d.t + if own.is_some() { 1.0 } else { 0.0 });
    }
}

/// An output that moves is not taken for one that is held.
#[test]
fn inputs_that_move_are_not_taken_for_held() {
    let model = Cart::<f64>::default();
    let run = |rate: f64, holds: Option<bool>| {
        let run = Simulation::of(&model, RungeKutta4).inputs(Ramp { rate, holds, kept: None });
        run.fixed(0.05).expect("a start")
    };
    let by = By::new().parameters();
    for holds in [None, Some(true)] {
        let mut varied = run(0.3, holds).vary(&by).expect("a linearisation");
        let error = varied.advance_to(0.5).expect_err("it moves");
        let text = "input `u` moves between sample instants, although its source says that it is held: let \
                    `Inputs::holds` return false";
        assert_eq!(error.cause.to_string(), text);
        assert_eq!(varied.run().state().t, 0.0, "the state is that before");
        assert_eq!(varied.advance_to(0.5), Err(error), "the same step fails again");
        let mut reversible = run(0.3, holds).reversible(&by, 4).expect("room");
        assert_eq!(reversible.advance_to(0.5), Err(error));
        assert_eq!(reversible.run().state().t, 0.0, "the state is that before");
    }
    // what does not move, and what says that it does
    for (rate, holds) in [(0.0, None), (0.3, Some(false))] {
        let mut varied = run(rate, holds).vary(&by).expect("a linearisation");
        varied.advance_to(0.5).expect("steps");
        let mut reversible = run(rate, holds).reversible(&by, 4).expect("room");
        reversible.advance_to(0.5).expect("steps");
    }
}

model! {
    /// An angle that turns by one in a unit of time of 1/pace seconds, and a clock beside it, up to a height that both
    /// reach, or only touch.
    pub struct Hand {
        param pace: Real = 1.0;
        param height: Real = 0.9;
        param clock: Real = 2.0;
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        event place when sin(x) > height { der(x) = 0.5 * der(x); }
        event hour when sin(pace * t) > clock { der(x) = 0.5 * der(x); }
        init x = 0.0;
        init der(x) = pace;
    }
}

/// The first event of a run that stops a little before both guards are flat, and why it has no derivative.
fn reached(hand: &Hand) -> Result<Outcome, Cause> {
    let run = Simulation::of(hand, RungeKutta4).fixed(0.25 / hand.pace).expect("a start");
    let mut run = run.vary(&By::new().start().parameters()).expect("a linearisation");
    let end = (core::f64::consts::FRAC_PI_2 - 5e-8) / hand.pace;
    while run.run().state().t < end {
        match run.step_towards(end).map_err(|error| error.cause)? {
            Outcome::Reached => {}
            event => return Ok(event),
        }
    }
    Ok(Outcome::Reached)
}

/// Guards that rise above their height for as long as round-off lets them graze; such that rise longer do not. A unit
/// of time in which all is a thousand times slower or faster changes nothing.
#[test]
fn grazing_does_not_depend_on_the_unit_of_time() {
    for pace in [1.0, 1e-3, 1e3] {
        for place in [true, false] {
            let event = |height: f64| {
                let (place, clock) = if place { (height, 2.0) } else { (2.0, height) };
                reached(&Hand { pace, height: place, clock })
            };
            let name = if place { "place" } else { "hour" };
            // sin x is above 1 − δ where |x − π/2| < √(2 δ)
            let touched = event(1.0 - 5e-15);
            let Err(Cause::Grazing { event: found, .. }) = touched else { panic!("{pace} {name}: {touched:?}") };
            assert_eq!(found.as_str(), name);
            for height in [1.0 - 5e-13, 0.9] {
                let crossed = event(height);
                let Ok(Outcome::Event { event: found, .. }) = crossed else { panic!("{pace} {name}: {crossed:?}") };
                assert_eq!(found.as_str(), name);
            }
        }
    }
}

/// Models whose forces by positions and velocities cancel: round-off is all that is left of some derivatives, and their
/// own checks do not take it for a mistake.
mod free {
    use ode_model::prelude::model;

    model! {
        pub struct Wheel<T> {
            param j: Real = 0.7;
            coord (q, w): SO2;
            kinetic = 0.5 * j * sq(w);
        }
    }
    model! {
        pub struct Sphere<T> {
            param j: Real = 0.7;
            coord (q, w): SO3;
            input u: Vec3;
            kinetic = 0.5 * j * w.dot(w);
            torque drive on q = u;
        }
    }
    model! {
        pub struct Satellite<T> {
            param j: SymMat3 = diag(0.3, 0.3, 0.3);
            coord (q, w): SO3;
            kinetic = 0.5 * w.dot(j * w);
        }
    }
}

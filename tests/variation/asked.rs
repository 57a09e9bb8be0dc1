//! What derivatives may be asked for: numbers that do not exist are refused.

use ode_model::integrators::*;
use ode_model::variation::{Beginning, ForwardMode, Remembered, Saltation, Seed, Several, Transition};
use ode_model::{Cause, Context, Nominal, Outcome, Proposal, Sensitive, Simulation, Solvable, Start, State, Work};

use crate::impacts::Ball;
use crate::models::Bob;

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
    let happened = Transition { event: 0, within: 3e-14, before: run.before_event(), after: run.state() };
    let mut work = Work::default();
    let mut cx = Context { system: &model, inputs: &Nominal, work: &mut work };
    let found = Saltation::new(&model).apply(&mut cx, &happened, &chain, &mut at);
    assert_eq!(found.map(drop), missing);
    let chain = one(&model, Seed { input: Some(0), ..Seed::STATE });
    let found = Saltation::new(&model).apply(&mut cx, &happened, &chain, &mut at);
    assert_eq!(found.map(drop), Err(Cause::NoInput { number: 0, count: 0 }));
}

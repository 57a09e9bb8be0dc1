//! Newton's iterations: their matrices, counts and failures, and that a resumed run continues as it would have.

use crate::common::plants::{Actuated, DoublePendulum, Oscillator, Pendulum};
use crate::common::squeezer::Squeezer;
use crate::common::{On, Plant, on};
use crate::dense_system;
use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Implicit};
use ode_runtime::solve::{Acceleration, Newton, Reuse};
use ode_runtime::{
    Cause, Context, Linearize, Method, Nominal, Proposal, Scalar, Simulation, Solvable, Start, State, Work,
};

const EVERY: [Reuse<f64>; 4] =
    [Reuse::EveryIteration, Reuse::EveryStep, Reuse::Automatic { slowest: 0.2 }, Reuse::Never];

fn newton(reuse: Reuse<f64>) -> Newton<f64> {
    // What linear convergence leaves shows in v, over h.
    Newton { reuse, tolerance: 1e-13, ..Newton::default() }
}

fn alpha(reuse: Reuse<f64>) -> GeneralizedAlpha<f64> {
    GeneralizedAlpha { newton: newton(reuse), ..GeneralizedAlpha::with_spectral_radius(0.8) }
}

fn euler(reuse: Reuse<f64>) -> BackwardEuler<f64> {
    BackwardEuler { solve: Implicit::Newton(newton(reuse)), ..BackwardEuler::default() }
}

/// The end of a run and the work of it.
fn run<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M, h: f64, end: f64) -> (State<S>, Work) {
    let mut run = Simulation::of(system, method).fixed(h).expect("a start");
    run.advance_to(end).expect("steps");
    (run.state().clone(), run.statistics().work)
}

/// Work of the four policies, which must end at the same place.
fn policies<S: Solvable<Real = f64>, M: Method<S>>(
    system: &S,
    method: fn(Reuse<f64>) -> M,
    h: f64,
    end: f64,
) -> [Work; 4] {
    let (exact, _) = run(system, method(EVERY[0]), h, end);
    EVERY.map(|reuse| {
        let (x, work) = run(system, method(reuse), h, end);
        let entries = x.q.as_ref().iter().zip(exact.q.as_ref());
        for (got, want) in entries {
            assert!((got - want).abs() <= 1e-8 * (1.0 + want.abs()), "{reuse:?}: {got} is not {want}");
        }
        work
    })
}

#[test]
fn kept_matrices_lead_to_the_same_states_with_fewer_of_them() {
    let (steps, h) = (200, 1.0 / 200.0);
    let all = [
        policies(&on(DoublePendulum), alpha, h, 1.0),
        policies(&on(DoublePendulum), euler, h, 1.0),
        policies(&on(Pendulum::standard()), alpha, h, 1.0),
        policies(&on(Pendulum::standard()), euler, h, 1.0),
        policies(&on(Actuated { lag: 0.05 }), alpha, h, 1.0),
        policies(&on(Squeezer), alpha, 1.5e-5, 3e-3),
    ];
    for [each, step, automatic, never] in all {
        assert_eq!((each.tangents, each.residuals, each.convergence_failures), (each.iterations, 0, 0));
        assert_eq!((step.tangents, step.tangents + step.residuals), (steps, step.iterations));
        assert!(automatic.tangents < steps / 2 && never.tangents <= automatic.tangents, "{automatic:?} {never:?}");
        for work in [each, step, automatic, never] {
            assert_eq!(work.solves, work.iterations);
            assert!(work.iterations <= 12 * steps, "{work:?}");
        }
    }
}

#[test]
fn a_linear_problem_needs_one_matrix() {
    let damped = on(Oscillator { m: 1.0, k: 40.0, c: 0.3, w: 1.0, x: 1.0, v: 0.0 });
    for reuse in [Reuse::automatic(), Reuse::Never] {
        for work in [run(&damped, alpha(reuse), 0.01, 1.0).1, run(&damped, euler(reuse), 0.01, 1.0).1] {
            assert_eq!((work.tangents, work.convergence_failures), (1, 0));
            // two a step, and some more because the weights of generalised-α's first step are others, by two in a
            // hundred
            assert!(work.iterations <= 210, "{work:?}");
        }
    }
}

#[test]
fn a_matrix_that_no_longer_serves_is_replaced() {
    // Half a turn of the pendulum: with the matrix of the start, iterations end nowhere.
    let (_, work) = run(&on(Pendulum::standard()), euler(Reuse::Never), 0.02, 2.0);
    assert!(work.convergence_failures > 0 && work.tangents > 1, "{work:?}");
    // A step of another size has another matrix.
    let damped = on(Oscillator { m: 1.0, k: 40.0, c: 0.3, w: 1.0, x: 1.0, v: 0.0 });
    let mut run = Simulation::of(&damped, euler(Reuse::Never)).fixed(0.01).expect("a start");
    run.advance_to(0.1).expect("steps");
    run.advance_to(0.105).expect("a step");
    assert_eq!(run.statistics().work.tangents, 2);
}

#[test]
fn rates_tell_quadratic_from_linear_convergence() {
    let rate = |reuse| run(&on(Pendulum::standard()), euler(reuse), 0.1, 0.3).1.rate;
    assert!(rate(Reuse::EveryIteration) > 1.7, "{}", rate(Reuse::EveryIteration));
    assert!((rate(Reuse::EveryStep) - 1.0).abs() < 0.3, "{}", rate(Reuse::EveryStep));
}

/// Steps made directly: only state, memory and the method pass from one to the next.
fn march<S: Solvable<Real = f64> + Linearize, M: Method<S>>(
    system: &S,
    method: &M,
    x: &mut State<S>,
    m: &mut M::Memory,
    steps: u32,
) {
    let (mut work, mut w, mut next) = (Work::default(), method.scratch(system), Proposal::new(system));
    for _ in 0..steps {
        let mut cx = Context { system, inputs: &Nominal, work: &mut work };
        next.attempt(method, &mut cx, (x, m), 0.005, &mut w).expect("a step");
        next.finish(method, &mut cx).expect("rates");
        next.commit(method, (x, m), &mut w);
    }
}

/// Whether steps in one go and in many, each with a scratch that knows nothing, are the same to the bit.
fn resumes<S: Solvable<Real = f64> + Linearize, M: Method<S>>(system: &S, method: &M) {
    let mut start = Start::default().solve(system, &Nominal).expect("consistent");
    let mut work = Work::default();
    let mut cx = Context { system, inputs: &Nominal, work: &mut work };
    let (mut w, mut acceleration) = (method.scratch(system), Acceleration::new(system));
    let memory = method.restart(&mut cx, &mut start, 0.005, &mut w, &mut acceleration).expect("a memory");
    let (mut once, mut m) = (start.clone(), memory.clone());
    march(system, method, &mut once, &mut m, 60);
    let (mut often, mut m) = (start, memory);
    for _ in 0..12 {
        march(system, method, &mut often, &mut m, 5);
    }
    assert_eq!(once, often);
}

#[test]
fn resumed_runs_are_the_same_to_the_bit() {
    for reuse in EVERY {
        resumes(&on(Pendulum::standard()), &alpha(reuse));
        resumes(&on(Actuated { lag: 0.05 }), &alpha(reuse));
        resumes(&on(DoublePendulum), &euler(reuse));
        resumes(&on(Pendulum::standard()), &euler(reuse));
    }
}

/// A mass so small that a step of backward Euler is the equation atan x = 0.
#[derive(Clone, Copy, Debug)]
struct Flat;

impl Plant<1, 0, 0, 0> for Flat {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::from_f64(1e-12)]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [-q[0].atan2(T::ONE)]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.0], [0.0], [])
    }
}
dense_system!(Flat, q 1 ["x"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

#[test]
fn divergence_is_noticed_early() {
    let flat = on(Flat);
    let mut start: State<On<Flat>> = State::neutral(&flat);
    // Beyond 1.3917 Newton's method for atan leaves the root.
    start.q = [2.0];
    for reuse in EVERY {
        let setup = Simulation::of(&flat, euler(reuse)).given_with_rates(start.clone());
        let mut run = setup.fixed(1.0).expect("a start");
        let cause = run.advance_to(1.0).expect_err("divergence").cause;
        assert!(matches!(cause, Cause::Newton { iterations: ..=6, .. }), "{reuse:?}: {cause}");
        assert_eq!(run.state(), &start);
        assert!(run.statistics().work.convergence_failures > 0);
    }
}

#[test]
fn settings_of_reuse_are_refused() {
    for slowest in [0.0, -0.1, 1.0, f64::NAN] {
        let method = alpha(Reuse::Automatic { slowest });
        let error = Simulation::of(&on(DoublePendulum), method).fixed(0.1).map(|_| ()).expect_err("a setting");
        assert!(matches!(error.cause, Cause::Invalid { setting: "slowest convergence", .. }), "{error}");
    }
}

//! Runs stopped after each step, by a checkpoint and by one written as text, and resumed in a new workspace: states and
//! statistics equal those of the uninterrupted run, step by step, to the bit.

use crate::common::erased::{Controlled, Erased, Shared};
use crate::common::linkages::FourBar;
use crate::common::methods::{Candidate, Each, every_method};
use crate::common::plants::{Actuated, DoublePendulum, Oscillator, Pendulum};
use crate::common::rigid::Rod;
use crate::common::{On, on};
use ode_runtime::integrators::{
    BackwardEuler, Bdf2, BogackiShampine, DormandPrince, DormandPrince8, ExplicitMidpoint, Fehlberg, GeneralizedAlpha,
    Geodesic, Heun, Implicit, ImplicitMidpoint, Leapfrog, SemiExplicitPair, Verner9,
};
use ode_runtime::solve::{Newton, Projection, Reuse};
use ode_runtime::{
    Adaptive, Every, Halving, Inputs, Law, Linearize, Method, Nominal, Sampled, Saved, Setup, Simulation, Solvable,
    StartError, State,
};

/// A spring that swings several times in a run.
const SPRING: Oscillator = Oscillator { m: 1.0, k: 40.0, c: 0.3, w: 0.0, x: 1.0, v: 0.5 };

/// Every number of a run, to the bit.
fn bytes<S: Solvable<Real = f64>, M: Method<S>, U: Inputs<S>>(run: &Simulation<'_, S, M, U>) -> Vec<u8> {
    postcard::to_stdvec(&run.save()).expect("bytes")
}

fn text<S: Solvable<Real = f64>, M: Method<S>, U: Inputs<S>>(run: &Simulation<'_, S, M, U>) -> String {
    serde_json::to_string(&run.save()).expect("text")
}

/// Runs towards `end`, and from after each of the first steps again.
#[track_caller]
fn is_one_run<'a, S: Solvable<Real = f64>, M: Method<S> + Copy, U: Inputs<S>>(
    (system, method, end): (&'a S, M, f64),
    case: impl Fn(Setup<'a, S, M, Nominal>) -> Result<Simulation<'a, S, M, U>, StartError>,
) {
    let name = method.name();
    let mut run = case(Simulation::of(system, method)).unwrap_or_else(|error| panic!("{name}: {error}"));
    // The last of these has steps behind it whose memory is full.
    const STOPS: usize = 5;
    let (mut all, mut stops) = (vec![bytes(&run)], vec![(text(&run), run.checkpoint())]);
    while run.state().t < end && all.len() < 9 {
        run.step_towards(end).unwrap_or_else(|error| panic!("{name}: {error}"));
        all.push(bytes(&run));
        if stops.len() < STOPS {
            stops.push((text(&run), run.checkpoint()));
        }
    }
    for (stop, (at, point)) in stops.into_iter().enumerate() {
        let saved: Saved = serde_json::from_str(&at).expect("numbers");
        let new = || Simulation::of(system, method);
        for setup in [new().resume_saved(saved), new().resume(point)] {
            let mut resumed = case(setup).expect("the same run");
            assert!(bytes(&resumed) == all[stop], "{name}, stopped after {stop} steps: {} is not {at}", text(&resumed));
            for (step, want) in all.iter().enumerate().skip(stop + 1) {
                resumed.step_towards(end).expect("a step");
                assert!(&bytes(&resumed) == want, "{name}, stopped after {stop} steps, at step {step}");
            }
        }
    }
}

/// Steps that end off their grid, projected and halved.
fn in_fixed_steps<S: Solvable<Real = f64>>(system: &S, method: &dyn Erased<S>) {
    let method = Shared(method);
    is_one_run((system, method, 0.15), |setup| setup.fixed(0.021));
    is_one_run((system, method, 0.1), |setup| setup.project(Projection::to(1e-9)).fixed(0.021));
    is_one_run((system, method, 0.1), |setup| setup.halving(Halving::of(0.021)));
}

/// Steps of error control, projected, by laws without and with a memory.
fn under_error_control<S: Solvable<Real = f64>>(system: &S, method: &dyn Controlled<S>) {
    let method = Shared(method);
    for law in [Law::ELEMENTARY, Law::H312B] {
        is_one_run((system, method, 0.3), |setup| {
            let adaptive = Adaptive { law, ..Adaptive::to(3e-4) };
            setup.project(Projection::to(1e-6)).controlled(adaptive)
        });
    }
    is_one_run((system, method, 0.3), |setup| setup.adaptive_from(1e-4, 0.2));
}

struct Stopped;

impl Each for Stopped {
    fn method<M: Candidate>(&mut self, _: &'static str, method: M) {
        in_fixed_steps(&on(Pendulum::standard()), &method);
        in_fixed_steps(&on(DoublePendulum), &method);
        in_fixed_steps(&on(Actuated { lag: 0.1 }), &method);
        let spring = on(SPRING);
        let drive = |x: &State<On<Oscillator>>, u: &mut [f64; 1]| u[0] = -x.v[0];
        is_one_run((&spring, method, 0.3), |setup| setup.inputs(Sampled::new(0.07, drive)).fixed(0.02));
    }
}

#[test]
fn every_method_goes_on() {
    every_method(&mut Stopped);
    in_fixed_steps(&on(Pendulum::standard()), &Leapfrog::once());
    in_fixed_steps(&on(Actuated { lag: 0.1 }), &Leapfrog::once());
}

/// Rows that depend on others leave multipliers that are not unique, which a run that goes on has too.
#[test]
fn marked_models_go_on() {
    struct Marked;
    impl Each for Marked {
        fn method<M: Candidate>(&mut self, _: &'static str, method: M) {
            is_one_run((&on(FourBar { th: 0.4, w: -3.0 }), method, 0.1), |setup| {
                setup.project(Projection::to(1e-9)).fixed(0.021)
            });
        }
    }
    every_method(&mut Marked);
}

#[test]
fn every_estimate_goes_on() {
    fn with<M>(method: M)
    where
        M: Controlled<On<Pendulum>> + Controlled<On<Actuated>> + Controlled<On<Rod>> + Controlled<On<Oscillator>>,
    {
        under_error_control(&on(Pendulum::standard()), &method);
        under_error_control(&on(Actuated { lag: 0.1 }), &method);
        under_error_control(&on(Rod), &method);
        held(&method);
    }
    fn held(method: &dyn Controlled<On<Oscillator>>) {
        let spring = on(SPRING);
        let drive = |x: &State<On<Oscillator>>, u: &mut [f64; 1]| u[0] = -x.v[0];
        is_one_run((&spring, Shared(method), 0.2), |setup| setup.inputs(Sampled::new(0.07, drive)).adaptive(1e-3));
    }
    with(Heun);
    with(ExplicitMidpoint);
    with(BogackiShampine);
    with(Geodesic);
    with(Fehlberg);
    with(DormandPrince);
    with(DormandPrince8);
    with(Verner9);
    with(SemiExplicitPair);
    with(Leapfrog::default());
    with(Leapfrog::once());
    with(BackwardEuler::default());
    with(BackwardEuler::linearized());
    with(Bdf2::default());
    with(GeneralizedAlpha::with_spectral_radius(0.8));
    with(GeneralizedAlpha::trapezoidal());
}

/// With factors that live longer than an iteration.
fn with_matrices_kept<S: Linearize + Solvable<Real = f64> + 'static>(system: &S) {
    for reuse in [Reuse::EveryStep, Reuse::automatic(), Reuse::Automatic { slowest: 0.01 }, Reuse::Never] {
        let kept = |newton| Newton { reuse, ..newton };
        let alpha = GeneralizedAlpha::with_spectral_radius(0.7);
        let alpha = GeneralizedAlpha { newton: kept(alpha.newton), ..alpha };
        let euler = BackwardEuler { solve: Implicit::Newton(kept(Newton::default())), ..BackwardEuler::default() };
        let bdf = Bdf2 { newton: kept(Bdf2::default().newton), ..Bdf2::default() };
        in_fixed_steps(system, &alpha);
        in_fixed_steps(system, &euler);
        in_fixed_steps(system, &bdf);
        in_fixed_steps(system, &ImplicitMidpoint { newton: kept(ImplicitMidpoint::default().newton) });
        under_error_control(system, &alpha);
        under_error_control(system, &euler);
        under_error_control(system, &bdf);
    }
}

#[test]
fn matrices_kept_are_made_again() {
    with_matrices_kept(&on(Pendulum::standard()));
    with_matrices_kept(&on(Actuated { lag: 0.1 }));
    with_matrices_kept(&on(Rod));
}

#[test]
fn halved_steps_go_on() {
    let system = on(Pendulum::standard());
    let alpha = GeneralizedAlpha::with_spectral_radius(0.8);
    let method = GeneralizedAlpha { newton: Newton { iterations: 4, ..alpha.newton }, ..alpha };
    // Too long for four iterations, and tried again after every two that pass.
    let halving = Halving { h: 0.8, least: 1e-3, successes: 2 };
    is_one_run((&system, method, 4.0), |setup| setup.halving(halving));
    let mut run = Simulation::of(&system, method).halving(halving).expect("a start");
    for _ in 0..4 {
        run.step_towards(4.0).expect("a step");
    }
    assert!(run.statistics().attempt_failures > 0 && run.state().t < 2.0, "{:?}", run.statistics());
}

#[test]
fn going_back_is_resuming() {
    let system = on(Pendulum::standard());
    let alpha = GeneralizedAlpha::with_spectral_radius(0.7);
    let alpha = GeneralizedAlpha { newton: Newton { reuse: Reuse::Never, ..alpha.newton }, ..alpha };
    let mut run = Simulation::of(&system, alpha).fixed(0.01).expect("a start");
    run.advance_to(0.1).expect("steps");
    let point = run.checkpoint();
    run.advance_to(0.5).expect("steps");
    let far = bytes(&run);
    run.advance_to(0.7).expect("steps");
    run.restore(point).expect("its own");
    run.advance_to(0.5).expect("steps");
    assert_eq!(bytes(&run), far);
}

#[test]
fn changes_by_hand_go_on() {
    struct Kicked;
    impl Each for Kicked {
        fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
            let system = on(SPRING);
            let every = Every { from: 0.05, period: 0.1 };
            let kick = |x: &mut State<On<Oscillator>>| x.v[0] += 0.25;
            let new = || Simulation::of(&system, method);
            // Between two kicks, and at one.
            for stop in [0.22, 0.25] {
                let mut run = new().fixed(0.02).expect("a start");
                run.advance_every(every, stop, kick).expect("steps");
                let saved: Saved = serde_json::from_str(&text(&run)).expect("numbers");
                let mut resumed = new().resume_saved(saved).fixed(0.02).expect("the same run");
                for end in [0.31, 0.6] {
                    run.advance_every(every, end, kick).expect("steps");
                    resumed.advance_every(every, end, kick).expect("steps");
                    assert_eq!(bytes(&resumed), bytes(&run), "{name}, stopped at {stop}");
                }
            }
        }
    }
    every_method(&mut Kicked);
}

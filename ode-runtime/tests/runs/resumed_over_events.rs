//! A run stopped at a checkpoint and resumed is the run that was never stopped, to the bit, statistics included.

use crate::common::erased::{Erased, Shared};
use crate::common::plants::{Actuated, DoublePendulum, Oscillator, Pendulum};
use crate::common::rigid::Rod;
use crate::common::{On, Plant, on};
use crate::dense_system;
use ode_runtime::integrators::{
    BackwardEuler, Composition, GeneralizedAlpha, Geodesic, ImplicitMidpoint, SemiExplicitEuler, StormerVerlet,
    SymplecticEuler,
};
use ode_runtime::solve::Projection;
use ode_runtime::{
    Cause, Crossing, Difference, Event, Inputs, Linearize, Method, MethodName, Name, Nominal, Sampled, Saved, Scalar,
    Setup, Simulation, Solvable, StartError, State,
};
use proptest::prelude::*;

/// A pendulum that loses speed at each of its hits on a wall, and counts them in a mode that pushes it.
#[derive(Clone, Copy, Debug)]
struct Clapper;

impl Plant<2, 0, 1, 1> for Clapper {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 2], _v: &[T; 2], _z: &[T; 0], u: &[T; 1]) -> [T; 2] {
        [u[0], T::from_f64(-9.81)]
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 2]) -> [T; 1] {
        [q[0] * q[0] + q[1] * q[1] - T::ONE]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([0.8, -0.6], [0.0; 2], [])
    }
    const MODES: &'static [&'static str] = &["hits"];
    const EVENTS: &'static [Event<'static>] = &[Event { name: "wall", crossing: Crossing::Falling, stops: false }];
    fn guards<T: Scalar>(&self, _t: T, x: (&[T; 2], &[T; 2], &[T; 0]), _u: &[T; 1], _modes: &[T], out: &mut [T]) {
        out[0] = x.0[0] - T::from_f64(0.1);
    }
    fn reset<T: Scalar>(
        &self,
        _event: usize,
        _t: T,
        x: (&[T; 2], &[T; 2], &[T; 0]),
        modes: &[T],
        out: (&mut [T; 2], &mut [T; 2], &mut [T; 0], &mut [T]),
    ) {
        *out.1 = x.1.map(|v| T::from_f64(-0.8) * v);
        out.3[0] = modes[0] + T::ONE;
    }
}
dense_system!(Clapper, q 2 ["x", "y"], z 0 [], c 1 ["circle"], u 1 ["push"], mass 3, jacobian 2, n 3, tangent 9, saddle 3,
    assembly 3, init [], []);

/// Every number of a run, to the bit.
fn bytes<S: Solvable<Real = f64>, M: Method<S>, U: Inputs<S>>(run: &Simulation<'_, S, M, U>) -> Vec<u8> {
    postcard::to_stdvec(&run.save()).expect("bytes")
}

fn text<S: Solvable<Real = f64>, M: Method<S>, U: Inputs<S>>(run: &Simulation<'_, S, M, U>) -> String {
    serde_json::to_string(&run.save()).expect("text")
}

/// Stops after `steps` steps and goes on in three ways; each step of each is that of the run that goes through.
#[track_caller]
fn goes_on<'a, S: Solvable<Real = f64>, M: Method<S> + Copy, U: Inputs<S>>(
    system: &'a S,
    method: M,
    steps: usize,
    end: f64,
    case: impl Fn(Setup<'a, S, M, Nominal>) -> Result<Simulation<'a, S, M, U>, StartError>,
) {
    let new = || Simulation::of(system, method);
    let mut through = case(new()).expect("a start");
    for _ in 0..steps {
        if through.state().t < end {
            through.step_towards(end).expect("a step");
        }
    }
    let json: Saved = serde_json::from_str(&text(&through)).expect("numbers");
    let binary: Saved = postcard::from_bytes(&bytes(&through)).expect("numbers");
    let mut resumed = [
        case(new().resume(through.checkpoint())).expect("the same run"),
        case(new().resume_saved(json)).expect("the same run"),
        case(new().resume_saved(binary)).expect("the same run"),
    ];
    loop {
        let want = bytes(&through);
        for run in &resumed {
            assert!(bytes(run) == want, "{} after {steps} steps: {}", method.name(), text(run));
        }
        if through.state().t >= end {
            break;
        }
        let outcome = through.step_towards(end).expect("a step");
        for run in &mut resumed {
            assert_eq!(run.step_towards(end).expect("a step"), outcome);
        }
    }
}

/// Every method on a system: fixed steps whose end is off the grid, and error control where there is an estimate.
fn every_method<S: Linearize + Solvable<Real = f64> + 'static>(system: &S, steps: usize) {
    let methods: [&dyn Erased<S>; 12] = [
        &SemiExplicitEuler::explicit(),
        &SemiExplicitEuler::implicit_position(),
        &SemiExplicitEuler::implicit_velocity(),
        &BackwardEuler::default(),
        &BackwardEuler::linearized(),
        &GeneralizedAlpha::with_spectral_radius(0.8),
        &GeneralizedAlpha::newmark(0.5, 0.25),
        &Geodesic,
        &SymplecticEuler::momenta_first(),
        &StormerVerlet::default(),
        &Composition::triple_jump(StormerVerlet::default()),
        &ImplicitMidpoint::default(),
    ];
    for method in methods {
        goes_on(system, Shared(method), steps, 0.4, |setup| setup.project(Projection::to(1e-7)).fixed(0.013));
    }
    goes_on(system, Geodesic, steps, 0.4, |setup| setup.project(Projection::to(1e-7)).adaptive_from(1e-7, 1e-3));
}

#[test]
fn every_method_goes_on_as_if_never_stopped() {
    for steps in [0, 1, 7] {
        every_method(&on(Pendulum::standard()), steps);
        every_method(&on(DoublePendulum), steps);
        every_method(&on(Actuated { lag: 0.1 }), steps);
        every_method(&on(Rod), steps);
        every_method(&on(Clapper), steps);
    }
}

#[test]
fn sampled_controllers_go_on_holding_their_output() {
    // What the closure keeps is the user's: this one keeps nothing.
    let push = |x: &State<On<Clapper>>, u: &mut [f64; 1]| u[0] = -x.v[0] + x.modes[0];
    for steps in [1, 8, 9, 20, 61] {
        let system = on(Clapper);
        goes_on(&system, GeneralizedAlpha::with_spectral_radius(0.6), steps, 2.0, |setup| {
            setup.inputs(Sampled::new(0.07, push)).fixed(0.02)
        });
        goes_on(&system, Geodesic, steps, 2.0, |setup| {
            setup.inputs(Sampled::new(0.07, push)).project(Projection::to(1e-9)).adaptive_from(1e-6, 0.01)
        });
    }
}

#[test]
fn a_controller_is_not_called_by_resuming() {
    let system = on(Clapper);
    let called = std::cell::Cell::new(0);
    let count = |_: &State<On<Clapper>>, _: &mut [f64; 1]| called.set(called.get() + 1);
    let mut run = Simulation::of(&system, Geodesic).inputs(Sampled::new(0.1, count)).fixed(0.05).expect("a start");
    run.advance_to(0.25).expect("steps");
    assert_eq!(called.get(), 3);
    let resumed =
        Simulation::of(&system, Geodesic).inputs(Sampled::new(0.1, count)).resume(run.checkpoint()).fixed(0.05);
    assert_eq!(called.get(), 3);
    resumed.expect("the same run").advance_to(0.3).expect("steps");
    assert_eq!(called.get(), 4);
}

#[test]
fn a_run_goes_back_to_its_checkpoint() {
    let system = on(Clapper);
    fn goes_back<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M) {
        let mut run = Simulation::of(system, method).fixed(0.01).expect("a start");
        run.advance_to(0.5).expect("steps");
        let (point, before) = (run.checkpoint(), bytes(&run));
        run.advance_to(1.5).expect("steps");
        let far = bytes(&run);
        run.restore(point).expect("its own");
        assert_eq!(bytes(&run), before);
        run.advance_to(1.5).expect("steps");
        assert_eq!(bytes(&run), far);
    }
    goes_back(&system, GeneralizedAlpha::with_spectral_radius(0.8));
    goes_back(&system, StormerVerlet::default());
    goes_back(&system, Composition::kahan_li_6(StormerVerlet::default()));
    goes_back(&system, ImplicitMidpoint::default());
}

#[test]
fn a_run_that_has_ended_stays_ended() {
    #[derive(Clone, Copy, Debug)]
    struct Fall;
    impl Plant<1, 0, 0, 0> for Fall {
        fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
            [[T::ONE]]
        }
        fn force<T: Scalar>(&self, _t: T, _q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
            [T::from_f64(-1.0)]
        }
        fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
            ([1.0], [0.0], [])
        }
        const EVENTS: &'static [Event<'static>] = &[Event { name: "ground", crossing: Crossing::Falling, stops: true }];
        fn guards<T: Scalar>(&self, _t: T, x: (&[T; 1], &[T; 1], &[T; 0]), _u: &[T; 0], _modes: &[T], out: &mut [T]) {
            out[0] = x.0[0];
        }
    }
    dense_system!(Fall, q 1 ["y"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
        init [], []);
    let system = on(Fall);
    let mut run = Simulation::of(&system, Geodesic).fixed(0.1).expect("a start");
    let end = run.advance_to(5.0).expect_err("the ground").cause;
    assert!(matches!(end, Cause::Stopped { event, .. } if event.as_str() == "ground"));
    assert!(run.state().t < 2.0);
    let mut resumed = Simulation::of(&system, Geodesic).resume_saved(run.save()).fixed(0.1).expect("the same run");
    assert_eq!(resumed.advance_to(9.0).expect_err("nothing to do").cause, end);
    assert_eq!(bytes(&resumed), bytes(&run));
}

#[test]
fn another_run_is_refused_by_what_differs() {
    let (pendulum, clapper) = (on(Pendulum::standard()), on(Clapper));
    let run = Simulation::of(&pendulum, Geodesic).fixed(0.1).expect("a start");
    let saved = run.save();
    let refused = |error: Result<(), StartError>| match error.expect_err("another").cause {
        Cause::Checkpoint(difference) => difference,
        other => panic!("{other:?}"),
    };
    let error = Simulation::of(&clapper, Geodesic).resume_saved(saved.clone()).fixed(0.1).map(drop);
    let said = "start at t = 0: the checkpoint is of another run: its model is `Pendulum`";
    assert_eq!(error.as_ref().expect_err("another").to_string(), said);
    assert_eq!(refused(error), Difference::Model { saved: Name::new("Pendulum") });
    let euler = BackwardEuler::default();
    let error = Simulation::of(&pendulum, euler).resume_saved(saved.clone()).fixed(0.1).map(drop);
    assert_eq!(
        refused(error),
        Difference::Method { here: MethodName::new("BackwardEuler"), saved: Name::new("Geodesic") }
    );
    let run = Simulation::of(&pendulum, Composition::kahan_li_6(StormerVerlet::default())).fixed(0.1).expect("a start");
    let other = Composition::suzuki(StormerVerlet::default());
    let error = Simulation::of(&pendulum, other).resume(run.checkpoint()).fixed(0.1).map(drop).expect_err("another");
    let methods = ["kahan_li_6", "suzuki"].map(|name| format!("`Composition::{name}(StormerVerlet)`"));
    let [here, there] = methods;
    assert!(error.to_string().ends_with(&format!("its method is {here}, not {there}")), "{error}");

    let again = |edit: fn(&mut Saved)| {
        let mut saved = saved.clone();
        edit(&mut saved);
        Simulation::of(&pendulum, Geodesic).resume_saved(saved).fixed(0.1).map(drop)
    };
    let entry = Difference::Entry { index: 1, saved: Name::new("coordinate z") };
    assert_eq!(refused(again(|saved| saved.entries[1] = "coordinate z".into())), entry);
    let part = |here, saved| Difference::Part { here, saved: Name::new(saved) };
    assert_eq!(refused(again(|saved| saved.numbers[3].0 = "w".into())), part("z", "w"));
    assert_eq!(refused(again(|saved| saved.numbers.truncate(2))), part("v", ""));
    assert_eq!(refused(again(|saved| saved.counts.clear())), part("steps behind", ""));
    let length = |part, here, saved| Difference::Length { part, here, saved };
    assert_eq!(refused(again(|saved| saved.numbers[1].1.push(0.0))), length("q", 2, 3));
    assert_eq!(refused(again(|saved| saved.numbers.push(("more".into(), vec![1.0])))), length("memory", 0, 1));
    let cause = |error: Result<(), StartError>| error.expect_err("not finite").cause;
    assert!(matches!(cause(again(|saved| saved.numbers[1].1[0] = f64::NAN)), Cause::NonFinite { .. }));
    assert!(matches!(cause(again(|saved| saved.numbers[0].1[0] = f64::INFINITY)), Cause::Invalid { .. }));
    assert!(matches!(cause(again(|saved| saved.counts[0].1 = u64::MAX)), Cause::Invalid { .. }));

    // A controller has something to hold, and others have not.
    let sampled = Sampled::new(0.1, |_: &State<On<Clapper>>, _: &mut [f64; 1]| {});
    let point = Simulation::of(&clapper, Geodesic).fixed(0.1).expect("a start").checkpoint();
    let error = Simulation::of(&clapper, Geodesic).inputs(sampled).resume(point).fixed(0.1).map(drop);
    assert_eq!(refused(error), Difference::Sampled { saved: false });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wherever_it_stops(steps in 0_usize..60, h in 1e-3_f64..0.03, period in 0.01_f64..0.2, x in 0.2_f64..2.0) {
        let system = on(Oscillator { m: 1.0, k: 40.0, c: 0.3, w: 0.0, x, v: 0.0 });
        let push = |x: &State<On<Oscillator>>, u: &mut [f64; 1]| u[0] = -x.v[0];
        goes_on(&system, GeneralizedAlpha::with_spectral_radius(0.7), steps, 0.3, |setup| {
            setup.inputs(Sampled::new(period, push)).fixed(h)
        });
        goes_on(&system, Geodesic, steps, 0.3, |setup| {
            setup.inputs(Sampled::new(period, push)).adaptive_from(1e-3 * h, h)
        });
        let system = on(Clapper);
        goes_on(&system, BackwardEuler::default(), steps, 0.5, |setup| setup.fixed(h));
    }
}

#[test]
fn what_long_decays_leave_can_be_saved() {
    // What is foreseen of corrections that no step shows any more stays a number.
    let body = on(Oscillator { m: 1.0, k: 0.0, c: 0.1, w: 0.0, x: 0.0, v: 1.0 });
    goes_on(&body, StormerVerlet::default(), 3500, 35.02, |setup| setup.fixed(0.01));
    goes_on(&body, Composition::triple_jump(StormerVerlet::default()), 1500, 15.02, |setup| setup.fixed(0.01));
}

#[test]
fn a_step_much_longer_than_the_last_is_the_same_work() {
    let pendulum = on(Pendulum::standard());
    let new = || Simulation::of(&pendulum, StormerVerlet::default());
    let mut through = new().fixed(0.1).expect("a start");
    through.advance_to(0.005).expect("a step");
    let mut resumed = new().resume(through.checkpoint()).fixed(0.1).expect("the same run");
    for run in [&mut through, &mut resumed] {
        run.advance_to(0.3).expect("steps");
    }
    assert_eq!(text(&resumed), text(&through));
}

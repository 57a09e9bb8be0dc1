//! Ensembles beside runs of their members alone.

#![allow(unreachable_pub, dead_code, reason = "models are shared with other tests")]

use ode_model::integrators::*;
use ode_model::solve::Projection;
use ode_model::{Block, Ensemble, F64x4, F64x8, Parametric, Simulation, Solvable, State, System, WideModel};

use ode_model_variation::*;

mod abreast;
#[path = "../../ode-runtime/tests/common/erased.rs"]
mod erased;

use abreast::Abreast;
use erased::{Erased, Shared};

/// What differs between two states: the largest of |a − b| / (1 + |b|) over q, v and z.
fn distance<S: System<Real = f64>>(a: &State<S>, b: &State<S>) -> f64 {
    let parts = [(a.q.as_ref(), b.q.as_ref()), (a.v.as_ref(), b.v.as_ref()), (a.z.as_ref(), b.z.as_ref())];
    let pairs = parts.into_iter().flat_map(|(a, b)| a.iter().zip(b));
    let distances = pairs.map(|(a, b)| if a == b { 0.0 } else { (a - b).abs() / (1.0 + b.abs()) });
    distances.fold(0.0, |most, d| if d <= most { most } else { d })
}

/// Models that differ in all parameters.
fn members<S: Parametric<Real = f64> + Default>(count: usize) -> Vec<S> {
    let model = |k: usize| {
        let mut p = S::default().parameter_block();
        p.as_mut().iter_mut().enumerate().for_each(|(i, p)| *p *= 1.0 + 0.013 * ((k + i) % 5) as f64);
        S::default().with_parameters(&p)
    };
    (0..count).map(model).collect()
}

/// Inputs that differ, also from one time to the next.
fn inputs<S: Solvable<Real = f64>>(model: &S, k: usize, phase: f64) -> S::U {
    let mut u = S::U::zeros(model.layout().u.len());
    model.nominal(&mut u);
    u.as_mut().iter_mut().for_each(|u| *u += 0.1 * phase * k as f64);
    u
}

const COUNT: usize = 11;
const STEP: f64 = 0.01;

/// The largest distance of an ensemble's members from runs of their own, and the share of steps made alone.
fn measure<S, M>(method: M) -> (f64, f64)
where
    S: WideModel<Single: Parametric<Real = f64> + Default>,
    S::Real: ode_model::Wide<Lane = f64>,
    M: WideMethod<S::Real, Wide: Erased<S>> + Erased<S::Single>,
{
    compare::<S>(Abreast { single: &method, wide: &method.wide() })
}

fn compare<S>(method: Abreast<'_, S>) -> (f64, f64)
where
    S: WideModel<Single: Parametric<Real = f64> + Default>,
    S::Real: ode_model::Wide<Lane = f64>,
{
    let models = members::<S::Single>(COUNT);
    let projection = Projection::to(1e-9);
    let setup = Ensemble::<S, _>::of(models.clone(), method).project(projection);
    let mut ensemble = setup.inputs(|k, u| u.clone_from(&inputs(&models[k], k, 1.0))).fixed(STEP).expect("a start");
    ensemble.advance_to(0.15, |_| {}).expect("steps");
    // all but a few
    let changes = |k: usize| k % 4 != 1;
    for (k, model) in models.iter().enumerate().filter(|&(k, _)| changes(k)) {
        ensemble.set_inputs(k, &inputs(model, k, -1.0)).expect("inputs");
    }
    ensemble.advance_to(0.25, |_| {}).expect("steps");
    let mut most = 0.0_f64;
    for (k, model) in models.iter().enumerate() {
        let period = if changes(k) { 0.15 } else { 1.0 };
        let wanted = alone((k, model), method.single, projection, period);
        most = most.max(distance(&ensemble.state(k).expect("a member"), &wanted));
    }
    (most, ensemble.steps_alone() as f64 / (25 * COUNT) as f64)
}

/// Where a member moves alone.
fn alone<S: Solvable<Real = f64>>(
    (k, model): (usize, &S),
    method: &dyn Erased<S>,
    projection: Projection<f64>,
    period: f64,
) -> State<S> {
    // a controller sets inputs as a program does
    let phase = |t: f64| if t > 0.1 { -1.0 } else { 1.0 };
    let setup = Simulation::of(model, Shared(method)).project(projection);
    let controlled = setup.sampled(period, |x, u| u.clone_from(&inputs(model, k, phase(x.t))));
    let mut run = controlled.fixed(STEP).expect("a start");
    run.advance_to(0.25).expect("steps");
    run.state().clone()
}

/// How far members may be from runs alone. Explicit methods make the same operations.
const SAME: f64 = 0.0;
/// Where one needs a projection, all are projected; implicit methods iterate until all have converged.
const CONVERGED: f64 = 1e-8;

/// Measures each method on each model, and lists where members are too far, or more of their steps than this share are
/// made alone.
macro_rules! measured {
    ($wide:ident, $most:ident, $share:expr, [$($model:ident),*], $methods:tt) => {
        [$(measured!(@ $wide, $most, $share, $model, $methods)),*].concat()
    };
    (@ $wide:ident, $most:ident, $share:expr, $model:ident, [$($method:expr),* $(,)?]) => {{
        let mut failures = Vec::new();
        $(
            let (distance, alone) = measure::<$model<$wide>, _>($method);
            if distance > $most || distance.is_nan() || alone > $share {
                let name = concat!(stringify!($model), "<", stringify!($wide), "> by ", stringify!($method));
                failures.push(format!("{name}: {distance:e}, {alone} of the steps alone"));
            }
        )*
        failures
    }};
}

/// Steps of those after inputs have changed for some members only: what a method remembers then differs.
const CHANGED: f64 = 0.4;

#[test]
fn members_move_as_they_do_alone() {
    let mut failures: Vec<String> = Vec::new();
    let mut add = |found: Vec<String>| failures.extend(found);
    let (together, alone) = (0.0, 1.0);
    add(measured!(
        F64x8,
        SAME,
        together,
        [Cart, Top, Needle, Motor],
        [
            SemiExplicitEuler::explicit(),
            SemiExplicitEuler::implicit_position(),
            SemiExplicitPair,
            ForwardEuler,
            RungeKutta4,
            Geodesic,
            DormandPrince,
        ]
    ));
    add(measured!(
        F64x8,
        CONVERGED,
        together,
        [Bob, Coin, Soft],
        [
            SemiExplicitEuler::explicit(),
            SemiExplicitEuler::implicit_position(),
            SemiExplicitPair,
            ForwardEuler,
            RungeKutta4,
            Geodesic,
            DormandPrince,
        ]
    ));
    add(measured!(F64x8, SAME, CHANGED, [Cart, Top, Needle, Motor], [Leapfrog::default()]));
    add(measured!(F64x8, CONVERGED, CHANGED, [Bob, Coin, Soft], [Leapfrog::default()]));
    // Redundant rows are judged for one.
    add(measured!(F64x8, SAME, alone, [Twice], [RungeKutta4, BackwardEuler::default(), StormerVerlet::default()]));
    // Algebraic equations that are solved apart from a step need exchanges, which differ.
    add(measured!(
        F64x8,
        SAME,
        alone,
        [Coupled],
        [SemiExplicitEuler::explicit(), SemiExplicitEuler::implicit_velocity(), Leapfrog::default(), RungeKutta4,]
    ));
    add(measured!(
        F64x8,
        CONVERGED,
        together,
        [Cart, Bob, Coin, Soft, Top, Needle, Motor, Mixed],
        [SemiExplicitEuler::implicit_velocity(), BackwardEuler::default(), BackwardEuler::linearized(),]
    ));
    add(measured!(
        F64x8,
        CONVERGED,
        CHANGED,
        [Cart, Bob, Coin, Soft, Top, Needle, Motor, Mixed],
        [Bdf2::default(), GeneralizedAlpha::with_spectral_radius(0.8),]
    ));
    add(measured!(
        F64x8,
        CONVERGED,
        CHANGED,
        [Coupled],
        [
            BackwardEuler::default(),
            BackwardEuler::linearized(),
            Bdf2::default(),
            GeneralizedAlpha::with_spectral_radius(0.8),
        ]
    ));
    add(measured!(
        F64x8,
        CONVERGED,
        CHANGED,
        [Cart, Bob, Coin, Top, Needle],
        [
            SymplecticEuler::momenta_first(),
            StormerVerlet::default(),
            ImplicitMidpoint::default(),
            Composition::suzuki(StormerVerlet::default()),
        ]
    ));
    add(measured!(F64x8, SAME, together, [Mixed], [ForwardEuler, RungeKutta4]));
    add(measured!(F64x4, SAME, together, [Cart], [RungeKutta4]));
    add(measured!(F64x4, CONVERGED, CHANGED, [Cart], [GeneralizedAlpha::with_spectral_radius(0.8)]));
    add(measured!(f64, SAME, together, [Cart], [RungeKutta4, GeneralizedAlpha::with_spectral_radius(0.8)]));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

mod apart {
    //! Members that cannot go with the others.

    use ode_model::integrators::{
        BackwardEuler, Bdf2, GeneralizedAlpha, ImplicitMidpoint, Leapfrog, RungeKutta4, StormerVerlet, SymplecticEuler,
    };
    use ode_model::prelude::*;
    use ode_model::{Ensemble, F64x8, Scalar, StepError};

    model! {
        /// A mass on a spring that is as stiff as one likes.
        pub struct Spring<T> {
            param k: Real = 4.0;
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = 0.5 * k * sq(x);
            init x = 1.0;
        }
    }
    model! {
        /// The same, pushed.
        pub struct Pushed<T> {
            param k: Real = 4.0;
            coord x: Real;
            input f: Real;
            kinetic = 0.5 * sq(der(x));
            potential = 0.5 * k * sq(x);
            force push on x = f;
            init x = 1.0;
        }
    }
    model! {
        /// Two masses of which one may be nothing, held together.
        pub struct Tied<T> {
            param m: Real = 1.0;
            coord x, y: Real;
            kinetic = 0.5 * m * sq(der(x)) + 0.5 * sq(der(y));
            potential = 0.5 * sq(y);
            constraint same: x == y;
            init y = 1.0;
            guess x = 1.0;
        }
    }
    model! {
        /// A ball that jumps, and stops when it has fallen into a hole.
        pub struct Ball<T> {
            param depth: Real = -1.0;
            coord y: Real;
            kinetic = 0.5 * sq(der(y));
            potential = 9.81 * y;
            init y = 1.0;
            event bounce when y < depth { der(y) = -0.9 * der(y); }
            event gone when y < -3.0 { stop; }
        }
    }

    model! {
        /// Two oscillators that know nothing of each other: one with a mass that may vanish on the way, one whose
        /// equations are linear, so that a single correction solves them.
        pub struct Pair<T> {
            param loss: Real = 0.0;
            coord x, y: Real;
            kinetic = 0.5 * (1.0 - loss * x) * sq(der(x)) + 0.5 * sq(der(y));
            potential = 2.0 * sq(x) + 50.0 * sq(y);
        }
    }
    model! {
        /// A bob on a rod.
        pub struct Hanging<T> {
            coord r: Vec2;
            kinetic = 0.5 * der(r).dot(der(r));
            potential = 9.81 * r.y;
            constraint rod: r.dot(r) == 1.0;
            guess r = vec2(0.0, -1.0);
        }
    }

    /// One member moves one way, the other another: what is large in one lane is zero in the next.
    #[test]
    fn corrections_are_measured_in_each_lane() {
        let start = |k: usize, model: &Pair<f64>| {
            let mut x = State::neutral(model);
            x.q = if k.is_multiple_of(2) { [1.0, 0.0].into() } else { [0.0, 0.5].into() };
            x
        };
        macro_rules! compare {
            ($($method:expr),*) => {$(
                let models = vec![Pair { loss: 0.3 }; 8];
                let setup = Ensemble::<Pair<F64x8>, _>::of(models, $method).given(start);
                let mut all = setup.fixed(0.1).expect("a start");
                all.advance_to(1.0, |_| {}).expect("steps");
                assert_eq!(all.steps_alone(), 0);
                for k in 0..8 {
                    let model = Pair { loss: 0.3 };
                    let mut run = Simulation::of(&model, $method).given(start(k, &model)).fixed(0.1).expect("a start");
                    run.advance_to(1.0).expect("steps");
                    let (found, wanted) = (all.state(k).expect("a member"), run.state());
                    for (found, wanted) in found.q.as_array().iter().zip(wanted.q.as_array()) {
                        assert!((found - wanted).abs() < 1e-11, "member {k}: {found} {wanted}");
                    }
                }
            )*};
        }
        compare!(
            StormerVerlet::default(),
            ImplicitMidpoint::default(),
            SymplecticEuler::momenta_first(),
            BackwardEuler::default()
        );
    }

    #[test]
    fn inertia_that_becomes_negative_is_that_of_one() {
        let loss = |k: usize| if k == 5 { 1.5 } else { 0.0 };
        let start = |_: usize, model: &Pair<f64>| {
            let mut x = State::neutral(model);
            (x.q, x.v) = ([0.0, 0.1].into(), [3.0, 0.0].into());
            x
        };
        let models: Vec<Pair<f64>> = (0..8).map(|k| Pair { loss: loss(k) }).collect();
        let method = BackwardEuler::default();
        let mut all = Ensemble::<Pair<F64x8>, _>::of(models.clone(), method).given(start).fixed(0.01).expect("a start");
        let found = all.advance_to(2.0, |_| {}).expect_err("negative inertia");
        let mut alone = Simulation::of(&models[5], method).given(start(5, &models[5])).fixed(0.01).expect("a start");
        let wanted = alone.advance_to(2.0).expect_err("negative inertia");
        assert_eq!((found.member, found.error.time), (Some(5), wanted.time));
        assert!(matches!(found.error.cause, ode_model::Cause::Inertia { name, .. } if name.as_str() == "x"), "{found}");
        assert!((0..8).all(|k| (k == 5) == all.failure(k).is_some()));
    }

    #[test]
    fn one_that_is_off_its_constraints_is_brought_back() {
        let start = |k: usize, model: &Hanging<f64>| {
            let mut x = State::neutral(model);
            x.q = [0.0, if k == 3 { -1.001 } else { -1.0 }].into();
            x
        };
        let models = vec![Hanging::<f64>::default(); 8];
        let setup =
            Ensemble::<Hanging<F64x8>, _>::of(models, RungeKutta4).project(ode_model::solve::Projection::to(1e-6));
        let mut all = setup.given(start).fixed(0.01).expect("a start");
        all.advance_to(0.1, |_| {}).expect("steps");
        for x in all.states() {
            let [x, y] = x.q.r();
            assert!((x * x + y * y - 1.0).abs() < 1e-6, "{x} {y}");
        }
    }

    fn alone<S: ode_model::Solvable<Real = f64>, M: ode_model::Method<S>>(
        model: &S,
        method: M,
        h: f64,
        end: f64,
    ) -> Result<State<S>, StepError> {
        let mut run = Simulation::of(model, method).fixed(h).expect("a start");
        run.advance_to(end).map(|()| run.state().clone())
    }

    #[test]
    fn one_that_fails_stops_no_other() {
        let stiffness = |k: usize| if k % 9 == 4 { 1e9 } else { 4.0 + k as f64 };
        let models: Vec<Spring<f64>> = (0..27).map(|k| Spring { k: stiffness(k) }).collect();
        let mut all = Ensemble::<Spring<F64x8>, _>::of(models.clone(), RungeKutta4).fixed(0.01).expect("a start");
        for end in [0.5, 2.0] {
            let first = all.advance_to(end, |_| {}).expect_err("a spring too stiff for the step");
            assert_eq!(first.member, Some(4));
            for (k, model) in models.iter().enumerate() {
                let (state, failure) = (all.state(k).expect("a member"), all.failure(k));
                match alone(model, RungeKutta4, 0.01, end) {
                    Ok(wanted) => {
                        assert!(failure.is_none());
                        assert_eq!((state.t, state.q, state.v), (end, wanted.q, wanted.v), "member {k}");
                    }
                    Err(error) => {
                        assert_eq!(failure, Some(&error), "member {k}");
                        assert_eq!(state.t, error.time, "the state before the step that failed");
                    }
                }
            }
        }
        // three failures, each followed by some steps alone
        assert!(all.steps_alone() < 27 * 40, "{}", all.steps_alone());
    }

    #[test]
    fn pivots_that_differ_are_found_alone() {
        let models: Vec<Tied<f64>> = (0..8).map(|k| Tied { m: if k == 3 { 0.0 } else { 1.0 } }).collect();
        let mut all = Ensemble::<Tied<F64x8>, _>::of(models.clone(), RungeKutta4).fixed(0.01).expect("a start");
        all.advance_to(1.0, |_| {}).expect("steps");
        assert!(all.steps_alone() >= 400);
        for (k, model) in models.iter().enumerate() {
            let wanted = alone(model, RungeKutta4, 0.01, 1.0).expect("steps");
            let found = all.state(k).expect("a member");
            assert!((found.q.y() - wanted.q.y()).abs() < 1e-13, "member {k}");
        }
    }

    #[test]
    fn events_happen_to_one_member() {
        let models: Vec<Ball<f64>> =
            (0..9).map(|k| Ball { depth: if k == 7 { -9.0 } else { -0.1 * k as f64 } }).collect();
        let mut all = Ensemble::<Ball<F64x8>, _>::of(models.clone(), RungeKutta4).fixed(0.01).expect("a start");
        let ended = all.advance_to(1.5, |_| {}).expect_err("one falls into the hole");
        assert_eq!(ended.member, Some(7));
        assert!(ended.to_string().starts_with("member 7: "), "{ended}");
        for (k, model) in models.iter().enumerate() {
            match alone(model, RungeKutta4, 0.01, 1.5) {
                Ok(wanted) => assert_eq!(all.state(k).expect("a member").q, wanted.q, "member {k}"),
                Err(error) => assert_eq!(all.failure(k), Some(&error)),
            }
        }
    }

    #[test]
    fn one_begins_anew_beside_others() {
        let models = || (0..11).map(|k| Spring { k: if k == 2 { 1e9 } else { 4.0 + k as f64 } });
        let mut all = Ensemble::<Spring<F64x8>, _>::of(models(), RungeKutta4).fixed(0.01).expect("a start");
        all.advance_to(0.5, |_| {}).expect_err("one is too stiff");
        let before = all.steps_alone();
        let state = |model: &Spring<f64>| State { q: [0.3].into(), ..State::neutral(model) };
        for k in [1, 2, 9] {
            let model = all.model(k).expect("a member").clone();
            all.restart(k, state(&model)).expect("a start");
        }
        assert!(all.failure(2).is_none());
        assert_eq!(all.advance_to(1.0, |_| {}).expect_err("it still is").member, Some(2));
        assert!(all.steps_alone() < before + 11 * 40, "{}", all.steps_alone());
        for (k, model) in models().enumerate().filter(|&(k, _)| k != 2) {
            let mut run = Simulation::of(&model, RungeKutta4).fixed(0.01).expect("a start");
            run.advance_to(0.5).expect("steps");
            if [1, 9].contains(&k) {
                run.change(|x| (x.q, x.v) = ([0.3].into(), [0.0].into())).expect("a state");
            }
            run.advance_to(1.0).expect("steps");
            let found = all.state(k).expect("a member");
            assert!((found.q.x() - run.state().q.x()).abs() < 1e-13, "member {k}");
        }
        let nowhere = State { q: [f64::NAN].into(), ..state(&Spring::default()) };
        assert_eq!(all.restart(3, nowhere).expect_err("no number").member, Some(3));
        assert!(all.failure(3).is_none());
        assert_eq!(all.restart(11, state(&Spring::default())).expect_err("nobody").member, Some(11));
    }

    #[test]
    fn it_continues_from_checkpoints_to_the_bit() {
        let models = || (0..11).map(|k| Spring { k: 4.0 + k as f64 });
        let mut all = Ensemble::<Spring<F64x8>, _>::of(models(), Bdf2::default()).fixed(0.01).expect("a start");
        all.advance_to(0.5, |_| {}).expect("steps");
        let points: Vec<_> = (0..11).map(|k| all.checkpoint(k).expect("a member")).collect();
        let setup = Ensemble::<Spring<F64x8>, _>::of(models(), Bdf2::default()).resume(|k| points[k].clone());
        let mut again = setup.fixed(0.01).expect("the same");
        all.advance_to(1.0, |_| {}).expect("steps");
        again.advance_to(1.0, |_| {}).expect("steps");
        assert_eq!((again.time(), again.steps_alone(), all.steps_alone()), (1.0, 0, 0));
        for (k, model) in models().enumerate() {
            let mut run = Simulation::of(&model, Bdf2::default()).resume(points[k].clone()).fixed(0.01).expect("one");
            run.advance_to(1.0).expect("steps");
            let (one, other) = (all.state(k).expect("a member"), again.state(k).expect("a member"));
            assert_eq!((one.q, one.v, one.a), (other.q, other.v, other.a));
            assert!((one.q.x() - run.state().q.x()).abs() < 1e-12);
        }
        assert!(all.checkpoint(11).is_none());
    }

    /// Inputs of one that makes no further step keep the others in step, also where the method remembers.
    #[test]
    fn inputs_of_one_that_stands_still_change_nothing() {
        let models = || (0..8).map(|k| Pushed { k: if k == 2 { 1e9 } else { 4.0 } });
        let mut all = Ensemble::<Pushed<F64x8>, _>::of(models(), Leapfrog::default()).fixed(0.01).expect("a start");
        all.advance_to(1.0, |_| {}).expect_err("one is too stiff");
        let before = all.steps_alone();
        all.set_inputs(2, &[3.0].into()).expect("inputs");
        all.advance_to(3.0, |_| {}).expect_err("it stands still");
        assert_eq!(all.steps_alone(), before);
        assert_eq!((all.inputs(2).expect("a member").f(), all.failures().count()), (3.0, 1));
        assert!(all.arrivals().enumerate().all(|(k, x)| x.is_err() == (k == 2)));
        let error = all.set_inputs(1, &[f64::NAN].into()).expect_err("no number");
        assert_eq!(error.to_string(), "member 1: input `f` is not finite");
    }

    #[test]
    fn it_continues_with_inputs_that_were_just_set_and_without_one_that_failed() {
        let models = || (0..8).map(|k| Pushed { k: if k == 2 { 1e9 } else { 4.0 } });
        let method = GeneralizedAlpha::with_spectral_radius(0.8);
        let mut all = Ensemble::<Pushed<F64x8>, _>::of(models(), Leapfrog::default()).fixed(0.01).expect("a start");
        let mut implicit = Ensemble::<Pushed<F64x8>, _>::of(models(), method).fixed(0.01).expect("a start");
        all.advance_to(1.0, |_| {}).expect_err("one is too stiff");
        implicit.advance_to(1.0, |_| {}).expect("steps");
        for k in 0..8 {
            all.set_inputs(k, &[2.0].into()).expect("inputs");
            implicit.set_inputs(k, &[2.0].into()).expect("inputs");
        }
        let points: Vec<_> = (0..8).map(|k| all.checkpoint(k).expect("a member")).collect();
        let setup = Ensemble::<Pushed<F64x8>, _>::of(models(), Leapfrog::default()).resume(|k| points[k].clone());
        let mut again = setup.inputs(|_, u| u.set_f(2.0)).fixed(0.01).expect("the others");
        let points: Vec<_> = (0..8).map(|k| implicit.checkpoint(k).expect("a member")).collect();
        let setup = Ensemble::<Pushed<F64x8>, _>::of(models(), method).resume(|k| points[k].clone());
        let mut implicit_again = setup.inputs(|_, u| u.set_f(2.0)).fixed(0.01).expect("the same");
        assert!(again.failure(2).is_some());
        assert_eq!(again.advance_to(1.5, |_| {}).expect_err("it was left behind").member, Some(2));
        all.advance_to(1.5, |_| {}).expect_err("it is too stiff");
        implicit.advance_to(1.5, |_| {}).expect("steps");
        implicit_again.advance_to(1.5, |_| {}).expect("steps");
        for (one, other) in all.states().zip(again.states()).chain(implicit.states().zip(implicit_again.states())) {
            assert_eq!((one.t, one.q, one.v), (other.t, other.q, other.v));
        }
        assert!(all.checkpoint(1).is_some_and(|point| point.state().t == 1.5));
    }

    /// Grids of different runs become one.
    #[test]
    fn checkpoints_of_different_runs_join() {
        let model = Spring::<f64>::default();
        let mut long = Simulation::of(&model, RungeKutta4).fixed(0.01).expect("a start");
        long.advance_to(0.5).expect("steps");
        let short = Simulation::of(&model, RungeKutta4).given(long.state().clone()).fixed(0.01).expect("a start");
        let points = [long.checkpoint(), short.checkpoint()];
        let setup = Ensemble::<Spring<F64x8>, _>::of(vec![model; 8], RungeKutta4);
        let mut all = setup.resume(|k| points[usize::from(k == 3)].clone()).fixed(0.01).expect("a start");
        all.advance_to(1.0, |_| {}).expect("steps");
        assert_eq!(all.steps_alone(), 0);
        assert!(all.states().all(|x| x.q == all.state(0).expect("a member").q));
    }

    /// A run over a register that would miss what happens in one lane is refused.
    #[test]
    fn events_over_registers_are_refused() {
        let several = Ball::<F64x8>::default();
        let error = Simulation::of(&several, RungeKutta4).fixed(F64x8::ONE).expect_err("events");
        assert!(error.to_string().contains("events of a model over several numbers"), "{error}");
    }

    #[test]
    fn threads_change_no_bit() {
        let models = || (0..50).map(|k| Spring { k: if k == 11 { 1e9 } else { 1.0 + k as f64 } });
        let mut one =
            Ensemble::<Spring<F64x8>, _>::of(models(), BackwardEuler::default()).fixed(0.01).expect("a start");
        let mut several =
            Ensemble::<Spring<F64x8>, _>::of(models(), BackwardEuler::default()).fixed(0.01).expect("a start");
        let last = std::sync::atomic::AtomicUsize::new(0);
        let a = one.advance_to(1.0, |_| {});
        let b = several.advance_parallel(1.0, |done| {
            last.fetch_max(done, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!((a, last.into_inner()), (b, 50));
        for (a, b) in one.states().zip(several.states()) {
            assert_eq!((a.q, a.v, a.a), (b.q, b.v, b.a));
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let good = || std::iter::repeat_with(Spring::<f64>::default).take(3);
        let bad = good().chain([Spring { k: f64::NAN }]);
        let error = Ensemble::<Spring<F64x8>, _>::of(bad, RungeKutta4).fixed(0.01).expect_err("no number");
        assert_eq!(error.member, Some(3));
        assert!(error.to_string().contains("param k = NaN"), "{error}");
        assert_eq!(
            Ensemble::<Spring<F64x8>, _>::of(good(), RungeKutta4).fixed(-0.1).expect_err("a step").member,
            Some(0)
        );
        let late = |k, model: &Spring<f64>| State { t: if k == 2 { 1.0 } else { 0.0 }, ..State::neutral(model) };
        let error =
            Ensemble::<Spring<F64x8>, _>::of(good(), RungeKutta4).given(late).fixed(0.1).expect_err("another time");
        assert_eq!(error.member, Some(0));
        let mut all = Ensemble::<Spring<F64x8>, _>::of(good(), RungeKutta4).fixed(0.01).expect("a start");
        all.advance_to(1.0, |_| {}).expect("steps");
        let before = all.state(1).expect("a member");
        for time in [0.5, f64::NAN, f64::INFINITY] {
            assert_eq!(all.advance_to(time, |_| {}).expect_err("no time to come").member, None);
        }
        assert_eq!((all.time(), all.state(1).expect("a member").q, all.failure(1)), (1.0, before.q, None));
        assert!(all.state(3).is_none() && all.failure(3).is_none() && all.model(3).is_none());
        assert_eq!(all.set_inputs(3, &Default::default()).expect_err("nobody").member, Some(3));
        let mut none = Ensemble::<Spring<F64x8>, _>::of([], RungeKutta4).fixed(0.01).expect("nobody");
        none.advance_to(1.0, |_| {}).expect("nothing");
        assert!(none.is_empty() && none.states().next().is_none());
    }
}

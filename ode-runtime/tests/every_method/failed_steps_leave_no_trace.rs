//! Failed steps leave no trace: once the cause is removed, the run equals one without failures, to the bit.

use std::cell::Cell;

use crate::common::erased::{Controlled, Erased, Shared};
use crate::common::methods::{Candidate, Each, every_method};
use crate::common::plants::{Actuated, Oscillator};
use crate::common::{On, Plant, on};
use crate::dense_system;
use ode_runtime::integrators::{
    BackwardEuler, Bdf2, BogackiShampine, DormandPrince, DormandPrince8, ExplicitMidpoint, Fehlberg, GeneralizedAlpha,
    Geodesic, Heun, Implicit, ImplicitMidpoint, Leapfrog, SemiExplicitPair, Verner9,
};
use ode_runtime::solve::{Newton, Projection, Reuse};
use ode_runtime::{
    Adaptive, Cause, Halving, Inputs, Law, Linearize, Method, Moment, Quantity, Saved, Scalar, Setup, Simulation,
    Solvable, StartError, System, input_fn,
};

const SPRING: Oscillator = Oscillator { m: 1.0, k: 10.0, c: 0.1, w: 0.0, x: 1.0, v: 0.0 };

/// sin t, and not a number later than `broken`.
fn drive<S: System<Real = f64>>(broken: &'static Cell<f64>) -> impl Inputs<S> {
    input_fn(move |at: Moment<'_, S>, u: &mut S::U| {
        u.as_mut().fill(if at.t > broken.get() { f64::NAN } else { at.t.sin() })
    })
}

/// All numbers of a run except its statistics, as text that distinguishes −0 from 0: state, memory, and the state of
/// the step control.
fn numbers<S: Solvable<Real = f64>, M: Method<S>, U: Inputs<S>>(run: &Simulation<'_, S, M, U>) -> String {
    let Saved { numbers, mut counts, .. } = run.save();
    let place = |name: &str| counts.iter().position(|(other, _)| other == name).expect("a count of the statistics");
    let statistics = place("steps taken")..=place("bits of the rate of convergence");
    counts.drain(statistics);
    serde_json::to_string(&(numbers, counts)).expect("text")
}

/// Breaks the input of a run from these shares of its next steps on, and mends it again.
#[track_caller]
fn recovers<'a, S: Solvable<Real = f64>, M: Method<S> + Copy, U: Inputs<S>>(
    (name, system, method, shares): (&str, &'a S, M, &[f64]),
    drive: impl Fn(&'static Cell<f64>) -> U,
    case: impl Fn(Setup<'a, S, M, U>) -> Result<Simulation<'a, S, M, U>, StartError>,
) {
    let switch = || &*Box::leak(Box::new(Cell::new(f64::INFINITY)));
    let (broken, sane) = (switch(), switch());
    let start = |cell| case(Simulation::of(system, method).inputs(drive(cell)));
    let mut run = start(broken).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut sound = start(sane).expect("the same");
    for share in shares {
        for _ in 0..2 {
            run.step_towards(9.0).unwrap_or_else(|error| panic!("{name}: {error}"));
            sound.step_towards(9.0).expect("a step");
            assert_eq!(numbers(&run), numbers(&sound), "{name}, {share}");
        }
        let taken = run.statistics().taken;
        broken.set(run.state().t + share * run.next_step());
        let error = run.step_towards(9.0).expect_err("not a number");
        assert!(matches!(error.cause, Cause::NonFinite { quantity: Quantity::Input, .. }), "{name}: {error}");
        assert_eq!(error.time, run.state().t);
        assert_eq!(numbers(&run), numbers(&sound), "{name} failed at {share}");
        assert_eq!(run.step_towards(9.0).expect_err("still"), error, "{name}");
        assert_eq!(numbers(&run), numbers(&sound), "{name} failed twice at {share}");
        assert_eq!(run.statistics().taken, taken);
        broken.set(f64::INFINITY);
    }
    for _ in 0..2 {
        run.step_towards(9.0).expect("mended");
        sound.step_towards(9.0).expect("a step");
        assert_eq!(numbers(&run), numbers(&sound), "{name} mended");
    }
}

/// Wherever in a fixed step evaluations fail, and where no halving helps.
fn in_fixed_steps<S: Solvable<Real = f64>>(name: &str, system: &S, method: &dyn Erased<S>) {
    let method = Shared(method);
    recovers((name, system, method, &[0.0, 0.3, 0.6, 0.97]), drive, |setup| setup.fixed(0.02));
    recovers((name, system, method, &[0.0, 0.6]), drive, |setup| setup.project(Projection::to(1e-10)).fixed(0.02));
    recovers((name, system, method, &[0.0]), drive, |setup| setup.halving(Halving::of(0.02)));
}

/// Where no smaller step helps.
fn under_error_control<M: Controlled<On<Oscillator>> + Controlled<On<Actuated>>>(name: &str, method: M) {
    fn by_a_filter<S: Solvable<Real = f64>>(name: &str, system: &S, method: &dyn Controlled<S>) {
        recovers((name, system, Shared(method), &[0.0]), drive, |setup| {
            setup.controlled(Adaptive { law: Law::H312B, ..Adaptive::to(1e-4) })
        });
    }
    by_a_filter(name, &on(SPRING), &method);
    by_a_filter(name, &on(Actuated { lag: 0.1 }), &method);
}

struct Recovers;

impl Each for Recovers {
    fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
        in_fixed_steps(name, &on(SPRING), &method);
        in_fixed_steps(name, &on(Actuated { lag: 0.1 }), &method);
    }
}

#[test]
fn every_method_recovers() {
    every_method(&mut Recovers);
    in_fixed_steps("Leapfrog::once", &on(SPRING), &Leapfrog::once());
}

#[test]
fn error_control_recovers() {
    under_error_control("Heun", Heun);
    under_error_control("ExplicitMidpoint", ExplicitMidpoint);
    under_error_control("BogackiShampine", BogackiShampine);
    under_error_control("Geodesic", Geodesic);
    under_error_control("Fehlberg", Fehlberg);
    under_error_control("DormandPrince", DormandPrince);
    under_error_control("DormandPrince8", DormandPrince8);
    under_error_control("Verner9", Verner9);
    under_error_control("SemiExplicitPair", SemiExplicitPair);
    under_error_control("Leapfrog", Leapfrog::default());
    under_error_control("BackwardEuler", BackwardEuler::default());
    under_error_control("Bdf2", Bdf2::default());
    under_error_control("GeneralizedAlpha", GeneralizedAlpha::with_spectral_radius(0.8));
}

#[test]
fn matrices_kept_survive_a_failure() {
    fn with<S: Linearize + Solvable<Real = f64> + 'static>(system: &S) {
        for reuse in [Reuse::EveryStep, Reuse::automatic(), Reuse::Never] {
            let kept = |newton| Newton { reuse, ..newton };
            let alpha = GeneralizedAlpha::with_spectral_radius(0.8);
            in_fixed_steps("alpha", system, &GeneralizedAlpha { newton: kept(alpha.newton), ..alpha });
            let solve = Implicit::Newton(kept(Newton::default()));
            in_fixed_steps("Euler", system, &BackwardEuler { solve, ..BackwardEuler::default() });
            in_fixed_steps("bdf", system, &Bdf2 { newton: kept(Bdf2::default().newton), ..Bdf2::default() });
            let midpoint = ImplicitMidpoint { newton: kept(ImplicitMidpoint::default().newton) };
            in_fixed_steps("midpoint", system, &midpoint);
        }
    }
    with(&on(SPRING));
    with(&on(Actuated { lag: 0.1 }));
}

/// Two masses on springs and one between them, and a force atan2(u (x + 5), u): where u is zero, a number without a
/// slope.
#[derive(Clone, Copy, Debug)]
struct Turned;

impl Plant<2, 0, 0, 1> for Turned {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 2], _v: &[T; 2], _z: &[T; 0], u: &[T; 1]) -> [T; 2] {
        let (k, between) = (T::from_f64(100.0), T::from_f64(300.0) * (q[1] - q[0]));
        let turned = (u[0] * (q[0] + T::from_f64(5.0))).atan2(u[0]);
        [between - k * q[0] + turned, -between - k * q[1]]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([1.0, 0.0], [0.0; 2], [])
    }
}
dense_system!(Turned, q 2 ["x", "y"], z 0 [], c 0 [], u 1 ["push"], mass 3, jacobian 0, n 2, tangent 4, saddle 2,
    assembly 2, init [], []);

fn push(cell: &Cell<f64>) -> impl Inputs<On<Turned>> {
    input_fn(move |_: Moment<'_, On<Turned>>, u: &mut [f64; 1]| u[0] = cell.get())
}

#[test]
fn a_matrix_that_fails_is_forgotten() {
    let turned = on(Turned);
    let alpha = GeneralizedAlpha::with_spectral_radius(0.8);
    let method = GeneralizedAlpha { newton: Newton { reuse: Reuse::Never, ..alpha.newton }, ..alpha };
    let (broken, sane) = (Cell::new(1.0), Cell::new(1.0));
    let mut run = Simulation::of(&turned, method).inputs(push(&broken)).fixed(0.02).expect("a start");
    let mut sound = Simulation::of(&turned, method).inputs(push(&sane)).fixed(0.02).expect("a start");
    for _ in 0..2 {
        for _ in 0..3 {
            run.step_towards(9.0).expect("a step");
            sound.step_towards(9.0).expect("a step");
            assert_eq!(numbers(&run), numbers(&sound));
        }
        // A step of another size needs a matrix of its own, and there is none.
        broken.set(0.0);
        let error = run.step_towards(run.state().t + 0.005).expect_err("no slope");
        assert!(matches!(error.cause, Cause::NonFinite { quantity: Quantity::Force, .. }), "{error}");
        assert_eq!(numbers(&run), numbers(&sound));
        broken.set(1.0);
    }
}

//! Error estimates of implicit methods, against the error of a step and of runs under error control.

use crate::common::on;
use crate::common::plants::{Actuated, DoublePendulum, Oscillator, Pendulum};
use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic};
use ode_runtime::solve::Projection;
use ode_runtime::{Context, Estimates, Linearize, Method, Nominal, Proposal, Simulation, Solvable, Start, State, Work};

/// q, v and z of a step from a motion of its own, and its estimates: after `steps` steps of `h`.
struct Step {
    off: Vec<f64>,
    estimate: Vec<f64>,
}

fn step<S, M>(system: &S, method: &M, h: f64, steps: u32) -> Step
where
    S: Solvable<Real = f64> + Linearize,
    M: Method<S>,
{
    let (mut x, mut work) = (Start::default().solve(system, &Nominal).expect("consistent"), Work::default());
    let (mut w, mut next) = (method.scratch(system), Proposal::new(system));
    let mut cx = Context { system, inputs: &Nominal, work: &mut work };
    let mut m = method.restart(&mut cx, &mut x, h, &mut w, &mut next.acceleration).expect("a memory");
    for _ in 0..steps {
        next.attempt(method, &mut cx, (&x, &m), h, &mut w).expect("a step");
        next.finish(method, &mut cx).expect("rates");
        next.commit(method, (&mut x, &mut m), &mut w);
    }
    // The motion from there.
    let mut run = Simulation::of(system, Geodesic).given(x.clone()).adaptive(1e-14).expect("a start");
    run.advance_to(x.t + h).expect("steps");
    let exact = run.state();
    next.attempt(method, &mut cx, (&x, &m), h, &mut w).expect("a step");
    assert!(method.estimates());
    let estimate = &next.error;
    let estimate = [estimate.q.as_ref(), estimate.v.as_ref(), estimate.z.as_ref()].concat();
    let all = |x: &State<S>| [x.q.as_ref(), x.v.as_ref(), x.z.as_ref()].concat();
    let off = all(&next.x).iter().zip(all(exact)).map(|(a, b)| a - b).collect();
    Step { off, estimate }
}

/// How far the estimates may be from what they estimate, relative to the largest of q or v: O(h).
fn estimates<S: Solvable<Real = f64> + Linearize>(name: &str, system: &S, method: &impl Method<S>, h: f64) {
    let Step { off, estimate } = step(system, method, h, 40);
    let nv = system.layout().v.len();
    for part in [0..nv, nv..off.len()] {
        let largest = off[part.clone()].iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for (got, want) in estimate[part.clone()].iter().zip(&off[part]) {
            assert!((got - want).abs() < 0.1 * largest, "{name}: {estimate:?} for {off:?}");
        }
    }
}

fn family() -> [(&'static str, GeneralizedAlpha<f64>); 6] {
    [
        ("trapezoidal", GeneralizedAlpha::trapezoidal()),
        ("Newmark (0.6, 0.3)", GeneralizedAlpha::newmark(0.6, 0.3)),
        ("HHT(-0.3)", GeneralizedAlpha::hht(-0.3)),
        ("ρ = 0", GeneralizedAlpha::with_spectral_radius(0.0)),
        ("ρ = 0.5", GeneralizedAlpha::with_spectral_radius(0.5)),
        ("ρ = 0.9", GeneralizedAlpha::with_spectral_radius(0.9)),
    ]
}

#[test]
fn estimates_are_what_a_step_is_off() {
    let damped = on(Oscillator { m: 1.0, k: 40.0, c: 0.9, w: 1.0, x: 1.0, v: 0.0 });
    for (name, method) in family() {
        estimates(name, &on(DoublePendulum), &method, 2e-3);
        estimates(name, &damped, &method, 2e-3);
    }
    estimates("backward Euler", &on(DoublePendulum), &BackwardEuler::default(), 1e-3);
    estimates("linearised", &damped, &BackwardEuler::linearized(), 1e-3);
}

/// A system, and its state at t = 1 nearly to round-off.
struct Case<'a, S: Solvable<Real = f64>> {
    system: &'a S,
    exact: State<S>,
}

impl<'a, S: Solvable<Real = f64>> Case<'a, S> {
    fn of(system: &'a S) -> Self {
        let setup = Simulation::of(system, Geodesic).project(Projection::to(1e-12));
        let mut run = setup.adaptive(1e-12).expect("a start");
        run.advance_to(1.0).expect("steps");
        Self { system, exact: run.state().clone() }
    }

    /// Largest error of q, v and z at t = 1 and the steps attempted, under error control.
    fn controlled<M: Method<S> + Estimates>(&self, method: M, accuracy: f64) -> (f64, u64) {
        let mut run = Simulation::of(self.system, method).adaptive(accuracy).expect("a start");
        run.advance_to(1.0).expect("steps");
        let all = |x: &State<S>| [x.q.as_ref(), x.v.as_ref(), x.z.as_ref()].concat();
        let off = all(run.state()).iter().zip(all(&self.exact)).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        (off, run.statistics().attempted)
    }

    /// Errors fall with the accuracy as the local errors of a method of order `order` add up, and so do the steps
    /// rise.
    fn control<M: Method<S> + Estimates + Copy>(&self, name: &str, method: M, order: f64) {
        let ((coarse, few), (fine, many)) = (self.controlled(method, 1e-5), self.controlled(method, 1e-7));
        let (falls, rises) = ((coarse / fine).log(100.0), (many as f64 / few as f64).log(100.0));
        let (error, work) = (order / (order + 1.0), 1.0 / (order + 1.0));
        assert!((falls - error).abs() < 0.2, "{name}: errors {coarse:e} and {fine:e}");
        assert!((rises - work).abs() < 0.1, "{name}: {few} and {many} steps");
    }
}

#[test]
fn errors_under_control_follow_the_accuracy() {
    let (double, pendulum, actuated) = (on(DoublePendulum), on(Pendulum::standard()), on(Actuated { lag: 0.05 }));
    let (double, pendulum, actuated) = (Case::of(&double), Case::of(&pendulum), Case::of(&actuated));
    for (name, method) in family() {
        let order = if method.gamma == 0.6 { 1.0 } else { 2.0 };
        assert_eq!(f64::from(method.error_order()), order + 1.0, "{name}");
        double.control(name, method, order);
        pendulum.control(name, method, order);
        actuated.control(name, method, order);
    }
    double.control("backward Euler", BackwardEuler::default(), 1.0);
    pendulum.control("backward Euler", BackwardEuler::default(), 1.0);
    actuated.control("backward Euler", BackwardEuler::default(), 1.0);
}

//! What Simbody's integrators give on its PendulumSystem, whose period is exactly 2.

use ode_runtime::integrators::{
    BogackiShampine, Fehlberg, Geodesic, Heun, SemiExplicitEuler, SemiExplicitPair, Tableau,
};
use ode_runtime::solve::{Acceleration, Projection};
use ode_runtime::{
    Adaptive, Bound, Cause, Context, Estimates, Inputs, Method, MethodName, Norm, Proposal, Simulation, StartError,
    State, Tolerance,
};

use super::close;
use crate::common::plants::Pendulum;
use crate::common::{On, on};

#[test]
fn geodesic_takes_the_steps_of_simbody() {
    // Simbody's GeodesicIntegrator on its PendulumSystem, t = 20, projection to a tenth of the tolerance.
    let g = 13.750_371_637_329_454_4;
    // (accuracy, tolerance) → taken, attempted, error failures, derivatives, first step.
    let runs = [
        ((1e-3, 1e-4), (274, 335, 61, 1615), 0.1),
        ((1e-6, 1e-10), (1462, 1568, 106, 7735), 0.020_162_2),
        ((1e-9, 1e-10), (8222, 8360, 138, 4 * 8360 + 8222 + 1), 0.004_999_23),
    ];
    let pendulum = on(Pendulum { m: 1.0, g, scale: 0.5, start: [1.0, 0.0] });
    for ((accuracy, tolerance), (taken, attempted, failures, derivatives), first) in runs {
        let setup = Simulation::of(&pendulum, Geodesic).project(Projection::to(tolerance));
        let mut run = setup.adaptive_from(accuracy, 0.1).expect("a start");
        run.advance_to(20.0).expect("steps");
        let s = run.statistics();
        assert_eq!((s.taken, s.attempted, s.error_failures), (taken, attempted, failures), "accuracy {accuracy}");
        assert_eq!(s.work.evaluations, derivatives, "accuracy {accuracy}");
        close(s.first_step, first, 5e-6);
        assert_eq!(s.projection_failures, 0);
        let x = run.state();
        if accuracy == 1e-6 {
            let want = [1.000_000_000_001_28, -2.017_762_01e-6, -1.0e-10, -4.947_463e-5];
            for (got, want) in x.q.iter().chain(&x.v).zip(want) {
                assert!((got - want).abs() < 5e-12, "{got:e} is not {want:e}");
            }
        }
        if accuracy == 1e-9 {
            let energy = 0.5 * (x.v[0] * x.v[0] + x.v[1] * x.v[1]) + g * x.q[1];
            assert!((energy + 2.3e-8).abs() < 5e-10, "E − E₀ = {energy:e}");
        }
    }
}

/// Error of y after one period, accuracy 1e-6 and constraints held to 1e-7: the state is (1, 0, 0, 0) again.
fn error_of_y(run: Result<Simulation<'_, On<Pendulum>, impl Method<On<Pendulum>>>, StartError>) -> f64 {
    let mut run = run.expect("a start");
    run.advance_to(2.0).expect("steps");
    run.state().q[1]
}

#[test]
fn errors_of_one_period_beside_simbodys_integrators() {
    // Simbody, RMS of scaled errors: RungeKuttaFeldberg 5.2e-5 (52 attempts), RungeKutta3 −3.4e-6 (670), Verlet −7.7e-5
    // (544), SemiExplicitEuler2 2.1e-3 (7545), CPodes BDF 3.6e-5 (223), RungeKuttaMerson −1.2e-7 (115); our norm is the
    // largest entry.
    let pendulum = on(Pendulum { m: 1.0, g: 13.750_371_637_329_454_4, scale: 0.5, start: [1.0, 0.0] });
    let setup = |method| Simulation::of(&pendulum, method).project(Projection::to(1e-7));
    let merson = error_of_y(setup(Geodesic).adaptive(1e-6));
    assert!(merson.abs() < 3.4e-6 / 10.0, "{merson:e}");
    // SemiExplicitEuler, h = 1e-3: 1.9e-2.
    let setup = Simulation::of(&pendulum, SemiExplicitEuler::explicit()).project(Projection::to(1e-7));
    close(error_of_y(setup.fixed(1e-3)).abs(), 1.9e-2, 3e-2);
}

/// Attempts over one period with the root of the mean of squares as the norm, and the error of y.
fn attempts<M: Method<On<Pendulum>> + Estimates>(method: M, relative: f64) -> (u64, f64) {
    let pendulum = on(Pendulum { m: 1.0, g: 13.750_371_637_329_454_4, scale: 0.5, start: [1.0, 0.0] });
    let mut control = Adaptive::within(Tolerance::new(Bound { absolute: 1e-6, relative }).norm(Norm::Rms));
    control.steps.first = Some(0.01);
    let setup = Simulation::of(&pendulum, method).project(Projection::to(1e-7));
    let mut run = setup.controlled(control).expect("a start");
    run.advance_to(2.0).expect("steps");
    (run.statistics().attempted, run.state().q[1].abs())
}

#[test]
fn attempts_of_one_period_beside_simbodys_integrators() {
    // Simbody takes the mean of q and of v apart, and an error of v relative where v is above 1: RungeKuttaMerson 115
    // attempts, RungeKuttaFeldberg 52 with an error of 5.2e-5, RungeKutta3 670 with 3.4e-6.
    let (merson, fehlberg, third) =
        (attempts(Geodesic, 1e-6), attempts(Fehlberg, 1e-6), attempts(BogackiShampine, 0.0));
    assert!(merson.0 <= 115 && merson.1 < 1e-6, "{merson:?}");
    assert!(fehlberg.0 <= 60 && fehlberg.1 < 5.2e-5, "{fehlberg:?}");
    assert!(third.0 <= 670 && third.1 < 4e-6, "{third:?}");
}

/// A method whose estimate is Simbody's norm of it: of q and of v the roots of the means of squares apart, the larger
/// one; an error of v relative where v was above 1; and where an error may pass, without its part across the rod.
/// `ORDER` is Simbody's.
#[derive(Clone, Copy)]
struct Measured<M, const ORDER: u32> {
    method: M,
    across: Across,
}

/// What becomes of the part of an error across the rod.
#[derive(Clone, Copy, PartialEq)]
enum Across {
    Removed,
    /// from |e|
    RemovedUnsigned,
    Kept,
}

impl<M, const ORDER: u32> Estimates for Measured<M, ORDER> {
    const ERROR_ORDER: u32 = ORDER;
}

const ACCURACY: f64 = 1e-6;
const TOLERANCE: f64 = 1e-7;

/// The position on the rod that Simbody's projection finds: one iteration at least.
fn on_the_rod(mut q: [f64; 2]) -> [f64; 2] {
    loop {
        let square = q[0] * q[0] + q[1] * q[1];
        q = q.map(|x| x - 0.5 * (square - 1.0) / square * x);
        if 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0).abs() <= TOLERANCE {
            return q;
        }
    }
}

/// Simbody's norm of errors of q and of v, where a step begins with `speed`.
fn norm(speed: [f64; 2], q: [f64; 2], v: [f64; 2]) -> f64 {
    let mean = |e: [f64; 2]| (0.5 * (e[0] * e[0] + e[1] * e[1])).sqrt();
    let scale = speed.map(|v| 1.0 / v.abs().max(1.0));
    mean(q).max(mean([scale[0] * v[0], scale[1] * v[1]]))
}

/// An error without its part across the rod.
fn along(q: [f64; 2], e: [f64; 2]) -> [f64; 2] {
    let across = (q[0] * e[0] + q[1] * e[1]) / (q[0] * q[0] + q[1] * q[1]);
    [e[0] - across * q[0], e[1] - across * q[1]]
}

impl<M: Method<On<Pendulum>>, const ORDER: u32> Method<On<Pendulum>> for Measured<M, ORDER> {
    type Memory = M::Memory;
    type Scratch = M::Scratch;

    fn name(&self) -> MethodName {
        self.method.name()
    }

    fn scratch(&self, system: &On<Pendulum>) -> M::Scratch {
        self.method.scratch(system)
    }

    fn restart<U: Inputs<On<Pendulum>>>(
        &self,
        cx: &mut Context<'_, On<Pendulum>, U>,
        x: &mut State<On<Pendulum>>,
        h: f64,
        w: &mut M::Scratch,
        acceleration: &mut Acceleration<On<Pendulum>>,
    ) -> Result<M::Memory, Cause> {
        self.method.restart(cx, x, h, w, acceleration)
    }

    fn attempt<U: Inputs<On<Pendulum>>>(
        &self,
        cx: &mut Context<'_, On<Pendulum>, U>,
        x: &State<On<Pendulum>>,
        m: &M::Memory,
        h: f64,
        w: &mut M::Scratch,
        next: &mut Proposal<On<Pendulum>>,
    ) -> Result<(), Cause> {
        self.method.attempt(cx, x, m, h, w, next)?;
        let Proposal { x: end, error, .. } = next;
        let (mut q, mut v) = (error.q, error.v);
        if self.across == Across::RemovedUnsigned {
            (q, v) = (q.map(f64::abs), v.map(f64::abs));
        }
        let mut measured = norm(x.v, q, v);
        if self.across != Across::Kept && measured <= f64::from(1 << ORDER) * ACCURACY {
            let end = on_the_rod(end.q);
            measured = norm(x.v, along(end, q), along(end, v));
        }
        (error.q, error.v) = ([measured, 0.0], [0.0; 2]);
        Ok(())
    }

    fn estimates(&self) -> bool {
        true
    }

    fn remember(&self, x: &State<On<Pendulum>>, next: &State<On<Pendulum>>, m: &mut M::Memory, w: &mut M::Scratch) {
        self.method.remember(x, next, m, w);
    }
}

/// Kutta's method of order 3, whose estimate is the difference to the midpoint rule: Simbody's RungeKutta3.
#[derive(Clone, Copy)]
struct Kutta3;

impl Tableau for Kutta3 {
    type Stages<X> = [X; 3];
    const NAME: &'static str = "Kutta 3(2)";
    const A: &'static [&'static [f64]] = &[&[], &[0.5], &[-1.0, 2.0]];
    const B: &'static [f64] = &[1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0];
    const C: &'static [f64] = &[0.0, 0.5, 1.0];
    const EMBEDDED: &'static [f64] = &[0.0, 1.0, 0.0];
    const ORDER: u32 = 3;
}

/// Steps taken and attempted over one period and the error of y, as Simbody's integrators make them.
fn period<M: Method<On<Pendulum>> + Estimates>(method: M) -> (u64, u64, String) {
    let pendulum = on(Pendulum { m: 1.0, g: 13.750_371_637_329_454_4, scale: 0.5, start: [1.0, 0.0] });
    // A tenth of its time scale; projected after every step.
    let projection = Projection { margin: 1e-9, ..Projection::to(TOLERANCE) };
    let setup = Simulation::of(&pendulum, method).project(projection);
    let mut run = setup.adaptive_from(ACCURACY, 0.01).expect("a start");
    while run.state().t < 2.0 {
        // It stretches no step by more than a thousandth to land.
        let lands = run.state().t + 1.001 * run.next_step() >= 2.0;
        run.step_towards(if lands { 2.0 } else { f64::INFINITY }).expect("a step");
    }
    let s = run.statistics();
    (s.taken, s.attempted, format!("{:.1e}", run.state().q[1]))
}

#[test]
fn runge_kutta_methods_take_the_steps_of_simbodys_integrators() {
    // Simbody, accuracy 1e-6, constraints to 1e-7, t = 2: RungeKuttaMerson, RungeKuttaFeldberg, RungeKutta3 and
    // RungeKutta2. It controls the step of Fehlberg's method by the fourth root.
    let merson = period(Measured::<_, 4> { method: Geodesic, across: Across::RemovedUnsigned });
    assert_eq!(merson, (101, 115, "-1.2e-7".to_owned()));
    let fehlberg = period(Measured::<_, 4> { method: Fehlberg, across: Across::Removed });
    assert_eq!(fehlberg, (44, 52, "5.2e-5".to_owned()));
    // 586 and 670 there: where a step is cut to land on t = 2 and fails, Simbody shrinks the step planned, not the one
    // that failed.
    let third = period(Measured::<_, 3> { method: Kutta3, across: Across::RemovedUnsigned });
    assert_eq!(third, (587, 672, "-3.4e-6".to_owned()));
    let second = period(Measured::<_, 2> { method: Heun, across: Across::RemovedUnsigned });
    assert_eq!(second, (8044, 9764, "-2.6e-8".to_owned()));
}

#[test]
fn the_semi_explicit_pair_takes_the_steps_of_simbodys() {
    // SemiExplicitEuler2, as above.
    let pair = period(Measured::<_, 2> { method: SemiExplicitPair, across: Across::Kept });
    assert_eq!(pair, (7515, 7545, "2.1e-3".to_owned()));
}

/// Simbody's Verlet: positions by a₀, on the rod, and then velocities by the trapezoidal rule, iterated; measured by
/// what the trapezoidal rule gives for the positions, and by Euler's for the velocities.
#[derive(Clone, Copy)]
struct Verlet;

impl Estimates for Verlet {
    const ERROR_ORDER: u32 = 3;
}

impl Method<On<Pendulum>> for Verlet {
    type Memory = ();
    type Scratch = ();

    fn name(&self) -> MethodName {
        MethodName::new("Simbody's Verlet")
    }

    fn scratch(&self, _system: &On<Pendulum>) {}

    fn restart<U: Inputs<On<Pendulum>>>(
        &self,
        _cx: &mut Context<'_, On<Pendulum>, U>,
        _x: &mut State<On<Pendulum>>,
        _h: f64,
        (): &mut (),
        _acceleration: &mut Acceleration<On<Pendulum>>,
    ) -> Result<(), Cause> {
        Ok(())
    }

    fn attempt<U: Inputs<On<Pendulum>>>(
        &self,
        cx: &mut Context<'_, On<Pendulum>, U>,
        x: &State<On<Pendulum>>,
        (): &(),
        h: f64,
        (): &mut (),
        next: &mut Proposal<On<Pendulum>>,
    ) -> Result<(), Cause> {
        let Proposal { acceleration, x: end, error, .. } = next;
        let pair = |f: &dyn Fn(usize) -> f64| [f(0), f(1)];
        let size = |v: [f64; 2]| v[0].hypot(v[1]);
        end.copy_from(x);
        end.t += h;
        end.q = on_the_rod(pair(&|i| x.q[i] + h * x.v[i] + 0.5 * h * h * x.a[i]));
        let euler = pair(&|i| x.v[i] + h * x.a[i]);
        end.v = euler;
        let mut last = f64::INFINITY;
        for pass in 0..10 {
            acceleration.settle(cx, end)?;
            let v = pair(&|i| x.v[i] + 0.5 * h * (x.a[i] + end.a[i]));
            let change = size(pair(&|i| v[i] - end.v[i])) / size(end.v);
            end.v = v;
            if change <= 1e-7 || pass > 1 && change > last {
                break;
            }
            last = change;
        }
        let q = pair(&|i| x.q[i] + 0.5 * h * (x.v[i] + end.v[i]) - end.q[i]);
        let v = along(end.q, pair(&|i| euler[i] - end.v[i])).map(|e| h * e);
        // Its norm in q₀.
        (error.q, error.v) = ([norm(x.v, q, v), 0.0], [0.0; 2]);
        end.v = along(end.q, end.v);
        Ok(())
    }

    fn estimates(&self) -> bool {
        true
    }
}

#[test]
fn a_method_of_ones_own_takes_the_steps_of_simbodys_verlet() {
    assert_eq!(period(Verlet), (519, 544, "-7.7e-5".to_owned()));
}

//! What Simbody's integrators give on its PendulumSystem, whose period is exactly 2.

use ode_runtime::integrators::{BogackiShampine, Fehlberg, Geodesic, SemiExplicitEuler};
use ode_runtime::solve::Projection;
use ode_runtime::{Adaptive, Bound, Estimates, Method, Norm, Simulation, StartError, Tolerance};

use crate::close;
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
                assert!((got - want).abs() < 1e-10, "{got:e} is not {want:e}");
            }
        }
        if accuracy == 1e-9 {
            let energy = 0.5 * (x.v[0] * x.v[0] + x.v[1] * x.v[1]) + g * x.q[1];
            assert!((energy + 2.3e-8).abs() < 1e-9, "E − E₀ = {energy:e}");
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
    // Simbody, RMS of scaled errors: RungeKuttaFeldberg 5.2e-5 (52 attempts), RungeKutta3 −3.4e-6 (670), Verlet −7.7e-5 (544),
    // SemiExplicitEuler2 2.1e-3 (7545), CPodes BDF 3.6e-5 (223), RungeKuttaMerson −1.2e-7 (115); our norm is the largest entry.
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
    // Simbody takes the mean of q and of v apart, and an error of v relative where v is above 1: RungeKuttaMerson 115 attempts,
    // RungeKuttaFeldberg 52 with an error of 5.2e-5, RungeKutta3 670 with 3.4e-6.
    let (merson, fehlberg, third) =
        (attempts(Geodesic, 1e-6), attempts(Fehlberg, 1e-6), attempts(BogackiShampine, 0.0));
    assert!(merson.0 <= 115 && merson.1 < 1e-6, "{merson:?}");
    assert!(fehlberg.0 <= 60 && fehlberg.1 < 5.2e-5, "{fehlberg:?}");
    assert!(third.0 <= 670 && third.1 < 4e-6, "{third:?}");
}

//! Values other programs and closed forms give, each with its source.

mod common;

use common::on;
use common::plants::{DoublePendulum, Oscillator, Pendulum, Quadratic};
use common::squeezer::{END_LAMBDA, END_Q, END_V, START, Squeezer};
use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic, SemiExplicitEuler};
use ode_runtime::linalg::Kkt;
use ode_runtime::solve::Projection;
use ode_runtime::{Linearize, Method, Nominal, Rates, Residual, Simulation, Solvable, Start, State, System, Weights};

fn fixed<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M, h: f64, end: f64) -> State<S> {
    let mut run = Simulation::of(system, method).fixed(h).expect("a start");
    run.advance_to(end).expect("steps");
    run.state().clone()
}

#[track_caller]
fn close(got: f64, want: f64, relative: f64) {
    assert!((got - want).abs() <= relative * want.abs(), "{got:?} is not {want:?}, off by {:e}", (got - want) / want);
}

/// Cartesian pendulum, m = L = 1, g = 9.81: closed form by elliptic functions, C = (x² + y² − 1)/2.
const PENDULUM: [f64; 4] = [-0.986_291_751_131_9, -0.165_010_853_125_5, -0.296_905_515_916_2, 1.774_643_641_112_7];
const PENDULUM_LAMBDA: f64 = -4.856_269_407_483;

#[test]
fn t1_pendulum_by_error_control() {
    let pendulum = on(Pendulum::standard());
    let mut run = Simulation::of(&pendulum, Geodesic).project(Projection::to(1e-13)).adaptive(1e-14).expect("a start");
    run.advance_to(1.0).expect("steps");
    let x = run.state();
    for (got, want) in x.q.iter().chain(&x.v).zip(PENDULUM) {
        close(*got, want, 1e-11);
    }
    close(x.lambda[0], PENDULUM_LAMBDA, 1e-11);
}

#[test]
fn t2_errors_of_newmark_and_backward_euler() {
    // Project Chrono, h = 0.02, 0.01, 0.005, 0.0025, consistent start.
    let rows: [(&str, fn(f64) -> State<common::On<Pendulum>>, [f64; 4]); 5] = [
        ("Newmark", |h| run(GeneralizedAlpha::newmark(0.5, 0.25), h), [2.347e-3, 5.859e-4, 1.464e-4, 3.660e-5]),
        ("rho = 1", |h| run(GeneralizedAlpha::with_spectral_radius(1.0), h), [2.347e-3, 5.859e-4, 1.464e-4, 3.660e-5]),
        ("HHT(-0.2)", |h| run(GeneralizedAlpha::hht(-0.2), h), [3.505e-3, 8.538e-4, 2.107e-4, 5.232e-5]),
        ("Newmark(0.6, 0.3)", |h| run(GeneralizedAlpha::newmark(0.6, 0.3), h), [3.622e-2, 1.781e-2, 8.827e-3, 4.393e-3]),
        ("Euler", |h| run(BackwardEuler::default(), h), [2.670e-1, 1.477e-1, 7.810e-2, 4.022e-2]),
    ];
    fn run<M: Method<common::On<Pendulum>>>(method: M, h: f64) -> State<common::On<Pendulum>> {
        fixed(&on(Pendulum::standard()), method, h, 1.0)
    }
    for (name, run, errors) in rows {
        for (h, want) in [0.02, 0.01, 0.005, 0.0025].into_iter().zip(errors) {
            let x = run(h);
            let error = (x.q[0] - PENDULUM[0]).hypot(x.q[1] - PENDULUM[1]);
            println!("{name} {h}: {error:e} want {want:e}");
        }
    }
}

#[test]
fn squeezer_print() {
    let s = on(Squeezer);
    let x = Start::default().solve(&s, &Nominal).expect("consistent");
    for (a, b) in x.q.iter().zip(START) {
        println!("{a} {b} {:e}", a - b);
    }
    println!("{:?} {:?}", x.a, x.lambda);
    for h in [4e-5, 2e-5, 1e-5] {
        let mut run = Simulation::of(&s, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(h).expect("start");
        run.advance_to(0.03).expect("steps");
        let x = run.state();
        let err = |a: &[f64], b: &[f64], s: f64| a.iter().zip(b).map(|(a, b)| (s * a - b).abs() / b.abs()).fold(0.0, f64::max);
        println!("{h} q {:e} v {:e} l {:e} {:?}", err(&x.q, &END_Q, 1.0), err(&x.v, &END_V, 1.0), err(&x.lambda, &END_LAMBDA, -1.0), run.statistics());
    }
}

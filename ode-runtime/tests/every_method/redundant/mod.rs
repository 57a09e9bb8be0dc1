//! Dependent rows: always, for an instant, and contradicting each other, in every method.

mod contradictions;
mod instants;
mod services;
mod steep;
mod window;

use crate::common::linkages::{FourBar, Guides, Led, Plain};
use crate::common::methods::{Candidate, Each, every_method};
use crate::common::on;
use instants::{bound, distance, joints, outcome};
use ode_runtime::analysis::Redundancy;
use ode_runtime::integrators::{ForwardEuler, GeneralizedAlpha, Geodesic, RungeKutta4};
use ode_runtime::solve::Projection;
use ode_runtime::{Cause, Level, Method, Names, Nominal, Simulation, Solvable, Start, State};

const UPRIGHT: FourBar = FourBar { th: std::f64::consts::FRAC_PI_2, w: -1.0 };
/// On its way to the line.
const STEEP: FourBar = FourBar { th: 0.3, w: -3.0 };

/// θ at `t` by Runge's and Kutta's method in small steps.
fn angle(from: FourBar, t: f64) -> f64 {
    let FourBar { mut th, mut w } = from;
    let n = 20_000;
    let h = t / f64::from(n);
    for _ in 0..n {
        let rate = |th: f64, w: f64| (w, FourBar::angular(th));
        let a = rate(th, w);
        let b = rate(th + 0.5 * h * a.0, w + 0.5 * h * a.1);
        let c = rate(th + 0.5 * h * b.0, w + 0.5 * h * b.1);
        let d = rate(th + h * c.0, w + h * c.1);
        th += h / 6.0 * (a.0 + 2.0 * b.0 + 2.0 * c.0 + d.0);
        w += h / 6.0 * (a.1 + 2.0 * b.1 + 2.0 * c.1 + d.1);
    }
    th
}

fn names(rows: &Names, wanted: &[&str]) {
    let all = wanted.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    assert_eq!((rows.as_str(), rows.more()), (all.as_str(), 0));
}

/// Through a flat position, as well as the order says.
#[test]
fn a_four_bar_with_a_row_too_many_runs_in_every_method() {
    struct Runs {
        want: [f64; 4],
        failed: Vec<String>,
    }
    impl Each for Runs {
        fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
            let h = 2e-3;
            for projected in [false, true] {
                let what = match outcome(&on(STEEP), method, projected, None, (h, 0.2)) {
                    Err(error) => error.to_string(),
                    Ok(x) => match distance(&x.q, &self.want) {
                        off if off <= bound(name, 5.0 * h) => continue,
                        off => format!("off by {off:e}"),
                    },
                };
                self.failed.push(format!("{name}, projected {projected}: {what}"));
            }
        }
    }
    let mut runs = Runs { want: joints(angle(STEEP, 0.2)), failed: Vec::new() };
    every_method(&mut runs);
    assert!(runs.failed.is_empty(), "{:#?}", runs.failed);
}

/// Ten seconds without projection: the state drifts off the constraints, where dependent rows become independent.
#[test]
fn drift_locks_nothing() {
    let want = angle(UPRIGHT, 10.0);
    for h in [1e-2, 2e-3] {
        let system = on(UPRIGHT);
        let mut run = Simulation::of(&system, RungeKutta4).fixed(h).unwrap();
        run.advance_to(10.0).unwrap();
        let q = run.state().q;
        println!("{h} {:e} {:e} {:?}", q[0] - want.cos(), q[1] - want.sin(), run.drift());
        assert!((q[0] - want.cos()).abs() < 1e6 * h.powi(4) && (q[1] - want.sin()).abs() < 1e6 * h.powi(4));
    }
    let system = on(UPRIGHT);
    let mut run = Simulation::of(&system, ForwardEuler).fixed(5e-4).unwrap();
    run.advance_to(1.5).unwrap();
    let (q, want) = (run.state().q, angle(UPRIGHT, 1.5));
    println!("{:e} {:e} {:?}", q[0] - want.cos(), q[1] - want.sin(), run.drift());
    assert!((q[0] - want.cos()).abs() < 0.1 && (q[1] - want.sin()).abs() < 0.1);
}

/// Two guides share what holds the point against 2 N, and share it alike at each step.
#[test]
fn the_multipliers_are_the_least() {
    let system = on(Guides { offset: 0.0, rate: 0.0 });
    let shares = |lambda: [f64; 3]| {
        for (got, want) in lambda.iter().zip([-1.0, 9.81, -1.0]) {
            assert!((got - want).abs() < 1e-7, "{lambda:?}");
        }
    };
    shares(Start::default().solve(&system, &Nominal).unwrap().lambda);
    let mut run = Simulation::of(&system, Geodesic).fixed(1e-2).unwrap();
    run.advance_to(0.1).unwrap();
    shares(run.state().lambda);
    let mut run = Simulation::of(&system, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(1e-2).unwrap();
    run.advance_to(0.1).unwrap();
    shares(run.state().lambda);
    let found = Redundancy::at(&system, run.state()).unwrap();
    assert_eq!((found.rank, found.rows, found.names(&system)), (2, 3, vec!["fixed", "moving"]));
}

/// The motion of the linkage is that of the independent rows.
#[test]
fn the_row_too_many_changes_no_acceleration() {
    let bar = FourBar { th: 1.1, w: 0.7 };
    let x = Start::default().solve(&on(bar), &Nominal).unwrap();
    let plain = Start::default().solve(&on(Plain(bar)), &Nominal).unwrap();
    for (a, b) in x.a.iter().zip(plain.a) {
        assert!((a - b).abs() < 1e-10, "{a} {b}");
    }
    let found = Redundancy::at(&on(bar), &x).unwrap();
    assert_eq!((found.rank, found.rows, found.shared), (3, 4, vec![0, 1, 2, 3]));
    assert_eq!(Redundancy::at(&on(Plain(bar)), &plain).unwrap().shared, Vec::<usize>::new());
    let nowhere = State { q: [f64::NAN, 0.0, 1.0, 0.0], ..x };
    assert!(matches!(Redundancy::at(&on(bar), &nowhere), Err(Cause::NonFinite { .. })));
}

#[test]
fn rows_that_contradict_each_other_are_named_at_the_start() {
    let error = Start::default().solve(&on(Guides { offset: 0.3, rate: 1.0 }), &Nominal).expect_err("two places");
    let Cause::Contradiction { level: Level::Position, rows, residual } = error.cause else { panic!("{error}") };
    names(&rows, &["fixed", "moving"]);
    assert!((residual - 0.15).abs() < 1e-5, "{residual}");
}

#[test]
fn rows_that_depend_are_named_at_the_start_without_the_word() {
    let flat = Plain(FourBar { th: 0.0, w: 0.0 });
    let error = Start::default().solve(&on(flat), &Nominal).expect_err("a line");
    let Cause::Dependent { rank: 2, of: 3, rows } = error.cause else { panic!("{error}") };
    names(&rows, &["left", "right", "coupler"]);
    assert!(error.to_string().contains("redundant"), "{error}");
}

/// The error of a run that cannot reach 2 s, with its time.
fn end<S: Solvable<Real = f64>, M: Method<S> + Copy>(system: &S, method: M, projected: bool) -> Option<(f64, Cause)> {
    let setup = Simulation::of(system, method);
    let setup = if projected { setup.project(Projection::to(1e-9)) } else { setup };
    let mut run = setup.fixed(1e-3).expect("consistent at the start");
    run.advance_to(2.0).err().map(|error| (error.time, error.cause))
}

/// At x = 1 the circle and its drive have one direction, and no motion continues.
#[test]
fn a_position_where_rows_lock_is_named_in_every_method() {
    struct Locks(Vec<String>);
    impl Each for Locks {
        fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
            match end(&on(Led), method, true) {
                Some((time, Cause::Dependent { rank: 1, of: 2, rows }))
                    if (time - 0.1).abs() < 0.01 && rows.as_str() == "`circle`, `drive`" => {}
                Some((time, Cause::Contradiction { rows, .. }))
                    if (time - 0.1).abs() < 0.01 && rows.as_str() == "`circle`, `drive`" => {}
                other => self.0.push(format!("{name}: {other:?}")),
            }
        }
    }
    let mut locks = Locks(Vec::new());
    every_method(&mut locks);
    assert!(locks.0.is_empty(), "{:#?}", locks.0);
}

#[test]
fn rows_that_come_to_contradict_each_other_are_named_in_every_method() {
    struct Parts(Vec<String>);
    impl Each for Parts {
        fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
            for projected in [false, true] {
                match end(&on(Guides { offset: 0.0, rate: 1.0 }), method, projected) {
                    Some((time, Cause::Contradiction { rows, .. }))
                        if time < 0.5 && rows.as_str() == "`fixed`, `moving`" => {}
                    other => self.0.push(format!("{name}, projected {projected}: {other:?}")),
                }
            }
        }
    }
    let mut parts = Parts(Vec::new());
    every_method(&mut parts);
    assert!(parts.0.is_empty(), "{:#?}", parts.0);
}

/// The linkage without the row too many goes through the line in which its rows depend on each other, step by step onto
/// it.
#[test]
fn an_instant_of_less_rank_is_crossed() {
    let system = on(Plain(FourBar { th: 0.5, w: -5.0 }));
    let mut run = Simulation::of(&system, Geodesic).project(Projection::to(1e-9)).fixed(1e-3).unwrap();
    run.advance_to(0.3).unwrap();
    let q = run.state().q;
    assert!(q[1] < -0.3 && (q[1] - q[3]).abs() < 1e-6, "{q:?}");
}

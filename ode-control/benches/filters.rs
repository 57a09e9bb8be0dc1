//! Filters: a pendulum with an encoder, and attitude with gyroscope bias from two directions that are seen.
//!
//! `cargo bench -p ode-control --bench filters` prints the least of many rounds, beside those of filterpy where
//! `python3` has it.

#![allow(clippy::print_stdout, missing_docs, unreachable_pub, reason = "a benchmark is a program that prints")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use ode_control::{Ekf, Filter, Transform, Ukf};
use ode_model::integrators::{RungeKutta4, SemiExplicitEuler, Vary};
use ode_model::linalg::SMatrix;
use ode_model::variation::Columns;
use ode_model::{Sensitive, Solvable, State};

#[allow(dead_code, reason = "others are of the tests")]
#[path = "../tests/filters/models.rs"]
mod models;

use models::{Attitude, Pendulum};

/// in a round
const CALLS: u32 = 200;

/// Nanoseconds of a call, the least of many rounds, each after a beginning.
fn least<F>(filter: &mut F, begin: impl Fn(&mut F), work: impl Fn(&mut F)) -> f64 {
    let round = |filter: &mut F| {
        begin(filter);
        let clock = Instant::now();
        (0..CALLS).for_each(|_| work(filter));
        clock.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
    };
    (0..500).map(|_| round(filter)).fold(f64::INFINITY, f64::min)
}

/// A prediction and an update, in nanoseconds.
fn measure<S, M, K, F, const N: usize, const U: usize, const R: usize>(
    mut filter: Filter<'_, S, M, K, F, N>,
    (h, outputs): (f64, [&str; R]),
    (u, z): ([f64; U], [f64; R]),
) -> [f64; 2]
where
    S: Solvable<Real = f64, U: From<[f64; U]>> + Sensitive,
    M: Vary<S>,
    K: Columns,
    F: Transform<S, N>,
{
    let (q, r) = (SMatrix::identity() * 1e-6, SMatrix::identity() * 1e-3);
    let sensor = filter.sensor(outputs).expect("a sensor");
    let (x, p) = (filter.state().clone(), *filter.covariance());
    let begin = |filter: &mut Filter<'_, S, M, K, F, N>| filter.initialize(&x, p).expect("an estimate");
    let predict = least(&mut filter, begin, |filter| filter.predict(black_box(u), h, &q).expect("a step"));
    let update = least(&mut filter, begin, |filter| {
        black_box(filter.update(&sensor, black_box(z), &r).expect("a correction"));
    });
    [predict, update]
}

/// What filterpy takes, in microseconds, by problem and filter. Its unscented filter adds vectors, so the attitude has
/// none.
fn filterpy() -> Option<BTreeMap<String, String>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/filters.py");
    let output = Command::new("python3").arg(script).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    let row = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let [problem, filter, times @ ..] = words.as_slice() else { return None };
        let times: Vec<String> =
            times.iter().map(|time| format!("{:7.1} µs", time.parse().unwrap_or(f64::NAN))).collect();
        Some((format!("{problem} {filter}"), times.join(" ")))
    };
    Some(text.lines().filter_map(row).collect())
}

fn main() {
    let (pendulum, attitude) = (Pendulum::<f64>::default(), Attitude::<f64>::default());
    let (x, level) = (State::neutral(&pendulum), State::neutral(&attitude));
    let (p, wide) = (SMatrix::<f64, 2, 2>::identity() * 0.1, SMatrix::<f64, 6, 6>::identity() * 0.01);
    let euler = SemiExplicitEuler::explicit();
    let seen = (0.01, ["s1.x", "s1.y", "s1.z", "s2.x", "s2.y", "s2.z"]);
    let (rate, look) = ([0.1, 0.2, 0.3], [0.0, 0.0, 1.0, 0.5, 0.0, -0.866]);
    let rows = [
        (
            "pendulum extended",
            measure(Ekf::new(&pendulum, RungeKutta4, &x, p).expect("a filter"), (0.02, ["encoder"]), ([], [0.1])),
        ),
        (
            "pendulum unscented",
            measure(Ukf::new(&pendulum, RungeKutta4, &x, p).expect("a filter"), (0.02, ["encoder"]), ([], [0.1])),
        ),
        ("attitude extended", measure(Ekf::new(&attitude, euler, &level, wide).expect("a filter"), seen, (rate, look))),
        (
            "attitude unscented",
            measure(Ukf::new(&attitude, euler, &level, wide).expect("a filter"), seen, (rate, look)),
        ),
    ];
    let peers = filterpy();
    println!("{:20} {:>8} {:>8}   filterpy: {:>10} {:>10}", "", "predict", "update", "predict", "update");
    for (name, [predict, update]) in rows {
        let peer =
            peers.as_ref().map_or("no filterpy", |peers| peers.get(name).map_or("none on rotations", String::as_str));
        println!("{name:20} {predict:5.0} ns {update:5.0} ns             {peer}");
    }
}

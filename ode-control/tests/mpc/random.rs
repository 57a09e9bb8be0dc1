//! Random problems against the conditions of an optimum.

use crate::problems::random;

/// of each kind
const PROBLEMS: u64 = 20;

/// How many of the plans were found in which way, and the worst violation.
#[derive(Debug, Default)]
struct Tally {
    at_once: usize,
    polished: usize,
    near: usize,
    iterations: usize,
    worst: f64,
}

fn tally<const N: usize, const U: usize, const M: usize>(kind: (bool, bool), count: usize) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..PROBLEMS {
        let (problem, start) = random::<N, U, M>(seed, count, kind);
        let mut mpc = problem.controller();
        let plan = mpc.solve(&start).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let violation = problem.violation(&mpc, &start);
        match plan {
            plan if !plan.exact => tally.near += 1,
            plan if plan.iterations == 0 => tally.at_once += 1,
            _ => tally.polished += 1,
        }
        tally.iterations = tally.iterations.max(plan.iterations);
        tally.worst = tally.worst.max(violation);
    }
    tally
}

/// All of them exact.
fn check(tally: &Tally) {
    assert!(tally.worst < 1e-11 && tally.near == 0 && tally.iterations < 25, "{tally:?}");
}

#[test]
fn bounded_inputs() {
    let tally = tally::<3, 2, 0>((false, false), 12);
    check(&tally);
    assert!(tally.at_once > tally.polished, "{tally:?}");
}

#[test]
fn hard_rows() {
    check(&tally::<3, 2, 2>((false, false), 12));
}

#[test]
fn equations_among_rows() {
    check(&tally::<4, 3, 2>((true, false), 12));
}

#[test]
fn soft_rows() {
    check(&tally::<3, 2, 3>((false, true), 12));
}

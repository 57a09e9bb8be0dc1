//! Random problems against the conditions of an optimum.

use crate::problems::random;

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
    for seed in 0..200 {
        let (problem, start) = random::<N, U, M>(seed, count, kind);
        let mut mpc = problem.controller();
        let plan = match mpc.solve(&start) {
            Ok(plan) => plan,
            Err(error) => {
                println!("{seed} XX {error}");
                continue;
            }
        };
        let violation = problem.violation(&mpc, &start);
        match plan {
            plan if !plan.exact => tally.near += 1,
            plan if plan.iterations == 0 => tally.at_once += 1,
            _ => tally.polished += 1,
        }
        println!("{seed} {plan:?} {violation:.1e}");
        tally.iterations = tally.iterations.max(plan.iterations);
        tally.worst = tally.worst.max(violation);
    }
    println!("{tally:?}");
    tally
}

#[test]
fn bounded_inputs() {
    assert!(tally::<3, 2, 0>((false, false), 12).worst < 1e-8);
}

#[test]
fn hard_rows() {
    assert!(tally::<3, 2, 2>((false, false), 12).worst < 1e-8);
}

#[test]
fn equations_among_rows() {
    assert!(tally::<4, 3, 2>((true, false), 12).worst < 1e-8);
}

#[test]
fn soft_rows() {
    assert!(tally::<3, 2, 3>((false, true), 12).worst < 1e-8);
}

//! Numbers at the ends of their range, in every tool of gains: a gain that is finite, or an error.

use ode_control::{GainError, Kalman, Lqr, StateSpace};
use ode_model::linalg::{DMatrix, Labelled};

const ENDS: [f64; 8] = [0.0, 5e-324, 1e-300, 1e-160, 1.0, 1e160, 1e300, f64::MAX];

fn finite<T>(found: Result<T, GainError>, gain: impl Fn(&T) -> &DMatrix<f64>) {
    if let Ok(found) = found {
        assert!(gain(&found).iter().all(|x| x.is_finite()), "{}", gain(&found));
    }
}

fn ask(system: &StateSpace, q: f64, r: f64) {
    let lqr = Lqr::of(system).state("x0", q).and_then(|lqr| lqr.input("u0", r)).expect("names");
    finite(lqr.solve(), |found| &found.gain);
    finite(lqr.clone().output("y0", q).and_then(|lqr| lqr.solve()), |found| &found.gain);
    finite(lqr.clone().integral("y0", q).and_then(|lqr| lqr.solve()), |found| &found.gain);
    let n = system.states().len();
    let along = lqr.along(&vec![system.clone(); 3], DMatrix::identity(n, n) * q);
    finite(along, |found| &found.gains[0]);
    let kalman = Kalman::of(system).state("x0", q).and_then(|kalman| kalman.output("y0", r)).expect("names");
    finite(kalman.solve(), |found| &found.gain);
    finite(kalman.clone().input("u0", q).and_then(|kalman| kalman.solve()), |found| &found.gain);
}

#[test]
fn numbers_of_any_size_have_an_answer() {
    for n in [1, 3] {
        let names = |of: &str, count: usize| (0..count).map(|i| format!("{of}{i}")).collect::<Vec<_>>();
        for (k, &size) in ENDS.iter().enumerate() {
            for (l, &drive) in ENDS.iter().enumerate() {
                let (states, sign) = (names("x", n), if (k + l) % 2 == 0 { 1.0 } else { -1.0 });
                let entry = |r: usize, c: usize| match r.abs_diff(c) {
                    0 => sign * size,
                    1 => size / (1.0 + r as f64),
                    _ => 0.0,
                };
                for step in [None, Some(0.1)] {
                    let a = Labelled::new(&states, &states, entry);
                    let b = Labelled::new(&states, ["u0"], |r, _| if r + 1 == n { drive } else { 0.0 });
                    let c = Labelled::new(["y0"], &states, |_, c| if c == 0 { drive } else { 0.0 });
                    let d = Labelled::new(["y0"], ["u0"], |_, _| ENDS[(k + 3 * l) % ENDS.len()]);
                    let system = StateSpace::new(a, b, c, d, step).expect("matrices that fit");
                    for (q, r) in
                        [(0.0, 1.0), (1.0, 1.0), (size, drive), (drive, size), (1e-300, 1e300), (1e300, 1e-300)]
                    {
                        ask(&system, q, r);
                    }
                }
            }
        }
    }
}

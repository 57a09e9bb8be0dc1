//! Masses far apart on one chain of rods: accelerations hold the constraints to round-off, as elimination in twice the digits has them.

#[macro_use]
mod common;

use common::{Plant, on, twofold};
use ode_runtime::solve::Acceleration;
use ode_runtime::{Block, Cause, Context, Forward, Nominal, Scalar, Solvable, State, Work};

/// Three points in the plane on rods from the origin, and forces of their own beside their weights.
#[derive(Clone, Copy, Debug)]
struct Chain {
    mass: [f64; 3],
    push: f64,
    /// what is added to the first of the lengths' rows in a second one
    length: f64,
}

impl Plant<6, 0, 3, 0> for Chain {
    fn mass<T: Scalar>(&self, _q: &[T; 6]) -> [[T; 6]; 6] {
        std::array::from_fn(|r| std::array::from_fn(|c| T::from_f64(if r == c { self.mass[r / 2] } else { 0.0 })))
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 6], _v: &[T; 6], _z: &[T; 0], _u: &[T; 0]) -> [T; 6] {
        std::array::from_fn(|i| T::from_f64(if i % 2 == 0 { self.push } else { -9.81 * self.mass[i / 2] }))
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 6]) -> [T; 3] {
        let [a, b, c, d, e, f] = *q;
        let length = |x: T, y: T| T::from_f64(0.5) * (x * x + y * y - T::from_f64(self.length * self.length));
        [length(a, b), length(c - a, d - b), length(e - c, f - d)]
    }
    fn guess(&self) -> ([f64; 6], [f64; 6], [f64; 0]) {
        ([0.6, -0.8, 1.4, -1.4, 1.4, -2.4], [0.8, 0.6, 0.2, -0.2, 0.3, -0.2], [])
    }
}
dense_system!(Chain, q 6 ["x1", "y1", "x2", "y2", "x3", "y3"], z 0 [], c 3 ["first", "second", "third"], u 0 [],
    mass 21, jacobian 18, n 9, tangent 81, saddle 9, assembly 9, init [], []);

/// Accelerations at the guess, and (violation of constraints, largest error against the largest acceleration).
fn judged<S: Solvable<Real = f64>>(system: &S) -> Result<(f64, f64), Cause> {
    let layout = system.layout();
    let mut x = State::zeros(system);
    system.guess(&mut x.q, &mut x.v, &mut x.z);
    let mut work = Work::default();
    Acceleration::new(system).settle(&mut Context { system, inputs: &Nominal, work: &mut work }, &mut x)?;
    let mut forward = Forward::zeros(&layout);
    system.forward(x.at(&S::U::zeros(0)), &mut forward);
    let exact = twofold::accelerations(system, &forward);
    let (a, size) = (x.a.as_ref(), exact.iter().take(layout.v.len()).fold(0.0, |size: f64, a| size.max(a.abs())));
    let error = a.iter().zip(&exact).fold(0.0, |error: f64, (a, b)| error.max((a - b).abs()));
    Ok((twofold::violation(system, &forward, a), error / size))
}

#[test]
fn the_reference_has_twice_the_digits() {
    let third = twofold::Twofold::from(1.0) / 3.0.into();
    assert!((third * 3.0.into() - 1.0.into()).0.abs() < 1e-31);
    let hilbert: Vec<Vec<_>> = (0..8).map(|r| (0..8).map(|c| twofold::Twofold::from(1.0) / ((r + c + 1) as f64).into()).collect()).collect();
    let b = hilbert.iter().map(|row| row.iter().fold(0.0.into(), |s: twofold::Twofold, &x| s + x)).collect();
    assert!(twofold::solve(hilbert, b).iter().all(|x| (x - 1.0).abs() < 1e-15));
}

#[test]
fn constraints_hold_whatever_the_ratio() {
    for exponent in 0..=15 {
        let heavy = 10_f64.powi(exponent);
        for mass in [[1.0, 1.0, heavy], [1.0, heavy, 1.0], [heavy, 1.0, 1.0], [1.0, heavy, heavy], [heavy, 1.0, heavy], [1.0 / heavy, 1.0, heavy]] {
            for push in [0.0, 3.0] {
                let plant = on(Chain { mass, push, length: 1.0 });
                let outcome = judged(&plant);
                println!("{mass:?} {push}: {outcome:?}");
                let Ok((violation, _)) = outcome else { continue };
                assert!(violation < 2e-14, "{mass:?}, {push}: {violation:e}");
            }
        }
    }
}

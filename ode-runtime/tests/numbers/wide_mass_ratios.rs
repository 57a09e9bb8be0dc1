//! Masses far apart on one chain of rods: accelerations hold the constraints to round-off, as elimination in twice the
//! digits has them.

use crate::common::{Plant, on, twofold};
use crate::dense_system;
use ode_runtime::analysis::SystemMatrix;
use ode_runtime::solve::Acceleration;
use ode_runtime::{Block, Cause, Context, Forward, Nominal, Scalar, Solvable, Start, State, System, Weights, Work};

/// Three points in the plane on rods from the origin, and forces of their own beside their weights.
#[derive(Clone, Copy, Debug)]
struct Chain {
    mass: [f64; 3],
    push: f64,
    /// the sine of the angle between one rod and the next
    bend: f64,
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
        let length = |x: T, y: T| T::from_f64(0.5) * (x * x + y * y - T::ONE);
        [length(a, b), length(c - a, d - b), length(e - c, f - d)]
    }
    fn guess(&self) -> ([f64; 6], [f64; 6], [f64; 0]) {
        let mut q = [0.6, -0.8, 0.0, 0.0, 0.0, 0.0];
        let (sin, cos) = (self.bend, (1.0 - self.bend * self.bend).sqrt());
        let (mut x, mut y) = (q[0], q[1]);
        for i in 1..3 {
            (x, y) = (cos * x - sin * y, sin * x + cos * y);
            (q[2 * i], q[2 * i + 1]) = (q[2 * i - 2] + x, q[2 * i - 1] + y);
        }
        (q, [0.8, 0.6, 0.2, 0.15, 1.6, 1.2], [])
    }
}
dense_system!(Chain, q 6 ["x1", "y1", "x2", "y2", "x3", "y3"], z 0 [], c 3 ["first", "second", "third"], u 0 [],
    mass 21, jacobian 18, n 9, tangent 81, saddle 9, assembly 9, init [], []);

/// Accelerations at the guess, and (violation of constraints, largest error against the largest acceleration).
fn judged<S: Solvable<Real = f64>>(system: &S) -> Result<(f64, f64), Cause> {
    let layout = system.layout();
    let mut x = State::neutral(system);
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
    let hilbert: Vec<Vec<_>> =
        (0..8).map(|r| (0..8).map(|c| twofold::Twofold::from(1.0) / ((r + c + 1) as f64).into()).collect()).collect();
    let b = hilbert.iter().map(|row| row.iter().fold(0.0.into(), |s: twofold::Twofold, &x| s + x)).collect();
    assert!(twofold::solve(hilbert, b).iter().all(|x| (x - 1.0).abs() < 1e-15));
}

/// Masses as far apart as 10^`exponent` and its square.
fn masses(exponent: i32) -> [[f64; 3]; 6] {
    let heavy = 10_f64.powi(exponent);
    [
        [1.0, 1.0, heavy],
        [1.0, heavy, 1.0],
        [heavy, 1.0, 1.0],
        [1.0, heavy, heavy],
        [heavy, 1.0, heavy],
        [1.0 / heavy, 1.0, heavy],
    ]
}

#[test]
fn constraints_hold_whatever_the_ratio() {
    for mass in (0..=15).flat_map(masses) {
        for (push, bend) in [0.0, 3.0].into_iter().flat_map(|push| [0.0, 1e-7, 1e-3, 0.3, 1.0].map(|bend| (push, bend)))
        {
            let plant = Chain { mass, push, bend };
            let largest = |values: [f64; 3]| values.into_iter().fold(0.0, f64::max);
            // Round-off of the rods' directions moves a light point between heavy ones as much.
            let ratio = largest(mass) * largest(mass.map(f64::recip));
            match judged(&on(plant)) {
                Ok((violation, error)) if ratio < 1e15 => {
                    assert!(violation < 2e-14, "{plant:?}: {violation:e}");
                    assert!(error < 16.0 * f64::EPSILON * ratio, "{plant:?}: {error:e}");
                }
                Ok((violation, _)) => assert!(violation < 1e-11, "{plant:?}: {violation:e}"),
                Err(Cause::Singular { .. } | Cause::Inaccurate { .. }) if ratio >= 1e15 => {}
                Err(cause) => panic!("{plant:?}: {cause}"),
            }
        }
    }
}

#[test]
fn a_tangent_solved_with_once_is_solved() {
    for mass in (0..=12).flat_map(masses).filter(|mass| mass[0] >= 1.0) {
        for (h, bend) in [1e-6, 1e-3, 1.0].into_iter().flat_map(|h| [0.0, 1e-3, 1.0].map(|bend| (h, bend))) {
            let plant = on(Chain { mass, push: 0.0, bend });
            let x = Start::default().solve(&plant, &Nominal).expect("a start");
            let weights = Weights { rates: 1.0, velocity: h, position: h * h, state: h };
            let mut matrix = SystemMatrix::assemble(&plant, &Nominal, weights, &x).expect("a matrix");
            let mut right = matrix.right_hand_side().clone();
            right.r.copy_from_slice(&[1.0, -2.0, 3.0, 0.5, 4.0, -1.0]);
            right.phi.copy_from_slice(&[1e-3, 0.0, -2e-3]);
            let solved = {
                let mut x = right.clone();
                matrix.solve(&plant, &mut x).unwrap_or_else(|cause| panic!("{mass:?}, {h}, {bend}: {cause}"));
                x
            };
            let unknowns: Vec<f64> = solved.r.iter().chain(&solved.phi).copied().collect();
            let layout = plant.layout();
            let mut rows: Vec<(twofold::Twofold, f64)> =
                right.r.iter().chain(&right.phi).map(|&b| (b.into(), b.abs())).collect();
            for ((r, c), &value) in layout.tangent.entries().zip(matrix.values()) {
                rows[r].0 = rows[r].0 - twofold::Twofold::from(value) * unknowns[c].into();
                rows[r].1 += (value * unknowns[c]).abs();
            }
            for (row, (left, size)) in rows.into_iter().enumerate() {
                assert!(left.0.abs() <= 1e-12 * size, "{mass:?}, {h}, {bend}: {:e} of {size:e} in row {row}", left.0);
            }
        }
    }
}

//! Eliminations of every kind against dense decompositions.

use std::sync::Arc;
use std::vec::Vec;

use nalgebra::{DMatrix, DVector};

use crate::linalg::Lanes;
use crate::linalg::sparse::elimination::Elimination;
use crate::linalg::sparse::order::Massless;
use crate::linalg::sparse::plan::{Place, Plan, Program};

/// Numbers in (−1, 1) that look random.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Unknowns, those from which on they are multipliers, and places below the diagonal.
struct Case {
    name: &'static str,
    size: usize,
    multipliers: usize,
    places: Vec<(usize, usize)>,
}

/// A grid of nodes of `per` coordinates, each joined to all neighbours, with rows that hold some of them.
fn grid(name: &'static str, [a, b, c]: [usize; 3], per: usize, rows: usize) -> Case {
    let nodes = a * b * c;
    let near = |i: usize, j: usize| i.abs_diff(j) <= 1;
    let mut places = Vec::new();
    for p in 0..nodes {
        let at = |p: usize| [p % a, p / a % b, p / a / b];
        let all = (0..=p).filter(|&q| at(p).iter().zip(at(q)).all(|(&i, j)| near(i, j)));
        for q in all {
            places.extend((0..per * per).map(|k| (per * p + k / per, per * q + k % per)).filter(|(r, c)| r > c));
        }
    }
    let multipliers = nodes * per;
    places.extend((0..rows).map(|row| (multipliers + row, row * 5 % multipliers)));
    places.extend((0..rows).map(|row| (multipliers + row, (row * 5 + 1) % multipliers)));
    Case { name, size: multipliers + rows, multipliers, places }
}

/// Places that look random.
fn random(seed: u64, size: usize, multipliers: usize, share: f64) -> Case {
    let mut next = numbers(seed);
    let mut places: Vec<_> = (0..size).flat_map(|r| (0..r).map(move |c| (r, c))).collect();
    places
        .retain(|&(r, c)| c < multipliers && (next() + 1.0 < 2.0 * share || r >= multipliers && c == r - multipliers));
    Case { name: "random", size, multipliers, places }
}

fn cases() -> Vec<Case> {
    let mut cases = std::vec![
        grid("sheet", [7, 6, 1], 3, 4),
        grid("solid", [4, 3, 4], 3, 3),
        grid("chain", [30, 1, 1], 3, 2),
        grid("one", [1, 1, 1], 1, 0),
        grid("full", [2, 2, 2], 5, 0),
    ];
    for seed in 0..40 {
        let size = 1 + seed as usize * 3;
        cases.push(random(seed, size, size - size / 5, 0.02 + 0.3 * (seed % 7) as f64 / 7.0));
    }
    cases
}

impl Case {
    /// A matrix with these places, definite but for multipliers; unknowns are in units of `scales`.
    fn matrix(&self, seed: u64, symmetric: bool, scales: impl Fn(usize) -> f64) -> DMatrix<f64> {
        let mut next = numbers(seed);
        let mut a = DMatrix::zeros(self.size, self.size);
        for &(r, c) in &self.places {
            let (below, above) = (next(), next());
            (a[(r, c)], a[(c, r)]) = (below, if symmetric { below } else { 0.8 * below + 0.2 * above });
        }
        for i in 0..self.multipliers {
            a[(i, i)] = 1.0 + (0..self.multipliers).map(|j| f64::abs(a[(i, j)]).max(a[(j, i)].abs())).sum::<f64>();
        }
        for i in 0..self.size {
            for j in 0..self.size {
                a[(i, j)] *= scales(i) * scales(j);
            }
        }
        a
    }

    /// The elimination of a matrix, with panels or without, in the room of another one and of its solution, neither of
    /// which is a number.
    fn eliminate(&self, a: &DMatrix<f64>, symmetric: bool, panels: fn(&[Vec<usize>]) -> bool) -> Elimination<f64> {
        let plan =
            Arc::new(Plan::by(self.size, self.multipliers, Massless::default(), self.places.iter().copied(), panels));
        assert_eq!(matches!(plan.program, Program::Panels(_)), panels(&[]));
        let both = self.places.iter().copied().chain(self.places.iter().map(|&(r, c)| (c, r)));
        let all = both.chain((0..self.size).map(|i| (i, i)));
        let placed = all.map(|(r, c)| (plan.place(r, c).expect("in the pattern"), a[(r, c)]));
        // of a symmetric matrix, only what is below the diagonal
        let (places, values): (Vec<Place>, Vec<f64>) =
            placed.filter(|&(place, _)| !symmetric || plan.below(place) == place).unzip();
        let mut elimination = Elimination::new(Arc::clone(&plan), symmetric, &places);
        elimination.set(places.iter(), std::vec![f64::NAN; places.len()].iter());
        elimination.factorize(symmetric);
        elimination.solve([&mut std::vec![1.0; self.size]]);
        elimination.prepare();
        elimination.set(places.iter(), values.iter());
        elimination.factorize(symmetric);
        elimination
    }
}

/// The largest error of a solution as a share of the solution.
fn off(elimination: &Elimination<f64>, a: &DMatrix<f64>, scales: impl Fn(usize) -> f64) -> f64 {
    let wanted = DVector::from_fn(a.nrows(), |i, _| (1.0 + (i * 7 % 11) as f64) / scales(i));
    let mut x: Vec<f64> = (a * &wanted).iter().copied().collect();
    let mut lanes: Vec<_> = x.iter().map(|&x| Lanes(core::array::from_fn(|k| x * (k as f64 - 1.0)))).collect();
    elimination.solve([&mut x]);
    elimination.run(&mut Vec::new(), [&mut lanes]);
    let mut worst = 0.0_f64;
    for (i, wanted) in wanted.iter().enumerate() {
        worst = worst.max((x[i] / wanted - 1.0).abs());
        let found = lanes[i].0.iter().enumerate();
        worst = found.fold(worst, |worst, (k, x)| worst.max((x / wanted - (k as f64 - 1.0)).abs()));
    }
    worst
}

/// Whether columns of L are eliminated by panels.
type Choice = fn(&[Vec<usize>]) -> bool;

const KINDS: [(bool, Choice); 4] = [(true, |_| true), (true, |_| false), (false, |_| true), (false, |_| false)];

#[test]
fn solutions_are_those_of_the_matrix() {
    for (seed, case) in cases().iter().enumerate() {
        for (symmetric, panels) in KINDS {
            // units that differ by powers of two change no digit
            for scale in [|_| 1.0, |i: usize| f64::powi(2.0, (i * 13 % 60) as i32 - 30)] {
                let a = case.matrix(seed as u64, symmetric, scale);
                let elimination = case.eliminate(&a, symmetric, panels);
                assert!(elimination.sound(1e-6), "{} {symmetric}", case.name);
                let off = off(&elimination, &a, scale);
                assert!(off < 1e-9, "{} of {}, symmetric {symmetric}: {off:e}", case.name, case.size);
            }
        }
    }
}

#[test]
fn a_wrong_digit_is_noticed() {
    for (symmetric, panels) in KINDS {
        let case = grid("sheet", [7, 6, 1], 3, 4);
        let a = case.matrix(1, symmetric, |_| 1.0);
        for &(r, c) in case.places.iter().step_by(37) {
            let mut wrong = a.clone();
            wrong[(r, c)] += 1e-6;
            wrong[(c, r)] = if symmetric { wrong[(r, c)] } else { wrong[(c, r)] };
            let off = off(&case.eliminate(&wrong, symmetric, panels), &a, |_| 1.0);
            assert!(off > 1e-9, "{r} {c}: {off:e}");
        }
    }
}

#[test]
fn pivots_and_their_scales_do_not_depend_on_panels() {
    for (seed, case) in cases().iter().enumerate() {
        for symmetric in [true, false] {
            let a = case.matrix(seed as u64, symmetric, |_| 1.0);
            let negative = |e: &Elimination<f64>| e.pivots().filter(|&(_, pivot, ..)| pivot < 0.0).count();
            let [one, other] = [|_: &[Vec<usize>]| true, |_: &[Vec<usize>]| false].map(|panels| {
                let elimination = case.eliminate(&a, symmetric, panels);
                let product: f64 = elimination.pivots().map(|(_, pivot, ..)| pivot.abs().ln()).sum();
                (negative(&elimination), product)
            });
            assert_eq!(one.0, other.0, "{}", case.name);
            assert!((one.1 - other.1).abs() <= 1e-10 * (1.0 + one.1.abs()), "{}", case.name);
            // what is summed in a scale is known from L
            let elimination = case.eliminate(&a, symmetric, |_| true);
            let order: Vec<usize> = elimination.pivots().map(|(unknown, ..)| unknown).collect();
            let scales = scales(&DMatrix::from_fn(case.size, case.size, |i, j| a[(order[i], order[j])]));
            for ((unknown, .., scale), wanted) in elimination.pivots().zip(scales) {
                assert!((scale / wanted - 1.0).abs() < 1e-8, "{} {unknown}: {scale:e} {wanted:e}", case.name);
            }
        }
    }
}

/// The sum of the squares of the terms of each pivot, one pivot after the other.
fn scales(a: &DMatrix<f64>) -> Vec<f64> {
    let (n, mut a) = (a.nrows(), a.clone());
    let mut scales: Vec<f64> = (0..n).map(|i| a[(i, i)] * a[(i, i)]).collect();
    for k in 0..n {
        for i in k + 1..n {
            let term = a[(i, k)] / a[(k, k)] * a[(k, i)];
            scales[i] += term * term;
            let share = a[(i, k)] / a[(k, k)];
            for j in k + 1..n {
                let line = a[(k, j)];
                a[(i, j)] -= share * line;
            }
        }
    }
    scales
}

#[test]
fn a_column_without_a_pivot_is_named() {
    for (symmetric, panels) in KINDS {
        let case = grid("solid", [4, 3, 4], 3, 0);
        for lost in [0, 17, 70, case.size - 1] {
            let mut a = case.matrix(3, symmetric, |_| 1.0);
            a.row_mut(lost).fill(0.0);
            a.column_mut(lost).fill(0.0);
            assert_eq!(case.eliminate(&a, symmetric, panels).unsound(1e-12), Some(lost));
            // not a number anywhere
            let mut a = case.matrix(3, symmetric, |_| 1.0);
            a[(lost, lost)] = f64::NAN;
            assert!(!case.eliminate(&a, symmetric, panels).sound(1e-12));
        }
    }
}

//! Negative parts of small symmetric matrices, beside the eigenvalues of nalgebra.

use ode_runtime::linalg::nalgebra::{SMatrix, SVector, SymmetricEigen};
use ode_runtime::linalg::{add_shares, negative_part};

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

/// The rows of the lower triangle.
fn lower<const N: usize>(of: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    (0..N).flat_map(|i| (0..=i).map(move |j| (i, j))).map(|(i, j)| of(i, j)).collect()
}

/// Q diag(values) Qᵀ with a random reflection Q.
fn with_eigenvalues<const N: usize>(values: [f64; N], seed: u64) -> SMatrix<f64, N, N> {
    let mut next = numbers(seed);
    let axis = SVector::<f64, N>::from_fn(|_, _| next()).normalize();
    let reflection = SMatrix::<f64, N, N>::identity() - 2.0 * axis * axis.transpose();
    let of = reflection * SMatrix::<f64, N, N>::from_diagonal(&values.into()) * reflection.transpose();
    0.5 * (of + of.transpose())
}

/// The negative part by nalgebra, and the largest entry.
fn check<const N: usize>(matrix: SMatrix<f64, N, N>) {
    let of = SymmetricEigen::new(nalgebra_dynamic(&matrix));
    let (values, vectors) = (of.eigenvalues, of.eigenvectors);
    let wanted = lower::<N>(|i, j| (0..N).map(|k| (-values[k]).max(0.0) * vectors[(i, k)] * vectors[(j, k)]).sum());
    let mut found = lower::<N>(|i, j| matrix[(i, j)]);
    negative_part::<f64, N>(&mut found);
    for (found, wanted) in found.iter().zip(&wanted) {
        assert!((found - wanted).abs() <= 1e-13 * matrix.amax(), "{found} {wanted}");
    }
}

fn nalgebra_dynamic<const N: usize>(matrix: &SMatrix<f64, N, N>) -> ode_runtime::linalg::DMatrix<f64> {
    ode_runtime::linalg::DMatrix::from_fn(N, N, |i, j| matrix[(i, j)])
}

fn random<const N: usize>() {
    for seed in 1..8 {
        let mut next = numbers(seed);
        let values = [0.0; N].map(|_| next());
        for size in [1.0, 1e-200, 1e-12, 1e150] {
            check(size * with_eigenvalues(values, seed));
        }
        // equal ones, and zeros
        check(with_eigenvalues(values.map(f64::round), seed));
        check(with_eigenvalues(values.map(|x| 2.0 * x.signum()), seed));
        check(with_eigenvalues(values.map(|x| 1e-9 * x.powi(3) + x.round()), seed));
    }
}

#[test]
fn negative_parts_are_those_of_nalgebra() {
    random::<1>();
    random::<2>();
    random::<3>();
    random::<6>();
    random::<12>();
}

#[test]
fn a_matrix_without_negative_eigenvalues_has_none() {
    for seed in 1..50 {
        let mut next = numbers(seed);
        // half of them are zero, up to round-off
        let values = [0.0; 6].map(|_| next().max(0.0));
        let matrix = with_eigenvalues(values, seed);
        let mut found = lower::<6>(|i, j| matrix[(i, j)]);
        negative_part::<f64, 6>(&mut found);
        assert!(found.iter().all(|&x| x == 0.0), "{found:?}");
    }
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut found = [1.0, wrong, -2.0];
        negative_part::<f64, 2>(&mut found);
        assert_eq!(found, [0.0; 3]);
    }
    let mut none: [f64; 0] = [];
    negative_part::<f64, 0>(&mut none);
}

#[test]
fn shares_are_added_where_there_is_a_place() {
    let mut out = [1.0, 2.0];
    add_shares(0.5, &[4.0, 6.0], &[(0, 1, -1.0), (1, 0, 2.0), (7, 0, 1.0), (0, 9, 1.0)], &mut out);
    assert_eq!(out, [-2.0, 6.0]);
}

//! Jacobians as matrices of `sprs`: products with them are those of the dense matrices.

use ode_runtime::Pattern;
use ode_runtime::linalg::sprs::{CsMat, CsVec};
use ode_runtime::linalg::{
    OtherPattern, SMatrix, dense, replace_symmetric_values, replace_values, sparse, sparse_symmetric, symmetric,
};

const JACOBIAN: Pattern<'static> = Pattern { rows: 2, cols: 3, starts: &[0, 1, 1, 3], indices: &[1, 0, 1] };
const MASS: Pattern<'static> = Pattern { rows: 3, cols: 3, starts: &[0, 2, 3, 4], indices: &[0, 2, 1, 2] };

fn product(matrix: &CsMat<f64>, x: &[f64; 3]) -> Vec<f64> {
    let x = CsVec::new(3, vec![0, 1, 2], x.to_vec());
    let y = matrix * &x;
    (0..matrix.rows()).map(|i| y.get(i).copied().unwrap_or(0.0)).collect()
}

#[test]
fn a_sparse_matrix_acts_as_the_dense_one() {
    let x = [0.3, -1.2, 2.5];
    let mut matrix = sparse(JACOBIAN, &[4.0, -2.0, 7.0]).expect("as many");
    assert_eq!((matrix.shape(), matrix.nnz(), matrix.is_csc()), ((2, 3), 3, true));
    for values in [[4.0, -2.0, 7.0], [0.0, 1.5, -0.5]] {
        replace_values(&mut matrix, &values).expect("as many");
        let wanted: SMatrix<f64, 2, 3> = dense(JACOBIAN, &values);
        assert_eq!(product(&matrix, &x), (wanted * SMatrix::from(x)).as_slice());
        assert_eq!(matrix.nnz(), 3, "a zero stays in the pattern");
    }
    let error = replace_values(&mut matrix, &[1.0]).expect_err("one is missing");
    assert_eq!(error, OtherPattern { nonzeros: 3, values: 1 });
    assert_eq!(error.to_string(), "1 values are of another pattern than this matrix of 3 nonzeros");
    assert_eq!(matrix.data(), [0.0, 1.5, -0.5]);
    let mut by_rows = matrix.to_csr();
    assert!(replace_values(&mut by_rows, &[4.0, -2.0, 7.0]).is_err(), "other entries in that order");
    for values in [&[4.0, -2.0][..], &[4.0, -2.0, 7.0, 1.0]] {
        assert_eq!(sparse(JACOBIAN, values), Err(OtherPattern { nonzeros: 3, values: values.len() }));
    }
}

#[test]
fn a_symmetric_matrix_has_both_triangles() {
    let x = [0.3, -1.2, 2.5];
    let mut matrix = sparse_symmetric(MASS, &[4.0, -2.0, 7.0, 3.0]).expect("as many");
    for values in [[4.0, -2.0, 7.0, 3.0], [5.0, 0.0, 1.0, 2.0]] {
        replace_symmetric_values(&mut matrix, MASS, &values).expect("as many");
        let wanted: SMatrix<f64, 3, 3> = symmetric(MASS, &values);
        assert_eq!(product(&matrix, &x), (wanted * SMatrix::from(x)).as_slice());
    }
    let refused = |matrix: &mut CsMat<f64>, pattern: Pattern<'_>, values: &[f64]| {
        let error = replace_symmetric_values(matrix, pattern, values).expect_err("another pattern");
        assert_eq!(error, OtherPattern { nonzeros: 5, values: values.len() });
    };
    refused(&mut matrix, MASS, &[1.0]);
    refused(&mut matrix, JACOBIAN, &[1.0, 2.0, 3.0]);
    // as many, elsewhere
    let other = Pattern { indices: &[0, 1, 1, 2], ..MASS };
    refused(&mut matrix, other, &[1.0, 2.0, 3.0, 4.0]);
    let wanted: SMatrix<f64, 3, 3> = symmetric(MASS, &[5.0, 0.0, 1.0, 2.0]);
    assert_eq!(product(&matrix, &x), (wanted * SMatrix::from(x)).as_slice(), "unchanged");
    assert!(sparse_symmetric(MASS, &[4.0, -2.0, 7.0]).is_err());
}

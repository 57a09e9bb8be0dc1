//! The states that inputs reach, and the modes beyond them.

use ode_runtime::linalg::nalgebra::{ComplexField, Dyn, SVD};
use ode_runtime::linalg::{Complex, DMatrix, DVector, eigenvalues};

use crate::matrix::balance::balanced;
use crate::matrix::operations::finite;

/// Directions that are reached by less than this share of A count as not reached.
pub(crate) const UNREACHED: f64 = 1e-10;
/// The share of A that is round-off.
pub(crate) const ROUND_OFF: f64 = 1e-13;
/// Iterations for singular values, far more than they take.
const ITERATIONS: usize = 10_000;
/// Poles that are this close, relative to A, are equal.
const EQUAL: f64 = 1e-6;

/// The space of (B, A B, A² B, …), in scales in which A is balanced.
///
/// An orthonormal basis is extended by A times its last vectors, as long as these have a remainder (by pivots), which
/// is safe where powers of A would lose all digits. The scales of inputs do not count: the columns of B get
/// length 1.
///
/// Reference: C. C. Paige, Properties of numerical algorithms related to computing controllability, IEEE Trans.
/// Automatic Control 26 (1981) 130–138.
#[derive(Clone, Debug)]
pub(crate) struct Reached {
    /// the dimension of the space
    pub(crate) rank: usize,
    /// an orthonormal basis of what is not reached
    beyond: DMatrix<f64>,
    /// A there, divided by `unit`
    a: DMatrix<f64>,
    unit: f64,
    /// the norm of all of A, divided by `unit`
    size: f64,
}

/// A mode that inputs do not reach: wᴴA = λ wᴴ with wᴴB = 0, the test of Popov, Belevitch and Hautus.
#[derive(Clone, Debug)]
pub(crate) struct Unreached {
    /// λ
    pub(crate) pole: Complex<f64>,
    /// w, in scales in which A is balanced
    pub(crate) vector: DVector<Complex<f64>>,
}

impl Reached {
    /// Remainders below this share of A count as nothing. None if numbers are not finite, or if an iteration for
    /// singular values did not converge.
    pub(crate) fn of(a: &DMatrix<f64>, b: &DMatrix<f64>, nothing: f64) -> Option<Self> {
        if !(finite(a) && finite(b)) {
            return None;
        }
        let n = a.nrows();
        let (a, scales) = balanced(a.clone());
        let mut front = DMatrix::from_fn(n, b.ncols(), |r, c| b[(r, c)] / scales[r]);
        for mut column in front.column_iter_mut() {
            // by the largest entry first, since squares of large ones overflow
            let largest = column.amax();
            if largest > 0.0 {
                column /= largest;
                column.normalize_mut();
            }
        }
        let unit = if a.is_empty() || a.amax() == 0.0 { 1.0 } else { a.amax() };
        let a = a / unit;
        let size = a.norm();
        let mut basis = DMatrix::<f64>::zeros(n, 0);
        while !front.is_empty() {
            for _ in 0..2 {
                let within = &basis * (basis.transpose() * &front);
                front -= within;
            }
            let next = spanned(front, nothing, n - basis.ncols());
            let first = basis.ncols();
            basis = basis.resize_horizontally(first + next.ncols(), 0.0);
            basis.columns_mut(first, next.ncols()).copy_from(&next);
            front = if size > 0.0 { &a * next / size } else { DMatrix::zeros(n, 0) };
        }
        let rank = basis.ncols();
        let left = DMatrix::identity(n, n) - &basis * basis.transpose();
        // a projection: its columns are 0 beside those that span n − rank dimensions
        let beyond = spanned(left, 0.0, n - rank);
        Some(Self { rank, a: beyond.transpose() * a * &beyond, beyond, unit, size })
    }

    /// The modes that are not reached; of a conjugate pair the one above the real axis. None if an iteration did not
    /// converge.
    pub(crate) fn hidden(&self) -> Option<Vec<Unreached>> {
        let mut modes = Vec::<Unreached>::new();
        for value in eigenvalues(&self.a)?.into_iter().filter(|value| value.im >= 0.0) {
            let left = singular(self.shifted(value))?.u?;
            // equal poles have vectors of their own
            let close = |mode: &&Unreached| (mode.pole - value * self.unit).modulus() <= EQUAL * self.unit;
            let again = modes.iter().filter(close).count().min(left.ncols() - 1);
            let vector = self.beyond.map(complex) * left.column(left.ncols() - 1 - again);
            modes.push(Unreached { pole: value * self.unit, vector });
        }
        Some(modes)
    }

    /// Whether a mode that is not reached is at the border of stability: by the distance to a matrix with such a pole,
    /// since poles of chains of integrators are known to few digits.
    pub(crate) fn hides_border(&self, discrete: bool) -> Option<bool> {
        for value in eigenvalues(&self.a)? {
            let size = value.modulus() * self.unit;
            let border = match discrete {
                false => Complex { re: 0.0, im: value.im },
                true if size == 0.0 => continue,
                // in the units of A
                true => value / size,
            };
            let least = singular(self.shifted(border))?.singular_values.min();
            if least <= ROUND_OFF * self.size {
                return Some(true);
            }
        }
        Some(false)
    }

    /// A − λ beyond
    fn shifted(&self, value: Complex<f64>) -> DMatrix<Complex<f64>> {
        let n = self.a.nrows();
        self.a.map(complex) - DMatrix::identity(n, n) * value
    }
}

/// An orthonormal basis of the columns, without pivots below `nothing`, of `most` vectors at most.
///
/// By pivots, since nalgebra's singular vectors of dependent columns may be far from orthogonal.
fn spanned(columns: DMatrix<f64>, nothing: f64, most: usize) -> DMatrix<f64> {
    if columns.is_empty() || most == 0 {
        return DMatrix::zeros(columns.nrows(), 0);
    }
    let found = columns.col_piv_qr();
    let (q, r) = (found.q(), found.r());
    let count = (0..r.nrows().min(most)).take_while(|&i| r[(i, i)].abs() > nothing).count();
    q.columns(0, count).clone_owned()
}

/// Singular values and left singular vectors; none of what is not finite.
fn singular<T: ComplexField<RealField = f64>>(matrix: DMatrix<T>) -> Option<SVD<T, Dyn, Dyn>> {
    let finite = matrix.iter().all(|x| x.is_finite());
    finite.then(|| matrix.try_svd(true, false, f64::EPSILON, ITERATIONS)).flatten()
}

fn complex(x: f64) -> Complex<f64> {
    Complex { re: x, im: 0.0 }
}

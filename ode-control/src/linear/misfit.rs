//! Matrices that do not fit a system.

use core::fmt;

use ode_runtime::linalg::DMatrix;

/// A matrix that does not fit the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// which matrix
    pub matrix: &'static str,
    /// its rows and columns
    pub found: (usize, usize),
    /// those it must have
    pub expected: (usize, usize),
}

impl Misfit {
    /// Refuses a matrix of another shape.
    pub(crate) fn check(matrix: &'static str, found: &DMatrix<f64>, expected: (usize, usize)) -> Result<(), Self> {
        let found = found.shape();
        if found == expected { Ok(()) } else { Err(Self { matrix, found, expected }) }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { matrix, found: (r, c), expected: (rows, columns) } = self;
        write!(f, "{matrix} is {r} × {c}, where this system needs {rows} × {columns}")
    }
}

impl core::error::Error for Misfit {}

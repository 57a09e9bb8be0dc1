//! Iterations that lead away.

use crate::numbers::scalar::Real;

/// Corrections in a row more than twice the one before, after which iterations are given up.
const MOST: u32 = 3;

/// Whether corrections grow. Their sizes are not relative to what they correct: that may grow with them.
pub(crate) struct Growth<T> {
    last: T,
    row: u32,
}

impl<T: Real> Growth<T> {
    pub(crate) const fn new() -> Self {
        Self { last: T::INFINITY, row: 0 }
    }

    /// Takes note of a correction; whether it is time to give up.
    pub(crate) fn gives_up(&mut self, size: T) -> bool {
        self.row = if size > T::from_f64(2.0) * self.last { self.row + 1 } else { 0 };
        self.last = size;
        self.row == MOST
    }
}

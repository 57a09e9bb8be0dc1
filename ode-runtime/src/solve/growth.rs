//! Iterations that diverge.

use crate::numbers::scalar::Real;

/// Consecutive corrections, each more than twice the one before, after which iterations stop.
const MOST: u32 = 3;

/// Whether corrections grow. Their sizes are absolute, because the corrected values may grow too.
pub(crate) struct Growth<T> {
    last: T,
    row: u32,
}

impl<T: Real> Growth<T> {
    pub(crate) const fn new() -> Self {
        Self { last: T::INFINITY, row: 0 }
    }

    /// Records a correction; returns whether to stop.
    pub(crate) fn gives_up(&mut self, size: T) -> bool {
        self.row = if size > T::from_f64(2.0) * self.last { self.row + 1 } else { 0 };
        self.last = size;
        self.row == MOST
    }
}

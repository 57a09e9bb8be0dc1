//! A small square system on a slice, for several right-hand sides at once.

use crate::linalg::Singular;
use crate::numbers::lanes::Lanes;
use crate::numbers::scalar::Real;

/// Solves `a` x = `b` in place, the n rows of `a` one after the other, by elimination with row exchanges. Rows are
/// scaled to a largest entry of about 1 before.
///
/// # Errors
/// [`Singular`] with the column without a pivot, or if an entry is not finite.
pub(crate) fn gauss<T: Real>(a: &mut [T], b: &mut [Lanes<T>]) -> Result<(), Singular> {
    let n = b.len();
    for (row, b) in a.chunks_exact_mut(n.max(1)).zip(b.iter_mut()) {
        let scale = row.iter().fold(T::ZERO, |most, x| if x.abs() > most { x.abs() } else { most }).equalizer();
        row.iter_mut().for_each(|x| *x *= scale);
        *b = *b * scale;
    }
    let tolerance = T::from_f64(n as f64) * T::EPSILON;
    for k in 0..n {
        let (mut best, mut at) = (T::ZERO, k);
        for i in k..n {
            let candidate = a[i * n + k].abs();
            if candidate > best {
                (best, at) = (candidate, i);
            }
        }
        if !(best > tolerance && best < T::INFINITY) {
            return Err(Singular { index: k });
        }
        (0..n).for_each(|j| a.swap(k * n + j, at * n + j));
        b.swap(k, at);
        let recip = a[k * n + k].recip();
        for i in k + 1..n {
            let factor = a[i * n + k] * recip;
            for j in k + 1..n {
                let share = factor * a[k * n + j];
                a[i * n + j] -= share;
            }
            let share = b[k] * factor;
            b[i] -= share;
        }
    }
    for k in (0..n).rev() {
        let rest = (k + 1..n).fold(b[k], |rest, j| rest - b[j] * a[k * n + j]);
        b[k] = rest * a[k * n + k].recip();
    }
    Ok(())
}

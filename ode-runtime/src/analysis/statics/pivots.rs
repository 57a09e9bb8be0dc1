//! The stability of an equilibrium of a large model by the signs of pivots, without dense matrices.
//!
//! With C the diagonal of Σ |Kᵢⱼ|, the eigenvalues of (ZᵀK Z, ZᵀC Z) are between −1 and 1, and have the signs of those
//! of the stiffness. How many are below ± z, where z is what counts as zero, is known from K ± z C, bordered by the
//! rows.

use std::vec::Vec;

use crate::analysis::nearest::least;
use crate::analysis::parts::{Parts, symmetric};
use crate::analysis::pencil::{Pencil, WHOLE};
use crate::analysis::rest::LinearError;
use crate::analysis::statics::stability::{Criterion, Evidence, Stability};
use crate::error::Name;
use crate::model::input::Inputs;
use crate::model::layout::{Layout, RowKind};
use crate::model::linearize::Linearize;
use crate::model::state::State;
use crate::numbers::scalar::Real;
use crate::solve::solvable::Solvable;
use crate::solve::worst;

/// The stability and its evidence; `None` if stiffness does not decide, or the solver does not count.
pub(super) fn by_pivots<S: Solvable<Real = T> + Linearize, U: Inputs<S>, T: Real>(
    system: &S,
    inputs: &U,
    x: &State<S>,
) -> Result<Option<(Stability, Evidence<T>)>, LinearError> {
    let layout = system.layout();
    if !layout.z.is_empty() {
        return Ok(None);
    }
    let parts = Parts::evaluate(system, inputs, x).map_err(LinearError::Evaluation)?;
    let freedom = parts.freedom(&layout);
    let (mut k, mut d) = (parts.position.clone(), parts.bordered(&parts.velocity));
    let (sums, metric) = metric::<S, T>(&layout, &k);
    let zero = T::from_f64(1e3 * layout.v.len().min(WHOLE) as f64) * T::EPSILON;
    if symmetric(&layout, &mut k, &sums, T::EPSILON.sqrt()).is_err() {
        return Ok(None);
    }
    let mut kkt = parts.into_solver();
    let mut turns = false;
    if moved(&layout, &d) {
        // What rows yield takes energy.
        separate(&layout, &mut d);
        let (sums, metric) = self::metric::<S, T>(&layout, &d);
        turns = symmetric(&layout, &mut d, &sums, T::EPSILON.sqrt()).is_err();
        let mut damping = Pencil::<S>::new(layout, kkt, d, metric);
        let feeds = damping.shift(-zero) != Ok(Some(0));
        if feeds || turns && layout.first_order() {
            return Ok(None);
        }
        kkt = damping.into_solver();
    }
    let mut pencil = Pencil::<S>::new(layout, kkt, k, metric);
    let mut below = |shift: T| pencil.shift(shift).ok().flatten();
    let (Some(negative), Some(upper)) = (below(-zero), below(zero)) else { return Ok(None) };
    let Some(zeros) = upper.checked_sub(negative) else { return Ok(None) };
    // A gyroscopic force may hold it.
    if turns && negative > 0 {
        return Ok(None);
    }
    let stability = match (negative, zeros) {
        (0, 0) => Stability::Stable,
        (0, _) => Stability::Indifferent,
        _ => Stability::Unstable,
    };
    let (mut lowest, mut moves) = (T::INFINITY, Name::new(""));
    let found = match freedom {
        0 => Ok(None),
        _ => least(&mut pencil, T::from_f64(1e-3)),
    };
    // the signs are known without it
    if let Ok(Some((value, x))) = found {
        lowest = value / x.iter().fold(T::ZERO, |s, &x| s + x * x);
        moves = Name::of(layout.directions, worst(&x).0);
    }
    let positive = freedom.saturating_sub(upper);
    let by = Criterion::Stiffness;
    Ok(Some((stability, Evidence { by, positive, negative, zero: zeros, least: lowest, moves })))
}

/// Σ |Kᵢⱼ| of each row, and C on the pattern of the tangent.
fn metric<S: Solvable<Real = T> + Linearize, T: Real>(layout: &Layout<'_>, values: &[T]) -> (Vec<T>, Vec<T>) {
    let sums = Parts::<S>::sums(layout, values);
    let own = |(r, c): (usize, usize)| match sums.get(r) {
        Some(&sum) if r == c => {
            if sum > T::ZERO {
                sum
            } else {
                T::ONE
            }
        }
        _ => T::ZERO,
    };
    let metric = layout.tangent.entries().map(own).collect();
    (sums, metric)
}

/// Whether a matrix of velocities is not zero.
fn moved<T: Real>(layout: &Layout<'_>, values: &[T]) -> bool {
    let nv = layout.v.len();
    layout.tangent.entries().zip(values).any(|((r, c), x)| r < nv && c < nv && *x != T::ZERO)
}

/// Lets compliant rows alone.
fn separate<T: Real>(layout: &Layout<'_>, values: &mut [T]) {
    let first = layout.v.len() + layout.z.len();
    let yields = |i: usize| i >= first && layout.kind(i - first) == RowKind::Compliant;
    for ((r, c), value) in layout.tangent.entries().zip(values) {
        if r != c && (yields(r) || yields(c)) {
            *value = T::ZERO;
        }
    }
}

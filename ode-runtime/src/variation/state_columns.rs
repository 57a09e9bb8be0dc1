//! Variations of a state by its own entries.

use crate::model::layout::Layout;
use crate::model::system::System;
use crate::numbers::scalar::Scalar;
use crate::variation::chain::Varied;
use crate::variation::columns::Columns;
use crate::variation::forward::StateColumns;

/// Writes to the first columns the units of the entries of a state that may be chosen, in the order of
/// [`Layout::state_direction_names`]; zeros to others.
pub fn units<S: System, K: Columns>(layout: &Layout<'_>, columns: &mut StateColumns<S, K>) {
    let Varied { q, v, z } = columns;
    let (nv, nz) = (layout.v.len(), layout.differential());
    let moving = if layout.first_order() { 0 } else { nv };
    let unit = |x: &mut [S::Real], k: Option<usize>, count: usize| {
        x.fill(S::Real::ZERO);
        if let Some(entry) = k.filter(|&k| k < count).and_then(|k| x.get_mut(k)) {
            *entry = S::Real::ONE;
        }
    };
    q.as_mut().iter_mut().enumerate().for_each(|(k, q)| unit(q.as_mut(), Some(k), nv));
    v.as_mut().iter_mut().enumerate().for_each(|(k, v)| unit(v.as_mut(), k.checked_sub(nv), moving));
    z.as_mut().iter_mut().enumerate().for_each(|(k, z)| unit(z.as_mut(), k.checked_sub(nv + moving), nz));
}

/// What the entry `row` of a state, in the order of [`Layout::state_direction_names`], varies by in column `k`; none
/// beyond them.
pub fn varied<S: System, K: Columns>(
    layout: &Layout<'_>,
    columns: &StateColumns<S, K>,
    row: usize,
    k: usize,
) -> Option<S::Real> {
    let (nv, moving) = (layout.v.len(), if layout.first_order() { 0 } else { layout.v.len() });
    let Varied { q, v, z } = columns;
    let entry = match row {
        _ if row >= layout.state_directions() => None,
        row if row < nv => q.as_ref().get(k).and_then(|q| q.as_ref().get(row)),
        row if row < nv + moving => v.as_ref().get(k).and_then(|v| v.as_ref().get(row - nv)),
        row => z.as_ref().get(k).and_then(|z| z.as_ref().get(row - nv - moving)),
    };
    entry.copied()
}

//! Variations of a state by its own entries.

use crate::model::layout::Layout;
use crate::model::system::System;
use crate::numbers::scalar::Scalar;
use crate::variation::chain::Varied;
use crate::variation::columns::Columns;
use crate::variation::forward::StateColumns;

impl<V, Z> Varied<V, Z> {
    /// Column k of each block.
    pub(super) fn column<B, C>(&mut self, k: usize) -> Option<(&mut B, &mut B, &mut C)>
    where
        V: AsMut<[B]>,
        Z: AsMut<[C]>,
    {
        let Self { q, v, z } = self;
        Some((q.as_mut().get_mut(k)?, v.as_mut().get_mut(k)?, z.as_mut().get_mut(k)?))
    }
}

/// Writes one to an entry of (q, v, z), q in tangent coordinates, of column k.
pub fn unit_column<S: System, K: Columns>(columns: &mut StateColumns<S, K>, k: usize, entry: usize) {
    let Some((q, v, z)) = columns.column(k) else { return };
    let entry = q.as_mut().iter_mut().chain(v.as_mut()).chain(z.as_mut()).nth(entry);
    entry.into_iter().for_each(|entry| *entry = S::Real::ONE);
}

/// Writes to the first columns the units of the entries of a state that may be chosen, in the order of
/// [`Layout::state_direction_names`]; zeros to others.
pub fn unit_columns<S: System, K: Columns>(layout: &Layout<'_>, columns: &mut StateColumns<S, K>) {
    columns.q.as_mut().iter_mut().for_each(|q| q.as_mut().fill(S::Real::ZERO));
    columns.v.as_mut().iter_mut().for_each(|v| v.as_mut().fill(S::Real::ZERO));
    columns.z.as_mut().iter_mut().for_each(|z| z.as_mut().fill(S::Real::ZERO));
    let velocities = layout.v.len()..if layout.first_order() { 2 * layout.v.len() } else { layout.v.len() };
    let entries = (0..2 * layout.v.len() + layout.differential()).filter(|entry| !velocities.contains(entry));
    entries.enumerate().for_each(|(k, entry)| unit_column::<S, K>(columns, k, entry));
}

/// What the entry `row` of a state, in the order of [`Layout::state_direction_names`], varies by in column `k`; none
/// beyond them.
pub fn column_entry<S: System, K: Columns>(
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

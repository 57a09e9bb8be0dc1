//! Several directions side by side, and what they change.

use core::fmt;
use core::ops::Range;

use crate::model::layout::{Block, Pattern};
use crate::model::sensitive::Sensitive;
use crate::numbers::lanes::{LANES, Lanes, LanesMut, gather, scatter};
use crate::numbers::scalar::Scalar;
use crate::variation::columns::StateSlices;
use crate::variation::direction::Direction;
use crate::variation::jacobians::Jacobians;
use crate::variation::rows::{Places, add_product};

/// Up to [`LANES`] directions: δ(q, v, a, z, λ, u, t), and the rows they lead to.
pub(super) struct Abreast<S: Sensitive> {
    columns: S::ColumnLanes,
    rows: S::RowLanes,
}

impl<S: Sensitive> fmt::Debug for Abreast<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Abreast").finish_non_exhaustive()
    }
}

impl<S: Sensitive> Abreast<S> {
    pub(super) fn zeros(system: &S) -> Self {
        let pattern = system.partial_patterns().states;
        Self { columns: Block::zeros(pattern.cols), rows: Block::zeros(pattern.rows) }
    }

    /// Nothing changes.
    pub(super) fn clear(&mut self) {
        self.columns.as_mut().fill(Lanes::ZERO);
        self.rows.as_mut().fill(Lanes::ZERO);
    }

    /// Rows do not change.
    pub(super) fn clear_rows(&mut self) {
        self.clear_first(usize::MAX);
    }

    /// The first rows do not change, as many as are given.
    pub(super) fn clear_first(&mut self, count: usize) {
        self.rows.as_mut().iter_mut().take(count).for_each(|row| *row = Lanes::ZERO);
    }

    /// Entries of a direction, from a column on.
    pub(super) fn set(&mut self, lane: usize, first: usize, x: &[S::Real]) {
        let columns = self.columns.as_mut().get_mut(first..).unwrap_or_default();
        for (to, &x) in columns.iter_mut().zip(x) {
            if let Some(to) = to.0.get_mut(lane) {
                *to = x;
            }
        }
    }

    /// Entries of a direction.
    pub(super) fn get(&self, lane: usize, first: usize, x: &mut [S::Real]) {
        let columns = self.columns.as_ref().get(first..).unwrap_or_default();
        for (x, from) in x.iter_mut().zip(columns) {
            *x = from.0.get(lane).copied().unwrap_or(S::Real::ZERO);
        }
    }

    /// Entries of all directions, from a column on.
    pub(super) fn set_all<C: AsRef<[S::Real]>>(&mut self, first: usize, x: &[C]) {
        gather(x, self.columns.as_mut().get_mut(first..).unwrap_or_default());
    }

    /// Entries of all directions.
    pub(super) fn get_all<C: AsMut<[S::Real]>>(&self, first: usize, x: &mut [C]) {
        scatter(self.columns.as_ref().get(first..).unwrap_or_default(), x);
    }

    /// A direction, with what its parameter changes.
    pub(super) fn put(&mut self, system: &S, jacobians: &Jacobians<S>, lane: usize, d: &Direction<S>) {
        let places = jacobians.places;
        self.set(lane, 0, d.q.as_ref());
        self.set(lane, places.v(), d.v.as_ref());
        self.set(lane, places.z(), d.z.as_ref());
        self.put_beside(system, jacobians, lane, d);
    }

    /// δ(q, v, z) of all directions, which change nothing beside.
    pub(super) fn put_states(&mut self, places: Places, (q, v, z): StateSlices<'_, S>) {
        let beside = self.columns.as_mut().get_mut(places.u()..).unwrap_or_default();
        beside.iter_mut().for_each(|x| *x = Lanes::ZERO);
        self.set_all(0, q);
        self.set_all(places.v(), v);
        self.set_all(places.z(), z);
    }

    /// What a direction changes beside the state.
    pub(super) fn put_beside(&mut self, system: &S, jacobians: &Jacobians<S>, lane: usize, d: &Direction<S>) {
        let places = jacobians.places;
        self.set(lane, places.u(), d.u.as_ref());
        self.set(lane, places.t(), &[d.t]);
        if let Some(parameter) = d.parameter {
            let pattern = system.partial_patterns().parameters;
            self.add_column(lane, pattern, jacobians.parameters.as_ref(), parameter);
        }
    }

    /// rows += x from `first` on.
    pub(super) fn add_rows(&mut self, lane: usize, first: usize, x: &[S::Real]) {
        let rows = self.rows.as_mut().get_mut(first..).unwrap_or_default();
        for (to, &x) in rows.iter_mut().zip(x) {
            if let Some(to) = to.0.get_mut(lane) {
                *to += x;
            }
        }
    }

    /// rows += a column of a compressed matrix.
    pub(super) fn add_column(&mut self, lane: usize, pattern: Pattern<'_>, values: &[S::Real], column: usize) {
        let (Some(&from), Some(&to)) = (pattern.starts.get(column), pattern.starts.get(column + 1)) else { return };
        let rows = self.rows.as_mut();
        let entries = pattern.indices.get(from..to).unwrap_or_default().iter();
        for (&row, &value) in entries.zip(values.get(from..to).unwrap_or_default()) {
            if let Some(to) = rows.get_mut(row).and_then(|row| row.0.get_mut(lane)) {
                *to += value;
            }
        }
    }

    /// rows += what these columns change.
    pub(super) fn add(&mut self, system: &S, jacobians: &Jacobians<S>, columns: Range<usize>) {
        self.add_first(usize::MAX, system, jacobians, columns);
    }

    /// The same of the first rows, as many as are given.
    pub(super) fn add_first(&mut self, count: usize, system: &S, jacobians: &Jacobians<S>, columns: Range<usize>) {
        let x = self.columns.as_ref().get(columns.clone()).unwrap_or_default();
        let (pattern, values) = (system.partial_patterns().states, jacobians.states.as_ref());
        let rows = self.rows.as_mut();
        let count = count.min(rows.len());
        add_product(pattern, values, columns.start, x, rows.get_mut(..count).unwrap_or_default());
    }

    /// The columns, and the rows.
    pub(super) fn parts(&mut self) -> (LanesMut<'_, S::Real>, LanesMut<'_, S::Real>) {
        (self.columns.as_mut(), self.rows.as_mut())
    }

    /// What rows from `first` on change by.
    pub(super) fn read(&self, lane: usize, first: usize, out: &mut [S::Real]) {
        let rows = self.rows.as_ref().get(first..).unwrap_or_default();
        for (out, row) in out.iter_mut().zip(rows) {
            *out = row.0.get(lane).copied().unwrap_or(S::Real::ZERO);
        }
    }
}

/// The numbers of groups of directions that stand side by side.
pub(super) fn groups(count: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).step_by(LANES).map(move |first| first..count.min(first + LANES))
}

//! A sparse matrix of expressions, and Jacobians as such.

use crate::chart::{Direction, gradients};
use crate::expr::{Graph, Node};

/// Structural nonzeros in column order, rows ascending in each column.
#[derive(Clone, Debug, Default)]
pub struct Sparse {
    /// number of rows
    pub rows: usize,
    /// number of columns
    pub cols: usize,
    /// (row, column, value)
    pub entries: Vec<(usize, usize, Node)>,
}

impl Sparse {
    /// The nonzeros among the given entries, sorted.
    pub fn new(
        graph: &Graph,
        rows: usize,
        cols: usize,
        entries: impl IntoIterator<Item = (usize, usize, Node)>,
    ) -> Self {
        let mut entries: Vec<_> = entries.into_iter().filter(|&(_, _, n)| !graph.is_zero(n)).collect();
        entries.sort_by_key(|&(r, c, _)| (c, r));
        Self { rows, cols, entries }
    }

    /// Adds the rows of another matrix of as many columns.
    pub fn below(&mut self, other: Self) {
        let first = self.rows;
        self.rows += other.rows;
        self.entries.extend(other.entries.into_iter().map(|(r, c, n)| (first + r, c, n)));
        self.entries.sort_by_key(|&(r, c, _)| (c, r));
    }

    /// Adds zeros at places that others write to.
    pub fn cover(&mut self, graph: &mut Graph, places: impl IntoIterator<Item = (usize, usize)>) {
        for (row, col) in places {
            if let Err(at) = self.place(row, col) {
                self.entries.insert(at, (row, col, graph.constant(0.0)));
            }
        }
    }

    /// Where a place is among the structural nonzeros, or would be.
    pub fn place(&self, row: usize, col: usize) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&(col, row), |&(r, c, _)| (c, r))
    }

    /// Values in storage order.
    pub fn values(&self) -> Vec<Node> {
        self.entries.iter().map(|&(_, _, n)| n).collect()
    }

    /// Column starts and row indices.
    pub fn pattern(&self) -> (Vec<usize>, Vec<usize>) {
        pattern(self.cols, self.entries.iter().map(|&(r, c, _)| (r, c)))
    }

    /// The value at a place, if it is a structural nonzero.
    pub fn get(&self, row: usize, col: usize) -> Option<Node> {
        self.place(row, col).ok().map(|place| self.entries[place].2)
    }
}

/// Values, and their Jacobian.
pub struct Rows {
    /// one by one
    pub values: Vec<Node>,
    /// a row each
    pub jacobian: Sparse,
}

/// Column starts and row indices of places sorted by column, then row.
pub(crate) fn pattern(cols: usize, places: impl Iterator<Item = (usize, usize)>) -> (Vec<usize>, Vec<usize>) {
    let mut starts = vec![0; cols + 1];
    let mut rows = Vec::new();
    for (r, c) in places {
        starts[c + 1] += 1;
        rows.push(r);
    }
    for c in 0..cols {
        starts[c + 1] += starts[c];
    }
    (starts, rows)
}

/// Rows and columns of a Jacobian are both tried unless one is this many times as long.
const LOPSIDED: usize = 3;

/// As [`jacobian`], with both kinds of sweeps tried whatever the size.
pub(super) fn jacobian_by_either(graph: &mut Graph, outputs: &[Node], along: &[Direction]) -> Sparse {
    let size = (outputs.len(), along.len());
    cheaper(graph, |g| by_rows(g, outputs, along), |g| by_columns(g, outputs, along), size)
}

/// The derivatives of outputs along directions, by reverse sweeps (a row each) or forward sweeps (a column each),
/// whichever needs fewer operations.
pub(super) fn jacobian(graph: &mut Graph, outputs: &[Node], along: &[Direction]) -> Sparse {
    let size = (outputs.len(), along.len());
    if size.1 > LOPSIDED * size.0 {
        let rows = by_rows(graph, outputs, along);
        return Sparse::new(graph, size.0, size.1, rows);
    }
    if size.0 > LOPSIDED * size.1 {
        let columns = by_columns(graph, outputs, along);
        return Sparse::new(graph, size.0, size.1, columns);
    }
    cheaper(graph, |g| by_rows(g, outputs, along), |g| by_columns(g, outputs, along), size)
}

/// Each output's by a reverse sweep.
pub(super) fn by_rows(g: &mut Graph, outputs: &[Node], along: &[Direction]) -> Entries {
    let mut entries = Vec::new();
    for (r, slopes) in gradients(g, outputs, along).into_iter().enumerate() {
        entries.extend(nonzero(g, slopes).map(|(c, n)| (r, c, n)));
    }
    entries
}

fn by_columns(g: &mut Graph, outputs: &[Node], along: &[Direction]) -> Entries {
    let mut entries = Vec::new();
    for (c, slopes) in g.jvp_each(outputs, along).into_iter().enumerate() {
        entries.extend(nonzero(g, slopes).map(|(r, n)| (r, c, n)));
    }
    entries
}

fn nonzero(g: &Graph, values: Vec<Node>) -> impl Iterator<Item = (usize, Node)> {
    values.into_iter().enumerate().filter(|(_, n)| !g.is_zero(*n))
}

/// Row, column and value.
pub(super) type Entries = Vec<(usize, usize, Node)>;

/// Builds a matrix in two ways and keeps the graph of the one with fewer operations (the first, when they tie).
pub(super) fn cheaper(
    graph: &mut Graph,
    first: impl FnOnce(&mut Graph) -> Entries,
    second: impl FnOnce(&mut Graph) -> Entries,
    (rows, cols): (usize, usize),
) -> Sparse {
    let mut other = graph.clone();
    let a = first(graph);
    let a = Sparse::new(graph, rows, cols, a);
    let b = second(&mut other);
    let b = Sparse::new(&other, rows, cols, b);
    if other.operations(&b.values()) < graph.operations(&a.values()) {
        *graph = other;
        b
    } else {
        a
    }
}

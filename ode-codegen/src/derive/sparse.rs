//! A sparse matrix of expressions, and Jacobians as such.

use crate::expr::{Graph, Node, Symbol};

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
        self.entries.iter().find(|&&(r, c, _)| (r, c) == (row, col)).map(|&(_, _, n)| n)
    }
}

/// Column starts and row indices of places sorted by column, then row.
pub fn pattern(cols: usize, places: impl Iterator<Item = (usize, usize)>) -> (Vec<usize>, Vec<usize>) {
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

/// ∂outputs/∂symbols by reverse sweeps (a row each) or forward sweeps (a column each), whichever needs fewer operations.
pub(super) fn jacobian(graph: &mut Graph, outputs: &[Node], wrt: &[Symbol]) -> Sparse {
    let one = graph.constant(1.0);
    cheaper(
        graph,
        |g| {
            let rows: Vec<Vec<Node>> = outputs.iter().map(|&o| g.gradient(o, wrt)).collect();
            entries(
                rows.into_iter()
                    .enumerate()
                    .flat_map(|(r, row)| row.into_iter().enumerate().map(move |(c, n)| (r, c, n))),
            )
        },
        |g| {
            let columns: Vec<Vec<Node>> = wrt.iter().map(|&s| g.jvp(outputs, &[(s, one)])).collect();
            entries(
                columns
                    .into_iter()
                    .enumerate()
                    .flat_map(|(c, col)| col.into_iter().enumerate().map(move |(r, n)| (r, c, n))),
            )
        },
        (outputs.len(), wrt.len()),
    )
}

type Entries = Vec<(usize, usize, Node)>;

fn entries(list: impl Iterator<Item = (usize, usize, Node)>) -> Entries {
    list.collect()
}

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
    if operations(&other, &b.values()) < operations(graph, &a.values()) {
        *graph = other;
        b
    } else {
        a
    }
}

/// Number of operations the outputs need together.
pub(super) fn operations(graph: &Graph, outputs: &[Node]) -> usize {
    graph.reach(outputs).into_iter().filter(|&n| graph.op(n).is_operation()).count()
}

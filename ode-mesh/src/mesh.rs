//! Points, and the elements that join them.

use std::path::Path;

use crate::cells::Cells;
use crate::error::{Fault, Kind, MeshError};
use crate::read;
use crate::size::size;

/// Points in space, and lines, triangles and tetrahedra that join them.
///
/// A mesh is sound: every element joins nodes that are there, coordinates are finite, and no element is without length,
/// area or volume. The last two nodes of a tetrahedron are exchanged where its volume would be negative.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    points: Vec<[f64; 3]>,
    cells: Cells,
}

impl Mesh {
    /// The mesh of points, in m, and elements.
    ///
    /// # Errors
    /// [`Fault::Empty`], [`Fault::NotFinite`], [`Fault::MissingNode`], [`Fault::Degenerate`] with the number of the
    /// element: a size below 10⁻¹² of that of an element with edges of the same length counts as none.
    ///
    /// ```
    /// use ode_mesh::{Cells, Fault, Kind, Mesh};
    ///
    /// // four corners of a square make no solid
    /// let square = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    /// let flat = Mesh::new(square, Cells { tetrahedra: vec![[0, 1, 2, 3]], ..Cells::default() });
    /// let Fault::Degenerate { kind: Kind::Tetrahedron, number: 0, .. } = flat.unwrap_err().fault else { panic!() };
    /// ```
    pub fn new(points: Vec<[f64; 3]>, mut cells: Cells) -> Result<Self, MeshError> {
        if cells.is_empty() {
            return Err(MeshError::of(Fault::Empty));
        }
        for (node, point) in points.iter().enumerate() {
            if let Some(axis) = point.iter().position(|x| !x.is_finite()) {
                return Err(MeshError::of(Fault::NotFinite { node, axis }));
            }
        }
        for (kind, number, nodes) in cells.each() {
            if let Some(&node) = nodes.iter().find(|&&node| node >= points.len()) {
                let node = i64::try_from(node).unwrap_or(i64::MAX);
                return Err(MeshError::of(Fault::MissingNode { kind, number, node }));
            }
            let (size, usual) = size(&points, nodes);
            // also where numbers are too large for their product
            if !(size.abs() > 1e-12 * usual && usual.is_finite()) {
                return Err(MeshError::of(Fault::Degenerate { kind, number, size: size.abs() }));
            }
        }
        for nodes in &mut cells.tetrahedra {
            if size(&points, nodes).0 < 0.0 {
                nodes.swap(2, 3);
            }
        }
        Ok(Self { points, cells })
    }

    /// The mesh in a file, whose ending says its format: see the [table](crate#formats). Numbers are taken for m.
    /// Nodes are those of the file in its order, also those that no element joins: see [`Mesh::only`]. A text without
    /// counts, as OBJ, does not tell when its end is missing.
    ///
    /// # Errors
    /// [`MeshError`] with the file's name, and what is wrong with it: all but the faults of writing.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, MeshError> {
        let path = path.as_ref();
        let whole = read::file(path).and_then(|(points, cells)| Self::new(points, cells).map_err(|error| error.fault));
        whole.map_err(|fault| MeshError::at(path, fault))
    }

    /// A block with a corner at the origin: its edges in m along x, y and z, and the number of bricks along each. A
    /// brick is six tetrahedra around a diagonal, and neighbours share faces.
    ///
    /// # Errors
    /// As [`Mesh::new`]: an edge or a number of bricks is 0, or not finite.
    pub fn block(edges: [f64; 3], bricks: [usize; 3]) -> Result<Self, MeshError> {
        let counts = bricks.map(|n| n.saturating_add(1));
        let node = |at: [usize; 3]| (at[2] * counts[1] + at[1]) * counts[0] + at[0];
        let (mut points, mut tetrahedra) = (Vec::new(), Vec::new());
        for at in grid(counts) {
            points.push(std::array::from_fn(|k| edges[k] * at[k] as f64 / bricks[k] as f64));
        }
        for at in grid(bricks) {
            // the ways along edges from a corner of the brick to the one across
            for way in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
                let (mut corner, mut nodes) = (at, [node(at); 4]);
                for (k, axis) in way.into_iter().enumerate() {
                    corner[axis] += 1;
                    nodes[k + 1] = node(corner);
                }
                tetrahedra.push(nodes);
            }
        }
        Self::new(points, Cells { tetrahedra, ..Cells::default() })
    }

    /// The elements of one kind, with the nodes that they join, which keep their order and get new numbers. So nodes
    /// that are held by nothing do not reach a model.
    ///
    /// # Errors
    /// [`Fault::No`]
    pub fn only(&self, kind: Kind) -> Result<Self, MeshError> {
        let mut cells = match kind {
            Kind::Line => Cells { lines: self.lines()?, ..Cells::default() },
            Kind::Triangle => Cells { triangles: self.triangles()?, ..Cells::default() },
            Kind::Tetrahedron => Cells { tetrahedra: self.tetrahedra()?, ..Cells::default() },
        };
        let mut used = vec![false; self.points.len()];
        cells.each().for_each(|(_, _, nodes)| nodes.iter().for_each(|&node| used[node] = true));
        let (mut points, mut renamed) = (Vec::new(), vec![0; used.len()]);
        for (node, _) in used.iter().enumerate().filter(|(_, used)| **used) {
            renamed[node] = points.len();
            points.push(self.points[node]);
        }
        cells.lines.iter_mut().flatten().for_each(|node| *node = renamed[*node]);
        cells.triangles.iter_mut().flatten().for_each(|node| *node = renamed[*node]);
        cells.tetrahedra.iter_mut().flatten().for_each(|node| *node = renamed[*node]);
        Ok(Self { points, cells })
    }

    /// The places of the nodes, in m.
    #[must_use]
    pub fn points(&self) -> &[[f64; 3]] {
        &self.points
    }

    /// All elements.
    #[must_use]
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The nodes that lines join, as the builder of a model takes them.
    ///
    /// # Errors
    /// [`Fault::No`]
    pub fn lines(&self) -> Result<Vec<[usize; 2]>, MeshError> {
        some(&self.cells.lines, Kind::Line)
    }

    /// The nodes that triangles join, as the builder of a model takes them.
    ///
    /// # Errors
    /// [`Fault::No`]
    pub fn triangles(&self) -> Result<Vec<[usize; 3]>, MeshError> {
        some(&self.cells.triangles, Kind::Triangle)
    }

    /// The nodes that tetrahedra join, as the builder of a model takes them. The three edges from the first node are
    /// right-handed.
    ///
    /// # Errors
    /// [`Fault::No`]
    pub fn tetrahedra(&self) -> Result<Vec<[usize; 4]>, MeshError> {
        some(&self.cells.tetrahedra, Kind::Tetrahedron)
    }

    /// The nodes whose place, in m, satisfies a condition, in order.
    #[must_use]
    pub fn nodes_where(&self, condition: impl Fn([f64; 3]) -> bool) -> Vec<usize> {
        (0..self.points.len()).filter(|&node| condition(self.points[node])).collect()
    }
}

fn some<const N: usize>(cells: &[[usize; N]], kind: Kind) -> Result<Vec<[usize; N]>, MeshError> {
    if cells.is_empty() { Err(MeshError::of(Fault::No(kind))) } else { Ok(cells.to_vec()) }
}

/// All triples below the counts, the first of their numbers running fastest.
fn grid(counts: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let [nx, ny, nz] = counts;
    (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])))
}

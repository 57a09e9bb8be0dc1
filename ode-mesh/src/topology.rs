//! Edges, surfaces and boundaries: what elements share.

use std::collections::BTreeMap;

use crate::error::MeshError;
use crate::mesh::Mesh;

impl Mesh {
    /// The edges of all elements, each once: the smaller node first, in order.
    ///
    /// ```
    /// # use ode_mesh::Mesh;
    /// // the edges of a brick, the diagonals of its faces, and the one inside
    /// assert_eq!(Mesh::block([1.0; 3], [1; 3])?.edges().len(), 12 + 6 + 1);
    /// # Ok::<(), ode_mesh::MeshError>(())
    /// ```
    #[must_use]
    pub fn edges(&self) -> Vec<[usize; 2]> {
        let mut edges = Vec::new();
        for (_, _, nodes) in self.cells().each() {
            for (k, &a) in nodes.iter().enumerate() {
                edges.extend(nodes[k + 1..].iter().map(|&b| [a.min(b), a.max(b)]));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The faces of tetrahedra that belong to one of them only, in the order of the tetrahedra. Seen from outside their
    /// nodes run counter-clockwise.
    ///
    /// # Errors
    /// [`Fault::No`](crate::Fault::No)
    pub fn surface(&self) -> Result<Vec<[usize; 3]>, MeshError> {
        let tetrahedra = self.tetrahedra()?;
        let faces = || tetrahedra.iter().flat_map(|&[a, b, c, d]| [[a, c, b], [a, b, d], [a, d, c], [b, c, d]]);
        let mut count = BTreeMap::new();
        faces().for_each(|face| *count.entry(sorted(face)).or_insert(0) += 1);
        Ok(faces().filter(|&face| count.get(&sorted(face)) == Some(&1)).collect())
    }

    /// The nodes on the boundary, in order. Of a mesh with tetrahedra they are those of its [surface](Mesh::surface),
    /// of one with triangles those of the edges that only one triangle has, and of lines those where only one ends.
    #[must_use]
    pub fn boundary(&self) -> Vec<usize> {
        let cells = self.cells();
        let mut nodes: Vec<usize> = if let Ok(surface) = self.surface() {
            surface.into_iter().flatten().collect()
        } else if cells.triangles.is_empty() {
            once(cells.lines.iter().flatten().map(|&node| [node])).into_iter().flatten().collect()
        } else {
            let edges = cells.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
            once(edges.map(sorted)).into_iter().flatten().collect()
        };
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}

/// What occurs once.
fn once<const N: usize>(all: impl Iterator<Item = [usize; N]>) -> Vec<[usize; N]> {
    let mut count = BTreeMap::new();
    all.for_each(|one| *count.entry(one).or_insert(0) += 1);
    count.into_iter().filter(|&(_, count)| count == 1).map(|(one, _)| one).collect()
}

fn sorted<const N: usize>(mut nodes: [usize; N]) -> [usize; N] {
    nodes.sort_unstable();
    nodes
}

//! Lengths, areas, volumes, and what of an element's shape an energy is written with.

use crate::error::MeshError;
use crate::mesh::Mesh;
use crate::size::{cross, dot, less, size};

impl Mesh {
    /// The length of each line, in m.
    ///
    /// # Errors
    /// [`Fault::No`](crate::Fault::No)
    pub fn lengths(&self) -> Result<Vec<f64>, MeshError> {
        Ok(self.lines()?.iter().map(|nodes| size(self.points(), nodes).0).collect())
    }

    /// The area of each triangle, in m².
    ///
    /// # Errors
    /// [`Fault::No`](crate::Fault::No)
    pub fn areas(&self) -> Result<Vec<f64>, MeshError> {
        Ok(self.triangles()?.iter().map(|nodes| size(self.points(), nodes).0).collect())
    }

    /// The volume of each tetrahedron, in m³.
    ///
    /// # Errors
    /// [`Fault::No`](crate::Fault::No)
    pub fn volumes(&self) -> Result<Vec<f64>, MeshError> {
        Ok(self.tetrahedra()?.iter().map(|nodes| size(self.points(), nodes).0).collect())
    }

    /// The share of each node in the volume of the tetrahedra, in m³: a quarter of each that it stands in. Times the
    /// density it is a lumped mass.
    ///
    /// # Errors
    /// [`Fault::No`](crate::Fault::No)
    pub fn shares(&self) -> Result<Vec<f64>, MeshError> {
        let mut shares = vec![0.0; self.points().len()];
        for (nodes, volume) in self.tetrahedra()?.iter().zip(self.volumes()?) {
            nodes.iter().for_each(|&node| shares[node] += volume / 4.0);
        }
        Ok(shares)
    }

    /// Of each tetrahedron the gradients, in 1/m, of the linear functions that are 1 at its second, third and fourth
    /// node and 0 at the others: the rows of the inverse of the matrix whose columns are the edges from the first node.
    /// With the edges u, v, w of the deformed element the deformation gradient is F = u g₀ᵀ + v g₁ᵀ + w g₂ᵀ.
    ///
    /// # Errors
    /// [`Fault::No`](crate::Fault::No)
    ///
    /// ```
    /// # use ode_mesh::{Cells, Mesh};
    /// let corner = vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 4.0]];
    /// let mesh = Mesh::new(corner, Cells { tetrahedra: vec![[0, 1, 2, 3]], ..Cells::default() })?;
    /// assert_eq!(mesh.gradients()?, [[[0.5, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.25]]]);
    /// # Ok::<(), ode_mesh::MeshError>(())
    /// ```
    pub fn gradients(&self) -> Result<Vec<[[f64; 3]; 3]>, MeshError> {
        let of = |nodes: &[usize; 4]| {
            let [u, v, w] = std::array::from_fn(|k| less(self.points()[nodes[k + 1]], self.points()[nodes[0]]));
            let det = dot(u, cross(v, w));
            [cross(v, w), cross(w, u), cross(u, v)].map(|row| row.map(|x| x / det))
        };
        Ok(self.tetrahedra()?.iter().map(of).collect())
    }
}

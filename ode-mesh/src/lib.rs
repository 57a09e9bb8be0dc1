//! Meshes for models with sets, from files and as files.
//!
//! [`Mesh::read`] takes a mesh from a file and says what is wrong with it. The mesh gives what the builder of a model
//! asks for: points, and the nodes that lines, triangles and tetrahedra join, counted from 0. [`Series`] writes the
//! states of a run as a time series for ParaView.
//!
//! ```
//! use ode_mesh::Mesh;
//!
//! # fn main() -> Result<(), ode_mesh::MeshError> {
//! // a bar of 2 m × 1 m × 1 m; `Mesh::read("bar.msh")?` reads one
//! let bar = Mesh::block([2.0, 1.0, 1.0], [4, 2, 2])?;
//! let held = bar.nodes_where(|[x, _, _]| x == 0.0);
//! assert_eq!((bar.points().len(), bar.tetrahedra()?.len(), held.len()), (45, 96, 9));
//! assert!((bar.volumes()?.iter().sum::<f64>() - 2.0).abs() < 1e-12);
//! # Ok(())
//! # }
//! ```
//!
//! # Formats
//!
//! | ending | format | read |
//! | --- | --- | --- |
//! | `.obj` | Wavefront OBJ | `v`, `l`, `f`; other lines say how a surface looks, and are skipped |
//! | `.msh` | Gmsh MSH 4.1 and 2.2, as text | nodes and elements of the first order |
//! | `.vtk` | legacy VTK, text and binary | `UNSTRUCTURED_GRID`, `POLYDATA` |
//! | `.vtu`, `.vtp` | VTK's XML, text, base64, raw and zlib | the same |
//!
//! Faces of more than three corners are cut into triangles that share the first corner. Elements that are points are
//! skipped. Any other element is an error, so nothing is left out silently.

mod cells;
mod error;
mod mesh;
mod read;
mod series;
mod shapes;
mod size;
mod topology;

pub use cells::Cells;
pub use error::{Fault, Kind, MeshError};
pub use mesh::Mesh;
pub use series::{Field, Series};

//! Time series that ParaView opens: a `.pvd` file, which lists a `.vtu` file for each time.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use vtkio::Vtk;
use vtkio::model::{
    Attribute, Attributes, ByteOrder, CellType, Cells as VtkCells, DataArray, DataSet, UnstructuredGridPiece, Version,
    VertexNumbers,
};

use crate::cells::Cells;
use crate::error::{Fault, Kind, MeshError};
use crate::mesh::Mesh;

/// Numbers of points or cells, with the name that ParaView shows.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    name: &'a str,
    of_cells: bool,
    components: u32,
    values: &'a [f64],
}

impl<'a> Field<'a> {
    /// A vector of each point, as its velocity.
    #[must_use]
    pub fn vectors(name: &'a str, values: &'a [[f64; 3]]) -> Self {
        Self { name, of_cells: false, components: 3, values: values.as_flattened() }
    }

    /// A number of each point.
    #[must_use]
    pub fn scalars(name: &'a str, values: &'a [f64]) -> Self {
        Self { name, of_cells: false, components: 1, values }
    }

    /// The same of each cell: first of lines, then of triangles, then of tetrahedra.
    #[must_use]
    pub fn of_cells(self) -> Self {
        Self { of_cells: true, ..self }
    }
}

/// A time series in files, which is whole after each time.
///
/// ```
/// use ode_mesh::{Field, Mesh, Series};
///
/// # let folder = std::env::temp_dir().join(format!("ode-mesh-doc-{}", std::process::id()));
/// let bar = Mesh::block([1.0, 0.1, 0.1], [10, 1, 1])?;
/// let mut series = Series::new(folder.join("bar.pvd"), &bar)?;
/// for time in [0.0, 0.5, 1.0] {
///     // in place of the state of a run
///     let velocity = vec![[1.0, 0.0, 0.0]; bar.points().len()];
///     let points: Vec<_> = bar.points().iter().map(|&[x, y, z]| [x + time, y, z]).collect();
///     let volume = bar.volumes()?;
///     let fields = [Field::vectors("velocity", &velocity), Field::scalars("volume", &volume).of_cells()];
///     series.write(time, &points, &fields)?;
/// }
/// assert!(folder.join("bar/000002.vtu").exists());
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), ode_mesh::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Series {
    path: PathBuf,
    /// the folder of the files beside it
    folder: PathBuf,
    cells: Cells,
    points: usize,
    /// the last time
    last: Option<f64>,
    count: usize,
    /// the entries of the list
    list: String,
}

impl Series {
    /// A series of states of a mesh: the list will be `path`, which ends in `.pvd`, and its files in a folder beside it
    /// with the same name without ending. Folders are made; files of these names are replaced.
    ///
    /// # Errors
    /// [`Fault::Ending`]
    pub fn new(path: impl AsRef<Path>, mesh: &Mesh) -> Result<Self, MeshError> {
        let path = path.as_ref().to_owned();
        if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("pvd")) {
            return Err(MeshError::at(&path, Fault::Ending { known: &["pvd"] }));
        }
        let folder = path.with_extension("");
        let (cells, points) = (mesh.cells().clone(), mesh.points().len());
        Ok(Self { path, folder, cells, points, last: None, count: 0, list: String::new() })
    }

    /// Adds a time in s, with the places of the points, in m, and fields.
    ///
    /// # Errors
    /// [`Fault::Time`], [`Fault::Misfit`], [`Fault::Undefined`], and then nothing is written; [`Fault::File`].
    pub fn write(&mut self, time: f64, points: &[[f64; 3]], fields: &[Field<'_>]) -> Result<(), MeshError> {
        let wrong = |fault| MeshError::at(&self.path, fault);
        if !time.is_finite() || self.last.is_some_and(|last| time <= last) {
            return Err(wrong(Fault::Time { time }));
        }
        if points.len() != self.points {
            let field = "points".to_owned();
            return Err(wrong(Fault::Misfit { field, found: points.len(), expected: self.points }));
        }
        let name = format!("{:06}.vtu", self.count);
        grid(&self.folder.join(&name), points, &self.cells, fields)?;
        let folder = self.folder.file_name().unwrap_or_default().to_string_lossy();
        let file = escaped(&format!("{folder}/{name}"));
        let mut all = self.list.clone();
        let _ = writeln!(all, "    <DataSet timestep=\"{time:?}\" part=\"0\" file=\"{file}\"/>");
        let list = format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n{}  \
             </Collection>\n</VTKFile>\n",
            all
        );
        put(&self.path, list.as_bytes())?;
        (self.count, self.last, self.list) = (self.count + 1, Some(time), all);
        Ok(())
    }
}

impl Mesh {
    /// Writes the mesh to a file that ends in `.vtu`, with fields.
    ///
    /// # Errors
    /// [`Fault::Ending`], [`Fault::Misfit`], [`Fault::Undefined`], [`Fault::File`]
    pub fn write(&self, path: impl AsRef<Path>, fields: &[Field<'_>]) -> Result<(), MeshError> {
        let path = path.as_ref();
        if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("vtu")) {
            return Err(MeshError::at(path, Fault::Ending { known: &["vtu"] }));
        }
        grid(path, self.points(), self.cells(), fields)
    }
}

/// Writes a file of points and cells.
fn grid(path: &Path, points: &[[f64; 3]], cells: &Cells, fields: &[Field<'_>]) -> Result<(), MeshError> {
    let mut data = Attributes::new();
    let places = Field::vectors("points", points);
    for field in [&places].into_iter().chain(fields) {
        let expected = if field.of_cells { cells.len() } else { points.len() };
        let components = field.components as usize;
        let found = field.values.len() / components;
        if found != expected {
            return Err(MeshError::at(path, Fault::Misfit { field: field.name.to_owned(), found, expected }));
        }
        if let Some(at) = field.values.iter().position(|x| !x.is_finite()) {
            let fault = Fault::Undefined { field: field.name.to_owned(), number: at / components };
            return Err(MeshError::at(path, fault));
        }
    }
    for field in fields {
        let array =
            if field.components == 3 { DataArray::vectors(field.name) } else { DataArray::scalars(field.name, 1) };
        let array = Attribute::DataArray(array.with_vec(field.values.to_vec()));
        if field.of_cells { data.cell.push(array) } else { data.point.push(array) }
    }
    let (mut connectivity, mut offsets, mut types) = (Vec::new(), Vec::new(), Vec::new());
    for (kind, _, nodes) in cells.each() {
        connectivity.extend(nodes.iter().map(|&node| node as u64));
        offsets.push(connectivity.len() as u64);
        types.push(match kind {
            Kind::Line => CellType::Line,
            Kind::Triangle => CellType::Triangle,
            Kind::Tetrahedron => CellType::Tetra,
        });
    }
    let cells = VtkCells { cell_verts: VertexNumbers::XML { connectivity, offsets }, types };
    let piece = UnstructuredGridPiece { points: places.values.to_vec().into(), cells, data };
    let file = Vtk {
        version: Version::new_xml(1, 0),
        title: String::new(),
        byte_order: ByteOrder::LittleEndian,
        data: DataSet::inline(piece),
        file_path: None,
    };
    let mut bytes = Vec::new();
    let written = file.write_xml(&mut bytes);
    written.map_err(|error| MeshError::at(path, Fault::File(std::io::Error::other(error.to_string()))))?;
    put(path, &bytes)
}

/// Writes a file beside its place and moves it there, so a program that reads it sees a whole one. Folders are made.
fn put(path: &Path, bytes: &[u8]) -> Result<(), MeshError> {
    let place = || {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let part = path.with_extension("part");
        fs::write(&part, bytes)?;
        fs::rename(&part, path)
    };
    place().map_err(|cause| MeshError::at(path, Fault::File(cause)))
}

/// Text between quotation marks of XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

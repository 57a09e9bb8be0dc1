//! VTK files, legacy and XML, as `vtkio` takes them apart.

use std::panic::catch_unwind;

use vtkio::model::{CellType, DataSet, IOBuffer, Piece, VertexNumbers};
use vtkio::{Error, Vtk};

use super::words::Contents;
use crate::cells::Cells;
use crate::error::{Fault, Kind};

pub(super) fn legacy(bytes: &[u8]) -> Result<Contents, Fault> {
    contents(bytes, |bytes| Vtk::parse_legacy_be(bytes))
}

pub(super) fn xml(bytes: &[u8]) -> Result<Contents, Fault> {
    contents(bytes, |bytes| Vtk::parse_xml(bytes))
}

/// Where compressed or encoded numbers were damaged, `vtkio` may panic.
fn contents(bytes: &[u8], parse: fn(&[u8]) -> Result<Vtk, Error>) -> Result<Contents, Fault> {
    let wrong = |what: String| Fault::Syntax { line: None, what };
    let parsed = catch_unwind(|| parse(bytes)).map_err(|_| wrong("the numbers of the file are damaged".to_owned()))?;
    let (mut points, mut cells) = (Vec::new(), Cells::default());
    match parsed.map_err(|error| wrong(format!("not a whole file of VTK: {error}")))?.data {
        DataSet::UnstructuredGrid { pieces, .. } => {
            for piece in pieces {
                let piece = inline(piece)?;
                let mut pool = Pool { first: points.len(), count: places(&piece.points, &mut points)?, seen: 0 };
                let types = piece.cells.types;
                let all = joined(piece.cells.cell_verts)?;
                if all.len() != types.len() {
                    return Err(wrong(format!("{} cells have {} types", all.len(), types.len())));
                }
                for (form, nodes) in types.into_iter().zip(all) {
                    pool.add(form, &nodes, &mut cells)?;
                }
            }
        }
        DataSet::PolyData { pieces, .. } => {
            for piece in pieces {
                let piece = inline(piece)?;
                let mut pool = Pool { first: points.len(), count: places(&piece.points, &mut points)?, seen: 0 };
                for (form, nodes) in [
                    (CellType::PolyVertex, piece.verts),
                    (CellType::PolyLine, piece.lines),
                    (CellType::Polygon, piece.polys),
                    (CellType::TriangleStrip, piece.strips),
                ] {
                    for nodes in joined(nodes.unwrap_or_default())? {
                        pool.add(form, &nodes, &mut cells)?;
                    }
                }
            }
        }
        _ => return Err(wrong("neither an unstructured grid nor polygons".to_owned())),
    }
    Ok((points, cells))
}

fn inline<P>(piece: Piece<P>) -> Result<P, Fault> {
    match piece {
        Piece::Inline(piece) => Ok(*piece),
        _ => Err(Fault::Syntax { line: None, what: "pieces in other files are not read".to_owned() }),
    }
}

/// Adds the points of a piece, and says how many.
fn places(buffer: &IOBuffer, points: &mut Vec<[f64; 3]>) -> Result<usize, Fault> {
    let wrong = |what: &str| Fault::Syntax { line: None, what: what.to_owned() };
    let numbers: Vec<f64> = buffer.cast_into().ok_or_else(|| wrong("points are not numbers"))?;
    let (places, rest) = numbers.as_chunks();
    if !rest.is_empty() {
        return Err(wrong("points do not have three coordinates"));
    }
    points.extend(places);
    Ok(places.len())
}

/// The nodes of each cell.
fn joined(numbers: VertexNumbers) -> Result<Vec<Vec<u64>>, Fault> {
    let wrong = || Fault::Syntax { line: None, what: "the nodes of cells are not as many as announced".to_owned() };
    let mut all = Vec::new();
    match numbers {
        VertexNumbers::Legacy { num_cells, vertices } => {
            let mut rest = vertices.as_slice();
            while let Some((&count, nodes)) = rest.split_first() {
                let (nodes, after) = nodes.split_at_checked(count as usize).ok_or_else(wrong)?;
                all.push(nodes.iter().map(|&node| node.into()).collect());
                rest = after;
            }
            if all.len() != num_cells as usize {
                return Err(wrong());
            }
        }
        VertexNumbers::XML { connectivity, offsets } => {
            let mut from = 0;
            // some files begin with 0, where the first cell begins
            for end in offsets.into_iter().enumerate().filter(|&(k, end)| k > 0 || end > 0).map(|(_, end)| end) {
                let end = usize::try_from(end).map_err(|_| wrong())?;
                all.push(connectivity.get(from..end).ok_or_else(wrong)?.to_vec());
                from = end;
            }
            if from != connectivity.len() {
                return Err(wrong());
            }
        }
    }
    Ok(all)
}

/// The points of a piece among all.
struct Pool {
    first: usize,
    count: usize,
    /// cells that were seen
    seen: usize,
}

impl Pool {
    fn add(&mut self, form: CellType, nodes: &[u64], cells: &mut Cells) -> Result<(), Fault> {
        let number = self.seen;
        self.seen += 1;
        let (kind, fits) = match form {
            CellType::Vertex | CellType::PolyVertex => return Ok(()),
            CellType::Line => (Kind::Line, nodes.len() == 2),
            CellType::PolyLine => (Kind::Line, nodes.len() >= 2),
            CellType::Triangle => (Kind::Triangle, nodes.len() == 3),
            CellType::Quad => (Kind::Triangle, nodes.len() == 4),
            CellType::Polygon => (Kind::Triangle, nodes.len() >= 3),
            CellType::Tetra => (Kind::Tetrahedron, nodes.len() == 4),
            _ => return Err(Fault::Unsupported { cell: format!("{form:?}"), number }),
        };
        if !fits {
            return Err(Fault::Syntax {
                line: None,
                what: format!("cell {number}: {form:?} of {} nodes", nodes.len()),
            });
        }
        let known = |&node: &u64| usize::try_from(node).ok().filter(|&node| node < self.count).map(|n| self.first + n);
        let mut joined = Vec::new();
        for node in nodes {
            let missing = || Fault::MissingNode {
                kind,
                number: cells.next(kind),
                node: i64::try_from(*node).unwrap_or(i64::MAX),
            };
            joined.push(known(node).ok_or_else(missing)?);
        }
        match (kind, joined.as_slice()) {
            (Kind::Line, nodes) => cells.add_path(nodes),
            (Kind::Triangle, nodes) => cells.add_face(nodes),
            (Kind::Tetrahedron, &[a, b, c, d]) => cells.tetrahedra.push([a, b, c, d]),
            (Kind::Tetrahedron, _) => {}
        }
        Ok(())
    }
}

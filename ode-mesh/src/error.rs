//! Why there is no mesh, or no file of one.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why there is no mesh, or no file of one. Nothing is half built.
#[derive(Debug)]
pub struct MeshError {
    /// the file, of what was read or written
    pub file: Option<PathBuf>,
    /// what is wrong
    pub fault: Fault,
}

/// What is wrong with a mesh or a file. Elements are counted from 0, each kind by itself, in the order of the file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Fault {
    /// the file cannot be opened, read or written
    File(io::Error),
    /// the ending of the file's name is none of the formats
    Ending {
        /// those that are
        known: &'static [&'static str],
    },
    /// the text is not what the format says
    Syntax {
        /// the line, counted from 1, of formats with lines
        line: Option<usize>,
        /// what is wrong
        what: String,
    },
    /// the file ends too early
    CutShort {
        /// what was being read
        within: String,
    },
    /// an element that is no line, triangle or tetrahedron of straight edges
    Unsupported {
        /// its kind, in the format's words
        cell: String,
        /// its number in the file
        number: usize,
    },
    /// an element that joins a node which is not there
    MissingNode {
        /// the kind of the element
        kind: Kind,
        /// its number
        number: usize,
        /// the node, as the file counts
        node: i64,
    },
    /// a node whose place is not a number
    NotFinite {
        /// the node, counted from 0
        node: usize,
        /// the coordinate: 0, 1 or 2
        axis: usize,
    },
    /// an element without length, area or volume
    Degenerate {
        /// its kind
        kind: Kind,
        /// its number
        number: usize,
        /// its length in m, area in m² or volume in m³
        size: f64,
    },
    /// no element of the kind that was asked for
    No(Kind),
    /// no element at all
    Empty,
    /// a field with more or fewer values than points or cells
    Misfit {
        /// the field; `points` are the points themselves
        field: String,
        /// its values
        found: usize,
        /// those that there should be
        expected: usize,
    },
    /// a field with a value that is not a number
    Undefined {
        /// the field
        field: String,
        /// the point or cell
        number: usize,
    },
    /// a time that is not a number, or not after the one before
    Time {
        /// the time in s
        time: f64,
    },
}

/// The kind of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// two nodes
    Line,
    /// three nodes
    Triangle,
    /// four nodes
    Tetrahedron,
}

impl MeshError {
    pub(crate) fn of(fault: Fault) -> Self {
        Self { file: None, fault }
    }

    pub(crate) fn at(file: &Path, fault: Fault) -> Self {
        Self { file: Some(file.to_owned()), fault }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Line => "line",
            Self::Triangle => "triangle",
            Self::Tetrahedron => "tetrahedron",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(cause) => write!(f, "{cause}"),
            Self::Ending { known } => write!(f, "unknown format: known are .{}", known.join(", .")),
            Self::Syntax { line: Some(line), what } => write!(f, "line {line}: {what}"),
            Self::Syntax { line: None, what } => f.write_str(what),
            Self::CutShort { within } => write!(f, "the file ends within {within}"),
            Self::Unsupported { cell, number } => write!(f, "element {number} of the file: {cell} is not supported"),
            Self::MissingNode { kind, number, node } => {
                write!(f, "{kind} {number} joins node {node}, which is missing")
            }
            Self::NotFinite { node, axis } => write!(f, "coordinate {axis} of node {node} is not finite"),
            Self::Degenerate { kind, number, size } => {
                let what = match kind {
                    Kind::Line => "length",
                    Kind::Triangle => "area",
                    Kind::Tetrahedron => "volume",
                };
                write!(f, "{kind} {number} has no {what}: {size:e}")
            }
            Self::No(kind) => write!(f, "there is no {kind}"),
            Self::Empty => f.write_str("there is no line, triangle or tetrahedron"),
            Self::Misfit { field, found, expected } => write!(f, "`{field}` has {found} values instead of {expected}"),
            Self::Undefined { field, number } => write!(f, "value {number} of `{field}` is not finite"),
            Self::Time { time } => write!(f, "time {time} is not after the one before"),
        }
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}: ", file.display())?;
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for MeshError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.fault {
            Fault::File(cause) => Some(cause),
            _ => None,
        }
    }
}

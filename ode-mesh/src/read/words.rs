//! What readers share: words as numbers, and paths and faces as elements.

use crate::cells::Cells;
use crate::error::{Fault, Kind};

/// What a file contains.
pub(crate) type Contents = (Vec<[f64; 3]>, Cells);

impl Cells {
    /// One line for each two neighbours.
    pub(super) fn add_path(&mut self, nodes: &[usize]) {
        self.lines.extend(nodes.windows(2).map(|two| [two[0], two[1]]));
    }

    /// Triangles that share the first corner.
    pub(super) fn add_face(&mut self, nodes: &[usize]) {
        let Some((&first, rest)) = nodes.split_first() else { return };
        self.triangles.extend(rest.windows(2).map(|two| [first, two[0], two[1]]));
    }

    /// The number of the next element of a kind.
    pub(super) fn next(&self, kind: Kind) -> usize {
        match kind {
            Kind::Line => self.lines.len(),
            Kind::Triangle => self.triangles.len(),
            Kind::Tetrahedron => self.tetrahedra.len(),
        }
    }
}

/// A word as a number.
pub(super) fn number<T: std::str::FromStr>(word: Option<&str>, line: usize, what: &str) -> Result<T, Fault> {
    let Some(word) = word else {
        return Err(Fault::Syntax { line: Some(line), what: format!("{what} is missing") });
    };
    word.parse()
        .map_err(|_| Fault::Syntax { line: Some(line), what: format!("{what} should be a number, not `{word}`") })
}

/// The next three words as a place.
pub(super) fn place<'a>(words: &mut impl Iterator<Item = &'a str>, line: usize) -> Result<[f64; 3], Fault> {
    let mut place = [0.0; 3];
    for (x, what) in place.iter_mut().zip(["x", "y", "z"]) {
        *x = number(words.next(), line, what)?;
    }
    Ok(place)
}

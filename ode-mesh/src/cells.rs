//! Elements as the numbers of the nodes that they join.

use crate::error::Kind;

/// Elements: the nodes that each joins, counted from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// bars, springs, beams
    pub lines: Vec<[usize; 2]>,
    /// faces of cloths and shells; with tetrahedra often those of the surface
    pub triangles: Vec<[usize; 3]>,
    /// solids
    pub tetrahedra: Vec<[usize; 4]>,
}

impl Cells {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len() + self.triangles.len() + self.tetrahedra.len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nodes of each, with its kind and its number among them: lines, then triangles, then tetrahedra.
    pub(crate) fn each(&self) -> impl Iterator<Item = (Kind, usize, &[usize])> {
        let lines = self.lines.iter().enumerate().map(|(k, nodes)| (Kind::Line, k, nodes.as_slice()));
        let triangles = self.triangles.iter().enumerate().map(|(k, nodes)| (Kind::Triangle, k, nodes.as_slice()));
        let tetrahedra = self.tetrahedra.iter().enumerate().map(|(k, nodes)| (Kind::Tetrahedron, k, nodes.as_slice()));
        lines.chain(triangles).chain(tetrahedra)
    }
}

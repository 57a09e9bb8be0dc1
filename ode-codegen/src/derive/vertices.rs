//! Vertices are eliminated (`expr/vertices.rs`) where a Jacobian is one of a large element, which is evaluated for each
//! member of a set; all other Jacobians are swept.
//!
//! Sweeps are tried by rows and by columns, and both are long where an element is. Without them the compiler, itself
//! not optimised, takes 326 instead of 355 million instructions for `examples/corotational.rs`, and 220 instead of 237
//! for `examples/solid.rs`. What it writes is shorter. Operations of the tangent and of the derivatives by parameters,
//! swept and now: of the first 3589, 3256 and 2926, 3047; of the second 1484, 1440 and 1142, 1385; of a hexahedron
//! with two points of integration 6265, 1116 and 5191, 1091; of a hinge between triangles 2220, 272 and 2223, 212.
//! Small functions gain nothing: that of a spring in `examples/cloth.rs` has 105, 44 and 102, 50.

use std::ops::Range;

use crate::chart::Direction;
use crate::expr::{Graph, Node, Symbol};

use super::eliminated::Eliminated;
use super::inertia::on_chart;
use super::mechanics::Mechanics;

/// Operations of the functions whose vertices are eliminated. In larger ones the next vertex would be looked for among
/// too many.
const SIZES: Range<usize> = 150..1500;

impl Mechanics<'_> {
    /// The derivatives of outputs along directions by the elimination of vertices. `None` where they are to be swept.
    ///
    /// An entry that is zero everywhere may not be seen as such, because its terms are products of other factors than
    /// those of sweeps. It would be a structural zero, of the matrix or of its part with one of the weights. Then the
    /// matrix is swept too.
    pub(super) fn by_vertices<const N: usize>(
        &mut self,
        outputs: &[Node],
        weights: [Symbol; N],
        along: impl FnOnce(&mut Graph) -> Vec<Direction>,
    ) -> Option<Eliminated<N>> {
        if !self.model.header.repeated || !SIZES.contains(&self.graph.operations(outputs)) {
            return None;
        }
        let (mut graph, blocks) = (self.graph.clone(), &self.symbols.blocks);
        let found =
            Eliminated::of(&mut graph, (outputs, weights), along, &|point, symbol| on_chart(blocks, point, symbol))?;
        self.graph = graph;
        Some(found)
    }
}

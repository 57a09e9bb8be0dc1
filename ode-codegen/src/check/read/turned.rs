//! Vectors that are known along the axes of a rotation: what is made of them by adding and scaling is known too.

use super::reader::Reader;
use crate::check::notes::Turned;
use crate::expr::{Graph, Node, Square, Triple};

impl Reader<'_> {
    /// R v, of which v is kept: where forces work, it spares RᵀR, which the graph does not know to be 1.
    pub(super) fn turned(&mut self, rotation: Square, own: Triple) -> Triple {
        let world = self.graph.turn(&rotation, own);
        self.notes.keep(Turned { rotation, own, world });
        world
    }

    /// Keeps what `to` is along the axes along which all of `from` are known: the same linear function of these.
    pub(super) fn carry<const N: usize>(
        &mut self,
        from: [&[Node]; N],
        to: &[Node],
        linear: impl Fn(&mut Graph, [Node; N]) -> Node,
    ) {
        let Ok(world) = Triple::try_from(to) else { return };
        let is_first = |t: &&Turned| from.first().is_some_and(|first| *first == t.world);
        let rotations: Vec<Square> = self.notes.turned.iter().filter(is_first).map(|t| t.rotation).collect();
        for rotation in rotations {
            let along = from.map(|v| self.notes.along(&rotation, Triple::try_from(v).ok()?));
            if along.iter().all(Option::is_some) {
                let entry = |i: usize| along.map(|own| own.map_or(to[i], |own| own[i]));
                let own = [0, 1, 2].map(|i| linear(&mut self.graph, entry(i)));
                self.notes.keep(Turned { rotation, own, world });
            }
        }
    }
}

//! Points of the sphere: unit vectors, with a frame that moves along without spin.

use super::reader::Reader;
use crate::chart::{Block, Chart};
use crate::check::motion::seeds;
use crate::check::values::{Rotation, hamilton};
use crate::expr::{Function as F, Graph, Node, Symbol, Triple};

/// The cosine between two points below which they count as opposite: nearly every great circle joins them.
const OPPOSITE: f64 = -0.999;

/// A point of the sphere among the coordinates.
#[derive(Clone)]
pub(crate) struct Point {
    /// where its quaternion and its velocities are
    pub(crate) block: Block,
    /// its frame, whose third axis it is
    pub(crate) frame: Rotation,
}

impl Point {
    /// The point of a block.
    pub(crate) fn of(g: &mut Graph, block: Block) -> Self {
        let quaternion = [0, 1, 2, 3].map(|i| g.symbol(Symbol::Q((block.q + i) as u32)));
        Point { frame: Self::frame(g, quaternion, block), block }
    }

    fn frame(g: &mut Graph, quaternion: [Node; 4], block: Block) -> Rotation {
        let [x, y] = [0, 1].map(|i| g.symbol(Symbol::V((block.v + i) as u32)));
        let still = g.constant(0.0);
        Rotation::of_quaternion(g, quaternion, [x, y, still])
    }

    /// An axis of its frame; the third is the point.
    pub(crate) fn axis(&self, k: usize) -> Triple {
        [0, 1, 2].map(|i| self.frame.matrix[3 * i + k])
    }

    /// Its velocity, as `der` derives it.
    pub(crate) fn rate(&self, r: &mut Reader<'_>) -> Vec<Node> {
        let seeds = seeds(&mut r.graph, &r.declared);
        r.graph.jvp(&self.axis(2), &seeds)
    }

    /// The quaternion reached by the shortest way to `target`, or by any way if that is opposite; its norm is not 1 if
    /// that of `target` is not.
    pub(crate) fn towards(&self, g: &mut Graph, target: Triple) -> [Node; 4] {
        let direct = shortest(g, self.axis(2), target);
        let direct = hamilton(g, direct, self.frame.quaternion);
        let (zero, one) = (g.constant(0.0), g.constant(1.0));
        let over = hamilton(g, self.frame.quaternion, [zero, one, zero, zero]);
        let back = g.opposite(self.axis(2));
        let rest = shortest(g, back, target);
        let around = hamilton(g, rest, over);
        let (cosine, limit) = (g.inner(self.axis(2), target), g.constant(OPPOSITE));
        let opposite = g.less(cosine, limit);
        [0, 1, 2, 3].map(|i| g.select(opposite, around[i], direct[i]))
    }

    /// The body rate that gives a tangent velocity, in its own or another frame.
    pub(crate) fn velocities(&self, g: &mut Graph, quaternion: [Node; 4], velocity: Triple) -> [Node; 2] {
        let there = Point { frame: Self::frame(g, quaternion, self.block), block: self.block };
        let about = g.inner(there.axis(1), velocity);
        [g.neg(about), g.inner(there.axis(0), velocity)]
    }
}

/// The shortest rotation that takes the unit vector `from` to `to`.
fn shortest(g: &mut Graph, from: Triple, to: Triple) -> [Node; 4] {
    let (one, cosine) = (g.constant(1.0), g.inner(from, to));
    let scalar = g.add(one, cosine);
    let double = g.scale(2.0, scalar);
    let length = g.apply(F::Root, &[double]);
    let inverse = g.apply(F::RecipOrZero, &[length]);
    let axis = g.cross(from, to);
    let [x, y, z] = g.times(inverse, axis);
    [g.mul(inverse, scalar), x, y, z]
}

/// The role of a vector of the model for a point of the sphere.
pub(crate) enum Sphere {
    /// the point
    Point(Point),
    /// its velocity
    Velocity(Point),
}

impl Reader<'_> {
    /// The coordinate of a vector, if it is a point of the sphere or its velocity.
    pub(crate) fn on_sphere(&mut self, nodes: &[Node]) -> Option<Sphere> {
        if nodes.len() != 3 {
            return None;
        }
        let blocks = self.declared.blocks();
        blocks.into_iter().filter(|b| b.chart == Chart::Direction).find_map(|block| {
            let point = Point::of(&mut self.graph, block);
            if point.axis(2) == *nodes {
                return Some(Sphere::Point(point));
            }
            (point.rate(self) == nodes).then_some(Sphere::Velocity(point))
        })
    }

    /// The point that starts at `target`; its frame is not known before.
    pub(crate) fn pointing(&mut self, point: &Point, target: Triple) -> [Node; 4] {
        let g = &mut self.graph;
        let quaternion = point.block.chart.origin().iter().map(|&x| g.constant(x)).collect::<Vec<_>>();
        let Ok(quaternion) = <[Node; 4]>::try_from(quaternion) else { return point.frame.quaternion };
        let origin = Point { frame: Point::frame(g, quaternion, point.block), block: point.block };
        origin.towards(g, target)
    }
}

//! Rotations and frames in space: the algebra of the values that stand for them.

use super::Checker;
use super::units::Unit;
use crate::expr::{Function as F, Graph, Node, Square, Triple, transposed};
use crate::model;

/// A rotation of space.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rotation {
    /// R, which turns components along the rotated axes into components along the fixed ones; row major
    pub(crate) matrix: Square,
    /// the same as a unit quaternion, w first
    pub(crate) quaternion: [Node; 4],
    /// ω along the rotated axes: Ṙ = R [ω]×
    pub(crate) rate: Triple,
}

/// A frame in space: a point and three axes.
#[derive(Clone, Debug)]
pub(crate) struct Frame3 {
    /// the point
    pub(crate) origin: Triple,
    /// unit of the point
    pub(crate) unit: Unit,
    /// the axes, and how they turn
    pub(crate) rotation: Rotation,
    /// its place among the frames of the model, where its motion relative to other frames is known
    pub(crate) index: usize,
}

impl Rotation {
    /// About a coordinate axis (0, 1 or 2), by an angle with a rate.
    pub(crate) fn about(g: &mut Graph, axis: usize, angle: Node, rate: Node) -> Self {
        let (c, s) = match g.value(angle).and_then(quarter_turns) {
            Some([c, s]) => (g.constant(c), g.constant(s)),
            None => (g.apply(F::Cos, &[angle]), g.apply(F::Sin, &[angle])),
        };
        let mut matrix = g.identity();
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        (matrix[4 * i], matrix[4 * j], matrix[3 * j + i]) = (c, c, s);
        matrix[3 * i + j] = g.neg(s);
        let half = g.scale(0.5, angle);
        let zero = g.constant(0.0);
        let (mut quaternion, mut spin) = ([zero; 4], [zero; 3]);
        (quaternion[0], quaternion[1 + axis]) = (g.apply(F::Cos, &[half]), g.apply(F::Sin, &[half]));
        spin[axis] = rate;
        Self { matrix, quaternion, rate: spin }
    }

    /// That of a unit quaternion (w, x, y, z) with the given rate along the rotated axes.
    pub(crate) fn of_quaternion(g: &mut Graph, quaternion: [Node; 4], rate: Triple) -> Self {
        let [w, x, y, z] = quaternion;
        let mut twice = |a: Node, b: Node| {
            let p = g.mul(a, b);
            g.scale(2.0, p)
        };
        let (xx, yy, zz) = (twice(x, x), twice(y, y), twice(z, z));
        let (xy, xz, yz) = (twice(x, y), twice(x, z), twice(y, z));
        let (wx, wy, wz) = (twice(w, x), twice(w, y), twice(w, z));
        let one = g.constant(1.0);
        let mut rest = |a: Node, b: Node| {
            let first = g.sub(one, a);
            g.sub(first, b)
        };
        let (a, e, i) = (rest(yy, zz), rest(xx, zz), rest(xx, yy));
        let matrix =
            [a, g.sub(xy, wz), g.add(xz, wy), g.add(xy, wz), e, g.sub(yz, wx), g.sub(xz, wy), g.add(yz, wx), i];
        Self { matrix, quaternion, rate }
    }

    /// `self * inner`: R = R₁ R₂, ω = R₂ᵀ ω₁ + ω₂.
    pub(crate) fn then(&self, g: &mut Graph, inner: &Self) -> Self {
        let carried = g.turn_back(&inner.matrix, self.rate);
        Self {
            matrix: g.square_product(&self.matrix, &inner.matrix),
            quaternion: hamilton(g, self.quaternion, inner.quaternion),
            rate: g.plus(carried, inner.rate),
        }
    }

    /// Rᵀ, with the rate −R ω.
    pub(crate) fn inverse(&self, g: &mut Graph) -> Self {
        let [w, x, y, z] = self.quaternion;
        let rate = g.turn(&self.matrix, self.rate);
        Self { matrix: transposed(&self.matrix), quaternion: [w, g.neg(x), g.neg(y), g.neg(z)], rate: g.opposite(rate) }
    }
}

/// Cosine and sine of whole quarter turns, exactly: `PI / 2.0` is one as well as a number can say it.
fn quarter_turns(angle: f64) -> Option<[f64; 2]> {
    let turns = angle / std::f64::consts::FRAC_PI_2;
    let whole = turns.round();
    let close = (turns - whole).abs() <= f64::EPSILON * whole.abs() && whole.abs() < 1e6;
    close.then(|| [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]][whole.rem_euclid(4.0) as usize])
}

/// The product of quaternions.
pub(crate) fn hamilton(g: &mut Graph, [aw, ax, ay, az]: [Node; 4], [bw, bx, by, bz]: [Node; 4]) -> [Node; 4] {
    let (a, b) = ([ax, ay, az], [bx, by, bz]);
    let (ww, dot) = (g.mul(aw, bw), g.inner(a, b));
    let (wb, aw, cross) = (g.times(aw, b), g.times(bw, a), g.cross(a, b));
    let vector = g.plus(wb, aw);
    let vector = g.plus(vector, cross);
    [g.sub(ww, dot), vector[0], vector[1], vector[2]]
}

impl Checker<'_> {
    /// Time derivatives: q̇ as the velocities say, ṫ = 1.
    pub(crate) fn rates(&mut self, nodes: Triple) -> Triple {
        let seeds = super::functions::seeds(self);
        let rates = self.graph.jvp(&nodes, &seeds);
        [rates[0], rates[1], rates[2]]
    }

    /// The frame at a point with given axes.
    pub(crate) fn frame_at(&mut self, origin: Triple, unit: Unit, rotation: Rotation) -> Frame3 {
        let velocity = self.rates(origin);
        let index = self.placed(None, origin, velocity, &rotation);
        Frame3 { origin, unit, rotation, index }
    }

    /// `base * inner`: the inner frame as given in the axes of the base.
    pub(crate) fn compose(&mut self, base: &Frame3, inner: &Frame3, unit: Unit) -> Frame3 {
        // the links of the inner chain, the one nearest to its world first
        let mut links = vec![inner.index];
        while let Some(next) = links.last().and_then(|i| self.draft.frames.get(*i)).and_then(|f| f.base) {
            links.push(next);
        }
        let mut index = base.index;
        for link in links.into_iter().rev() {
            let Some(frame) = self.draft.frames.get(link).cloned() else { continue };
            let zero = self.graph.constant(0.0);
            let rotation = Rotation { matrix: frame.rotation, quaternion: [zero; 4], rate: frame.rate };
            index = self.placed(Some(index), frame.offset, frame.drift, &rotation);
        }
        let turned = self.graph.turn(&base.rotation.matrix, inner.origin);
        Frame3 {
            origin: self.graph.plus(base.origin, turned),
            unit,
            rotation: base.rotation.then(&mut self.graph, &inner.rotation),
            index,
        }
    }

    /// A frame relative to another; equal ones are one.
    fn placed(&mut self, base: Option<usize>, offset: Triple, drift: Triple, rotation: &Rotation) -> usize {
        let g = &mut self.graph;
        let (mut spin, mut velocity) = (rotation.rate, drift);
        if let Some(base) = base.and_then(|i| self.draft.frames.get(i)) {
            let along = g.turn_back(&base.rotation, base.velocity);
            let swept = g.cross(base.spin, offset);
            let carried = g.plus(along, swept);
            velocity = g.plus(carried, drift);
            let turned = g.turn_back(&rotation.matrix, base.spin);
            spin = g.plus(turned, rotation.rate);
        }
        let (rotation, rate) = (rotation.matrix, rotation.rate);
        let frame = model::Frame { base, offset, drift, rotation, rate, spin, velocity };
        if let Some(known) = self.draft.frames.iter().position(|f| *f == frame) {
            return known;
        }
        self.draft.frames.push(frame);
        self.draft.frames.len() - 1
    }

    /// `b.inv()`: the world as the frame sees it.
    pub(crate) fn inverse_frame(&mut self, frame: &Frame3) -> Frame3 {
        let rotation = frame.rotation.inverse(&mut self.graph);
        let turned = self.graph.turn(&rotation.matrix, frame.origin);
        let origin = self.graph.opposite(turned);
        self.frame_at(origin, frame.unit, rotation)
    }
}

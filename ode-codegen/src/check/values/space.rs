//! Rotations and frames in space: the algebra of the values that stand for them.

use super::units::Unit;
use crate::expr::{Function as F, Graph, Node, Square, Triple, transposed};

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

//! Vectors and rotation matrices of space, for the phases that compute with them.

use super::graph::{Graph, Node};

/// Three components.
pub(crate) type Triple = [Node; 3];
/// Three rows of three.
pub(crate) type Square = [Node; 9];

impl Graph {
    /// 0
    pub fn origin_of_space(&mut self) -> Triple {
        [self.constant(0.0); 3]
    }

    /// a + b
    pub fn plus(&mut self, a: Triple, b: Triple) -> Triple {
        [0, 1, 2].map(|i| self.add(a[i], b[i]))
    }

    /// a − b
    pub fn minus(&mut self, a: Triple, b: Triple) -> Triple {
        [0, 1, 2].map(|i| self.sub(a[i], b[i]))
    }

    /// −a
    pub fn opposite(&mut self, a: Triple) -> Triple {
        a.map(|x| self.neg(x))
    }

    /// c a
    pub fn times(&mut self, c: Node, a: Triple) -> Triple {
        a.map(|x| self.mul(c, x))
    }

    /// a · b
    pub fn inner(&mut self, a: Triple, b: Triple) -> Node {
        let terms = [0, 1, 2].map(|i| self.mul(a[i], b[i]));
        self.sum(terms)
    }

    /// a × b
    pub fn cross(&mut self, a: Triple, b: Triple) -> Triple {
        [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
            let (left, right) = (self.mul(a[i], b[j]), self.mul(a[j], b[i]));
            self.sub(left, right)
        })
    }

    /// A v
    pub fn turn(&mut self, a: &Square, v: Triple) -> Triple {
        [0, 1, 2].map(|i| self.inner([a[3 * i], a[3 * i + 1], a[3 * i + 2]], v))
    }

    /// Aᵀ v
    pub fn turn_back(&mut self, a: &Square, v: Triple) -> Triple {
        self.turn(&transposed(a), v)
    }

    /// A B
    pub fn square_product(&mut self, a: &Square, b: &Square) -> Square {
        let columns = [0, 1, 2].map(|j| self.turn(a, [b[j], b[3 + j], b[6 + j]]));
        std::array::from_fn(|k| columns[k % 3][k / 3])
    }

    /// The identity.
    pub fn identity(&mut self) -> Square {
        std::array::from_fn(|k| self.constant(if k % 4 == 0 { 1.0 } else { 0.0 }))
    }
}

/// Aᵀ
pub(crate) fn transposed(a: &Square) -> Square {
    std::array::from_fn(|k| a[3 * (k % 3) + k / 3])
}

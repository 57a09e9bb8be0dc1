//! Charts: how positions move with velocities, q̇ = N(q) v, block by block.

use rustc_hash::FxHashMap;

use crate::expr::{Graph, Node, Symbol};

/// The space of a block of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chart {
    /// a number: N = 1
    Line,
    /// cosine and sine of an angle, moved by its rate
    Circle,
    /// a unit quaternion, scalar part first, moved by the body rate: q̇ = ½ q ∘ (0, ω)
    Rotation,
    /// a unit quaternion moved by the spatial rate: q̇ = ½ (0, ω) ∘ q
    WorldRotation,
    /// a point of the sphere: the third axis of a unit quaternion moved by a body rate about the first two axes. The
    /// quaternion carries a frame along the point without spin about it. The point alone cannot give axes, because no
    /// field of tangents on a sphere is continuous
    Direction,
}

/// Term of N: the sign and place of the position by which a velocity is multiplied.
type Term = (f64, usize);

/// N of [`Chart::Circle`], by rows.
const CIRCLE: [[Term; 1]; 2] = [[(-1.0, 1)], [(1.0, 0)]];
/// 2 N of [`Chart::Rotation`], by rows.
const ROTATION: [[Term; 3]; 4] = [
    [(-1.0, 1), (-1.0, 2), (-1.0, 3)],
    [(1.0, 0), (-1.0, 3), (1.0, 2)],
    [(1.0, 3), (1.0, 0), (-1.0, 1)],
    [(-1.0, 2), (1.0, 1), (1.0, 0)],
];
/// 2 N of [`Chart::WorldRotation`], by rows.
const WORLD_ROTATION: [[Term; 3]; 4] = [
    [(-1.0, 1), (-1.0, 2), (-1.0, 3)],
    [(1.0, 0), (1.0, 3), (-1.0, 2)],
    [(-1.0, 3), (1.0, 0), (1.0, 1)],
    [(1.0, 2), (-1.0, 1), (1.0, 0)],
];

impl Chart {
    /// Number of positions.
    pub fn positions(self) -> usize {
        self.origin().len()
    }

    /// Number of velocities.
    pub fn velocities(self) -> usize {
        match self {
            Chart::Line | Chart::Circle => 1,
            Chart::Direction => 2,
            Chart::Rotation | Chart::WorldRotation => 3,
        }
    }

    /// The positions where nothing is said.
    pub fn origin(self) -> &'static [f64] {
        match self {
            Chart::Line => &[0.0],
            Chart::Circle => &[1.0, 0.0],
            Chart::Rotation | Chart::WorldRotation | Chart::Direction => &[1.0, 0.0, 0.0, 0.0],
        }
    }

    /// Is it one of rotations in space?
    pub fn is_rotation(self) -> bool {
        matches!(self, Chart::Rotation | Chart::WorldRotation)
    }

    /// Whether it has a quaternion for which q ⊕ δ moves in other directions than δ. There are three: its velocities,
    /// and the spin that a point of the sphere has by steps alone.
    pub fn turns(self) -> bool {
        self.is_rotation() || self == Chart::Direction
    }

    /// The sign of ω × p in the Poincaré–Hamel equations: the structure constants of the velocities.
    pub fn hamel_sign(self) -> Option<f64> {
        match self {
            // functions of a point of the sphere have no momentum of its spin
            Chart::Line | Chart::Circle | Chart::Direction => None,
            Chart::Rotation => Some(1.0),
            Chart::WorldRotation => Some(-1.0),
        }
    }

    /// Factor and rows of N; empty for a line.
    fn rates(self) -> (f64, Vec<&'static [Term]>) {
        match self {
            Chart::Line => (1.0, Vec::new()),
            Chart::Circle => (1.0, CIRCLE.iter().map(|row| row.as_slice()).collect()),
            Chart::Rotation | Chart::Direction => (0.5, ROTATION.iter().map(|row| row.as_slice()).collect()),
            Chart::WorldRotation => (0.5, WORLD_ROTATION.iter().map(|row| row.as_slice()).collect()),
        }
    }
}

/// Positions that move together.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// what they are
    pub chart: Chart,
    /// first position
    pub q: usize,
    /// first velocity
    pub v: usize,
}

/// A direction of motion: rates of symbols.
pub(crate) type Direction = Vec<(Symbol, Node)>;

impl Block {
    /// The places of its velocities.
    pub fn velocities(&self) -> std::ops::Range<usize> {
        self.v..self.v + self.chart.velocities()
    }

    /// The places of its positions.
    pub fn positions(&self) -> std::ops::Range<usize> {
        self.q..self.q + self.chart.positions()
    }

    /// N(q) v: the rates of the positions at the velocities `v`, and at a spin where a point of the sphere has one.
    pub fn rates(&self, g: &mut Graph, v: &[Node]) -> Direction {
        let symbol = |k: usize| Symbol::Q((self.q + k) as u32);
        let (factor, rows) = self.chart.rates();
        if rows.is_empty() {
            return v.iter().map(|&v| (symbol(0), v)).collect();
        }
        let mut direction = Direction::new();
        for (k, row) in rows.into_iter().enumerate() {
            let mut terms = Vec::new();
            for (&(sign, place), &v) in row.iter().zip(v) {
                let q = g.symbol(symbol(place));
                let product = g.mul(q, v);
                terms.push(g.scale(sign, product));
            }
            let sum = g.sum(terms);
            direction.push((symbol(k), g.scale(factor, sum)));
        }
        direction
    }

    /// The velocities, and the spin of a point of the sphere, at which unit positions `q` have the rates `rates`.
    pub fn velocities_of(&self, g: &mut Graph, q: &[Node], rates: &[Node]) -> Vec<Node> {
        let (factor, rows) = self.chart.rates();
        let count = rows.first().map_or(0, |row| row.len());
        if rows.is_empty() {
            return rates.to_vec();
        }
        let mut all = Vec::new();
        for j in 0..count {
            // the columns of N are orthogonal
            let mut terms = Vec::new();
            for (row, &rate) in rows.iter().zip(rates) {
                let (sign, place) = row[j];
                let product = g.mul(q[place], rate);
                terms.push(g.scale(sign / factor, product));
            }
            all.push(g.sum(terms));
        }
        all
    }

    /// The columns of N: the directions in which each velocity moves the positions.
    pub fn directions(&self, g: &mut Graph) -> Vec<Direction> {
        (0..self.chart.velocities()).map(|j| self.direction(g, j, self.chart.velocities())).collect()
    }

    /// The direction of the spin that a point of the sphere has by steps alone.
    fn spin(&self, g: &mut Graph) -> Option<Direction> {
        (self.chart == Chart::Direction).then(|| self.direction(g, 2, 3))
    }

    /// The direction of the unit velocity `j` of `n`.
    fn direction(&self, g: &mut Graph, j: usize, n: usize) -> Direction {
        let unit: Vec<Node> = (0..n).map(|i| g.constant(f64::from(u8::from(i == j)))).collect();
        let direction = self.rates(g, &unit);
        direction.into_iter().filter(|&(_, node)| !g.is_zero(node)).collect()
    }
}

impl Block {
    /// q ⊕ step, in numbers: `q` and `step` are those of the whole model.
    pub fn retract(&self, q: &mut [f64], step: &[f64]) {
        let (q, step) = (&mut q[self.positions()], &step[self.velocities()]);
        match (self.chart, q, step) {
            (Chart::Line, [q], [step]) => *q += step,
            (Chart::Circle, [c, s], [step]) => {
                let (sin, cos) = step.sin_cos();
                (*c, *s) = (*c * cos - *s * sin, *s * cos + *c * sin);
            }
            (chart, [w, x, y, z], [a, b, rest @ ..]) => {
                let c = rest.first().unwrap_or(&0.0);
                let angle = a.hypot(*b).hypot(*c);
                let (sin, cos) = (0.5 * angle).sin_cos();
                let part = if angle == 0.0 { 0.5 } else { sin / angle };
                let turn = [cos, part * a, part * b, part * c];
                let old = [*w, *x, *y, *z];
                let new = if chart == Chart::WorldRotation { product(turn, old) } else { product(old, turn) };
                [*w, *x, *y, *z] = new;
            }
            _ => {}
        }
    }
}

/// The product of quaternions.
fn product([a, b, c, d]: [f64; 4], [e, f, g, h]: [f64; 4]) -> [f64; 4] {
    [
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    ]
}

/// The directions of all velocities.
pub(crate) fn directions(g: &mut Graph, blocks: &[Block]) -> Vec<Direction> {
    let mut all = Vec::new();
    for block in blocks {
        all.extend(block.directions(g));
    }
    all
}

/// The directions of all spins, after those of the velocities.
pub(crate) fn spins(g: &mut Graph, blocks: &[Block]) -> Vec<Direction> {
    blocks.iter().filter_map(|block| block.spin(g)).collect()
}

/// The motion of all positions at the velocities of the model.
pub(crate) fn motion(g: &mut Graph, blocks: &[Block]) -> Direction {
    let mut all = Direction::new();
    for block in blocks {
        let v: Vec<Node> = block.velocities().map(|i| g.symbol(Symbol::V(i as u32))).collect();
        all.extend(block.rates(g, &v));
    }
    all
}

/// Σ weight · derivative of the output along each direction, in one reverse sweep.
pub(crate) fn pull_back(g: &mut Graph, outputs: &[(Node, Node)], along: &[Direction]) -> Vec<Node> {
    Columns::of(g, along).pull_back(g, outputs)
}

/// The derivatives of one output along each direction.
pub(crate) fn gradient(g: &mut Graph, output: Node, along: &[Direction]) -> Vec<Node> {
    gradients(g, &[output], along).swap_remove(0)
}

/// The derivatives of each output along each direction.
pub(crate) fn gradients(g: &mut Graph, outputs: &[Node], along: &[Direction]) -> Vec<Vec<Node>> {
    let (columns, one) = (Columns::of(g, along), g.constant(1.0));
    outputs.iter().map(|&output| columns.pull_back(g, &[(output, one)])).collect()
}

/// Directions by the places of their symbols.
pub(crate) struct Columns {
    /// of each symbol, in the order in which they are met
    nodes: Vec<Option<Node>>,
    /// of each direction: places of symbols, with their rates
    terms: Vec<Vec<(usize, Node)>>,
}

impl Columns {
    pub(crate) fn of(g: &Graph, along: &[Direction]) -> Self {
        let (mut symbols, mut places) = (Vec::new(), FxHashMap::default());
        let mut place = |&(symbol, rate): &(Symbol, Node)| {
            let place = *places.entry(symbol).or_insert_with(|| {
                symbols.push(symbol);
                symbols.len() - 1
            });
            (place, rate)
        };
        let terms = along.iter().map(|direction| direction.iter().map(&mut place).collect()).collect();
        Self { nodes: g.nodes_of(&symbols), terms }
    }

    /// As [`pull_back`].
    pub(crate) fn pull_back(&self, g: &mut Graph, outputs: &[(Node, Node)]) -> Vec<Node> {
        let slopes = g.pulled(outputs, &self.nodes);
        let zero = g.constant(0.0);
        let mut found = Vec::with_capacity(self.terms.len());
        for terms in &self.terms {
            let mut moved = Vec::new();
            for &(place, rate) in terms {
                if slopes[place] != zero {
                    moved.push(g.mul(slopes[place], rate));
                }
            }
            found.push(if moved.is_empty() { zero } else { g.sum(moved) });
        }
        found
    }
}

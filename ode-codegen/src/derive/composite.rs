//! The mass matrix of bodies in space from composite bodies: everything attached to a frame moves as one body if only
//! that frame moves.
//!
//! Inward, each frame passes its composite (mass, first and second moments about its origin) to its base. A velocity
//! that moves a frame relative to its base by (w, u) needs the wrench of that frame's composite. Passed on inward, the
//! wrench is multiplied with the motions of all bases.

use std::collections::BTreeMap;

use crate::expr::{Graph, Node, Square, Triple};
use crate::model::Frame;

use super::mechanics::Mechanics;

/// Mass, first moment and second moment about the origin of a frame, in its axes.
#[derive(Clone, Copy)]
struct Composite {
    mass: Node,
    first: Triple,
    second: Square,
}

/// A unit of one velocity in the motion of a frame relative to its base, in the frame's axes.
struct Column {
    velocity: usize,
    angular: Triple,
    linear: Triple,
}

impl Mechanics<'_> {
    /// The lower triangle of the bodies' part of M, by (row, column).
    pub(super) fn composite_mass(&mut self) -> BTreeMap<(usize, usize), Node> {
        let frames = &self.model.space.frames;
        let composites = self.composites();
        let columns: Vec<Vec<Column>> = frames.iter().map(|frame| self.columns(frame)).collect();
        let mut entries: BTreeMap<(usize, usize), Node> = BTreeMap::new();
        for (k, composite) in composites.iter().enumerate() {
            let Some(composite) = composite else { continue };
            for column in &columns[k] {
                let (mut moment, mut force) = composite.wrench(&mut self.graph, column);
                let mut at = k;
                loop {
                    for other in &columns[at] {
                        // within a frame the pair occurs twice, between frames once
                        if at == k && other.velocity < column.velocity {
                            continue;
                        }
                        let g = &mut self.graph;
                        let (turning, moving) = (g.inner(other.angular, moment), g.inner(other.linear, force));
                        let mut share = g.add(turning, moving);
                        if at != k && other.velocity == column.velocity {
                            share = g.scale(2.0, share);
                        }
                        let (i, j) = (column.velocity, other.velocity);
                        let zero = g.constant(0.0);
                        let entry = entries.entry((i.max(j), i.min(j))).or_insert(zero);
                        *entry = g.add(*entry, share);
                    }
                    let Some(base) = frames[at].base else { break };
                    (moment, force) = inward(&mut self.graph, &frames[at], moment, force);
                    at = base;
                }
            }
        }
        entries
    }

    /// The composite of each frame that carries something.
    fn composites(&mut self) -> Vec<Option<Composite>> {
        let model = self.model;
        let g = &mut self.graph;
        let mut found: Vec<Option<Composite>> = vec![None; model.space.frames.len()];
        for body in &model.space.bodies {
            let first = g.times(body.mass, body.centre);
            let shift = second(g, body.mass, body.centre);
            let own = Composite { mass: body.mass, first, second: plus(g, &body.inertia, &shift) };
            found[body.frame] = Some(own.with(g, found[body.frame]));
        }
        for (i, frame) in model.space.frames.iter().enumerate().rev() {
            if let (Some(own), Some(base)) = (found[i], frame.base) {
                let carried = own.inward(g, frame);
                found[base] = Some(carried.with(g, found[base]));
            }
        }
        found
    }

    /// The velocities that move a frame relative to its base, and how.
    fn columns(&mut self, frame: &Frame) -> Vec<Column> {
        let one = self.graph.constant(1.0);
        let own = [frame.rate, frame.drift].concat();
        let mut columns = Vec::new();
        for (velocity, &symbol) in self.symbols.v.iter().enumerate() {
            let g = &mut self.graph;
            let m = g.jvp(&own, &[(symbol, one)]);
            if m.iter().all(|&x| g.is_zero(x)) {
                continue;
            }
            let linear = g.turn_back(&frame.rotation, [m[3], m[4], m[5]]);
            columns.push(Column { velocity, angular: [m[0], m[1], m[2]], linear });
        }
        columns
    }
}

impl Composite {
    /// This and another one together.
    fn with(self, g: &mut Graph, other: Option<Self>) -> Self {
        let Some(other) = other else { return self };
        Self {
            mass: g.add(self.mass, other.mass),
            first: g.plus(self.first, other.first),
            second: plus(g, &self.second, &other.second),
        }
    }

    /// Moment about the origin and force of a unit acceleration.
    fn wrench(&self, g: &mut Graph, column: &Column) -> (Triple, Triple) {
        let (turned, moved) = (g.turn(&self.second, column.angular), g.cross(self.first, column.linear));
        let (swept, carried) = (g.cross(column.angular, self.first), g.times(self.mass, column.linear));
        (g.plus(turned, moved), g.plus(carried, swept))
    }

    /// About the origin of the base, in the axes of the base.
    fn inward(self, g: &mut Graph, frame: &Frame) -> Self {
        let (r, h) = (frame.offset, g.turn(&frame.rotation, self.first));
        let half = g.square_product(&frame.rotation, &self.second);
        let turned = symmetric(|i, j| {
            let row = |m: &Square, k: usize| [m[3 * k], m[3 * k + 1], m[3 * k + 2]];
            g.inner(row(&half, i), row(&frame.rotation, j))
        });
        // about the new origin: + 2 (r·h) 1 − r hᵀ − h rᵀ + m (r² 1 − r rᵀ)
        let (across, shift) = (g.inner(r, h), second(g, self.mass, r));
        let across = g.scale(2.0, across);
        let mixed = symmetric(|i, j| {
            let (left, right) = (g.mul(r[i], h[j]), g.mul(h[i], r[j]));
            let sum = g.add(left, right);
            if i == j { g.sub(across, sum) } else { g.neg(sum) }
        });
        let (first, sum) = (g.times(self.mass, r), plus(g, &turned, &mixed));
        Self { mass: self.mass, first: g.plus(h, first), second: plus(g, &sum, &shift) }
    }
}

/// A moment and a force at the origin of a frame, at the origin of its base and along its axes.
fn inward(g: &mut Graph, frame: &Frame, moment: Triple, force: Triple) -> (Triple, Triple) {
    let force = g.turn(&frame.rotation, force);
    let (turned, arm) = (g.turn(&frame.rotation, moment), g.cross(frame.offset, force));
    (g.plus(turned, arm), force)
}

/// m (c² 1 − c cᵀ)
fn second(g: &mut Graph, mass: Node, c: Triple) -> Square {
    symmetric(|i, j| {
        let sum = if i == j {
            let (a, b) = (g.square(c[(i + 1) % 3]), g.square(c[(i + 2) % 3]));
            g.add(a, b)
        } else {
            let product = g.mul(c[i], c[j]);
            g.neg(product)
        };
        g.mul(mass, sum)
    })
}

fn symmetric(mut entry: impl FnMut(usize, usize) -> Node) -> Square {
    let [a, b, c] = [0, 1, 2].map(|j| entry(0, j));
    let [d, e, f] = [(1, 1), (1, 2), (2, 2)].map(|(i, j)| entry(i, j));
    [a, b, c, b, d, e, c, e, f]
}

fn plus(g: &mut Graph, a: &Square, b: &Square) -> Square {
    symmetric(|i, j| g.add(a[3 * i + j], b[3 * i + j]))
}

//! The equations of bodies in space after Newton and Euler, frame by frame.
//!
//! Outward, each frame transforms the motion of its base to its own axes, so accelerations stay as local as the frames.
//! The world accelerates against gravity, so weight needs no term of its own:
//!
//! ```text
//! α = Rᵀ α₀ + (Rᵀ ω₀) × ω′ + ω̇′         p̈ = p̈₀ + A₀ r + 2 ω₀ × ṙ + r̈,   A = [α]× + [ω]×²
//! ```
//!
//! Inward, one reverse sweep over the velocities carries the forces m p̈ and moments J α + ω × J ω of all bodies to the
//! generalised velocities: Σ (∂ṗ/∂v)ᵀ F + (∂ω/∂v)ᵀ N (Jourdain's principle). It holds whatever the coordinates are.

use crate::expr::{Graph, Node, Square, Triple};
use crate::model::{Body, Frame};

use super::mechanics::Mechanics;

/// How a frame accelerates.
struct Acceleration {
    /// α, in its own axes
    angular: Triple,
    /// acceleration of the origin, less gravity, in the axes of its base
    outer: Triple,
    /// the same in its own axes
    own: Triple,
    /// ωᵢ ωⱼ
    products: Square,
    /// A, which takes a fixed offset to its acceleration
    sweep: Square,
}

impl Mechanics<'_> {
    /// Inertia and weight of the bodies in space: with accelerations (`loaded`), or without.
    pub(super) fn newton_euler(&mut self, loaded: bool) -> Vec<Node> {
        let model = self.model;
        let frames = self.accelerations(loaded);
        let mut work = Vec::new();
        for body in &model.space.bodies {
            let Some(Some(motion)) = frames.get(body.frame) else { continue };
            let frame = &model.space.frames[body.frame];
            let g = &mut self.graph;
            let fixed = body.centre.iter().all(|&x| g.is_zero(x));
            let at_centre = if fixed {
                motion.outer
            } else {
                let swept = g.turn(&motion.sweep, body.centre);
                g.plus(motion.own, swept)
            };
            let force = g.times(body.mass, at_centre);
            let moment = euler(g, &body.inertia, motion);
            let velocity = frame.velocity_of(g, body.centre);
            work.extend(velocity.into_iter().zip(force));
            work.extend(frame.spin.into_iter().zip(moment));
        }
        self.graph.vjp(&work, &self.symbols.v)
    }

    /// The accelerations of the frames that bodies hang from.
    fn accelerations(&mut self, loaded: bool) -> Vec<Option<Acceleration>> {
        let model = self.model;
        let carries = carrying(&model.space.frames, &model.space.bodies);
        let motion = self.motion(loaded);
        let mut found: Vec<Option<Acceleration>> = Vec::new();
        for (frame, carries) in model.space.frames.iter().zip(carries) {
            if !carries {
                found.push(None);
                continue;
            }
            let own = [frame.rate, frame.drift].concat();
            let rates = self.graph.jvp(&own, &motion);
            let (angular, linear) = ([rates[0], rates[1], rates[2]], [rates[3], rates[4], rates[5]]);
            let base = frame.base.and_then(|i| Some((&model.space.frames[i], found[i].as_ref()?)));
            let acceleration = self.acceleration(frame, base, angular, linear);
            found.push(Some(acceleration));
        }
        found
    }

    fn acceleration(
        &mut self,
        frame: &Frame,
        base: Option<(&Frame, &Acceleration)>,
        mut angular: Triple,
        mut outer: Triple,
    ) -> Acceleration {
        let g = &mut self.graph;
        match base {
            None => {
                if let Some(gravity) = self.model.space.gravity {
                    outer = g.minus(outer, gravity);
                }
            }
            Some((base, motion)) => {
                let carried = g.turn_back(&frame.rotation, base.spin);
                let gyration = g.cross(carried, frame.rate);
                let turned = g.turn_back(&frame.rotation, motion.angular);
                let turned = g.plus(turned, gyration);
                angular = g.plus(turned, angular);
                let swept = g.turn(&motion.sweep, frame.offset);
                let coriolis = g.cross(base.spin, frame.drift);
                let coriolis = coriolis.map(|x| g.scale(2.0, x));
                let carried = g.plus(motion.own, swept);
                let carried = g.plus(carried, coriolis);
                outer = g.plus(carried, outer);
            }
        }
        let products = products(g, frame.spin);
        Acceleration {
            angular,
            outer,
            own: g.turn_back(&frame.rotation, outer),
            products,
            sweep: sweep(g, angular, &products),
        }
    }
}

/// Frames with a body on them or on a frame attached to them.
fn carrying(frames: &[Frame], bodies: &[Body]) -> Vec<bool> {
    let mut carries = vec![false; frames.len()];
    for body in bodies {
        carries[body.frame] = true;
    }
    for i in (0..frames.len()).rev() {
        if let (true, Some(base)) = (carries[i], frames[i].base) {
            carries[base] = true;
        }
    }
    carries
}

/// ω ωᵀ
fn products(g: &mut Graph, w: Triple) -> Square {
    std::array::from_fn(|k| g.mul(w[k / 3], w[k % 3]))
}

/// [α]× + ω ωᵀ − ω² 1
fn sweep(g: &mut Graph, a: Triple, products: &Square) -> Square {
    std::array::from_fn(|k| {
        let (i, j) = (k / 3, k % 3);
        match (j + 3 - i) % 3 {
            0 => {
                let sum = g.add(products[4 * ((i + 1) % 3)], products[4 * ((i + 2) % 3)]);
                g.neg(sum)
            }
            1 => g.sub(products[k], a[3 - i - j]),
            _ => g.add(products[k], a[3 - i - j]),
        }
    })
}

/// J α + ω × J ω for a symmetric J: with the entries of A already available, five products per component.
fn euler(g: &mut Graph, inertia: &Square, motion: &Acceleration) -> Triple {
    let at = |i: usize, j: usize| 3 * i + j;
    let (products, sweep) = (&motion.products, &motion.sweep);
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)].map(|(i, j, k)| {
        let difference = g.sub(inertia[at(k, k)], inertia[at(j, j)]);
        let spread = g.sub(products[at(j, j)], products[at(k, k)]);
        let terms = [
            g.mul(inertia[at(i, i)], motion.angular[i]),
            g.mul(difference, products[at(j, k)]),
            g.mul(inertia[at(j, k)], spread),
            g.mul(inertia[at(i, k)], sweep[at(j, i)]),
        ];
        let sum = g.sum(terms);
        let last = g.mul(inertia[at(i, j)], sweep[at(k, i)]);
        g.sub(sum, last)
    })
}

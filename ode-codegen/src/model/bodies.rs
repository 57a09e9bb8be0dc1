//! Bodies in space, and the tree of frames that they sit on.

use crate::expr::{Graph, Node, Square, Triple};

/// Rigid bodies in space, and what they move on and in.
#[derive(Default)]
pub struct Bodies {
    /// the frames in space that bodies sit on, and those they hang from; a base comes before what hangs from it
    pub frames: Vec<Frame>,
    /// rigid bodies in space
    pub bodies: Vec<Body>,
    /// the field of gravity in space
    pub gravity: Option<Triple>,
}

/// A frame in space, given relative to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// the frame it is given in; `None` is the world
    pub base: Option<usize>,
    /// its origin r, in the axes of its base
    pub offset: Triple,
    /// ṙ, in the axes of its base
    pub drift: Triple,
    /// R, from its own axes to those of its base
    pub rotation: Square,
    /// ω relative to its base, in its own axes: `Ṙ = R [ω]×`
    pub rate: Triple,
    /// ω relative to the world, in its own axes
    pub spin: Triple,
    /// velocity of its origin relative to the world, in the axes of its base
    pub velocity: Triple,
}

impl Frame {
    /// Velocity relative to the world of a point that is fixed in the frame, and given in its axes: along these axes,
    /// and for the origin along those of the base, where it is shorter.
    pub fn velocity_of(&self, g: &mut Graph, point: Triple) -> Triple {
        if point.iter().all(|&x| g.is_zero(x)) {
            return self.velocity;
        }
        let own = g.turn_back(&self.rotation, self.velocity);
        let swept = g.cross(self.spin, point);
        g.plus(own, swept)
    }
}

/// A rigid body in space. Its energies are among those of the model.
#[derive(Clone, Debug)]
pub struct Body {
    /// number of its frame
    pub frame: usize,
    /// its mass
    pub mass: Node,
    /// its inertia about the centre of mass, in the axes of its frame, symmetric
    pub inertia: Square,
    /// its centre of mass, in the axes of its frame
    pub centre: Triple,
    /// number of its energy among `kinetic`
    pub kinetic: usize,
    /// number of its energy in the field of gravity among `potential`, if there is a field
    pub weight: Option<usize>,
}

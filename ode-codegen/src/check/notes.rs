//! Records that expressions make beside their values.

use proc_macro2::Span;

use crate::expr::{self, Node, Square, Triple};
use crate::model::{External, Frame};

/// Notes that are taken while expressions are read.
#[derive(Default)]
pub(crate) struct Notes {
    /// frames in space; a base comes before what hangs from it
    pub(crate) frames: Vec<Frame>,
    /// directions that were given along the axes of a rotation
    pub(crate) turned: Vec<Turned>,
    /// points that were given in a frame
    pub(crate) points: Vec<Attached>,
    /// external functions, in the order of the graph
    pub(crate) externals: Vec<External>,
    /// those that are tables, by their paths
    pub(crate) tables: Vec<(String, expr::External)>,
    /// lengths that have no direction where they vanish
    pub(crate) lengths: Vec<Length>,
    /// forces by which coordinates are fixed
    pub(crate) grips: Vec<Grip>,
    /// a `fix` was seen and is not read yet
    pub(crate) unread_fix: bool,
}

/// A direction R v.
pub(crate) struct Turned {
    /// R
    pub(crate) rotation: Square,
    /// v
    pub(crate) own: Triple,
    /// R v
    pub(crate) world: Triple,
}

/// A point r + R p.
pub(crate) struct Attached {
    /// number of the frame
    pub(crate) frame: usize,
    /// R
    pub(crate) rotation: Square,
    /// p
    pub(crate) own: Triple,
    /// r + R p
    pub(crate) world: Triple,
}

impl Notes {
    /// v of a vector that was written as R v. For another rotation, or another vector, it is unknown.
    pub(crate) fn along(&self, rotation: &Square, world: Triple) -> Option<Triple> {
        let found = self.turned.iter().find(|t| t.world == world && t.rotation == *rotation);
        found.map(|turned| turned.own)
    }

    /// Keeps a direction that was not known.
    pub(crate) fn keep(&mut self, turned: Turned) {
        if self.along(&turned.rotation, turned.world).is_none() {
            self.turned.push(turned);
        }
    }
}

/// A length in the user's text, whose direction is undefined where it vanishes.
pub(crate) struct Length {
    /// v·v
    pub(crate) square: Node,
    /// where
    pub(crate) span: Span,
    /// the user's words
    pub(crate) text: String,
    /// the argument's words
    pub(crate) argument: String,
}

/// The share of a multiplier in the force on a position: ∂Φ/∂q λ.
pub(crate) struct Grip {
    /// the position
    pub(crate) position: u32,
    /// ∂Φ/∂q
    pub(crate) share: Node,
    /// row of the multiplier
    pub(crate) row: usize,
}

//! Numbers that are several numbers: one model evaluated for several states at once.

use crate::numbers::along::Along;
use crate::numbers::scalar::Real;

/// A number for each of several states, side by side. What is done to it is done to each, and an order holds where it
/// holds for all.
///
/// So a step for several states is the text of a step for one. Where they would have to part, as in the choice of a
/// pivot, they compare as NaN does, and the step is refused: it must then be made for each of them alone. A single
/// number is the case of one.
pub trait Wide: Real + Along<Self::Lane> {
    /// the number of one state
    type Lane: Wide<Lane = Self::Lane>;
    /// how many stand side by side
    const LANES: usize;

    /// The same number for all.
    fn splat(lane: Self::Lane) -> Self;
    /// That of state `k`; NaN if there is none.
    fn lane(self, k: usize) -> Self::Lane;
    /// Replaces that of state `k`; nothing if there is none.
    fn set_lane(&mut self, k: usize, value: Self::Lane);
}

macro_rules! alone {
    ($($t:ident)*) => {$(
        impl Wide for $t {
            type Lane = $t;
            const LANES: usize = 1;

            fn splat(lane: $t) -> $t {
                lane
            }
            fn lane(self, k: usize) -> $t {
                if k == 0 { self } else { $t::NAN }
            }
            fn set_lane(&mut self, k: usize, value: $t) {
                if k == 0 {
                    *self = value;
                }
            }
        }
    )*};
}

alone!(f64 f32);

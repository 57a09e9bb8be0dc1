//! Numbers that are several numbers: one model evaluated for several states at once.

use crate::numbers::scalar::Real;
use crate::numbers::slopes::Slopes;

/// A number for each of several states, side by side. What is done to it is done to each, and an order holds where it
/// holds for all.
///
/// So a step for several states is the text of a step for one. Where they would have to part, as in the choice of a
/// pivot, they compare as NaN does, and the step is refused: it must then be made for each of them alone. A single
/// number is the case of one. They may also be the derivatives of one number along as many directions.
pub trait Wide: Real + Slopes<Self::Lane> {
    /// the number of one state
    type Lane: Wide<Lane = Self::Lane>;
    /// how many stand side by side
    const LANES: usize;

    /// The same number for all.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn splat(lane: Self::Lane) -> Self {
        Self::all(lane)
    }
    /// That of state `k`; NaN if there is none.
    fn lane(self, k: usize) -> Self::Lane;
    /// Replaces that of state `k`; nothing if there is none.
    fn set_lane(&mut self, k: usize, value: Self::Lane);
    /// Writes those of the first states, as many as there is room for.
    fn write(self, to: &mut [Self::Lane]) {
        to.iter_mut().take(Self::LANES).enumerate().for_each(|(k, to)| *to = self.lane(k));
    }
}

macro_rules! alone {
    ($($t:ident)*) => {$(
        impl Wide for $t {
            type Lane = $t;
            const LANES: usize = 1;

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

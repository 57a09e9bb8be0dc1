//! Where a run begins.

use crate::keep::checkpoint::Checkpoint;
#[cfg(feature = "std")]
use crate::keep::saved::Saved;
use crate::numbers::scalar::Real;
use crate::run::first::First;
use crate::solve::solvable::Solvable;

/// Where a run begins.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "one value lives for a moment, and there may be no heap to put it on")]
pub(crate) enum Begin<S: Solvable, H> {
    Fresh(First<S>),
    Resumed(Checkpoint<S, H>),
    #[cfg(feature = "std")]
    Saved(Saved),
}

impl<S: Solvable, H> Begin<S, H> {
    /// The same without a memory, and that.
    pub(super) fn parted(self) -> (Begin<S, ()>, Option<H>) {
        match self {
            Self::Fresh(first) => (Begin::Fresh(first), None),
            Self::Resumed(point) => {
                let (point, memory) = point.parted();
                (Begin::Resumed(point), Some(memory))
            }
            #[cfg(feature = "std")]
            Self::Saved(saved) => (Begin::Saved(saved), None),
        }
    }

    pub(super) fn time(&self) -> f64 {
        match self {
            Self::Fresh(First::Consistent(start)) => start.time.to_f64(),
            Self::Fresh(First::Given(state) | First::GivenWithRates(state)) => state.t.to_f64(),
            Self::Resumed(point) => point.state.t.to_f64(),
            #[cfg(feature = "std")]
            Self::Saved(saved) => saved.time(),
        }
    }
}

//! Derivatives that leave a run are finite.

use crate::error::{Cause, Name, Quantity};
use crate::numbers::scalar::Real;

/// Refuses derivatives that are not, by something of this name.
pub(crate) fn finite_by<'a, T: Real>(blocks: &[&[T]], name: impl FnOnce() -> Option<&'a str>) -> Result<(), Cause> {
    // without an early end, so that several are looked at together
    if blocks.iter().all(|block| block.iter().fold(true, |all, x| all & x.is_finite())) {
        return Ok(());
    }
    Err(Cause::NonFinite { quantity: Quantity::Derivative, name: Name::new(name().unwrap_or("")) })
}

//! Records of a run: counts, checkpoints and tables.

pub(crate) mod checkpoint;
#[cfg(feature = "std")]
pub(crate) mod saved;
#[cfg(feature = "std")]
pub(crate) mod spaced;
pub(crate) mod statistics;
#[cfg(feature = "std")]
pub(crate) mod sweep;
#[cfg(feature = "std")]
pub(crate) mod table;

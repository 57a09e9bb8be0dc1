//! Systems around systems, which every method and service accepts.

mod adapt;
pub(crate) mod held;
#[cfg(feature = "sparse")]
pub(crate) mod iterative;
pub(crate) mod rayleigh;

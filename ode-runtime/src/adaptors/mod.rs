//! Systems around systems, which every method and service accepts.

mod adapt;
pub(crate) mod held;
pub(crate) mod rayleigh;

//! Systems around systems, which every method and service takes in their place.

mod adapt;
pub(crate) mod held;
pub(crate) mod rayleigh;

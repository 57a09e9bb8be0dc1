//! The application of gains.

pub(crate) mod integral;
pub(crate) mod state_feedback;
#[cfg(feature = "std")]
pub(crate) mod tracking;

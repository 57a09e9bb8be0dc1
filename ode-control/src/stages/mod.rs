//! Linear-quadratic stages, and Riccati's recursion over them: what controllers over a horizon solve in each iteration.
//!
//! Sizes are those of types, so nothing here needs a heap or the standard library.

mod factor;
#[cfg(feature = "std")]
mod recursion;
mod stage;
#[cfg(all(test, feature = "std"))]
mod tests;

#[cfg(feature = "std")]
pub(crate) use recursion::{again, backward, forward};
pub(crate) use stage::{Policy, Stage, Value};

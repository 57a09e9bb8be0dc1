//! Linear-quadratic stages, and Riccati's recursion over them: what controllers over a horizon solve in each iteration.
//!
//! Sizes are those of types, so nothing here needs a heap or the standard library.
#![allow(dead_code, unused_imports, reason = "not every controller needs all of it")]

mod factor;
mod recursion;
mod stage;
#[cfg(all(test, feature = "std"))]
mod tests;

pub(crate) use recursion::{again, backward, forward};
pub(crate) use stage::{Policy, Stage, Value};

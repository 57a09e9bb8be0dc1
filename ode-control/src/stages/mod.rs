//! Linear-quadratic stages, and Riccati's recursion over them: what controllers over a horizon solve in each iteration.
//!
//! Sizes are those of types, so nothing here needs a heap or the standard library.
#![cfg_attr(not(feature = "std"), allow(dead_code, unused_imports, reason = "a device follows plans of one kind only"))]

mod factor;
mod product;
mod recursion;
mod stage;
#[cfg(all(test, feature = "std"))]
mod tests;

pub(crate) use factor::Factor;
pub(crate) use product::{add_outer, negate, times, transposed_times};
pub(crate) use recursion::{again, backward, forward};
pub(crate) use stage::{Policy, Stage, Value};

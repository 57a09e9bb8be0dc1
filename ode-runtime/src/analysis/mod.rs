//! What is asked about a model beside its motion.
//!
//! | service | what it answers |
//! | --- | --- |
//! | [`SystemMatrix`] | the matrix of a step, its right-hand side, the compliance |
//! | [`Held`] | the same system with degrees of freedom held |

mod held;
mod matrix;

pub use held::{Held, HoldError};
pub use matrix::SystemMatrix;

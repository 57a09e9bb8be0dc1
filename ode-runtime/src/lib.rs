//! Integrators, consistent starts and solves for mechanical models.
#![no_std]
#[cfg(feature = "std")]
extern crate std;

pub mod linalg;

mod dual;
mod scalar;
mod system;

pub use dual::Dual;
pub use scalar::{Real, Scalar};
pub use system::*;

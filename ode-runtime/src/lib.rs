//! Integrators, consistent starts and solves for mechanical models.
#![no_std]
#[cfg(feature = "std")]
extern crate std;

pub mod linalg;
pub mod solve;

mod dual;
mod error;
mod input;
mod method;
mod scalar;
mod state;
mod system;

pub use dual::Dual;
pub use error::{Cause, Level, Name, Quantity, StartError, StepError};
pub use input::{Constant, InputFn, Inputs, Moment, Nominal, Sampled, input_fn};
pub use method::{Attempt, Context, Estimates, Method, Work};
pub use scalar::{Real, Scalar};
pub use state::State;
pub use system::*;

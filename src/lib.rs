//! Mechanical models written once: checked, differentiated and integrated.
#![cfg_attr(not(feature = "std"), no_std)]

pub use ode_macros::model;
pub use ode_runtime as runtime;
pub use ode_runtime::*;

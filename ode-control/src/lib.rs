//! From a model to a controller: linear systems, gains, filters and fits, on the model's exact derivatives.
//!
//! | to find | look at |
//! | --- | --- |
//! | ẋ = A x + B u about a state, or x⁺ = A x + B u of a step | [`StateSpace`] |
//!
//! Design is done in `f64`, with the feature `std`. What runs on a device is generic over the model's numbers, and
//! needs neither the standard library nor a heap.
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "std")]
mod linear;

#[cfg(feature = "std")]
pub use linear::state_space::StateSpace;

//! The model: its layout, evaluations, state and inputs.

#[cfg(feature = "std")]
pub(crate) mod boxed;
pub(crate) mod differentiable;
pub(crate) mod entry;
pub(crate) mod history;
pub(crate) mod input;
pub(crate) mod layout;
pub(crate) mod linearize;
pub(crate) mod observable;
pub(crate) mod optimizable;
pub(crate) mod parametric;
pub(crate) mod picture;
pub(crate) mod piecewise;
pub(crate) mod prepared;
pub(crate) mod ranges;
pub(crate) mod rotations;
pub(crate) mod seen;
pub(crate) mod sensitive;
pub(crate) mod sizes;
pub(crate) mod state;
pub(crate) mod system;
pub(crate) mod unnamed;

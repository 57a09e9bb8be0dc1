//! A run: its setup, its steps, its reports and its changes on the way.

pub(crate) mod begin;
pub(crate) mod change;
#[cfg(feature = "std")]
pub(crate) mod ensemble;
mod finite;
pub(crate) mod first;
#[cfg(feature = "std")]
mod interruption;
mod landing;
mod opening;
mod reports;
mod resume;
#[cfg(feature = "std")]
pub(crate) mod reversible;
#[cfg(feature = "std")]
pub(crate) mod sensitivities;
pub(crate) mod setup;
pub(crate) mod simulation;
#[cfg(feature = "second-order")]
mod staged;
mod step;
#[cfg(feature = "second-order")]
pub(crate) mod step_hessian;
pub(crate) mod step_map;
mod unstepped;
#[cfg(feature = "second-order")]
mod varying;

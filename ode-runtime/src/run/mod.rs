//! A run: its setup, its steps, and what is reported of it and changed in it on the way.

pub(crate) mod change;
mod landing;
mod reports;
mod resume;
pub(crate) mod setup;
pub(crate) mod simulation;
mod step;

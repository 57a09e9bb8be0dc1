//! Analyses of a model: statics, stability, modes, kinematics.

#[path = "../common/mod.rs"]
mod common;

mod descent;
mod held;
mod kinematics;
mod modes;
mod stability;
mod statics;

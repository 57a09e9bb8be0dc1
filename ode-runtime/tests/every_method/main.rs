//! What holds of every method, measured on the same problems.

#[path = "../common/mod.rs"]
mod common;

mod conformance;
mod failed_steps_leave_no_trace;
mod indefinite_mass;
mod random_configurations;
mod redundant;
mod refused_input;
mod resumed_after_each_step;

//! Runs: starts, steps, events, checkpoints, records.

#[path = "../common/mod.rs"]
mod common;

mod arrival;
mod changed_by_hand;
mod driving;
mod events;
mod frequent_events;
mod recording;
mod resumed_over_events;
mod rotations_that_enter;
mod shown;
mod start;
mod statistics;
mod step_control;
mod stops;
mod worst_numbers;
mod zeno;

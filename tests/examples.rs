//! The model of each example checks its own derivatives. `tests/gallery.rs` has those of the guide's pictures,
//! `tests/franka.rs` the arm.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::duplicate_mod,
    clippy::print_stdout,
    reason = "the models are those of programs; their mains are not run"
)]

#[path = "../examples/bouncing_ball.rs"]
mod bouncing_ball;
#[path = "../examples/dc_motor.rs"]
mod dc_motor;
#[path = "../examples/double_pendulum.rs"]
mod double_pendulum;
#[path = "../examples/pendulum.rs"]
mod pendulum;

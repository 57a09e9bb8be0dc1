//! The model of each example that needs another package checks its own derivatives.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::duplicate_mod,
    clippy::print_stdout,
    reason = "the models are those of programs; their mains are not run"
)]

#[path = "../../../examples/ball_aimed.rs"]
mod ball_aimed;
#[path = "../../../examples/cart_pole_balanced.rs"]
mod cart_pole_balanced;
#[path = "../../../examples/cart_pole_swing_up.rs"]
mod cart_pole_swing_up;
#[path = "../../../examples/figure_of_eight.rs"]
mod figure_of_eight;
#[path = "../../../examples/flexible_drive.rs"]
mod flexible_drive;
#[path = "../../../examples/four_bar_tracked.rs"]
mod four_bar_tracked;
#[path = "../../../examples/franka_reaching.rs"]
mod franka_reaching;
#[path = "../../../examples/magnetic_pendulum.rs"]
mod magnetic_pendulum;
#[path = "../../../examples/pendulum_fitted.rs"]
mod pendulum_fitted;
#[path = "../../../examples/quadrotor_hover.rs"]
mod quadrotor_hover;
#[path = "../../../examples/quadrotor_waypoints.rs"]
mod quadrotor_waypoints;
#[path = "../../../examples/quadruped.rs"]
mod quadruped;
#[path = "../../../examples/slider_crank_turned.rs"]
mod slider_crank_turned;

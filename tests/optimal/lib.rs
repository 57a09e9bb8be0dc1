//! Problems that other programs have solved, for tests and for the benchmark.
#![allow(missing_docs, reason = "models for tests")]

mod quadrotor;
mod slider_crank;
mod swing_up;

pub use quadrotor::{Quadrotor, waypoints};
pub use slider_crank::{SliderCrank, half_turn};
pub use swing_up::{CartPole, DoublePole, swing_near, swing_up};

//! Problems that other programs have solved, for tests and for the benchmark.
#![allow(missing_docs, reason = "models for tests")]

mod arm;
mod programmes;
mod quadrotor;
mod slider_crank;
mod swing_up;

pub use arm::{Reach, reach};
pub use programmes::{differences, left};
pub use quadrotor::{Flight, Quadrotor, flight, waypoints};
pub use slider_crank::{SliderCrank, half_turn, half_turn_collocated, turn};
pub use swing_up::{CartPole, DoublePole, collocated, near_upright, swing_near, swing_up, to_upright};

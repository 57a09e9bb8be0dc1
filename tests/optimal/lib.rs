//! Problems that other programs have solved, for tests and for the benchmark.
#![allow(missing_docs, reason = "models for tests")]

mod quadrotor;
mod swing_up;

pub use quadrotor::{Quadrotor, waypoints};
pub use swing_up::{CartPole, DoublePole, swing_near, swing_up};

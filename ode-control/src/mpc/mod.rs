//! Model predictive control: the best inputs of a horizon, within bounds.

mod active;
mod along;
mod check;
#[cfg(feature = "clarabel")]
mod clarabel;
mod controller;
mod error;
mod hold;
mod interior;
mod knot;
mod limited;
mod nonlinear;
#[cfg(feature = "std")]
mod of_system;
mod problem;
mod side;
mod solve;
mod work;

pub use along::Along;
#[cfg(feature = "clarabel")]
pub use clarabel::Clarabel;
pub use controller::Mpc;
pub use error::MpcError;
pub use knot::MpcKnot;
pub use nonlinear::NonlinearMpc;
pub use problem::{MpcEnd, MpcRows, MpcStage, Slack};
pub use solve::Planned;

//! Optimal control: the motion over a horizon that costs least, within bounds and limits.

mod alike;
pub(crate) mod collocation;
pub(crate) mod ddp;
pub(crate) mod error;
mod evaluation;
mod given;
pub(crate) mod interior_point;
mod knot;
mod motion;
#[cfg(feature = "sprs")]
pub(crate) mod nlp;
mod node;
pub(crate) mod plan;
pub(crate) mod problem;
pub(crate) mod shooting;
pub(crate) mod signal;
mod terms;
pub(crate) mod transcription;
mod turn;

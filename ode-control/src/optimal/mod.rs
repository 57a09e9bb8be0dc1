//! Optimal control: the motion over a horizon that costs least, within bounds and limits.

pub(crate) mod ddp;
pub(crate) mod error;
mod evaluation;
pub(crate) mod interior_point;
mod motion;
mod node;
pub(crate) mod plan;
pub(crate) mod problem;
pub(crate) mod shooting;
mod terms;

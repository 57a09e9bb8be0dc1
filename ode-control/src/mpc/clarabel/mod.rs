//! Plans by Clarabel.

mod program;
mod solver;
mod sparse;

pub use solver::Clarabel;

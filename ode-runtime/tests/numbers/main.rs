//! Numbers alone: special functions, dual numbers, tables, rotations, tableaus, and the solvers of linear systems.

#[path = "../common/mod.rs"]
mod common;

mod arc;
mod dual_numbers;
mod external;
mod linalg;
mod s2;
mod semidefinite;
mod so3;
mod sparse;
mod stumpff;
mod tableaus;
mod wide_mass_ratios;
mod wrap;

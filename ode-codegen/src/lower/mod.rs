//! Equations → straight-line programs: live nodes only, shared across all outputs of a call, named, ordered, cut and counted.

mod kernels;
mod pieces;
mod program;
mod schedule;

pub use kernels::{Program, Solver, lower};
pub use program::{Block, Called, Expr, Input, Kernel, Kind, Ops, Piece, Restore, Statement};

/// Most operations in one emitted function: beyond it rustc's time grows quadratically.
pub const MAX_OPS: usize = 500;
/// Most statements in one emitted function: rustc overflows its stack near 2,900 `let`s where it writes debug information.
pub const MAX_STATEMENTS: usize = 1000;

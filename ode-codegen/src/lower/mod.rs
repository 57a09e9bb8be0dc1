//! Equations → straight-line programs: live nodes only, shared across all outputs of a call, named, ordered, cut and
//! counted. Everything else that generated code does is data beside them, so whoever emits or runs a program has
//! nothing left to decide.

mod algebra;
mod charts;
mod event;
mod fingerprints;
mod kernels;
mod layout;
mod lowering;
mod motion;
mod newton;
mod pattern;
mod pieces;
mod prepared;
mod program;
mod record;
mod schedule;
mod sines;

pub use event::Event;
pub use kernels::Call;
pub(crate) use kernels::LANES;
pub use layout::{Layout, RowKind};
pub use lowering::Program;
pub(crate) use lowering::lower;
pub use motion::{Motion, Move, Routine, Value};
pub use newton::{Newton, Share};
pub use pattern::Pattern;
pub use program::{Block, Called, Expr, Fused, Input, Kernel, Kind, Ops, Piece, Restore, Statement};
pub use record::{Field, Record};

/// Limit on the operations in one emitted function: beyond it rustc's time grows quadratically.
pub(crate) const MAX_OPS: usize = 500;
/// Limit on the statements in one emitted function: rustc overflows its stack near 2,900 `let`s when it writes debug
/// information.
pub(crate) const MAX_STATEMENTS: usize = 1000;

//! Equations → straight-line programs: live nodes only, shared across all outputs of a call, named, ordered, cut and
//! counted. What else generated code does is data beside them, so that whoever spells or runs a program decides
//! nothing.

mod charts;
mod event;
mod kernels;
mod layout;
mod motion;
mod pattern;
mod pieces;
mod program;
mod record;
mod schedule;

pub use event::Event;
pub use kernels::{Call, Program, lower};
pub use layout::{Layout, RowKind};
pub use motion::{Motion, Move, Routine, Value};
pub use pattern::Pattern;
pub use program::{Block, Called, Expr, Input, Kernel, Kind, Ops, Piece, Restore, Statement};
pub use record::{Field, Record};

/// Most operations in one emitted function: beyond it rustc's time grows quadratically.
pub const MAX_OPS: usize = 500;
/// Most statements in one emitted function: rustc overflows its stack near 2,900 `let`s where it writes debug
/// information.
pub const MAX_STATEMENTS: usize = 1000;

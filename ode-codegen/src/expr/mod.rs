//! Expressions: a hash-consed graph, its primitives, its calculus, its value at a point and its text.

mod calculus;
mod condition;
mod evaluate;
mod expand;
mod external;
mod function;
mod graph;
mod notation;
mod operands;
mod order;
mod print;
mod reach;
mod simplify;
mod squares;
mod sums;
mod uses;
mod vectors;
mod vertices;

pub(crate) use evaluate::Measured;
pub use evaluate::{Number, Sampled};
pub use external::{Arguments, Callee, External, Partial, stand_in};
pub use function::{Derivative, Function, RULES, Rule, Rules, Spelling};
pub use graph::{Graph, Node, Op, Origin, Symbol};
pub(crate) use notation::{Applied, Notation, Sign};
pub(crate) use print::{Printer, Term, digits};
pub(crate) use squares::{Squared, Squares};
pub(crate) use vectors::{Square, Triple, transposed};

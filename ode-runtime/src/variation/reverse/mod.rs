//! Variations of one step carried backwards: covectors of its end become covectors of its beginning, of parameters and
//! of inputs.
//!
//! A [`Tape`] records the operations of a step as a method makes them, each with the point at which it is linear. A
//! sweep visits them from the last to the first and applies their transposes: a product with the transposed equations
//! and one solve with transposed factors for each solve of the step. What it costs does not depend on the number of
//! parameters. Then the tape is cleared, with its room kept, so it needs the memory of one step.

mod charts;
mod ending;
mod feedback;
mod momenta;
mod motion;
mod nodes;
mod operation;
mod projection;
mod record;
mod room;
mod tape;

#[cfg(feature = "second-order")]
pub(crate) use charts::retract as retract_back;
pub(crate) use nodes::Node;
pub use room::Totals;
pub use tape::Tape;

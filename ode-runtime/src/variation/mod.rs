//! First variations: what the results of evaluations and steps change by, when states, inputs, parameters or time do.
//!
//! Implicit solves are differentiated where they ended, by the implicit function theorem: δ of a solution follows from
//! the linearised equations and the factors that gave the solution. Projections, starts and resets are differentiated
//! step by step, because their result depends on the way.

mod abreast;
mod chain;
pub(crate) mod charts;
mod columns;
mod controls;
mod direction;
mod ending;
mod equations;
mod event;
mod forward;
mod forward_unknowns;
mod increment;
mod jacobians;
mod landing;
mod largest;
mod momenta;
mod motion;
mod projection;
mod projection_step;
mod pull;
#[cfg(feature = "std")]
mod reverse;
mod rows;
mod start;
mod state_columns;
#[cfg(feature = "std")]
mod units;
#[cfg(feature = "std")]
mod unknowns;

pub use chain::{
    Chain, Ending, Found, Increment, Moved, Part, RateVariation, Remembered, See, Solved, SolvedColumns,
    StateVariation, Varied,
};
#[cfg(feature = "std")]
pub use columns::Several;
pub use columns::{Columns, Fixed};
#[cfg(feature = "std")]
pub(crate) use controls::{AnyControls, vary_inputs};
pub use controls::{Controls, Differentiated};
pub use direction::{Direction, Seed};
pub use event::{Saltation, Transition};
pub use forward::{ForwardMode, StateColumns};
#[doc(hidden)]
pub use momenta::{Forces, HeldRows, Momentum};
pub use motion::{LinearMotion, MotionColumns};
pub use pull::Pulled;
#[cfg(feature = "std")]
pub(crate) use reverse::Node;
#[cfg(feature = "second-order")]
pub(crate) use reverse::retract_back;
#[cfg(feature = "std")]
pub use reverse::{Tape, Totals};
pub use rows::Places;
#[cfg(feature = "std")]
pub(crate) use rows::{add_product, entry};
pub use start::Beginning;
pub use state_columns::{column_entry, unit_column, unit_columns};
#[cfg(feature = "std")]
#[doc(hidden)]
pub use unknowns::{Factorization, Unknowns};

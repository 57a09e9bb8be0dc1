//! First variations: what the results of evaluations and steps change by, when states, inputs, parameters or time do.
//!
//! Everything is differentiated where it was solved, by the implicit function theorem: δ of a solution follows from the
//! linearised equations and the factors that gave the solution. No iteration is differentiated.

mod abreast;
mod chain;
mod charts;
mod columns;
mod controls;
mod curvature;
mod direction;
mod ending;
mod equations;
mod event;
mod forward;
mod landing;
mod momenta;
mod motion;
mod projection;
#[cfg(feature = "std")]
mod reverse;
mod rows;
mod start;
#[cfg(feature = "std")]
mod units;
#[cfg(feature = "std")]
mod unknowns;

pub use chain::{Chain, Ending, Found, Moved, Part, RateVariation, Remembered, See, Solved, StateVariation, Varied};
#[cfg(feature = "std")]
pub use columns::Several;
pub(crate) use columns::not_finite;
pub use columns::{Columns, Fixed};
pub use controls::{Controls, Differentiated};
pub use direction::Direction;
pub use event::{Happened, Saltation};
pub use forward::{Forward, Seed, StateColumns};
pub use momenta::{Forces, HeldRows, Momentum};
pub use motion::LinearMotion;
#[cfg(feature = "std")]
pub use reverse::{Node, Tape, Totals};
pub(crate) use rows::entry;
pub use start::Beginning;
#[cfg(feature = "std")]
pub use units::Wide;
#[cfg(feature = "std")]
pub use unknowns::{Factors, Unknowns};

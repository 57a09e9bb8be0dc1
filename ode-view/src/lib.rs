//! Plots of recorded runs, and films of what a model shows.
//!
//! [`Film`] keeps the figures of a model's `show` items at each state it is given, and becomes an animated SVG: one
//! file that any browser plays. [`Plot`] draws columns of a [`Table`](ode_runtime::Table).

mod color;
mod error;
mod file;
mod film;
mod number;
mod plot;
#[cfg(feature = "progress")]
mod progress;

pub use error::ViewError;
#[cfg(feature = "gltf")]
pub use film::Gltf;
pub use film::{Film, Svg, View};
pub use plot::Plot;
#[cfg(feature = "progress")]
pub use progress::Progress;

//! Mechanical models written once: checked, differentiated and integrated.
//!
//! ```
//! use ode_model::prelude::*;
//!
//! model! {
//!     /// A mass on a spring.
//!     pub struct Oscillator {
//!         param m: Real [kg] = 1.0;
//!         param k: Real [N/m] = 4.0;
//!         coord x: Real [m];
//!         kinetic = 0.5 * m * sq(der(x));
//!         potential = 0.5 * k * sq(x);
//!         init x = 0.1;
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let oscillator = Oscillator::builder().k(9.0).build()?;
//! let mut run = Simulation::of(&oscillator, Geodesic).adaptive(1e-10)?;
//! run.advance_to(2.0)?;
//! assert!((run.state().q.x() - 0.1 * f64::cos(3.0 * 2.0)).abs() < 1e-8);
//! # Ok(())
//! # }
//! ```
//!
//! | to find | look at |
//! | --- | --- |
//! | how models are written, run, recorded and tested | [`guide`] |
//! | what a message such as `[M0501]` means | [`guide::diagnostics`] |
//! | a run: start, steps, checkpoints | [`Simulation`], [`Setup`], [`Start`], [`guide::running`] |
//! | reports, tables, outputs, CSV | [`Table`], [`guide::recording`] |
//! | plots and films | [`guide::pictures`] |
//! | methods and how they are tuned | [`integrators`], [`guide::methods`] |
//! | equilibria, linearisation, eigenmodes, sweeps, fits | [`analysis`], [`Sweep`], [`guide::analysis`] |
//! | inputs, controllers | [`Inputs`], [`Sampled`], [`input_fn`] |
//! | what a model implements, to write one by hand | [`System`], [`Linearize`], [`Solvable`], [`Differentiable`] |
//! | the mathematics of a model of yours | its rustdoc, and its const `EQUATIONS` |
//!
//! # Features
//!
//! | feature | gives |
//! | --- | --- |
//! | `std` (default) | the standard library's mathematics, recording to [`Table`] |
//! | `libm` | says that mathematics comes from `libm`, as it does whenever `std` is off: see [`guide::embedded`] |
//! | `control` | linear systems, gains, filters and fits: the crate `ode-control` as `ode_model::control` |
//! | `mesh` | meshes from files, and series for ParaView: the crate `ode-mesh` as `ode_model::mesh` |
//! | `view` | plots and films: the crate `ode-view` as `ode_model::view`, see [`guide::pictures`] |
//! | `second-order` | second derivatives of steps, and runs with `Dual<f64>`: see [`guide::sensitivities`] |
//! | `sparse` | models of more than 127 unknowns, and with sets: see [`guide::large`], [`guide::families`] |
//! | `serde` | [`Saved`] checkpoints and [`Table`]s that `serde` reads and writes |
#![cfg_attr(not(feature = "std"), no_std)]

pub mod guide;
pub mod prelude;

#[cfg(feature = "control")]
pub use ode_control as control;
pub use ode_macros::model;
#[cfg(feature = "mesh")]
pub use ode_mesh as mesh;
/// The crate that generated code names.
pub use ode_runtime as runtime;
#[doc(inline)]
pub use ode_runtime::*;
#[cfg(feature = "view")]
pub use ode_view as view;

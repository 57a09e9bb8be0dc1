//! Integrators, consistent starts and solves for mechanical models
//!
//! ```text
//! M(q,t) a = f(t,q,v,z,u) + G(q,t)ᵀ λ,   Φ(q,t) = 0,   ż = g(t,q,v,z,u),   q̇ = N(q) v
//! ```
//!
//! A model implements [`System`] (and [`Linearize`], for implicit methods) and names its linear solvers in
//! [`Solvable`]; [`Simulation`] drives a method from [`integrators`] over it. The core is `no_std`, uses no heap, and
//! never panics on a number.
#![no_std]
#![allow(clippy::neg_cmp_op_on_partial_ord, reason = "`!(x > limit)` is how a test is written so that NaN fails it")]

#[cfg(feature = "std")]
extern crate std;

pub mod analysis;
mod arc;
pub mod integrators;
pub mod linalg;
pub mod selftest;
#[doc(hidden)]
pub mod shadow;
pub mod so3;
pub mod solve;

mod adapt;
mod build;
mod change;
mod checkpoint;
mod context;
mod control;
mod damping;
mod differentiable;
mod dual;
mod error;
mod events;
mod history;
mod input;
mod method;
mod names;
mod outside;
mod pchip;
#[cfg(feature = "std")]
mod record;
mod reports;
mod rotations;
#[cfg(feature = "std")]
mod saved;
mod scalar;
mod scheme;
mod setup;
mod simulation;
mod start;
mod state;
mod statistics;
mod stumpff;
#[cfg(feature = "std")]
mod sweep;
mod system;

pub use build::BuildError;
pub use change::Every;
pub use checkpoint::Checkpoint;
pub use context::{Context, Estimate, Work};
pub use control::{Adaptive, Bound, Entries, Halving, Law, Norm, Steps, Tolerance};
pub use damping::Rayleigh;
pub use differentiable::{Derivatives, Differentiable, Energy};
pub use dual::Dual;
pub use error::{Cause, Difference, Level, Name, Names, Quantity, StartError, StepError, StepLimit};
pub use events::{Events, Outcome};
pub use history::{History, Parts};
pub use input::{Constant, HeldInput, InputFn, Inputs, Nominal, Sampled, input_fn};
pub use method::{Estimates, Method, Proposal};
pub use names::UnknownName;
pub use outside::{Gradient, Hessian, Outside};
pub use pchip::Pchip;
#[cfg(feature = "std")]
pub use record::Table;
#[cfg(feature = "std")]
pub use saved::Saved;
pub use scalar::{Real, Scalar, wrap};
pub use scheme::{Factors, Scheme};
pub use setup::Setup;
pub use simulation::Simulation;
pub use start::Start;
pub use state::{Moment, State};
pub use statistics::{LargestError, Statistics};
#[cfg(feature = "std")]
pub use sweep::{PointError, Sweep, SweepError};
pub use system::{
    At, Block, Conditions, Constraint, Crossing, Event, Forward, Layout, Linearize, Order, Pattern, Rates, Reset,
    Residual, RowKind, Solvable, System, Weights,
};

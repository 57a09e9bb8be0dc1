//! From a model to a controller: linear systems, gains, plans, filters and fits, on the model's exact derivatives.
//!
//! | to find | look at |
//! | --- | --- |
//! | equilibria and steady motions, with free inputs and bounds | [`Trim`] |
//! | ẋ = A x + B u about a state, or x⁺ = A x + B u of a step | [`Linearizer`] → [`StateSpace`] |
//! | E ẋ = A x + B u with multipliers | [`Descriptor`] |
//! | the steps of a sampling time, loops and series | [`StateSpace::discretized`], `closed`, `then` |
//! | poles, damping, natural frequencies | [`StateSpace::poles`] → [`Pole`] |
//! | controllability, observability, gramians | [`StateSpace::controllability`], `observability` → [`Reach`] |
//! | frequency responses, Bode, zeros | [`StateSpace::transfer`] → [`Transfer`] |
//! | the gain of a regulator, with integral action or along a trajectory | [`Lqr`] |
//! | u = u₀ − K (x ⊖ x₀) within bounds, on a device too | [`Feedback`] |
//! | the same with the integrals of outputs, against constant loads | [`IntegralFeedback`] |
//! | the best inputs of a horizon within bounds, on a device too | [`Mpc`] |
//! | the steady gain of a Kalman filter | [`Kalman`] |
//! | the state from measurements, step by step | [`Ekf`], [`Ukf`] |
//! | parameters, starts and offsets from logs | [`Fit`], [`Log`] |
//! | the motion that costs least, within bounds and limits | [`OptimalControl`] → [`InteriorPoint`] → [`Plan`] |
//! | the same by differential dynamic programming | [`OptimalControl`] → [`Ddp`] → [`Plan`] |
//! | the problem as a nonlinear programme for another solver | [`OptimalControl`] → `Nlp`, with the feature `sprs` |
//! | each of these with examples, page by page | [`guide`] |
//!
//! Design is done in `f64`, with the feature `std`. What runs on a device is generic over the model's numbers, and
//! needs neither the standard library nor a heap.
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "std")]
mod consistency;
#[cfg(feature = "std")]
mod dense;
mod deviation;
mod feedback;
mod filter;
#[cfg(feature = "std")]
mod fit;
mod follows;
pub mod guide;
#[cfg(feature = "std")]
mod linear;
#[cfg(feature = "std")]
mod lqr;
#[cfg(feature = "std")]
mod matrix;
mod mpc;
#[cfg(feature = "std")]
mod optimal;
#[cfg(feature = "std")]
mod riccati;
mod stages;
#[cfg(feature = "std")]
mod trim;

pub use feedback::integral::IntegralFeedback;
pub use feedback::state_feedback::Feedback;
#[cfg(feature = "std")]
pub use feedback::tracking::Tracking;
pub use filter::{
    Ekf, Fault, Filter, FilterError, Innovation, Linearized, Measurement, RealOf, Sensor, Transform, Ukf, Unscented,
};
#[cfg(feature = "std")]
pub use fit::{Between, Doubt, Ending, Fit, FitError, Fitted, Iteration, Log, LogError, LogPlace, Loss};
#[cfg(feature = "std")]
pub use linear::descriptor::Descriptor;
#[cfg(feature = "std")]
pub use linear::linearization_error::LinearizationError;
#[cfg(feature = "std")]
pub use linear::linearizer::{LinearModel, Linearizer};
#[cfg(feature = "std")]
pub use linear::misfit::Misfit;
#[cfg(feature = "std")]
pub use linear::pole::Pole;
#[cfg(feature = "std")]
pub use linear::reach::{HiddenMode, Reach};
#[cfg(feature = "std")]
pub use linear::state_space::StateSpace;
#[cfg(feature = "std")]
pub use linear::system_error::SystemError;
#[cfg(feature = "std")]
pub use linear::transfer::Transfer;
#[cfg(feature = "std")]
pub use lqr::error::GainError;
#[cfg(feature = "std")]
pub use lqr::estimator::{Kalman, SteadyKalman};
#[cfg(feature = "std")]
pub use lqr::horizon::Horizon;
#[cfg(feature = "std")]
pub use lqr::regulator::{Lqr, Regulator};
#[cfg(feature = "clarabel")]
pub use mpc::Clarabel;
pub use mpc::{Along, Mpc, MpcEnd, MpcError, MpcKnot, MpcRows, MpcStage, NonlinearMpc, Planned, Slack};
#[cfg(feature = "std")]
pub use optimal::collocation::{Collocation, scheme::Scheme};
#[cfg(feature = "std")]
pub use optimal::ddp::Ddp;
#[cfg(feature = "std")]
pub use optimal::error::PlanError;
#[cfg(feature = "std")]
pub use optimal::interior_point::InteriorPoint;
#[cfg(feature = "sprs")]
pub use optimal::nlp::{Nlp, entry::NlpEntry};
#[cfg(feature = "std")]
pub use optimal::plan::{Plan, SearchStep};
#[cfg(feature = "std")]
pub use optimal::problem::OptimalControl;
#[cfg(feature = "std")]
pub use optimal::shooting::{
    Ilqr,
    own::{Known, OwnStep, OwnSteps},
    screw::Screw,
};
#[cfg(feature = "std")]
pub use optimal::signal::Signal;
#[cfg(feature = "std")]
pub use optimal::transcription::Transcription;
#[cfg(feature = "std")]
pub use trim::error::TrimError;
#[cfg(feature = "std")]
pub use trim::operating_point::{OperatingPoint, Trim};

//! What is asked about a model beside its motion.
//!
//! | service | what it answers |
//! | --- | --- |
//! | [`SystemMatrix`] | the matrix of a step, its right-hand side, the compliance |
//! | [`Held`] | the same system with degrees of freedom held |
//! | [`Statics`], [`Loading`] | equilibria, steady motions, growing loads |
//! | [`Stability`], [`Evidence`] | whether a small disturbance of an equilibrium grows |
//! | [`Assembly`] | the nearest consistent state in the metric of M |
//! | [`Kinematics`] | motions that constraints determine |
//! | [`inverse_dynamics`], [`least_forces`] | the forces that a motion needs |
//! | `Linearization` | ẋ = A x + B δu about a state, constraints eliminated (feature `std`) |
//! | `Redundancy` | the rank of the constraints, and the rows whose multipliers are not unique (feature `std`) |
//! | `Eigenmodes` | frequencies, damping and shapes of small motions (feature `std`) |
//! | `Modal` | the lowest of them, or those near a frequency, of models of any size (feature `std`) |

mod assembly;
mod inverse;
mod kinematics;
#[cfg(feature = "std")]
mod linear;
mod matrix;
#[cfg(feature = "std")]
mod modal;
#[cfg(feature = "std")]
mod modes;
#[cfg(feature = "std")]
mod nearest;
#[cfg(feature = "std")]
mod parts;
#[cfg(feature = "std")]
mod pencil;
#[cfg(feature = "std")]
mod redundancy;
#[cfg(feature = "std")]
mod rest;
mod statics;

pub use crate::adaptors::held::{Held, HoldError};
#[doc(no_inline)]
pub use crate::model::input::Nominal;
pub use assembly::{Assembled, Assembly, Levels};
pub use inverse::{inverse_dynamics, least_forces};
pub use kinematics::{KinematicError, Kinematics};
#[cfg(feature = "std")]
pub use linear::Linearization;
pub use matrix::SystemMatrix;
#[cfg(feature = "std")]
pub use modal::Modal;
#[cfg(feature = "std")]
pub use modes::{Eigenmode, Eigenmodes};
#[cfg(feature = "std")]
pub use redundancy::Redundancy;
#[cfg(feature = "std")]
pub use rest::{LinearError, Unsuited};
pub use statics::{
    Begin, Converged, Criterion, Equilibrium, Evidence, Loading, Stability, StaticError, Statics, Unjudged, Unsettled,
};

//! What is asked about a model beside its motion.
//!
//! | service | what it answers |
//! | --- | --- |
//! | [`SystemMatrix`] | the matrix of a step, its right-hand side, the compliance |
//! | [`Held`] | the same system with degrees of freedom held |
//! | [`Statics`], [`Loading`] | equilibria, steady motions, loads that grow |
//! | [`Assembly`] | the nearest consistent state in the metric of M |
//! | [`Kinematics`] | motions that constraints determine |
//! | [`inverse_dynamics`], [`least_forces`] | the forces a motion takes |

mod assembly;
mod held;
mod inverse;
mod kinematics;
mod matrix;
mod statics;

pub use assembly::{Assembled, Assembly, Levels};
pub use held::{Held, HoldError};
pub use inverse::{inverse_dynamics, least_forces};
pub use kinematics::{KinematicError, Kinematics};
pub use matrix::SystemMatrix;
pub use statics::{Converged, Equilibrium, Loading, StaticError, Statics, Unsettled};

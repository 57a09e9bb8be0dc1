//! What a program with a model and a run needs: `use ode_model::prelude::*;`.
//!
//! Names that only generated code, models written by hand and new methods need are left out; they are at the crate's
//! root.

#[cfg(feature = "sparse")]
pub use crate::Iterative;
#[cfg(feature = "std")]
pub use crate::Table;
pub use crate::analysis::Statics;
pub use crate::integrators::{
    BackwardEuler, Bdf2, BogackiShampine, Chebyshev, Composition, DormandPrince, DormandPrince8, ExplicitMidpoint,
    Fehlberg, ForwardEuler, GeneralizedAlpha, Geodesic, Heun, ImplicitMidpoint, Leapfrog, Multipliers, Rattle,
    RungeKutta4, SemiExplicitEuler, SemiExplicitPair, StormerVerlet, SymplecticEuler, Verner9,
};
pub use crate::model;
pub use crate::solve::{Newton, Projection, Reuse};
pub use crate::{
    Adaptive, Bound, BuildError, Cause, Constant, Every, Halving, Law, Moment, Nominal, Outcome, Parametric, Piecewise,
    Rayleigh, RunError, Sampled, Simulation, Start, StartError, State, StepError, System, Tolerance, input_fn,
};

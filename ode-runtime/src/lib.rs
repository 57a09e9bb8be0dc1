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

/// An error unless this crate has sparse matrices.
///
/// For generated code.
#[cfg(feature = "sparse")]
#[doc(hidden)]
#[macro_export]
macro_rules! needs_sparse {
    () => {};
}

/// An error unless this crate has sparse matrices.
///
/// For generated code.
#[cfg(not(feature = "sparse"))]
#[doc(hidden)]
#[macro_export]
macro_rules! needs_sparse {
    () => {
        ::core::compile_error!(
            "this model is sparse, which needs the feature `sparse` of ode-model\nhelp: in Cargo.toml: ode-model = { \
             version = \"0.1\", features = [\"sparse\"] }\nnote: models of more than 127 unknowns are sparse, and those \
             with `storage = sparse`"
        );
    };
}

/// These items, if this crate has sparse matrices.
///
/// For generated code.
#[cfg(feature = "sparse")]
#[doc(hidden)]
#[macro_export]
macro_rules! if_sparse {
    ($($item:tt)*) => { $($item)* };
}

/// These items, if this crate has sparse matrices.
///
/// For generated code.
#[cfg(not(feature = "sparse"))]
#[doc(hidden)]
#[macro_export]
macro_rules! if_sparse {
    ($($item:tt)*) => {};
}

pub mod analysis;
#[cfg(feature = "sparse")]
#[doc(hidden)]
pub mod families;
pub mod integrators;
pub mod linalg;
pub mod selftest;
#[doc(hidden)]
pub mod shadow;
pub mod solve;
pub mod variation;

mod adaptors;
mod error;
mod events;
mod keep;
mod model;
mod numbers;
mod run;
mod step_size;

#[cfg(feature = "sparse")]
pub use adaptors::iterative::{Iterative, IterativeError};
pub use adaptors::rayleigh::Rayleigh;
pub use error::build::{BuildError, ParameterError};
pub use error::unknown::{Hint, UnknownName};
pub use error::{
    Cause, Difference, Level, MethodName, Name, Names, Quantity, RunError, StartError, StepError, StepLimit,
};
pub use events::{Events, Outcome};
#[cfg(feature = "sparse")]
pub use families::{FamilyError, PerMember};
pub use integrators::method::{Estimates, Method, Proposal};
pub use integrators::scheme::{Factors, Scheme};
pub use keep::checkpoint::Checkpoint;
#[cfg(feature = "std")]
pub use keep::saved::Saved;
pub use keep::statistics::Statistics;
#[cfg(feature = "std")]
pub use keep::sweep::{PointError, Sweep, SweepError};
#[cfg(feature = "std")]
pub use keep::table::{Column, OtherColumns, RecordedEvent, Table};
#[cfg(feature = "std")]
pub use model::boxed::Boxed;
pub use model::differentiable::{Derivatives, Differentiable, FromParameters};
pub use model::entry::Entry;
pub use model::history::{History, Parts};
pub use model::input::{Constant, HeldInput, InputFn, Inputs, Lent, Nominal, Sampled, input_fn};
pub use model::layout::{Block, Crossing, Event, Layout, Order, Pattern, RowKind};
pub use model::linearize::{Linearize, Weights};
pub use model::observable::{Energy, Observable, Units};
pub use model::optimizable::Optimizable;
pub use model::parametric::Parametric;
pub use model::picture::{Figure, Form, Pictured};
pub use model::piecewise::Piecewise;
pub use model::prepared::{Prepare, Prepared};
pub use model::ranges::Ranges;
pub use model::seen::{Seen, Side};
pub use model::sensitive::{Change, Changed, PartialPatterns, Sensitive, Turning};
pub use model::state::{Moment, State};
pub use model::system::{At, Conditions, Constraint, Forward, Rates, Reset, Residual, System};
pub use model::unnamed::{Empty, Unnamed};
pub use numbers::dual::Dual;
pub use numbers::external::External;
pub use numbers::gradient::{Gradient, Hessian};
pub use numbers::pchip::Pchip;
#[cfg(feature = "wide")]
pub use numbers::register::{F32x8, F32x16, F64x4, F64x8, Register};
pub use numbers::scalar::{Real, Scalar, wrap};
pub use numbers::slopes::Slopes;
pub use numbers::wide::Wide;
pub use numbers::{s2, so3};
pub use run::change::Every;
#[cfg(feature = "std")]
pub use run::ensemble::together::Together;
#[cfg(feature = "std")]
pub use run::ensemble::{Ensemble, MemberError, Members};
#[cfg(feature = "std")]
pub use run::reversible::{
    Reversible,
    gradient::CostGradient,
    passed::{Before, Passed, PassedCovector},
};
#[cfg(feature = "std")]
pub use run::sensitivities::{by::By, varied::Sensitivities};
pub use run::setup::Setup;
pub use run::simulation::Simulation;
#[cfg(feature = "second-order")]
pub use run::step_hessian::StepHessian;
pub use run::step_map::{LinearStep, StepJacobians, StepMap, StepPart};
pub use solve::context::{Context, Estimate, Work};
pub use solve::solvable::Solvable;
pub use solve::start::Start;
pub use solve::wide_model::WideModel;
pub use step_size::{Adaptive, Bound, Entries, Halving, LargestError, Law, Norm, Steps, Tolerance};

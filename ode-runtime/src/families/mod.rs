//! Models made of many copies of small ones: one kernel for all springs, tetrahedra or joints of a mesh.
//!
//! A *field* is a coordinate or state that each member of a set has, or an ordinary one. An *element* is a small model
//! of a few members' coordinates, such as a spring between two nodes. A *part* is an element and the members it stands
//! at, each with a *tuple* that says which members of other sets it joins. [`Topology`] knows where the unknowns of
//! each element are among those of the whole; [`Composite`] models are evaluated by gathering, evaluating and adding.
//!
//! For generated code: `model!` writes the elements of `for .. in set`.

mod algebraic;
mod asking;
mod begun;
mod blocks;
mod changed;
mod check;
mod columns;
mod composite;
mod crossed;
mod curved;
mod derived;
mod error;
mod evaluate;
mod events;
mod figures;
mod gather;
mod given;
mod inputs;
mod limits;
mod matrices;
mod members;
mod motion;
mod names;
mod observed;
mod optimized;
mod outputs;
mod owned;
mod part;
mod picture;
mod placed;
mod placing;
mod run;
mod spec;
mod stepped;
mod topology;
mod units;
mod varied;

pub use algebraic::algebraic;
pub use begun::start_partials;
pub use check::check;
pub use composite::{Composite, Element, OnFields, OnParts};
pub use crossed::event_partials;
pub use curved::curvature;
pub use error::FamilyError;
pub use evaluate::{conditions, constraint, energy, forward, guess, momentum_rate, residual};
pub use events::{guard_rates, guards, reset};
pub use inputs::{each_input, each_mode, input_bounds, input_range, mode_range};
pub use limits::{limit_bounds, limits};
pub use matrices::{constraint_jacobian, constraint_values, damping, force, mass, stiffness};
pub use members::{PerMember, chain, finite, length, numbered, output_range, range, tuples};
pub use motion::{local, qdot, retract, step_rate, velocity_rate};
pub use observed::{derivatives, force_by_input, residual_by_parameter};
pub use optimized::{cost_partials, limit_partials, square_partials};
pub use outputs::{output_jacobian, outputs};
pub use owned::{newton_stiffness, tangent};
pub use picture::picture;
pub use run::put;
pub use spec::{FieldSpec, Form, Given, InputSpec, Outputs, ParamSpec, PartSpec, Slot};
pub use stepped::{
    level_partials, momentum_partials, momentum_partials_by_parameter, partials_by_parameter, residual_partials,
};
pub use topology::Topology;
pub use varied::{OnVaried, Varied, changes, limit_pattern, partial_patterns, square_pattern};

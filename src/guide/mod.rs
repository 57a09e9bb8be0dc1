//! How models are written, run, recorded and tested, page by page.
//!
//! | page | about |
//! | --- | --- |
//! | [`language`] | items, types, units, functions |
//! | [`constraints`] | rows of positions and of velocities, multipliers, compliant rows, fixed coordinates, redundancy |
//! | [`states`] | first-order states, and models without inertia |
//! | [`rotations`] | coordinates that are rotations and motions in space |
//! | [`composition`] | models made of models, across modules and crates |
//! | [`events`] | impacts, switches, ends of a run; modes |
//! | [`expansion`] | the struct, its blocks, matrices and texts |
//! | [`start`] | consistent initial values |
//! | [`methods`] | which integrator, inputs and controllers |
//! | [`running`] | steps, tolerances, projection, changes, checkpoints and files, statistics; fast debug builds |
//! | [`families`] | sets of run-time size: a spring is written once, a mesh is read |
//! | [`large`] | models of more than 127 unknowns, and their matrices |
//! | [`ensembles`] | many runs side by side, in the lanes of registers and on all cores |
//! | [`recording`] | reports, tables, outputs, CSV, failures |
//! | [`pictures`] | what a model shows; plots, films, progress |
//! | [`gallery`] | films and plots of the examples |
//! | [`analysis`] | matrices, equilibria, assembly, eigenmodes, sweeps; linearisation; parameters from measurements |
//! | [`sensitivities`] | derivatives of accelerations and runs |
//! | [`comparison`] | the names in Chrono, Simbody, SOFA and OpenSurgSim, and the tests here |
//! | [`snapshots`] | tests of equations and generated code |
//! | [`diagnostics`] | every message of `model!`, and how to resolve it |
//! | [`editor`] | hover, completion and rename in a model |
//! | [`embedded`] | no standard library, no heap, single precision |

#[doc = include_str!("language.md")]
pub mod language {}

#[doc = include_str!("constraints.md")]
pub mod constraints {}

#[doc = include_str!("states.md")]
pub mod states {}

#[doc = include_str!("rotations.md")]
pub mod rotations {}

#[doc = include_str!("composition.md")]
pub mod composition {}

#[doc = include_str!("events.md")]
pub mod events {}

#[doc = include_str!("expansion.md")]
pub mod expansion {}

#[doc = include_str!("methods.md")]
pub mod methods {}

// Examples of this page and of `snapshots` are tested in `tests/sources`, which has their dependencies.
#[cfg_attr(not(doctest), doc = include_str!("running.md"))]
#[cfg_attr(doctest, doc = "")]
pub mod running {}

// Its example, which needs features, is tested in `tests/lanes`.
#[cfg_attr(not(doctest), doc = include_str!("ensembles.md"))]
#[cfg_attr(doctest, doc = "")]
pub mod ensembles {}

#[doc = include_str!("families.md")]
pub mod families {}

#[doc = include_str!("large.md")]
pub mod large {}

#[doc = include_str!("comparison.md")]
pub mod comparison {}

#[doc = include_str!("sensitivities.md")]
pub mod sensitivities {}

#[doc = include_str!("start.md")]
pub mod start {}

#[doc = include_str!("analysis.md")]
pub mod analysis {}

#[doc = include_str!("recording.md")]
pub mod recording {}

#[doc = include_str!("pictures.md")]
pub mod pictures {}

pub mod gallery;

#[cfg_attr(not(doctest), doc = include_str!("snapshots.md"))]
#[cfg_attr(doctest, doc = "")]
pub mod snapshots {}

#[doc = include_str!("diagnostics.md")]
pub mod diagnostics {}

#[doc = include_str!("editor.md")]
#[doc = include_str!("editor.svg")]
pub mod editor {}

#[doc = include_str!("embedded.md")]
pub mod embedded {}

//! Forward sensitivities of a run.

pub(crate) mod by;
mod finite;
pub(super) mod inputs;
mod observed;
mod report;
mod step;
pub(crate) mod varied;

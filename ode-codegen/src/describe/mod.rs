//! The texts of a model: names of scalars, the mathematics, the operation listing, sparsity. Users read and snapshot
//! them.

mod equations;
mod listing;
mod names;
mod summary;
mod units;

pub use names::Names;
pub(crate) use units::Units;

use crate::derive::Equations;
use crate::lower::Program;
use crate::model::Model;

/// The texts of a model.
pub struct Description {
    /// M, f, Φ, G and the rest, as mathematics
    pub equations: String,
    /// every kernel as a listing, with the user's line for each statement
    pub listing: String,
    /// coordinates, parameters, sparsity and cost, for rustdoc
    pub summary: String,
}

/// Describes a model. Cannot fail.
pub(crate) fn describe(model: &Model, equations: &Equations, program: &Program, names: &Names) -> Description {
    let text = equations::equations(model, equations, names);
    Description {
        listing: listing::listing(model, program, names),
        summary: summary::summary(model, equations, program, names, &text),
        equations: text,
    }
}

//! The names by which doubts are silenced.

use super::Id;

/// Silences that a coordinate begins at zero.
pub(crate) const ZERO_START: &str = "zero_start";

/// Each doubt with its name for `#[allow(..)]`.
const LINTS: [(Id, &str); 12] = [
    (Id::M0401, "nonsmooth"),
    (Id::M0206, "nonlinear_dissipation"),
    (Id::M0209, "negative_dissipation"),
    (Id::M0402, "vanishing_norm"),
    (Id::M0306, "squared_distance"),
    (Id::M0207, "unused"),
    (Id::M0208, "unused"),
    (Id::M0602, "inconsistent_init"),
    (Id::M0607, ZERO_START),
    (Id::M0608, "many_turns"),
    (Id::M0309, "holonomic"),
    (Id::M0902, "large_model"),
];

/// rustc's own lint that prints a doubt: it silences all.
pub(crate) const ALL: &str = "deprecated";

/// All names, that for all of them last.
pub(crate) fn lints() -> Vec<&'static str> {
    let mut names: Vec<&str> = LINTS.iter().map(|(_, name)| *name).chain([ALL]).collect();
    names.dedup();
    names
}

/// The name of a doubt.
pub(crate) fn lint(id: Id) -> &'static str {
    LINTS.iter().find(|(doubt, _)| *doubt == id).map_or(ALL, |(_, name)| name)
}

/// Does an `#[allow(..)]` among these silence the lint?
pub(crate) fn silence(allows: &[String], lint: &str) -> bool {
    allows.iter().any(|a| a == lint || a == ALL)
}

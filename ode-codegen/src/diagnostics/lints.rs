//! The names by which doubts are silenced.

use super::Id;

/// Silences that a coordinate begins at zero.
pub(crate) const ZERO_START: &str = "zero_start";

/// rustc's own lint that prints a doubt: it silences all.
const ALL: &str = "deprecated";

/// A name for `#[allow(..)]`.
pub(crate) struct Lint {
    /// the name
    pub(crate) name: &'static str,
    /// what it silences
    doubts: &'static [Id],
    /// rustc knows the name too
    pub(crate) of_rustc: bool,
}

const fn own(name: &'static str, doubts: &'static [Id]) -> Lint {
    Lint { name, doubts, of_rustc: false }
}

/// All of them, in the order in which messages list them.
static LINTS: [Lint; 12] = [
    own("nonsmooth", &[Id::M0401]),
    own("nonlinear_dissipation", &[Id::M0206]),
    own("negative_dissipation", &[Id::M0209]),
    own("vanishing_norm", &[Id::M0402]),
    own("squared_distance", &[Id::M0306]),
    Lint { name: "unused", doubts: &[Id::M0207, Id::M0208], of_rustc: true },
    own("inconsistent_init", &[Id::M0602]),
    own(ZERO_START, &[Id::M0607]),
    own("many_turns", &[Id::M0608]),
    own("holonomic", &[Id::M0309]),
    own("large_model", &[Id::M0902]),
    Lint { name: ALL, doubts: &[], of_rustc: true },
];

/// All names.
pub(crate) fn lints() -> impl Iterator<Item = &'static str> {
    LINTS.iter().map(|lint| lint.name)
}

/// The lint of a name.
pub(crate) fn lint_named(name: &str) -> Option<&'static Lint> {
    LINTS.iter().find(|lint| lint.name == name)
}

/// The name of a doubt.
pub(crate) fn lint(id: Id) -> &'static str {
    LINTS.iter().find(|lint| lint.doubts.contains(&id)).map_or(ALL, |lint| lint.name)
}

/// Does an `#[allow(..)]` among these silence the lint?
pub(crate) fn silence(allows: &[String], lint: &str) -> bool {
    allows.iter().any(|a| a == lint || a == ALL)
}

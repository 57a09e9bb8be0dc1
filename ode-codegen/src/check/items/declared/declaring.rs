//! The context while names are declared.

use super::bind::Bindings;
use super::unit::Hints;
use crate::check::draft::Silenced;

/// What declarations read beside the reader, and what they write.
pub(crate) struct Declaring<'a, 'd> {
    /// assumed units of names without one
    pub(crate) hints: &'d Hints,
    /// the bindings of inputs
    pub(crate) bindings: &'d mut Bindings<'a>,
    /// lints that the user allows
    pub(crate) silenced: &'d mut Silenced,
}

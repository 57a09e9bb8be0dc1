//! What is at hand while names are declared.

use super::bind::Bindings;
use super::unit::Hints;
use crate::check::draft::Silenced;

/// What declarations look at beside the reader, and what they write.
pub(crate) struct Declaring<'a, 'd> {
    /// units of names that have none
    pub(crate) hints: &'d Hints,
    /// what inputs are bound to
    pub(crate) bindings: &'d mut Bindings<'a>,
    /// what the user does not want to be warned of
    pub(crate) silenced: &'d mut Silenced,
}

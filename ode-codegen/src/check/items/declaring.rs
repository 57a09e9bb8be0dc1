//! What is at hand while names are declared.

use super::bind::Bindings;
use super::unit::Hints;
use crate::check::draft::Silenced;

/// What declarations look at beside the reader, and what they write.
pub(super) struct Declaring<'a, 'd> {
    /// units of names that have none
    pub(super) hints: &'d Hints,
    /// what inputs are bound to
    pub(super) bindings: &'d mut Bindings<'a>,
    /// what the user does not want to be warned of
    pub(super) silenced: &'d mut Silenced,
}

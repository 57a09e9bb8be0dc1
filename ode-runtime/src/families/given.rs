//! The parameters, inputs and modes of a member's element, among those of the whole.

use crate::families::placed::Part;
use crate::families::spec::Given;
use crate::families::topology::Topology;

impl Topology {
    /// Calls `each(first, len)` for the parameters of a member's element: their numbers among those of the whole.
    pub(super) fn parameters(&self, part: &Part, tuple: &[u32], each: impl FnMut(usize, usize)) {
        let sizes = self.params.iter().map(|param| (param.members, param.names.len()));
        given(part.spec.form.given, sizes, tuple, each);
    }

    /// The same of its inputs.
    pub(super) fn inputs(&self, part: &Part, tuple: &[u32], each: impl FnMut(usize, usize)) {
        let sizes = self.inputs.iter().map(|input| (input.members, input.names.len()));
        given(part.spec.form.inputs, sizes, tuple, each);
    }

    /// The same of its modes.
    pub(super) fn modes(&self, part: &Part, tuple: &[u32], each: impl FnMut(usize, usize)) {
        let sizes = self.modes.iter().map(|mode| (mode.members, mode.names.len()));
        given(part.spec.form.modes, sizes, tuple, each);
    }
}

/// Calls `each(first, len)` for what an element is given, of numbers of these members and sizes.
#[cfg_attr(not(debug_assertions), inline(always))]
fn given(
    given: &[Given],
    sizes: impl Iterator<Item = (usize, usize)> + Clone,
    tuple: &[u32],
    mut each: impl FnMut(usize, usize),
) {
    for Given { of, ends } in given {
        let first: usize = sizes.clone().take(*of).map(|(members, len)| members * len).sum();
        let len = sizes.clone().nth(*of).map_or(0, |(_, len)| len);
        let Some(ends) = ends else {
            each(first, len);
            continue;
        };
        for &end in *ends {
            each(first + tuple.get(end).map_or(0, |&member| member as usize) * len, len);
        }
    }
}

//! One number, or array of numbers, for each member of a set.

use core::ops::{Deref, DerefMut};
use std::boxed::Box;
use std::vec::Vec;

use crate::error::build::BuildError;
use crate::families::error::FamilyError;
use crate::families::names;
use crate::families::topology::Topology;
use crate::numbers::scalar::Real;

/// One value for each member of a set, in their order. Values may be changed; their number is that of the set.
#[derive(Clone, Debug, PartialEq)]
pub struct PerMember<X>(Box<[X]>);

impl<X> From<Vec<X>> for PerMember<X> {
    fn from(values: Vec<X>) -> Self {
        Self(values.into())
    }
}

impl<X> PerMember<X> {
    /// These values of `param`.
    ///
    /// # Errors
    /// Another number of them than the set has members.
    pub fn of(
        model: &'static str,
        param: &'static str,
        values: Vec<X>,
        set: &'static str,
        expected: usize,
    ) -> Result<Self, FamilyError> {
        if values.len() == expected {
            return Ok(Self(values.into()));
        }
        Err(FamilyError::Length { model, param, found: values.len(), set, expected })
    }
}

impl<X> Deref for PerMember<X> {
    type Target = [X];

    #[inline]
    fn deref(&self) -> &[X] {
        &self.0
    }
}

impl<X> DerefMut for PerMember<X> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [X] {
        &mut self.0
    }
}

/// Refuses a value that is not finite; `template` is the name of one, with `#0` for the number of the member.
///
/// # Errors
/// [`BuildError::NotFinite`] with the name.
pub fn finite<T: Real>(
    model: &'static str,
    template: &'static str,
    values: impl Iterator<Item = T>,
) -> Result<(), BuildError> {
    for (member, value) in values.enumerate() {
        if !value.is_finite() {
            let param = names::of(template, member);
            return Err(BuildError::NotFinite { model, param, value: value.to_f64() });
        }
    }
    Ok(())
}

/// The number of members of a set of the first kind: `given` to the builder, or `fixed` by the model.
///
/// # Errors
/// None that was given or fixed, another than is fixed, 0, or more than 32 bits can count.
pub fn length(
    model: &'static str,
    set: &'static str,
    given: Option<usize>,
    fixed: Option<usize>,
) -> Result<usize, FamilyError> {
    let count = match (given, fixed) {
        (None, None) => return Err(FamilyError::NotGiven { model, set }),
        (Some(found), Some(expected)) if found != expected => {
            return Err(FamilyError::Fixed { model, set, found, expected });
        }
        (_, Some(count)) | (Some(count), None) => count,
    };
    if count == 0 {
        return Err(FamilyError::Empty { model, set });
    }
    FamilyError::fits(model, count).map(|()| count)
}

/// Neighbours in a row of `count` members: `[0, 1], [1, 2], …`, for N = 3 `[0, 1, 2], [1, 2, 3], …`.
pub fn chain<const N: usize>(count: usize) -> Vec<[usize; N]> {
    (0..count.saturating_sub(N.saturating_sub(1))).map(|first| core::array::from_fn(|k| first + k)).collect()
}

/// Tuples of a set of the first kind: each member alone.
pub fn numbered(count: usize) -> Vec<u32> {
    (0..count).map(number).collect()
}

/// Tuples of the members of a set: its own number, and what it joins.
pub fn tuples<const N: usize>(members: impl Iterator<Item = [usize; N]>) -> Vec<u32> {
    let tuple = |(own, joined): (usize, [usize; N])| core::iter::once(number(own)).chain(joined.map(number));
    members.enumerate().flat_map(tuple).collect()
}

/// A number that 32 bits cannot hold names no member: [`Topology::new`] refuses it.
fn number(member: usize) -> u32 {
    u32::try_from(member).unwrap_or(u32::MAX)
}

/// The numbers of an output of a part, member by member.
pub fn output_range(topology: &Topology, part: usize, output: usize) -> core::ops::Range<usize> {
    topology.parts.get(part).map_or(0..0, |part| part.output_range(output))
}

/// The numbers of a field of `len` each, in q (`part` 0), v (1) or z (2).
pub fn range(topology: &Topology, field: usize, part: usize, len: usize) -> core::ops::Range<usize> {
    let first = topology.first(field).get(part).copied().unwrap_or(0);
    let members = topology.fields.get(field).map_or(0, |field| field.members);
    first..first + members * len
}

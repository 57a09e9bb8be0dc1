//! The numbers of elements: taken from those of the whole, and added to them.

use crate::families::columns::Field;
use crate::families::composite::{Composite, Element};
use crate::families::part::tuple;
use crate::families::placed::Part;
use crate::families::spec::Slot;
use crate::families::topology::Topology;
use crate::model::layout::Block;
use crate::model::system::{At, Rates, System};
use crate::numbers::scalar::Scalar;

/// The numbers of an element.
#[derive(Clone)]
pub(super) struct Local<E: System> {
    pub(super) q: E::Q,
    pub(super) v: E::V,
    pub(super) z: E::Z,
    pub(super) u: E::U,
    pub(super) modes: E::Modes,
    pub(super) a: E::V,
    pub(super) zdot: E::Z,
    pub(super) lambda: E::L,
    pub(super) step: E::V,
}

impl<E: System> Local<E> {
    pub(super) fn new(element: &E) -> Self {
        let layout = element.layout();
        let (nv, nz) = (layout.v.len(), layout.z.len());
        Self {
            q: Block::zeros(layout.q.len()),
            v: Block::zeros(nv),
            z: Block::zeros(nz),
            u: Block::zeros(layout.u.len()),
            modes: Block::zeros(layout.modes.len()),
            a: Block::zeros(nv),
            zdot: Block::zeros(nz),
            lambda: Block::zeros(layout.constraints.len()),
            step: Block::zeros(nv),
        }
    }

    /// Takes the numbers of a member, but for inputs that all elements have.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take<S: System>(&mut self, topology: &Topology, part: &Part, tuple: &[u32], at: At<'_, S>)
    where
        E: Element<S>,
    {
        take_u::<E>(topology, part, tuple, at.u.as_ref(), &mut self.u);
        take_modes::<E>(topology, part, tuple, at.modes.as_ref(), &mut self.modes);
        let places = Spots::of::<S, E>(topology, tuple);
        places.take::<Q, _>(at.q.as_ref(), self.q.as_mut());
        places.take::<V, _>(at.v.as_ref(), self.v.as_mut());
        places.take::<Z, _>(at.z.as_ref(), self.z.as_mut());
    }

    /// Takes the accelerations, rates of states and multipliers of a member.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take_rates<S: System>(
        &mut self,
        topology: &Topology,
        part: &Part,
        (member, tuple): (usize, &[u32]),
        rates: Rates<'_, S>,
    ) where
        E: Element<S>,
    {
        let places = Spots::of::<S, E>(topology, tuple);
        places.take::<V, _>(rates.a.as_ref(), self.a.as_mut());
        places.take::<Z, _>(rates.zdot.as_ref(), self.zdot.as_mut());
        take_lambda(part, member, rates.lambda.as_ref(), self.lambda.as_mut());
    }

    pub(super) fn at(&self, t: E::Real) -> At<'_, E> {
        At { t, q: &self.q, v: &self.v, z: &self.z, u: &self.u, modes: &self.modes }
    }

    pub(super) fn rates(&self) -> Rates<'_, E> {
        Rates { a: &self.a, zdot: &self.zdot, lambda: &self.lambda }
    }
}

pub(super) fn copy<T: Copy>(from: &[T], to: &mut [T]) {
    to.iter_mut().zip(from).for_each(|(to, &from)| *to = from);
}

/// Adds numbers to others.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn sum<T: Scalar>(from: &[T], to: &mut [T]) {
    to.iter_mut().zip(from).for_each(|(to, &from)| *to += from);
}

/// Kinds of an element's numbers.
pub(super) const Q: usize = 0;
pub(super) const V: usize = 1;
pub(super) const Z: usize = 2;

/// Where the numbers of an element are: those of each slot in the whole, and one after the other in the element.
///
/// It has the slots as a value, so its loops are compiled once for all elements where nothing is optimised.
#[derive(Clone, Copy)]
pub(super) struct Spots<'a> {
    fields: &'a [Field],
    slots: &'static [Slot],
    tuple: &'a [u32],
}

/// Where a slot's q, v and z begin in the whole, where in the element, and how many they are.
pub(super) struct Spot {
    pub(super) whole: [usize; 3],
    pub(super) own: [usize; 3],
    pub(super) len: [usize; 3],
}

impl<'a> Spots<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of<S: System, E: Element<S>>(topology: &'a Topology, tuple: &'a [u32]) -> Self {
        Self { fields: &topology.fields, slots: E::SLOTS, tuple }
    }

    /// Calls `each` with the number of each slot.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn each(self, mut each: impl FnMut(usize, Spot)) {
        let mut own = [0; 3];
        for (k, slot) in self.slots.iter().enumerate() {
            let len = [slot.q, slot.v, slot.z];
            if let Some(field) = self.fields.get(slot.field) {
                let member = slot.member(self.tuple);
                let [q, v, z] = [member * slot.q, member * slot.v, member * slot.z];
                each(k, Spot { whole: [field.first_q + q, field.first_v + v, field.first_z + z], own, len });
            }
            own = [own[0] + slot.q, own[1] + slot.v, own[2] + slot.z];
        }
    }

    /// The element's numbers of kind `K`, of those of the whole.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take<const K: usize, T: Copy>(self, from: &[T], to: &mut [T]) {
        self.each(|_, spot| spot.take::<K, T>(from, to));
    }

    /// Adds the element's numbers of kind `K` to those of the whole.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn add<const K: usize, T: Scalar>(self, from: &[T], to: &mut [T]) {
        self.each(|_, Spot { whole, own, len }| {
            if let (Some(from), Some(to)) = (from.get(own[K]..own[K] + len[K]), to.get_mut(whole[K]..whole[K] + len[K]))
            {
                sum(from, to);
            }
        });
    }
}

impl Spot {
    /// The numbers of kind `K` of this slot.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take<const K: usize, T: Copy>(&self, from: &[T], to: &mut [T]) {
        let Self { whole, own, len } = self;
        let from = from.get(whole[K]..).and_then(|from| from.get(..len[K]));
        if let (Some(from), Some(to)) = (from, to.get_mut(own[K]..own[K] + len[K])) {
            copy(from, to);
        }
    }
}

/// Adds the nonzeros of a member at their places.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn add_at<T: Scalar>(places: &[u32], member: usize, from: &[T], to: &mut [T]) {
    let own = places.get(member * from.len()..).unwrap_or_default();
    for (&value, &place) in from.iter().zip(own) {
        if let Some(to) = to.get_mut(place as usize) {
            *to += value;
        }
    }
}

/// Adds the rows of a member's constraints.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn add_rows<T: Scalar>(part: &Part, member: usize, from: &[T], to: &mut [T]) {
    let first = part.first_row + member * part.stride;
    if let Some(to) = to.get_mut(first..first + from.len()) {
        sum(from, to);
    }
}

/// Calls `each` for the members of a part with their elements, and their numbers of `at`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn members<S: Composite, E: Element<S>>(
    system: &S,
    part: usize,
    at: At<'_, S>,
    mut each: impl FnMut(&Part, usize, &[u32], &E, &mut Local<E>),
) {
    let topology = system.topology();
    let Some((part, mut local)) = begin::<S, E>(system, part, at) else { return };
    for member in 0..part.spec.members {
        let tuple = tuple(&part.spec.tuples, E::WIDTH, member);
        local.take(topology, part, tuple, at);
        each(part, member, tuple, &E::of(system, tuple), &mut local);
    }
}

/// A part that has members, and room for the numbers of one, with the inputs that all have.
#[cfg_attr(not(debug_assertions), inline(always))]
fn begin<'a, S: Composite, E: Element<S>>(system: &'a S, part: usize, at: At<'_, S>) -> Option<(&'a Part, Local<E>)> {
    let part = system.topology().parts.get(part).filter(|part| part.spec.members > 0)?;
    let mut local = Local::new(&E::of(system, part.tuple(0)));
    copy(at.u.as_ref(), local.u.as_mut());
    Some((part, local))
}

/// The inputs of a member, unless all elements have the same.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn take_u<E: System>(topology: &Topology, part: &Part, tuple: &[u32], from: &[E::Real], to: &mut E::U) {
    // of an element without inputs it is known when this is compiled: forces of springs take 0.6 of the time
    if core::mem::size_of::<E::U>() > 0 && !topology.shares_inputs() {
        take_inputs(topology, part, tuple, from, to.as_mut());
    }
}

#[inline(never)]
fn take_inputs<T: Copy>(topology: &Topology, part: &Part, tuple: &[u32], from: &[T], to: &mut [T]) {
    let mut own = 0;
    topology.inputs(part, tuple, |whole, len| take_given(from, whole, to, &mut own, len));
}

/// The modes of a member.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn take_modes<E: System>(
    topology: &Topology,
    part: &Part,
    tuple: &[u32],
    from: &[E::Real],
    to: &mut E::Modes,
) {
    if core::mem::size_of::<E::Modes>() > 0 {
        let (to, mut own) = (to.as_mut(), 0);
        topology.modes(part, tuple, |whole, len| take_given(from, whole, to, &mut own, len));
    }
}

fn take_given<T: Copy>(from: &[T], whole: usize, to: &mut [T], own: &mut usize, len: usize) {
    if let (Some(from), Some(to)) = (from.get(whole..whole + len), to.get_mut(*own..*own + len)) {
        copy(from, to);
    }
    *own += len;
}

/// The multipliers of a member.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn take_lambda<T: Copy>(part: &Part, member: usize, from: &[T], to: &mut [T]) {
    let first = part.first_row + member * part.stride;
    copy(from.get(first..).unwrap_or_default(), to);
}

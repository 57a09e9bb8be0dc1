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

/// Calls `each` with where a slot is in the whole's q, v and z, in the element's, and its lengths.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn slots<S: System, E: Element<S>>(
    fields: &[Field],
    tuple: &[u32],
    each: impl FnMut([usize; 3], [usize; 3], &Slot),
) {
    slots_that::<S, E>(fields, tuple, |_| true, each);
}

/// The same of the slots whose number `are` takes.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn slots_that<S: System, E: Element<S>>(
    fields: &[Field],
    tuple: &[u32],
    are: impl Fn(usize) -> bool,
    mut each: impl FnMut([usize; 3], [usize; 3], &Slot),
) {
    let mut own = [0; 3];
    for (k, slot) in E::SLOTS.iter().enumerate() {
        if let Some(field) = fields.get(slot.field).filter(|_| are(k)) {
            let member = slot.member(tuple);
            let [q, v, z] = [member * slot.q, member * slot.v, member * slot.z];
            each([field.first_q + q, field.first_v + v, field.first_z + z], own, slot);
        }
        own = [own[0] + slot.q, own[1] + slot.v, own[2] + slot.z];
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn take<S: System, E: Element<S>>(fields: &[Field], tuple: &[u32], from: &[E::Real], to: &mut [E::Real]) {
    slots::<S, E>(fields, tuple, |[_, whole, _], [_, own, _], slot| {
        take_from(from, whole, to, own, slot.v);
    });
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn take_z<S: System, E: Element<S>>(fields: &[Field], tuple: &[u32], from: &[E::Real], to: &mut [E::Real]) {
    slots::<S, E>(fields, tuple, |[_, _, whole], [_, _, own], slot| {
        take_from(from, whole, to, own, slot.z);
    });
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn take_q<S: System, E: Element<S>>(fields: &[Field], tuple: &[u32], from: &[E::Real], to: &mut [E::Real]) {
    slots::<S, E>(fields, tuple, |[whole, ..], [own, ..], slot| {
        take_from(from, whole, to, own, slot.q);
    });
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn add<S: System, E: Element<S>>(fields: &[Field], tuple: &[u32], from: &[E::Real], to: &mut [E::Real]) {
    slots::<S, E>(fields, tuple, |[_, whole, _], [_, own, _], slot| {
        if let (Some(from), Some(to)) = (from.get(own..own + slot.v), to.get_mut(whole..whole + slot.v)) {
            sum(from, to);
        }
    });
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn add_z<S: System, E: Element<S>>(fields: &[Field], tuple: &[u32], from: &[E::Real], to: &mut [E::Real]) {
    slots::<S, E>(fields, tuple, |[_, _, whole], [_, _, own], slot| {
        if let (Some(from), Some(to)) = (from.get(own..own + slot.z), to.get_mut(whole..whole + slot.z)) {
            sum(from, to);
        }
    });
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
    let Some(part) = topology.parts.get(part).filter(|part| part.spec.members > 0) else { return };
    let mut local = Local::new(&E::of(system, part.tuple(0)));
    copy(at.u.as_ref(), local.u.as_mut());
    for member in 0..part.spec.members {
        let tuple = tuple(&part.spec.tuples, E::WIDTH, member);
        take_u::<E>(topology, part, tuple, at.u.as_ref(), &mut local.u);
        take_modes::<E>(topology, part, tuple, at.modes.as_ref(), &mut local.modes);
        take_q::<S, E>(&topology.fields, tuple, at.q.as_ref(), local.q.as_mut());
        take::<S, E>(&topology.fields, tuple, at.v.as_ref(), local.v.as_mut());
        take_z::<S, E>(&topology.fields, tuple, at.z.as_ref(), local.z.as_mut());
        each(part, member, tuple, &E::of(system, tuple), &mut local);
    }
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

/// `len` numbers from `whole` on to those from `own` on.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn take_from<T: Copy>(from: &[T], whole: usize, to: &mut [T], own: usize, len: usize) {
    if let (Some(from), Some(to)) = (from.get(whole..whole + len), to.get_mut(own..own + len)) {
        copy(from, to);
    }
}

/// The accelerations, rates of states and multipliers of a member.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn rates_of<S: System, E: Element<S>>(
    topology: &Topology,
    part: &Part,
    (member, tuple): (usize, &[u32]),
    [a, zdot, lambda]: [&[S::Real]; 3],
    local: &mut Local<E>,
) {
    take::<S, E>(&topology.fields, tuple, a, local.a.as_mut());
    take_z::<S, E>(&topology.fields, tuple, zdot, local.zdot.as_mut());
    take_lambda(part, member, lambda, local.lambda.as_mut());
}

/// The multipliers of a member.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn take_lambda<T: Copy>(part: &Part, member: usize, from: &[T], to: &mut [T]) {
    let first = part.first_row + member * part.stride;
    copy(from.get(first..).unwrap_or_default(), to);
}

//! A model made of elements, and its evaluations: gather, evaluate, add.

use std::vec::Vec;

use crate::families::columns::Field;
use crate::families::part::tuple;
use crate::families::placed::Part;
use crate::families::spec::Slot;
use crate::families::topology::Topology;
use crate::model::layout::Block;
use crate::model::linearize::Linearize;
use crate::model::observable::{Energy, Observable};
use crate::model::system::{At, Constraint, Forward, Rates, Residual, System};
use crate::numbers::scalar::Scalar;

/// A small model of a few members' coordinates, in a model `S`.
pub trait Element<S: System>: Linearize<Real = S::Real> + Observable {
    /// its coordinates, in their order
    const SLOTS: &'static [Slot];
    /// the entries of its q, v and z that its guess sets
    const GUESSED: [&'static [usize]; 3];

    /// entries of a tuple
    const WIDTH: usize;
    /// it has requirements of its parameters
    const CHECKED: bool;

    /// The element at a tuple.
    fn of(whole: &S, tuple: &[u32]) -> Self;

    /// Adds the columns of block `block` of its tangent to those of a block of the whole, which have `height` nonzeros
    /// each; `rows` says where the rows of each of its blocks start in them.
    fn add_columns(block: usize, tangent: &Self::Tangent, rows: &[u32], height: usize, to: &mut [Self::Real]);

    /// Takes all sums, which its outputs read. Nothing by default.
    fn take_sums(&mut self, sums: &[Self::Real]) {
        let _ = sums;
    }
}

/// A block of a model with families.
type Numbers<S> = Vec<<S as System>::Real>;

/// A model made of elements.
pub trait Composite:
    Sync
    + System<Q = Numbers<Self>, V = Numbers<Self>, Z = Numbers<Self>, L = Numbers<Self>>
    + System<Mass = Numbers<Self>, Jacobian = Numbers<Self>>
{
    /// Where the unknowns are.
    fn topology(&self) -> &Topology;
    /// Shows the element of each part, in their order.
    fn each_part<W: OnParts<Self>>(work: &mut W);
    /// Shows, for each field, a model whose only coordinate it is, in their order.
    fn each_field<W: OnFields<Self>>(&self, work: &mut W);
}

/// What is done with each part.
pub trait OnParts<S: System> {
    /// Part `part`, of elements `E`.
    fn part<E: Element<S>>(&mut self, part: usize);
}

/// What is done with each field.
pub trait OnFields<S: System> {
    /// `alone` moves as the field does.
    fn field<E: System<Real = S::Real>>(&mut self, field: usize, alone: &E);
}

/// The numbers of an element.
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

/// Calls `each` with where a slot is in the whole's q, v and z, in the element's, and its lengths.
#[inline(always)]
fn slots<S: System, E: Element<S>>(
    fields: &[Field],
    tuple: &[u32],
    mut each: impl FnMut([usize; 3], [usize; 3], &Slot),
) {
    let mut own = [0; 3];
    for slot in E::SLOTS {
        if let Some(field) = fields.get(slot.field) {
            let member = slot.member(tuple);
            let [q, v, z] = [member * slot.q, member * slot.v, member * slot.z];
            each([field.first_q + q, field.first_v + v, field.first_z + z], own, slot);
        }
        own = [own[0] + slot.q, own[1] + slot.v, own[2] + slot.z];
    }
}

#[inline(always)]
pub(super) fn take<S: System, E: Element<S>>(fields: &[Field], tuple: &[u32], from: &[E::Real], to: &mut [E::Real]) {
    slots::<S, E>(fields, tuple, |[_, whole, _], [_, own, _], slot| {
        if let (Some(from), Some(to)) = (from.get(whole..whole + slot.v), to.get_mut(own..own + slot.v)) {
            copy(from, to);
        }
    });
}

#[inline(always)]
pub(super) fn take_z<S: System, E: Element<S>>(fields: &[Field], tuple: &[u32], from: &[E::Real], to: &mut [E::Real]) {
    slots::<S, E>(fields, tuple, |[_, _, whole], [_, _, own], slot| {
        if let (Some(from), Some(to)) = (from.get(whole..whole + slot.z), to.get_mut(own..own + slot.z)) {
            copy(from, to);
        }
    });
}

#[inline(always)]
pub(super) fn take_q<S: System, E: Element<S>>(fields: &[Field], tuple: &[u32], from: &[E::Real], to: &mut [E::Real]) {
    slots::<S, E>(fields, tuple, |[whole, ..], [own, ..], slot| {
        if let (Some(from), Some(to)) = (from.get(whole..whole + slot.q), to.get_mut(own..own + slot.q)) {
            copy(from, to);
        }
    });
}

#[inline(always)]
fn add<S: System, E: Element<S>>(fields: &[Field], tuple: &[u32], from: &[E::Real], to: &mut [E::Real]) {
    slots::<S, E>(fields, tuple, |[_, whole, _], [_, own, _], slot| {
        if let (Some(from), Some(to)) = (from.get(own..own + slot.v), to.get_mut(whole..whole + slot.v)) {
            to.iter_mut().zip(from).for_each(|(to, &from)| *to += from);
        }
    });
}

#[inline(always)]
fn add_z<S: System, E: Element<S>>(fields: &[Field], tuple: &[u32], from: &[E::Real], to: &mut [E::Real]) {
    slots::<S, E>(fields, tuple, |[_, _, whole], [_, _, own], slot| {
        if let (Some(from), Some(to)) = (from.get(own..own + slot.z), to.get_mut(whole..whole + slot.z)) {
            to.iter_mut().zip(from).for_each(|(to, &from)| *to += from);
        }
    });
}

/// Adds the nonzeros of a member at their places.
#[inline(always)]
pub(super) fn add_at<T: Scalar>(places: &[u32], member: usize, from: &[T], to: &mut [T]) {
    let own = places.get(member * from.len()..).unwrap_or_default();
    for (&value, &place) in from.iter().zip(own) {
        if let Some(to) = to.get_mut(place as usize) {
            *to += value;
        }
    }
}

/// The rows of a member's constraints.
#[inline(always)]
fn set_rows<T: Copy>(part: &Part, member: usize, from: &[T], to: &mut [T]) {
    let first = part.first_row + member * from.len();
    if let Some(to) = to.get_mut(first..first + from.len()) {
        copy(from, to);
    }
}

/// Calls `each` for the members of a part with their elements, and their numbers of `at`.
#[inline(always)]
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
        take_q::<S, E>(&topology.fields, tuple, at.q.as_ref(), local.q.as_mut());
        take::<S, E>(&topology.fields, tuple, at.v.as_ref(), local.v.as_mut());
        take_z::<S, E>(&topology.fields, tuple, at.z.as_ref(), local.z.as_mut());
        each(part, member, tuple, &E::of(system, tuple), &mut local);
    }
}

struct Forwards<'a, S: Composite> {
    at: At<'a, S>,
    system: &'a S,
    out: &'a mut Forward<S>,
}

impl<S: Composite> OnParts<S> for Forwards<'_, S> {
    fn part<E: Element<S>>(&mut self, part: usize) {
        let (topology, out, t) = (self.system.topology(), &mut *self.out, self.at.t);
        let mut own = None;
        members::<S, E>(self.system, part, self.at, |part, member, tuple, element, local| {
            let own = own.get_or_insert_with(|| Forward::<E>::zeros(&element.layout()));
            element.forward(local.at(t), own);
            add::<S, E>(&topology.fields, tuple, own.force.as_ref(), out.force.as_mut());
            add_z::<S, E>(&topology.fields, tuple, own.zdot.as_ref(), out.zdot.as_mut());
            add_at(&part.mass, member, own.mass.as_ref(), out.mass.as_mut());
            add_at(&part.jacobian, member, own.jacobian.as_ref(), out.jacobian.as_mut());
            set_rows(part, member, own.gamma.as_ref(), out.gamma.as_mut());
        });
    }
}

/// [`System::forward`] of the whole.
pub fn forward<S: Composite>(system: &S, at: At<'_, S>, out: &mut Forward<S>) {
    for block in [&mut out.mass, &mut out.force, &mut out.zdot, &mut out.jacobian, &mut out.gamma] {
        block.fill(S::Real::ZERO);
    }
    S::each_part(&mut Forwards { at, system, out });
}

struct Residuals<'a, S: Composite> {
    at: At<'a, S>,
    rates: Rates<'a, S>,
    system: &'a S,
    out: &'a mut Residual<S>,
}

impl<S: Composite> OnParts<S> for Residuals<'_, S> {
    fn part<E: Element<S>>(&mut self, part: usize) {
        let (topology, rates, out, t) = (self.system.topology(), self.rates, &mut *self.out, self.at.t);
        let mut own = None;
        members::<S, E>(self.system, part, self.at, |part, member, tuple, element, local| {
            let own = own.get_or_insert_with(|| Residual::<E>::zeros(&element.layout()));
            rates_of::<S, E>(topology, part, (member, tuple), [rates.a, rates.zdot, rates.lambda], local);
            element.residual(local.at(t), local.rates(), own);
            add::<S, E>(&topology.fields, tuple, own.r.as_ref(), out.r.as_mut());
            add_z::<S, E>(&topology.fields, tuple, own.s.as_ref(), out.s.as_mut());
            set_rows(part, member, own.phi.as_ref(), out.phi.as_mut());
        });
    }
}

/// The accelerations, rates of states and multipliers of a member.
#[inline(always)]
pub(super) fn rates_of<S: System, E: Element<S>>(
    topology: &Topology,
    part: &Part,
    (member, tuple): (usize, &[u32]),
    [a, zdot, lambda]: [&[S::Real]; 3],
    local: &mut Local<E>,
) {
    take::<S, E>(&topology.fields, tuple, a, local.a.as_mut());
    take_z::<S, E>(&topology.fields, tuple, zdot, local.zdot.as_mut());
    let own = local.lambda.as_mut();
    let first = part.first_row + member * own.len();
    copy(lambda.get(first..).unwrap_or_default(), own);
}

/// [`System::residual`] of the whole.
pub fn residual<S: Composite>(system: &S, at: At<'_, S>, rates: Rates<'_, S>, out: &mut Residual<S>) {
    out.r.fill(S::Real::ZERO);
    // elements have −g, their share of the rates
    copy(rates.zdot, &mut out.s);
    out.phi.fill(S::Real::ZERO);
    S::each_part(&mut Residuals { at, rates, system, out });
}

struct Constraints<'a, S: Composite> {
    at: At<'a, S>,
    system: &'a S,
    out: &'a mut Constraint<S>,
}

impl<S: Composite> OnParts<S> for Constraints<'_, S> {
    fn part<E: Element<S>>(&mut self, part: usize) {
        let (out, t) = (&mut *self.out, self.at.t);
        let mut own = None;
        members::<S, E>(self.system, part, self.at, |part, member, _, element, local| {
            let own = own.get_or_insert_with(|| Constraint::<E>::zeros(&element.layout()));
            element.constraint(local.at(t), own);
            add_at(&part.jacobian, member, own.jacobian.as_ref(), out.jacobian.as_mut());
            set_rows(part, member, own.phi.as_ref(), out.phi.as_mut());
            set_rows(part, member, own.rate.as_ref(), out.rate.as_mut());
        });
    }
}

/// [`System::constraint`] of the whole.
pub fn constraint<S: Composite>(system: &S, at: At<'_, S>, out: &mut Constraint<S>) {
    for block in [&mut out.phi, &mut out.rate, &mut out.jacobian] {
        block.fill(S::Real::ZERO);
    }
    if !system.layout().constraints.is_empty() {
        S::each_part(&mut Constraints { at, system, out });
    }
}

struct MomentumRates<'a, S: Composite> {
    at: At<'a, S>,
    system: &'a S,
    out: &'a mut Numbers<S>,
}

impl<S: Composite> OnParts<S> for MomentumRates<'_, S> {
    fn part<E: Element<S>>(&mut self, part: usize) {
        let (topology, out, t) = (self.system.topology(), &mut *self.out, self.at.t);
        members::<S, E>(self.system, part, self.at, |_, _, tuple, element, local| {
            let mut own = E::V::zeros(local.v.as_ref().len());
            element.momentum_rate(local.at(t), &mut own);
            add::<S, E>(&topology.fields, tuple, own.as_ref(), out);
        });
    }
}

/// [`System::momentum_rate`] of the whole.
pub fn momentum_rate<S: Composite>(system: &S, at: At<'_, S>, out: &mut S::V) {
    out.fill(S::Real::ZERO);
    if !system.layout().constant_mass {
        S::each_part(&mut MomentumRates { at, system, out });
    }
}

struct Energies<'a, S: Composite> {
    at: At<'a, S>,
    system: &'a S,
    sum: Energy<S::Real>,
}

impl<S: Composite> OnParts<S> for Energies<'_, S> {
    fn part<E: Element<S>>(&mut self, part: usize) {
        let (t, sum) = (self.at.t, &mut self.sum);
        members::<S, E>(self.system, part, self.at, |_, _, _, element, local| {
            let own = element.energy(local.at(t));
            sum.kinetic += own.kinetic;
            sum.potential += own.potential;
            sum.dissipation += own.dissipation;
        });
    }
}

/// T, V and 2R of the whole, the sums of those of the elements.
pub fn energy<S: Composite>(system: &S, at: At<'_, S>) -> Energy<S::Real> {
    let zero = S::Real::ZERO;
    let sum = Energy { kinetic: zero, potential: zero, dissipation: zero };
    let mut energies = Energies { at, system, sum };
    S::each_part(&mut energies);
    energies.sum
}

struct Guesses<'a, S: Composite> {
    system: &'a S,
    to: [&'a mut Numbers<S>; 3],
}

impl<S: Composite> OnParts<S> for Guesses<'_, S> {
    fn part<E: Element<S>>(&mut self, part: usize) {
        let topology = self.system.topology();
        let speaks = E::GUESSED.iter().any(|entries| !entries.is_empty());
        let Some(part) = topology.parts.get(part).filter(|_| speaks) else { return };
        for member in 0..part.spec.members {
            let tuple = tuple(&part.spec.tuples, E::WIDTH, member);
            let element = E::of(self.system, tuple);
            let mut local = Local::new(&element);
            element.guess(&mut local.q, &mut local.v, &mut local.z);
            let from = [local.q.as_ref(), local.v.as_ref(), local.z.as_ref()];
            slots::<S, E>(&topology.fields, tuple, |whole, own, slot| {
                for (k, len) in [slot.q, slot.v, slot.z].into_iter().enumerate() {
                    let to = self.to[k].get_mut(whole[k]..whole[k] + len).unwrap_or_default();
                    put(E::GUESSED[k], from[k], own[k], to);
                }
            });
        }
    }
}

/// Copies from `first` on those that are among `entries`.
fn put<T: Copy>(entries: &[usize], from: &[T], first: usize, to: &mut [T]) {
    for (k, to) in to.iter_mut().enumerate().filter(|(k, _)| entries.contains(&(first + k))) {
        if let Some(&from) = from.get(first + k) {
            *to = from;
        }
    }
}

/// [`System::guess`] of the whole: those of the elements, later parts over earlier ones.
pub fn guess<S: Composite>(system: &S, q: &mut S::Q, v: &mut S::V, z: &mut S::Z) {
    S::each_part(&mut Guesses { system, to: [q, v, z] });
}

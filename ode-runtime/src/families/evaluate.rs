//! The evaluations of a model made of elements: gather, evaluate, add.

use crate::families::composite::{Composite, Element, Numbers, OnParts};
use crate::families::gather::{Local, Spot, Spots, V, Z, add_at, add_rows, copy, members};
use crate::families::part::tuple;
use crate::model::layout::Block;
use crate::model::observable::Energy;
use crate::model::system::{At, Conditions, Constraint, Forward, Rates, Residual};
use crate::numbers::scalar::Scalar;

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
            let places = Spots::of::<S, E>(topology, tuple);
            places.add::<V, _>(own.force.as_ref(), out.force.as_mut());
            places.add::<Z, _>(own.zdot.as_ref(), out.zdot.as_mut());
            add_at(&part.mass, member, own.mass.as_ref(), out.mass.as_mut());
            add_at(&part.jacobian, member, own.jacobian.as_ref(), out.jacobian.as_mut());
            add_rows(part, member, own.gamma.as_ref(), out.gamma.as_mut());
        });
    }
}

/// [`System::forward`](crate::System::forward) of the whole.
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
            local.take_rates(topology, part, (member, tuple), rates);
            element.residual(local.at(t), local.rates(), own);
            let places = Spots::of::<S, E>(topology, tuple);
            places.add::<V, _>(own.r.as_ref(), out.r.as_mut());
            places.add::<Z, _>(own.s.as_ref(), out.s.as_mut());
            add_rows(part, member, own.phi.as_ref(), out.phi.as_mut());
        });
    }
}

/// [`System::residual`](crate::System::residual) of the whole.
pub fn residual<S: Composite>(system: &S, at: At<'_, S>, rates: Rates<'_, S>, out: &mut Residual<S>) {
    out.r.fill(S::Real::ZERO);
    // elements have −g, their share of the rates, and −F of algebraic variables, which have none
    copy(rates.zdot, &mut out.s);
    system.layout().still(&mut out.s);
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
            add_rows(part, member, own.phi.as_ref(), out.phi.as_mut());
            add_rows(part, member, own.rate.as_ref(), out.rate.as_mut());
        });
    }
}

/// [`System::constraint`](crate::System::constraint) of the whole.
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
            Spots::of::<S, E>(topology, tuple).add::<V, _>(own.as_ref(), out);
        });
    }
}

/// [`System::momentum_rate`](crate::System::momentum_rate) of the whole.
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

struct Starts<'a, S: Composite> {
    at: At<'a, S>,
    system: &'a S,
    out: Conditions<'a, S::Real>,
}

impl<S: Composite> OnParts<S> for Starts<'_, S> {
    fn part<E: Element<S>>(&mut self, part: usize) {
        let (out, t) = (&mut self.out, self.at.t);
        let Some(form) = self.system.topology().parts.get(part).map(|part| part.spec.form) else { return };
        let [positions, velocities] = form.starts.map(<[_]>::len);
        if positions + velocities == 0 {
            return;
        }
        let room = |len: usize| std::vec![S::Real::ZERO; len];
        let (mut position, mut velocity) = (room(positions), room(velocities));
        let mut by_position = room(form.layout.init_position_jacobian.nnz());
        let mut by_velocity = room(form.layout.init_velocity_jacobian.nnz());
        members::<S, E>(self.system, part, self.at, |part, member, _, element, local| {
            let own = Conditions {
                position: &mut position,
                position_jacobian: &mut by_position,
                velocity: &mut velocity,
                velocity_jacobian: &mut by_velocity,
            };
            element.conditions(local.at(t), own);
            put_at(part.first_start[0] + member * positions, &position, out.position);
            put_at(part.first_start[1] + member * velocities, &velocity, out.velocity);
            add_at(&part.starts[0], member, &by_position, out.position_jacobian);
            add_at(&part.starts[1], member, &by_velocity, out.velocity_jacobian);
        });
    }
}

fn put_at<T: Copy>(first: usize, from: &[T], to: &mut [T]) {
    copy(from, to.get_mut(first..).unwrap_or_default());
}

/// [`System::conditions`](crate::System::conditions) of the whole.
pub fn conditions<S: Composite>(system: &S, at: At<'_, S>, out: Conditions<'_, S::Real>) {
    let Conditions { position, position_jacobian, velocity, velocity_jacobian } = out;
    position_jacobian.fill(S::Real::ZERO);
    velocity_jacobian.fill(S::Real::ZERO);
    let out = Conditions { position, position_jacobian, velocity, velocity_jacobian };
    S::each_part(&mut Starts { at, system, out });
}

struct Guesses<'a, S: Composite> {
    system: &'a S,
    /// exact starts alone
    exact: bool,
    to: [&'a mut Numbers<S>; 3],
}

impl<S: Composite> OnParts<S> for Guesses<'_, S> {
    fn part<E: Element<S>>(&mut self, part: usize) {
        let topology = self.system.topology();
        let spoken = if self.exact { E::EXACT } else { E::GUESSED };
        let speaks = spoken.iter().any(|entries| !entries.is_empty());
        let Some(part) = topology.parts.get(part).filter(|_| speaks) else { return };
        for member in 0..part.spec.members {
            let tuple = tuple(&part.spec.tuples, E::WIDTH, member);
            let element = E::of(self.system, tuple);
            let mut local = Local::new(&element);
            element.guess(&mut local.q, &mut local.v, &mut local.z);
            let from = [local.q.as_ref(), local.v.as_ref(), local.z.as_ref()];
            Spots::of::<S, E>(topology, tuple).each(|_, Spot { whole, own, len }| {
                for k in 0..3 {
                    let to = self.to[k].get_mut(whole[k]..whole[k] + len[k]).unwrap_or_default();
                    put(spoken[k], from[k], own[k], to);
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

/// [`System::guess`](crate::System::guess) of the whole: those of the elements, exact starts over guesses, and then
/// later parts over earlier ones.
pub fn guess<S: Composite>(system: &S, q: &mut S::Q, v: &mut S::V, z: &mut S::Z) {
    for exact in [false, true] {
        S::each_part(&mut Guesses { system, exact, to: [&mut *q, &mut *v, &mut *z] });
    }
}

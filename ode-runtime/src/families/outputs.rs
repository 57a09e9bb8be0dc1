//! Outputs with their derivatives. Those that read sums have their derivatives by the chain rule: an output's by a sum,
//! times the sum's by what each member adds.

use std::borrow::Cow;
use std::vec::Vec;

use crate::families::composite::{Composite, Element, OnParts};
use crate::families::derived::OUTPUT_JACOBIAN;
use crate::families::gather::{Local, members};
use crate::families::observed::derived;
use crate::families::spec;
use crate::model::layout::Block;
use crate::model::system::{At, Rates};
use crate::numbers::scalar::Scalar;

/// What is evaluated: the system at a point.
pub(super) struct Asked<'a, S: Composite> {
    pub(super) system: &'a S,
    pub(super) at: At<'a, S>,
    pub(super) rates: Rates<'a, S>,
}

impl<S: Composite> Asked<'_, S> {
    /// Calls `each` with the elements of a part, at their numbers.
    pub(super) fn members<E: Element<S>>(&self, part: usize, mut each: impl FnMut(usize, &E, &Local<E>)) {
        let topology = self.system.topology();
        members::<S, E>(self.system, part, self.at, |part, member, tuple, element, local| {
            local.take_rates(topology, part, (member, tuple), self.rates);
            each(member, element, local);
        });
    }

    /// All sums.
    pub(super) fn sums(&self) -> Vec<S::Real> {
        let parts = self.system.topology().parts.iter();
        let of_sums = parts.filter(|part| part.spec.form.shown == spec::Outputs::Sum);
        let count = of_sums.map(|part| part.spec.outputs()).sum();
        let mut sums = Sums { asked: self, sums: std::vec![S::Real::ZERO; count] };
        if count > 0 {
            S::each_part(&mut sums);
        }
        sums.sums
    }
}

struct Sums<'a, S: Composite> {
    asked: &'a Asked<'a, S>,
    sums: Vec<S::Real>,
}

impl<S: Composite> OnParts<S> for Sums<'_, S> {
    fn part<E: Element<S>>(&mut self, number: usize) {
        let of = self.asked.system.topology().parts.get(number);
        let Some(part) = of.filter(|part| part.spec.form.shown == spec::Outputs::Sum) else { return };
        self.asked.members::<E>(number, |member, element, local| {
            add_outputs(element, self.asked.at.t, local, |own| part.output(member, own), &mut self.sums);
        });
    }
}

/// Adds the outputs of an element, where `place` says.
fn add_outputs<E: crate::Differentiable>(
    element: &E,
    t: E::Real,
    local: &Local<E>,
    place: impl Fn(usize) -> usize,
    out: &mut [E::Real],
) {
    let mut own = E::Y::zeros(element.layout().outputs.len());
    element.outputs(local.at(t), local.rates(), &mut own);
    for (k, &value) in own.as_ref().iter().enumerate() {
        if let Some(out) = out.get_mut(place(k)) {
            *out += value;
        }
    }
}

struct Shown<'a, S: Composite> {
    asked: &'a Asked<'a, S>,
    sums: &'a [S::Real],
    out: &'a mut [S::Real],
}

impl<S: Composite> OnParts<S> for Shown<'_, S> {
    fn part<E: Element<S>>(&mut self, number: usize) {
        let of = self.asked.system.topology().parts.get(number);
        let Some(part) = of.filter(|part| part.shows_outputs()) else { return };
        self.asked.members::<E>(number, |member, element, local| {
            let element = &*with_sums(part.spec.form.shown, element, self.sums);
            add_outputs(element, self.asked.at.t, local, |own| part.output(member, own), self.out);
        });
    }
}

/// The element, with the sums if its outputs and figures read them.
pub(super) fn with_sums<'e, S: Composite, E: Element<S>>(
    shown: spec::Outputs,
    element: &'e E,
    sums: &[S::Real],
) -> Cow<'e, E> {
    let mut element = Cow::Borrowed(element);
    if shown == spec::Outputs::OfSums {
        element.to_mut().take_sums(sums);
    }
    element
}

/// [`Differentiable::outputs`](crate::Differentiable::outputs) of the whole.
pub fn outputs<S: Composite>(system: &S, at: At<'_, S>, rates: Rates<'_, S>, out: &mut Vec<S::Real>) {
    out.fill(S::Real::ZERO);
    let asked = &Asked { system, at, rates };
    S::each_part(&mut Shown { asked, sums: &asked.sums(), out });
}

struct Jacobians<'a, S: Composite> {
    asked: &'a Asked<'a, S>,
    sums: &'a [S::Real],
    /// the derivatives of the outputs that read sums
    by_sums: Vec<S::Real>,
    /// the sums are added now, not what reads them
    sums_now: bool,
    out: &'a mut [S::Real],
}

impl<S: Composite> OnParts<S> for Jacobians<'_, S> {
    fn part<E: Element<S>>(&mut self, number: usize) {
        let (system, t) = (self.asked.system, self.asked.at.t);
        let Some(part) = system.topology().parts.get(number) else { return };
        let shown = part.spec.form.shown;
        let is_turn = if shown == spec::Outputs::Sum { self.sums_now } else { !self.sums_now && part.shows_outputs() };
        if !is_turn {
            return;
        }
        let derived = derived(system);
        let mut places = derived.of.places.get(number).map_or(&[][..], |of| &of[OUTPUT_JACOBIAN]).iter();
        let mut add = |value: S::Real| {
            if let Some(out) = places.next().and_then(|&place| self.out.get_mut(place as usize)) {
                *out += value;
            }
        };
        self.asked.members::<E>(number, |member, element, local| {
            let element = with_sums::<S, E>(shown, element, self.sums);
            let of = element.derivatives();
            let mut own = E::OutputJacobian::zeros(of.output_jacobian.nnz());
            element.output_jacobian(local.at(t), local.rates(), &mut own);
            let entries = of.output_jacobian.entries().zip(own.as_ref());
            match shown {
                spec::Outputs::Each => entries.for_each(|(_, &value)| add(value)),
                spec::Outputs::OfSums => {
                    let direct = of.output_jacobian.cols - self.sums.len();
                    entries.filter(|((_, column), _)| *column < direct).for_each(|(_, &value)| add(value));
                    self.by_sums = own.as_ref().to_vec();
                }
                spec::Outputs::Sum => {
                    for ((row, _), &value) in entries {
                        for link in derived.links.get(part.output(member, row)).into_iter().flatten() {
                            add(self.by_sums.get(link.nonzero).copied().unwrap_or(S::Real::ZERO) * value);
                        }
                    }
                }
            }
        });
    }
}

/// [`Differentiable::output_jacobian`](crate::Differentiable::output_jacobian) of the whole.
pub fn output_jacobian<S: Composite>(system: &S, at: At<'_, S>, rates: Rates<'_, S>, out: &mut Vec<S::Real>) {
    out.fill(S::Real::ZERO);
    let asked = &Asked { system, at, rates };
    let sums = &asked.sums();
    let mut jacobians = Jacobians { asked, sums, by_sums: Vec::new(), sums_now: false, out };
    S::each_part(&mut jacobians);
    if !sums.is_empty() {
        jacobians.sums_now = true;
        S::each_part(&mut jacobians);
    }
}

//! What is asked of each element where its derivatives stand in those of the whole.

use crate::families::composite::{Composite, Element};
use crate::families::derived::Partials;
use crate::families::gather::{Local, add_at, members};
use crate::families::placing::Member;
use crate::families::spec::Form;
use crate::families::varied::{OnVaried, Varied, partials};
use crate::model::optimizable::Optimizable;
use crate::model::system::{At, Rates};
use crate::numbers::scalar::Scalar;

/// What is asked of each element.
pub(super) trait Ask<S: Varied> {
    /// Has an element of this form an answer?
    fn concerns(&self, _form: &Form) -> bool {
        true
    }
    fn ask<E: Element<S> + Optimizable>(&mut self, at: Asked<'_>, element: &E, t: S::Real, local: &Local<E>);
}

/// The element that is asked, and where its derivatives stand.
pub(super) struct Asked<'a> {
    pub(super) member: Member<'a>,
    part: usize,
    pub(super) partials: &'a Partials,
}

impl Asked<'_> {
    /// The place of each nonzero of a matrix.
    pub(super) fn places(&self, matrix: usize, nonzeros: usize) -> &[u32] {
        let places = self.partials.of.places.get(self.part).map_or(&[][..], |of| &of[matrix]);
        places.get(self.member.number * nonzeros..).unwrap_or_default()
    }

    /// Adds the nonzeros of a matrix.
    pub(super) fn add<T: Scalar>(&self, matrix: usize, from: &[T], to: &mut [T]) {
        add_at(self.places(matrix, from.len()), 0, from, to);
    }

    /// The part and the member.
    pub(super) fn who(&self) -> (u32, u32) {
        (self.part as u32, self.member.number as u32)
    }
}

pub(super) struct Asking<'a, S: Composite, A> {
    pub(super) system: &'a S,
    pub(super) at: At<'a, S>,
    pub(super) rates: Option<Rates<'a, S>>,
    pub(super) ask: A,
}

impl<S: Varied, A: Ask<S>> OnVaried<S> for Asking<'_, S, A> {
    fn part<E: Element<S> + Optimizable>(&mut self, number: usize) {
        let (topology, partials) = (self.system.topology(), partials(self.system));
        if topology.parts.get(number).is_none_or(|part| !self.ask.concerns(&part.spec.form)) {
            return;
        }
        members::<S, E>(self.system, number, self.at, |part, member, tuple, element, local| {
            if let Some(rates) = self.rates {
                local.take_rates(topology, part, (member, tuple), rates);
            }
            let member = Member { topology, part, number: member };
            self.ask.ask(Asked { member, part: number, partials }, element, self.at.t, local);
        });
    }
}

//! Limits of a model with sets.

use std::vec::Vec;

use crate::families::composite::{Composite, Element, OnParts};
use crate::families::gather::members;
use crate::families::placing::{Member, Of};
use crate::model::ranges::Ranges;
use crate::model::system::At;
use crate::numbers::scalar::Scalar;

struct Limits<'a, S: Composite> {
    system: &'a S,
    at: At<'a, S>,
    out: &'a mut [S::Real],
}

impl<S: Composite> OnParts<S> for Limits<'_, S> {
    fn part<E: Element<S>>(&mut self, number: usize) {
        let topology = self.system.topology();
        if topology.parts.get(number).is_none_or(|part| part.spec.form.limits.is_empty()) {
            return;
        }
        members::<S, E>(self.system, number, self.at, |part, number, _, element, local| {
            let member = Member { topology, part, number };
            member.add(&[Of::Limits], element.limits(local.at(self.at.t)).as_ref(), self.out);
        });
    }
}

/// [`Observable::limits`](crate::Observable::limits) of the whole: part by part, those of each member side by side.
pub fn limits<S: Composite>(system: &S, at: At<'_, S>) -> Vec<S::Real> {
    let mut out = std::vec![S::Real::ZERO; system.topology().limits.len()];
    S::each_part(&mut Limits { system, at, out: &mut out });
    out
}

struct Bounds<'a, S: Composite> {
    system: &'a S,
    low: Vec<S::Real>,
    high: Vec<S::Real>,
}

impl<S: Composite> OnParts<S> for Bounds<'_, S> {
    fn part<E: Element<S>>(&mut self, number: usize) {
        let of = self.system.topology().parts.get(number);
        let Some(part) = of.filter(|part| !part.spec.form.limits.is_empty()) else { return };
        for member in 0..part.spec.members {
            let bounds = E::of(self.system, part.tuple(member)).limit_bounds();
            self.low.extend(bounds.low.as_ref());
            self.high.extend(bounds.high.as_ref());
        }
    }
}

/// [`Observable::limit_bounds`](crate::Observable::limit_bounds) of the whole.
pub fn limit_bounds<S: Composite>(system: &S) -> Ranges<'static, Vec<S::Real>> {
    let mut bounds = Bounds { system, low: Vec::new(), high: Vec::new() };
    S::each_part(&mut bounds);
    Ranges { what: "limit", names: system.topology().limits, low: bounds.low, high: bounds.high }
}

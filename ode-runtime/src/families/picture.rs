//! The numbers of what a model made of elements shows, member by member of each part.

use std::vec::Vec;

use crate::families::composite::{Composite, Element, OnParts};
use crate::families::outputs::{Asked, with_sums};
use crate::model::system::{At, Rates};
use crate::numbers::scalar::Scalar;

struct Drawn<'a, S: Composite> {
    asked: &'a Asked<'a, S>,
    sums: &'a [S::Real],
    rest: &'a mut [S::Real],
}

impl<S: Composite> OnParts<S> for Drawn<'_, S> {
    fn part<E: Element<S>>(&mut self, number: usize) {
        let Some(part) = self.asked.system.topology().parts.get(number) else { return };
        let (drawn, shown) = (part.spec.drawn(), part.spec.form.shown);
        if drawn == 0 {
            return;
        }
        self.asked.members::<E>(number, |_, element, local| {
            let Some((own, rest)) = core::mem::take(&mut self.rest).split_at_mut_checked(drawn) else { return };
            with_sums::<S, E>(shown, element, self.sums).picture(local.at(self.asked.at.t), local.rates(), own);
            self.rest = rest;
        });
    }
}

/// [`Pictured::picture`](crate::Pictured::picture) of the whole.
pub fn picture<S: Composite>(system: &S, at: At<'_, S>, rates: Rates<'_, S>, out: &mut Vec<S::Real>) {
    out.fill(S::Real::ZERO);
    let asked = &Asked { system, at, rates };
    S::each_part(&mut Drawn { asked, sums: &asked.sums(), rest: out });
}

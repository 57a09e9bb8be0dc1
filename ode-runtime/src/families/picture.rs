//! What a model made of elements shows: the figures of each member of each part.

use std::vec::Vec;

use crate::families::composite::{Composite, Element, OnParts};
use crate::families::names;
use crate::families::outputs::{Asked, with_sums};
use crate::families::placed::Part;
use crate::model::picture::Figure;
use crate::model::system::{At, Rates};
use crate::numbers::scalar::Scalar;

/// The figures of all parts, member by member, with their numbers among those of the whole.
pub(super) fn figures(parts: &[Part]) -> Vec<Figure<&'static str>> {
    let (mut all, mut first) = (Vec::new(), 0);
    for part in parts {
        let (spec, mut named) = (&part.spec, Vec::new());
        let templates = spec.form.figures.iter().map(|figure| figure.name);
        names::extend(&mut named, templates, (0..spec.rounds()).map(|member| part.tuple(member)));
        let members = named.chunks(spec.form.figures.len().max(1));
        for names in members {
            for (figure, &name) in spec.form.figures.iter().zip(names) {
                all.push(Figure { name, first: first + figure.first, ..*figure });
            }
            first += spec.drawn();
        }
    }
    all
}

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

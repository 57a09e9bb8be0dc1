//! The figures of a model made of elements: those of each member of each part.

use std::vec::Vec;

use crate::families::names;
use crate::families::placed::Part;
use crate::model::picture::Figure;

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

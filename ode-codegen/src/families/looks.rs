//! What `#[model(show)]` draws of each element: bodies and springs where they stand, and each point once.

use super::element::{Element, Whole};
use super::loops::Loop;
use super::mentions;
use crate::identifier::bare;
use crate::parse::ast;
use ast::{Item, Kind, Look, Points};

/// Tells the elements, that beside the loops and those of the loops, what they draw where nothing is shown.
pub(super) fn given(whole: &Whole<'_>, loops: &[Loop], elements: &mut [Element]) {
    let is_figure = |item: &Item| matches!(item.kind, Kind::Show(_));
    let own = whole.pieces.iter().flat_map(|piece| piece.items).chain(loops.iter().flat_map(|each| &each.items));
    let shows = own.flat_map(Item::flat).any(is_figure);
    let mut drawn = Vec::new();
    let looks = loops.iter().map(|each| match &each.sub {
        Some(sub) => Points::Sub(bare(sub)),
        None => Points::Members(members(whole, each, &mut drawn)),
    });
    let looks: Vec<Points> = [Points::All].into_iter().chain(looks).collect();
    for (element, points) in elements.iter_mut().zip(looks) {
        element.model.options.show = true;
        element.model.look = Look { shows, points };
    }
}

/// The coordinates that a loop over all members of their set reads, with the place of the member: those of the first
/// such loop.
fn members(whole: &Whole<'_>, each: &Loop, drawn: &mut Vec<String>) -> Vec<(String, usize)> {
    let Some(own) = each.over_all().filter(|_| each.sum.is_none()) else { return Vec::new() };
    let read = mentions::values(&each.body);
    let fields = whole.fields.iter().filter(|field| !field.is_state && field.set == Some(own.set));
    let mut found = Vec::new();
    for name in fields.map(|field| bare(&field.name)) {
        if read.contains(&name) && !drawn.contains(&name) {
            drawn.push(name.clone());
            found.extend(each.place(&own.ident).map(|place| (name, place)));
        }
    }
    found
}

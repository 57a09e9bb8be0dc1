//! The texts of elements.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;

use super::bindings;
use super::element::{Element, Given, Outputs, Slot, Whole};
use super::held::Starts;
use super::loops::{Loop, Sum};
use super::pieces::Sums;
use super::reading::{ElementBody, counted, given_by, made};
use super::rows::Rows;
use super::subs::Part;
use super::text::model;
use super::{indices, looks};
use crate::diagnostics::{Errors, Message};
use crate::identifier::bare;
use crate::model::Hold;
use crate::parse::ast;
use ast::{Item, Kind, Role};

/// What stands beside the loops, each loop, and the terms of rows beside sums.
pub(super) fn elements(whole: &Whole<'_>, loops: &[Loop], rows: &[Rows], errors: &mut Errors) -> Vec<Element> {
    // the first sum of a constraint has its rows
    let owner = |of: usize| loops.iter().position(|each| each.sum == Some(Sum::Rows(of))).map(|k| k + 1);
    let numbered = loops.iter().zip(whole.starts).enumerate();
    let of_loops = numbered.filter_map(|(k, (each, starts))| {
        let made = element(whole, &format!("Part{}", k + 1), each, starts);
        let shared = match each.sum {
            Some(Sum::Rows(of)) => owner(of),
            _ => None,
        };
        made.map(|made| sharing(made, shared)).map_err(|message| errors.report(message)).ok()
    });
    let mut all: Vec<Element> = [beside(whole)].into_iter().chain(of_loops).collect();
    if whole.ast.options.show {
        looks::given(whole, loops, &mut all);
    }
    for (of, text) in rows.iter().enumerate().filter_map(|(of, rows)| Some((of, rows.beside.clone()?))) {
        let made = made(whole, &format!("Part{}", all.len()), ElementBody::of(text), None);
        all.push(sharing(made, owner(of)));
    }
    all
}

/// An element whose rows are those of another, or shared by its members.
fn sharing(mut element: Element, shared: Option<usize>) -> Element {
    element.model.adds = shared.map(|_| Hold::Position);
    Element { shared, ..element }
}

/// The model of everything but families. An input of each member stands in it once: its bounds are those of all.
fn beside(whole: &Whole<'_>) -> Element {
    let &Whole { ast, pieces, fields, .. } = whole;
    let (mut items, mut given, mut inputs, mut modes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let own = pieces.iter().filter(|piece| piece.sums == Sums::None);
    for mut item in own.flat_map(|piece| piece.items.iter().cloned()) {
        match &mut item.kind {
            Kind::Set(_) | Kind::Each(_) => continue,
            Kind::Sub(sub) => match whole.part(&sub.name).filter(|part| part.set.is_none()) {
                Some(part) => {
                    given.extend(given_by(part, Role::Param, None));
                    modes.extend(given_by(part, Role::Mode, None));
                }
                None => continue,
            },
            Kind::Declare(d) => {
                d.names.retain(|name| name.over.is_none() || d.role == Role::Input);
                d.names.iter_mut().for_each(|name| name.over = None);
                if d.names.is_empty() {
                    continue;
                }
                let from = d.names.iter().map(|name| Given::of(&name.ident, None));
                match d.role {
                    Role::Param => given.extend(from.filter(|given| !ast.options.freeze.holds(&given.name))),
                    Role::Input => inputs.extend(from),
                    Role::Mode => modes.extend(from),
                    _ => {}
                }
            }
            _ => {}
        }
        items.push(item);
    }
    let ordinary = fields.iter().enumerate().filter(|(_, field)| field.set.is_none());
    let slots = ordinary.map(|(field, _)| Slot { field, end: None }).collect();
    let mut model = model(ast, "Part0", items);
    let algebraic = fields.iter().filter(|field| field.set.is_none() && field.has_laws());
    model.determined = algebraic.map(|field| (bare(&field.name), None)).collect();
    model.balanced = whole.balanced(None);
    counted(whole, Element { model, slots, given, inputs, modes, ..Element::default() })
}

/// The outputs that read sums, `text` with these in place.
pub(super) fn of_sums(whole: &Whole<'_>, name: &str, text: TokenStream, sums: Vec<Item>) -> Element {
    let mut element = made(whole, name, ElementBody::of(text), None);
    element.model.items.extend(sums);
    Element { outputs: Outputs::OfSums, ..element }
}

fn element(whole: &Whole<'_>, name: &str, each: &Loop, starts: &Starts) -> Result<Element, Message> {
    let own = indices::numbered(&each.body, &|name| each.place(name), whole.families);
    let mut body = ElementBody::of([starts.before.clone(), own, starts.after.clone()].into_iter().collect());
    // what a sub is bound to may read other subs, and members that the loop has no name for yet: so each sub has a
    // count of the members that its bindings are read for
    let (mut around, mut bound) = (each.clone(), BTreeMap::new());
    loop {
        let needed = body.needed(whole, each.sub.as_ref());
        let done = |part: &Part<'_>| bound.get(&part.name()).copied().unwrap_or(0);
        let count = |part: &Part<'_>| part.set.map_or(0, |set| around.ends(set).len());
        let asked = |part: &&Part<'_>| needed.contains(&part.name()) && done(part) < count(part);
        let Some(part) = whole.parts.iter().find(asked) else { break };
        let places = done(part)..count(part);
        bound.insert(part.name(), places.end);
        let text = bindings::read_in(&mut around, part, places, whole.bindings, (whole.sets, whole.families))?;
        body.extend(ElementBody::of(text));
    }
    let outputs = if each.sum == Some(Sum::Output) { Outputs::Sum } else { Outputs::Each };
    Ok(Element { outputs, ..made(whole, name, body, Some(&around)) })
}

//! What an element reads of the whole: the declarations, `let`s and subs that its text names.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};

use super::element::{Element, Given, Slot, Whole};
use super::fields::moves;
use super::loops::{Loop, Name};
use super::pieces::{PULLED, Piece, Sums, root};
use super::subs::{Inner, Part};
use super::text::{list, model, number, of, repeated};
use super::{bindings, mentions, uses};
use crate::identifier::bare;
use crate::parse::{self, ast};
use ast::{Declare, Item, Kind, Role};

/// The text of an element.
pub(super) struct ElementBody {
    items: Vec<Item>,
    /// the names in it
    names: BTreeSet<String>,
}

impl ElementBody {
    pub(super) fn of(text: TokenStream) -> Self {
        Self { names: mentions::names(&text), items: parse::again(text).items }
    }

    /// With what stands behind it.
    pub(super) fn extend(&mut self, Self { items, names }: Self) {
        self.items.extend(items);
        self.names.extend(names);
    }

    /// The names that it reads, and those that these read. Its own `let`s hide those outside.
    pub(super) fn needed(&self, whole: &Whole<'_>, own: Option<&Ident>) -> BTreeSet<String> {
        let mut needed = self.names.clone();
        for item in &self.items {
            if let Kind::Let(own) = &item.kind {
                needed.remove(&bare(&own.name));
            }
        }
        if let Some(own) = own.and_then(|own| whole.part(own)) {
            needed.insert(own.name());
            needed.extend(PULLED.iter().filter(|_| own.heavy).map(|word| (*word).to_owned()));
        }
        loop {
            let before = needed.len();
            for Meaning { words, reads } in whole.meanings {
                if words.iter().any(|name| needed.contains(name)) {
                    needed.extend(reads.iter().cloned());
                }
            }
            if needed.len() == before {
                return needed;
            }
        }
    }
}

/// The words that mean a piece, and the names that it reads.
pub(super) struct Meaning {
    words: Vec<String>,
    reads: BTreeSet<String>,
}

impl Meaning {
    pub(super) fn of(piece: &Piece<'_>) -> Self {
        let words = piece.meant_by();
        // nothing asks for what has no name
        let reads = if words.is_empty() { BTreeSet::new() } else { piece.reads() };
        Self { words, reads }
    }
}

/// The model of a text with what it reads of the whole.
pub(super) fn made(whole: &Whole<'_>, name: &str, body: ElementBody, around: Option<&Loop>) -> Element {
    counted(whole, named(whole, name, body, around))
}

/// An element with the lengths that its items read, as parameters behind the others.
pub(super) fn counted(whole: &Whole<'_>, mut element: Element) -> Element {
    let items = element.model.items.iter().flat_map(Item::flat).cloned().collect::<Vec<_>>();
    let read = mentions::values(&uses::read_in(&items, &TokenStream::new()));
    let read = whole.ast.lengths.params.iter().map(|length| &length.ident).filter(|name| read.contains(&bare(name)));
    element.model.counts = read.cloned().collect();
    let lengths = element.model.counts.iter().map(|name| number(name, whole.ast.is_measured()));
    element.model.items.extend(lengths.collect::<Vec<_>>());
    element
}

/// The model of a text with the names that it reads of the whole.
fn named(whole: &Whole<'_>, name: &str, body: ElementBody, around: Option<&Loop>) -> Element {
    let own = around.and_then(|around| around.sub.as_ref());
    let needed = body.needed(whole, own);
    let heavy = PULLED.iter().any(|word| needed.contains(*word));
    let mut read = Read { whole, around, needed: &needed, element: Element::default(), items: Vec::new() };
    // names of sums are known to what is looked at, whose text has them
    let known = whole.pieces.iter().filter(|piece| piece.sums != Sums::Named);
    for item in known.flat_map(|piece| piece.items) {
        match &item.kind {
            Kind::Declare(d) if d.role != Role::Output => read.declared(item),
            Kind::Sub(sub) if needed.contains(&bare(&sub.name)) => read.sub(item.clone()),
            Kind::Bind(bind) if root(&bind.target).is_some_and(|name| needed.contains(&bare(&name))) => {
                read.items.push(item.clone());
            }
            Kind::For(each) if each.any(|kind| matches!(kind, Kind::Bind(_))) => {
                let mut each = each.clone();
                bindings::alone(&mut each.items, &needed);
                each.texts.clear();
                read.items.push(Item { kind: Kind::For(each), ..item.clone() });
            }
            Kind::Let(ast::Let { name, .. })
            | Kind::Function(ast::Function { name, .. })
            | Kind::External(ast::External { name, .. })
                if needed.contains(&bare(name)) =>
            {
                read.items.push(item.clone());
            }
            Kind::Unit(_) => read.items.push(item.clone()),
            Kind::Gravity(_) if heavy => read.items.push(item.clone()),
            _ => {}
        }
    }
    let Read { mut element, mut items, .. } = read;
    items.extend(body.items);
    element.slots.sort_by_key(|slot| whole.fields.get(slot.field).map(|field| field.rank()));
    element.set = around.map(|around| around.set);
    element.is_of_sub = own.is_some();
    if let Some(around) = around {
        let members = whole.families.iter().map(|(name, &set)| (name.clone(), around.ends(set)));
        element.members = members.chain(element.subs.iter().cloned()).collect();
        // the items of a sub are not written in a loop, so its member has no name
        let written = |name: &Name| if element.is_of_sub { "i".to_owned() } else { name.ident.to_string() };
        element.names = around.names.iter().map(|name| (name.end, written(name))).collect();
    }
    let mut model = model(whole.ast, name, items);
    model.determined = around.map_or_else(Vec::new, |around| whole.determined(around));
    model.balanced = whole.balanced(around);
    model.repeated = around.is_some();
    Element { model, ..element }
}

/// What an element reads of the whole.
struct Read<'a> {
    whole: &'a Whole<'a>,
    /// its loop; `None` of what stands beside all loops
    around: Option<&'a Loop>,
    /// the names that it reads
    needed: &'a BTreeSet<String>,
    /// where its numbers come from
    element: Element,
    items: Vec<Item>,
}

impl Read<'_> {
    /// The entries of tuples that run over a set.
    fn ends(&self, set: usize) -> Vec<usize> {
        self.around.map_or_else(Vec::new, |around| around.ends(set))
    }

    /// The number of a field; `None` of no field, which then has no slot.
    fn field(&self, name: &Ident) -> Option<usize> {
        self.whole.fields.iter().position(|field| field.name == *name)
    }

    /// Declared names, those of families as lists.
    fn declared(&mut self, item: &Item) {
        let Kind::Declare(d) = &item.kind else { return };
        for name in &d.names {
            let set = name.over.as_ref().and_then(|over| self.whole.sets.iter().position(|set| set.name == over));
            let known = [Some(&name.ident), name.velocity.as_ref()].into_iter().flatten().map(bare);
            // all elements have all ordinary inputs, which are then copied once
            let shared = d.role == Role::Input && set.is_none();
            if !shared && !known.into_iter().any(|name| self.needed.contains(&name)) {
                continue;
            }
            let of_members = set.map(|set| self.ends(set));
            let ty = match of_members.as_ref().map(Vec::len) {
                None => d.ty.clone(),
                Some(0) => continue,
                Some(count) => list(&d.ty, count),
            };
            // a constant, which all members have
            let frozen = d.role == Role::Param && self.whole.ast.options.freeze.holds(&name.ident);
            let value = match (&d.value, of_members.as_ref().map(Vec::len)) {
                (Some(value), Some(count)) if frozen => repeated(value, count),
                (value, None) => value.clone(),
                _ => None,
            };
            match d.role {
                Role::Coord | Role::State | Role::Algebraic => {
                    let Some(field) = self.field(&name.ident) else { continue };
                    let each = of_members.map_or(vec![None], |ends| ends.into_iter().map(Some).collect());
                    self.element.slots.extend(each.into_iter().map(|end| Slot { field, end }));
                }
                Role::Param if frozen => {}
                Role::Param => self.element.given.push(Given::of(&name.ident, of_members)),
                Role::Input => self.element.inputs.push(Given::of(&name.ident, of_members)),
                Role::Mode => self.element.modes.push(Given::of(&name.ident, of_members)),
                _ => {}
            }
            let name = ast::Name { ident: name.ident.clone(), velocity: name.velocity.clone(), over: None };
            let declare = Declare { role: d.role, names: vec![name], ty, unit: d.unit.clone(), range: None, value };
            self.items.push(of(item, Kind::Declare(declare)));
        }
    }

    /// A sub, of members as a list. Only the loop of its own reads its items.
    fn sub(&mut self, mut item: Item) {
        let Kind::Sub(sub) = &mut item.kind else { return };
        let Some(part) = self.whole.part(&sub.name) else { return };
        let places = match part.set {
            None => vec![None],
            Some(set) => self.ends(set).into_iter().map(Some).collect(),
        };
        if places.is_empty() {
            return;
        }
        for (place, &end) in places.iter().enumerate() {
            for inner in part.inner.iter().filter(|inner| moves(inner.declare.role)) {
                let field = self.field(&part.spelled(inner, &inner.name.ident));
                self.element.slots.extend(field.map(|field| Slot { field, end }));
            }
            let at = end.map(|end| (place, end));
            self.element.given.extend(given_by(part, Role::Param, at));
            self.element.modes.extend(given_by(part, Role::Mode, at));
        }
        if part.set.is_some() {
            self.element.subs.push((part.name(), places.iter().flatten().copied().collect()));
        }
        let own = self.around.and_then(|around| around.sub.as_ref());
        placed(sub, places.len(), own == Some(&sub.name));
        self.items.push(item);
    }
}

/// Where the parameters or modes of a sub come from, of one at a place of the element's list and an entry of the tuple.
pub(super) fn given_by(part: &Part<'_>, role: Role, at: Option<(usize, usize)>) -> Vec<Given> {
    let all = part.inner.iter().filter(|inner| inner.declare.role == role);
    let one = |inner: &Inner<'_>| Given {
        own: part.placed(inner, at.map(|(place, _)| place)),
        name: part.spelled(inner, &inner.name.ident),
        ends: at.map(|(_, end)| vec![end]),
        listed: false,
    };
    all.map(one).collect()
}

/// A sub in the text of an element: of members a list of them, of which the items are read in one element.
pub(super) fn placed(sub: &mut ast::Sub, places: usize, is_own: bool) {
    if sub.over.is_some() {
        sub.count = Some(places);
    }
    sub.declared = !is_own;
}

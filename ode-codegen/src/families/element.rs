//! The texts of elements.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};

use super::held::Starts;
use super::loops::Loop;
use super::pieces::{PULLED, Piece};
use super::{Families, Set, indices, mentions};
use crate::identifier::{bare, identifier};
use crate::model::SetLengths;
use crate::parse::{self, ast};
use ast::{Declare, Item, Kind, Role, Type, TypeKind};

/// A coordinate or state of the whole.
pub struct Field {
    /// its name
    pub name: Ident,
    /// the name of its velocity
    pub velocity: Option<Ident>,
    /// the set that has one for each member; `None` of an ordinary one
    pub set: Option<usize>,
    /// it is a state
    pub is_state: bool,
    /// the model of this one alone
    pub(crate) alone: ast::Model,
}

/// A small model.
pub struct Element {
    /// its text
    pub(crate) model: ast::Model,
    /// the set of its loop; `None` of what stands beside all loops
    pub set: Option<usize>,
    /// what its outputs are
    pub outputs: Outputs,
    /// its coordinates, and then its states, in the order of the element's own
    pub slots: Vec<Slot>,
    /// where its parameters come from, in the order of the element's own
    pub given: Vec<Given>,
    /// where its inputs come from
    pub inputs: Vec<Given>,
}

/// What the outputs of an element are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outputs {
    /// one of each member
    Each,
    /// a sum over the members, which is read and not shown
    Sum,
    /// read these sums: the last parameters
    OfSums,
}

/// A coordinate or state of an element.
pub struct Slot {
    /// that of the whole
    pub field: usize,
    /// the entry of the tuple that says of which member
    pub end: Option<usize>,
}

/// A parameter or an input of an element.
pub struct Given {
    /// its name, also that of the whole's
    pub name: Ident,
    /// the entries of the tuple that say of which members; `None` of an ordinary one
    pub ends: Option<Vec<usize>>,
}

/// The coordinates of the whole, and then its states.
pub(super) fn fields(ast: &ast::Model, pieces: &[Piece], sets: &[Set<'_>]) -> Vec<Field> {
    let mut fields = Vec::new();
    for item in pieces.iter().flat_map(|piece| &piece.items) {
        let Kind::Declare(d) = &item.kind else { continue };
        for name in d.names.iter().filter(|_| moves(d.role)) {
            let set = name.over.as_ref().and_then(|over| sets.iter().position(|set| set.name == over));
            let declare = Declare {
                role: d.role,
                names: vec![ast::Name { ident: name.ident.clone(), velocity: name.velocity.clone(), over: None }],
                ty: if set.is_some() { list(&d.ty, 1) } else { d.ty.clone() },
                unit: d.unit.clone(),
                range: None,
                value: None,
            };
            let items = units(pieces).chain([of(item, Kind::Declare(declare))]).collect();
            let alone = model(ast, &format!("Field{}", fields.len()), items);
            let is_state = d.role == Role::State;
            fields.push(Field { name: name.ident.clone(), velocity: name.velocity.clone(), set, is_state, alone });
        }
    }
    fields.sort_by_key(|field| field.is_state);
    fields
}

/// Is it among the unknowns?
fn moves(role: Role) -> bool {
    matches!(role, Role::Coord | Role::State)
}

/// The parameters of the whole, each as that of one member, with their sets.
pub(super) fn params(ast: &ast::Model, pieces: &[Piece], sets: &[Set<'_>]) -> (ast::Model, Vec<Option<usize>>) {
    let (mut items, mut over): (Vec<Item>, _) = (units(pieces).collect(), Vec::new());
    for mut item in pieces.iter().flat_map(|piece| parse::again(piece.tokens.clone())) {
        let Kind::Declare(d) = &mut item.kind else { continue };
        if d.role != Role::Param {
            continue;
        }
        for name in &mut d.names {
            let set = name.over.take();
            over.push(set.and_then(|over| sets.iter().position(|set| set.name == &over)));
        }
        items.push(item);
    }
    (model(ast, "Params", items), over)
}

/// A model taken apart, of which elements are made.
pub(super) struct Whole<'a> {
    pub(super) ast: &'a ast::Model,
    pub(super) pieces: &'a [Piece],
    pub(super) fields: &'a [Field],
    pub(super) sets: &'a [Set<'a>],
    pub(super) families: &'a Families,
    /// what each loop reads of others
    pub(super) starts: &'a [Starts],
}

/// What stands beside the loops, and each loop.
pub(super) fn elements(whole: &Whole<'_>, loops: &[Loop]) -> Vec<Element> {
    let numbered = loops.iter().zip(whole.starts).enumerate();
    let of_loops = numbered.map(|(k, (each, starts))| element(whole, &format!("Part{}", k + 1), each, starts));
    [beside(whole)].into_iter().chain(of_loops).collect()
}

/// The model of everything but families. Of inputs that members have it holds one, whose bounds are those of all.
fn beside(&Whole { ast, pieces, fields, .. }: &Whole<'_>) -> Element {
    let (mut items, mut given, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
    let own = pieces.iter().filter(|piece| !piece.summed);
    for mut item in own.flat_map(|piece| parse::again(piece.tokens.clone())) {
        match &mut item.kind {
            Kind::Set(_) | Kind::Each(_) => continue,
            Kind::Declare(d) => {
                d.names.retain(|name| name.over.is_none() || d.role == Role::Input);
                d.names.iter_mut().for_each(|name| name.over = None);
                if d.names.is_empty() {
                    continue;
                }
                let from = d.names.iter().map(|name| Given { name: name.ident.clone(), ends: None });
                match d.role {
                    Role::Param => given.extend(from),
                    Role::Input => inputs.extend(from),
                    _ => {}
                }
            }
            _ => {}
        }
        items.push(item);
    }
    let ordinary = fields.iter().enumerate().filter(|(_, field)| field.set.is_none());
    let slots = ordinary.map(|(field, _)| Slot { field, end: None }).collect();
    Element { model: model(ast, "Part0", items), set: None, outputs: Outputs::Each, slots, given, inputs }
}

/// The outputs that read sums, `text` with these in place.
pub(super) fn of_sums(whole: &Whole<'_>, name: &str, text: TokenStream, sums: Vec<Item>) -> Element {
    let mut element = made(whole, name, text, &|_| Vec::new(), None);
    element.model.items.extend(sums);
    Element { outputs: Outputs::OfSums, ..element }
}

fn element(whole: &Whole<'_>, name: &str, each: &Loop, starts: &Starts) -> Element {
    let own = indices::numbered(&each.body, &|name| each.place(name), whole.families);
    let body = [starts.before.clone(), own, starts.after.clone()].into_iter().collect();
    let outputs = if each.summed { Outputs::Sum } else { Outputs::Each };
    Element { outputs, ..made(whole, name, body, &|set| each.ends(set), Some(each.set)) }
}

/// The model of a text with what it reads of the whole. `ends` are the entries of tuples that run over a set.
fn made(
    whole: &Whole<'_>,
    name: &str,
    body: TokenStream,
    ends: &dyn Fn(usize) -> Vec<usize>,
    set: Option<usize>,
) -> Element {
    let &Whole { ast, pieces, fields, sets, .. } = whole;
    let needed = needed(pieces, &body);
    let (mut items, mut given, mut inputs, mut slots) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let heavy = PULLED.iter().any(|word| needed.contains(*word));
    for item in pieces.iter().flat_map(|piece| parse::again(piece.tokens.clone())) {
        match &item.kind {
            Kind::Declare(d) if d.role != Role::Output => {
                for name in &d.names {
                    let set = name.over.as_ref().and_then(|over| sets.iter().position(|set| set.name == over));
                    let known = [Some(&name.ident), name.velocity.as_ref()].into_iter().flatten().map(bare);
                    // all elements have all ordinary inputs, which are then copied once
                    let shared = d.role == Role::Input && set.is_none();
                    if !shared && !known.into_iter().any(|name| needed.contains(&name)) {
                        continue;
                    }
                    let of_members = set.map(ends);
                    let ty = match of_members.as_ref().map(Vec::len) {
                        None => d.ty.clone(),
                        Some(0) => continue,
                        Some(count) => list(&d.ty, count),
                    };
                    match d.role {
                        Role::Coord | Role::State => {
                            let field = fields.iter().position(|field| field.name == name.ident).unwrap_or_default();
                            let each = of_members.map_or(vec![None], |ends| ends.into_iter().map(Some).collect());
                            slots.extend(each.into_iter().map(|end| Slot { field, end }));
                        }
                        Role::Param => given.push(Given { name: name.ident.clone(), ends: of_members }),
                        Role::Input => inputs.push(Given { name: name.ident.clone(), ends: of_members }),
                        _ => {}
                    }
                    let name = ast::Name { ident: name.ident.clone(), velocity: name.velocity.clone(), over: None };
                    let value = d.value.clone().filter(|_| set.is_none());
                    let declare =
                        Declare { role: d.role, names: vec![name], ty, unit: d.unit.clone(), range: None, value };
                    items.push(of(&item, Kind::Declare(declare)));
                }
            }
            Kind::Let(ast::Let { name, .. })
            | Kind::Function(ast::Function { name, .. })
            | Kind::External(ast::External { name, .. })
                if needed.contains(&bare(name)) =>
            {
                items.push(item);
            }
            Kind::Unit(_) => items.push(item),
            Kind::Gravity(_) if heavy => items.push(item),
            _ => {}
        }
    }
    items.extend(parse::again(body));
    slots.sort_by_key(|slot| fields.get(slot.field).is_some_and(|field| field.is_state));
    Element { model: model(ast, name, items), set, outputs: Outputs::Each, slots, given, inputs }
}

/// The names that a body reads, and those that these read. Its own `let`s hide those outside.
fn needed(pieces: &[Piece], body: &TokenStream) -> BTreeSet<String> {
    let mut needed = mentions::names(body);
    for item in parse::again(body.clone()) {
        if let Kind::Let(own) = &item.kind {
            needed.remove(&bare(&own.name));
        }
    }
    loop {
        let before = needed.len();
        for piece in pieces {
            if piece.meant_by().iter().any(|name| needed.contains(name)) {
                needed.extend(mentions::names(&piece.tokens));
            }
        }
        if needed.len() == before {
            return needed;
        }
    }
}

/// Declared units, which any text may read.
fn units(pieces: &[Piece]) -> impl Iterator<Item = Item> + '_ {
    let items = pieces.iter().flat_map(|piece| parse::again(piece.tokens.clone()));
    items.filter(|item| matches!(item.kind, Kind::Unit(_)))
}

/// `[X; n]`
fn list(ty: &Type, count: usize) -> Type {
    Type { kind: TypeKind::Array(count, Box::new(ty.kind.clone())), tokens: ty.tokens.clone() }
}

/// Another kind with the notes of an item.
fn of(item: &Item, kind: Kind) -> Item {
    let keyword = item.keyword.clone();
    Item { docs: item.docs.clone(), allows: item.allows.clone(), keyword, port: false, tangent: None, kind }
}

/// A hidden model with the options of the whole.
fn model(ast: &ast::Model, name: &str, items: Vec<Item>) -> ast::Model {
    let whole = ast.name.as_ref().map_or_else(String::new, bare);
    let span = ast.name.as_ref().map_or_else(Span::call_site, Ident::span);
    let mut options = ast.options.clone();
    options.derives.clear();
    options.storage = None;
    options.show = false;
    ast::Model {
        docs: Vec::new(),
        attrs: Vec::new(),
        options,
        allows: ast.allows.clone(),
        vis: ast.vis.clone(),
        name: Some(identifier(&format!("__{whole}{name}"), span)),
        scalar: ast.scalar.clone(),
        lengths: SetLengths::default(),
        items,
        tokens: TokenStream::new(),
        children: Vec::new(),
        element: true,
        measured: ast.measured,
    }
}

//! The texts of elements.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream};

use super::bindings::{self, Binding};
use super::held::Starts;
use super::loops::Loop;
use super::pieces::{PULLED, Piece, root};
use super::subs::{Inner, Part};
use super::{Families, Set, indices, mentions};
use crate::diagnostics::{Errors, Message};
use crate::identifier::{bare, identifier};
use crate::model::{Model, Param};
use crate::parse::sub::is_constant;
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
    /// as it is shown, with `#0` for the number of a member: `x[#0]`, `leg[#0].x`
    pub(crate) shown: String,
    /// the model of this one alone
    pub(crate) alone: ast::Model,
    /// what stands in names of that model, and what in those of the whole
    spelled: Vec<(String, String)>,
}

impl Field {
    /// A name of the model of this one alone as the whole shows it.
    pub(crate) fn template(&self, name: &str) -> String {
        let found = self.spelled.iter().find(|(own, _)| name.contains(own.as_str()));
        found.map_or_else(|| name.to_owned(), |(own, shown)| name.replacen(own.as_str(), shown, 1))
    }
}

/// A small model.
#[derive(Default)]
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
    /// the subs of members in it, with the entries of the tuple that say of which members
    subs: Vec<(String, Vec<usize>)>,
}

impl Element {
    /// The sub of members that a name begins with, the entry of the tuple that says of which member, and the rest.
    fn of_sub<'n>(&self, name: &'n str) -> Option<(&str, usize, &'n str)> {
        self.subs.iter().find_map(|(sub, ends)| {
            let (place, rest) = name.strip_prefix(sub.as_str())?.strip_prefix('[')?.split_once(']')?;
            Some((sub.as_str(), *ends.get(place.parse::<usize>().ok()?)?, rest))
        })
    }

    /// A name of the element as the whole shows it: `rod.x` of a member is `rod[#0].x`, and `leg[1].foot` is that of
    /// the member, `leg[#2].foot`.
    pub(crate) fn template(&self, name: &str) -> String {
        let of_fix = name.strip_prefix("fix ");
        if let Some((sub, end, rest)) = self.of_sub(of_fix.unwrap_or(name)) {
            return format!("{}{sub}[#{end}]{rest}", if of_fix.is_some() { "fix " } else { "" });
        }
        if self.set.is_none() {
            return name.to_owned();
        }
        let (label, rest) = name.split_at(name.find(['.', '[']).unwrap_or(name.len()));
        format!("{label}[#0]{rest}")
    }

    /// The same without a number, for a name of Rust: `leg.foot`.
    pub(crate) fn plain(&self, name: &str) -> String {
        self.of_sub(name).map_or_else(|| name.to_owned(), |(sub, _, rest)| format!("{sub}{rest}"))
    }
}

/// What the outputs of an element are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outputs {
    /// one of each member
    #[default]
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
    /// its name
    pub own: Ident,
    /// that of the whole's
    pub name: Ident,
    /// the entries of the tuple that say of which members; `None` of an ordinary one
    pub ends: Option<Vec<usize>>,
    /// it is a list of these members, not the one
    pub listed: bool,
}

impl Given {
    /// One that is called as in the whole.
    fn of(name: &Ident, ends: Option<Vec<usize>>) -> Self {
        let listed = ends.is_some();
        Self { own: name.clone(), name: name.clone(), ends, listed }
    }
}

/// The coordinates of the whole, and then its states.
pub(super) fn fields(ast: &ast::Model, pieces: &[Piece], sets: &[Set<'_>], parts: &[Part<'_>]) -> Vec<Field> {
    let mut fields = Vec::new();
    for item in pieces.iter().flat_map(|piece| &piece.items) {
        match &item.kind {
            Kind::Declare(declare) if moves(declare.role) => {
                for name in &declare.names {
                    let set = name.over.as_ref().and_then(|over| sets.iter().position(|set| set.name == over));
                    let shown = |name: &Ident| bare(name) + if set.is_some() { "[#0]" } else { "" };
                    let spelled = [Some(&name.ident), name.velocity.as_ref()];
                    let spelled = spelled.map(|name| name.map(|name| (name.clone(), shown(name))));
                    fields.push(field(ast, fields.len(), Whose { declare, item, of: ast, set }, spelled));
                }
            }
            Kind::Sub(sub) => {
                let Some(part) = parts.iter().find(|part| part.sub.name == sub.name) else { continue };
                for inner in part.inner.iter().filter(|inner| moves(inner.declare.role)) {
                    let Inner { declare, item, of, name, .. } = *inner;
                    let spelled = [Some(&name.ident), name.velocity.as_ref()];
                    let spelled = spelled.map(|name| Some((part.spelled(inner, name?), part.shown(inner, name?))));
                    fields.push(field(ast, fields.len(), Whose { declare, item, of, set: part.set }, spelled));
                }
            }
            _ => {}
        }
    }
    fields.sort_by_key(|field| field.is_state);
    fields
}

/// Where a field is declared.
struct Whose<'a> {
    declare: &'a Declare,
    item: &'a Item,
    /// the model that declares it
    of: &'a ast::Model,
    set: Option<usize>,
}

/// A field of these names: of itself and of its velocity, each with what is shown.
fn field(ast: &ast::Model, number: usize, whose: Whose<'_>, names: [Option<(Ident, String)>; 2]) -> Field {
    let Whose { declare: d, item, of: from, set } = whose;
    let mut spelled = Vec::new();
    for (own, shown) in names.iter().flatten() {
        spelled.push((bare(own) + if set.is_some() { "[0]" } else { "" }, shown.clone()));
    }
    let [name, velocity] = names;
    let (name, shown) = name.unwrap_or_else(|| (item.keyword.clone(), String::new()));
    let velocity = velocity.map(|(velocity, _)| velocity);
    let declare = Declare {
        role: d.role,
        names: vec![ast::Name { ident: name.clone(), velocity: velocity.clone(), over: None }],
        ty: if set.is_some() { list(&d.ty, 1) } else { d.ty.clone() },
        unit: d.unit.clone(),
        range: None,
        value: None,
    };
    let units = parse::pieces(super::body(from)).into_iter().flat_map(parse::again);
    let units = units.filter(|item| matches!(item.kind, Kind::Unit(_)));
    let items = units.chain([self::of(item, Kind::Declare(declare))]).collect();
    let mut alone = model(ast, &format!("Field{number}"), items);
    alone.options.units = from.options.units;
    Field { name, velocity, set, is_state: d.role == Role::State, shown, alone, spelled }
}

/// Is it among the unknowns?
fn moves(role: Role) -> bool {
    matches!(role, Role::Coord | Role::State)
}

/// The parameters of the whole, each as that of one member.
pub(super) fn params(ast: &ast::Model, pieces: &[Piece]) -> ast::Model {
    let (mut items, mut subs): (Vec<Item>, Vec<Item>) = (units(pieces).collect(), Vec::new());
    for mut item in pieces.iter().flat_map(|piece| parse::again(piece.tokens.clone())) {
        match &mut item.kind {
            Kind::Declare(d) if d.role == Role::Param => {
                d.names.iter_mut().for_each(|name| name.over = None);
                items.push(item);
            }
            // what an expression gives is no parameter, and is dropped when its name is known
            Kind::Sub(sub) => {
                sub.with.retain(|(_, value)| is_constant(value));
                placed(sub, 1, false);
                subs.push(item);
            }
            _ => {}
        }
    }
    items.extend(subs);
    let mut params = model(ast, "Params", items);
    let read = |kind: &Kind| match kind {
        Kind::Declare(d) => d.role == Role::Param,
        Kind::Let(_) | Kind::Function(_) | Kind::External(_) | Kind::Unit(_) | Kind::Sub(_) | Kind::Bind(_) => true,
        _ => false,
    };
    for child in params.children.iter_mut().filter_map(|child| child.model.as_mut()) {
        child.items.retain(|item| read(&item.kind));
    }
    params
}

/// Parameters under the names of the whole, with what is shown of them; their sets.
pub(super) fn named(params: &mut Model, families: &Families, parts: &[Part<'_>]) -> Vec<Option<usize>> {
    let mut known = BTreeMap::new();
    for part in parts {
        for inner in part.inner.iter().filter(|inner| inner.declare.role == Role::Param) {
            let own = part.placed(inner, part.set.map(|_| 0));
            let name = &inner.name.ident;
            known.insert(bare(&own), (part.spelled(inner, name), part.shown(inner, name), part.set));
        }
    }
    let given = |params: &Model, own: &Ident| params.nested(own) && !known.contains_key(&bare(own));
    let (mut all, mut over) = (std::mem::take(&mut params.declared.params), Vec::new());
    all.retain(|param| !given(params, &param.declared.ident));
    for Param { declared, .. } in &mut all {
        let (name, shown, set) = known.remove(&bare(&declared.ident)).unwrap_or_else(|| {
            let (name, set) = (declared.ident.clone(), families.get(&bare(&declared.ident)).copied());
            let shown = bare(&name) + if set.is_some() { "[#0]" } else { "" };
            (name, shown, set)
        });
        params.declared.shown.insert(bare(&name), shown);
        declared.ident = name;
        over.push(set);
    }
    params.declared.params = all;
    over
}

/// A model taken apart, of which elements are made.
pub(super) struct Whole<'a> {
    pub(super) ast: &'a ast::Model,
    pub(super) pieces: &'a [Piece],
    pub(super) fields: &'a [Field],
    pub(super) sets: &'a [Set<'a>],
    pub(super) families: &'a Families,
    pub(super) parts: &'a [Part<'a>],
    pub(super) bindings: &'a [Binding],
    /// what each loop reads of others
    pub(super) starts: &'a [Starts],
}

impl Whole<'_> {
    fn part(&self, name: &Ident) -> Option<&Part<'_>> {
        self.parts.iter().find(|part| part.sub.name == *name)
    }
}

/// What stands beside the loops, and each loop.
pub(super) fn elements(whole: &Whole<'_>, loops: &[Loop], errors: &mut Errors) -> Vec<Element> {
    let numbered = loops.iter().zip(whole.starts).enumerate();
    let of_loops = numbered.filter_map(|(k, (each, starts))| {
        let made = element(whole, &format!("Part{}", k + 1), each, starts);
        made.map_err(|message| errors.report(message)).ok()
    });
    [beside(whole)].into_iter().chain(of_loops).collect()
}

/// The model of everything but families. Of inputs that members have it holds one, whose bounds are those of all.
fn beside(whole: &Whole<'_>) -> Element {
    let &Whole { ast, pieces, fields, .. } = whole;
    let (mut items, mut given, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
    let own = pieces.iter().filter(|piece| !piece.summed);
    for mut item in own.flat_map(|piece| parse::again(piece.tokens.clone())) {
        match &mut item.kind {
            Kind::Set(_) | Kind::Each(_) => continue,
            Kind::Sub(sub) => match whole.part(&sub.name).filter(|part| part.set.is_none()) {
                Some(part) => given.extend(given_by(part, None)),
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
    Element { model: model(ast, "Part0", items), slots, given, inputs, ..Element::default() }
}

/// The outputs that read sums, `text` with these in place.
pub(super) fn of_sums(whole: &Whole<'_>, name: &str, text: TokenStream, sums: Vec<Item>) -> Element {
    let mut element = made(whole, name, text, None);
    element.model.items.extend(sums);
    Element { outputs: Outputs::OfSums, ..element }
}

fn element(whole: &Whole<'_>, name: &str, each: &Loop, starts: &Starts) -> Result<Element, Message> {
    let own = indices::numbered(&each.body, &|name| each.place(name), whole.families);
    let mut body: TokenStream = [starts.before.clone(), own, starts.after.clone()].into_iter().collect();
    // what a sub is bound to may read other subs
    let (mut around, mut bound) = (each.clone(), Vec::new());
    loop {
        let needed = needed(whole, &body, each.sub.as_ref());
        let asked = |part: &&Part<'_>| {
            let name = part.name();
            part.set.is_some_and(|set| !around.ends(set).is_empty()) && needed.contains(&name) && !bound.contains(&name)
        };
        let Some(part) = whole.parts.iter().find(asked) else { break };
        body.extend(bindings::read_in(&mut around, part, whole.bindings, (whole.sets, whole.families))?);
        bound.push(part.name());
    }
    let outputs = if each.summed { Outputs::Sum } else { Outputs::Each };
    Ok(Element { outputs, ..made(whole, name, body, Some(&around)) })
}

/// The model of a text with what it reads of the whole.
fn made(whole: &Whole<'_>, name: &str, body: TokenStream, around: Option<&Loop>) -> Element {
    let own = around.and_then(|around| around.sub.as_ref());
    let needed = needed(whole, &body, own);
    let heavy = PULLED.iter().any(|word| needed.contains(*word));
    let mut read = Read { whole, around, needed: &needed, element: Element::default(), items: Vec::new() };
    for mut item in whole.pieces.iter().flat_map(|piece| parse::again(piece.tokens.clone())) {
        match &mut item.kind {
            Kind::Declare(d) if d.role != Role::Output => read.declared(&item),
            Kind::Sub(sub) if needed.contains(&bare(&sub.name)) => read.sub(item),
            Kind::Bind(bind) if root(&bind.target).is_some_and(|name| needed.contains(&bare(&name))) => {
                read.items.push(item);
            }
            Kind::For(each) if each.any(|kind| matches!(kind, Kind::Bind(_))) => {
                bindings::alone(&mut each.items, &needed);
                read.items.push(item);
            }
            Kind::Let(ast::Let { name, .. })
            | Kind::Function(ast::Function { name, .. })
            | Kind::External(ast::External { name, .. })
                if needed.contains(&bare(name)) =>
            {
                read.items.push(item);
            }
            Kind::Unit(_) => read.items.push(item),
            Kind::Gravity(_) if heavy => read.items.push(item),
            _ => {}
        }
    }
    let Read { mut element, mut items, .. } = read;
    items.extend(parse::again(body));
    element.slots.sort_by_key(|slot| whole.fields.get(slot.field).is_some_and(|field| field.is_state));
    element.set = around.map(|around| around.set);
    Element { model: model(whole.ast, name, items), ..element }
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

    /// The number of a field.
    fn field(&self, name: &Ident) -> usize {
        self.whole.fields.iter().position(|field| field.name == *name).unwrap_or_default()
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
            match d.role {
                Role::Coord | Role::State => {
                    let field = self.field(&name.ident);
                    let each = of_members.map_or(vec![None], |ends| ends.into_iter().map(Some).collect());
                    self.element.slots.extend(each.into_iter().map(|end| Slot { field, end }));
                }
                Role::Param => self.element.given.push(Given::of(&name.ident, of_members)),
                Role::Input => self.element.inputs.push(Given::of(&name.ident, of_members)),
                _ => {}
            }
            let name = ast::Name { ident: name.ident.clone(), velocity: name.velocity.clone(), over: None };
            let value = d.value.clone().filter(|_| set.is_none());
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
                self.element.slots.push(Slot { field, end });
            }
            self.element.given.extend(given_by(part, end.map(|end| (place, end))));
        }
        if part.set.is_some() {
            self.element.subs.push((part.name(), places.iter().flatten().copied().collect()));
        }
        let own = self.around.and_then(|around| around.sub.as_ref());
        placed(sub, places.len(), own == Some(&sub.name));
        self.items.push(item);
    }
}

/// Where the parameters of a sub come from, of one at a place of the element's list and an entry of the tuple.
fn given_by(part: &Part<'_>, at: Option<(usize, usize)>) -> Vec<Given> {
    let params = part.inner.iter().filter(|inner| inner.declare.role == Role::Param);
    let one = |inner: &Inner<'_>| Given {
        own: part.placed(inner, at.map(|(place, _)| place)),
        name: part.spelled(inner, &inner.name.ident),
        ends: at.map(|(_, end)| vec![end]),
        listed: false,
    };
    params.map(one).collect()
}

/// A sub in the text of an element: of members a list of them, of which the items are read in one element.
fn placed(sub: &mut ast::Sub, places: usize, is_own: bool) {
    if sub.over.take().is_some() {
        sub.count = Some(places);
    }
    sub.declared = !is_own;
}

/// The names that a body reads, and those that these read. Its own `let`s hide those outside.
fn needed(whole: &Whole<'_>, body: &TokenStream, own: Option<&Ident>) -> BTreeSet<String> {
    let mut needed = mentions::names(body);
    for item in parse::again(body.clone()) {
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
        for piece in whole.pieces {
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
    let mut model = ast::Model {
        options,
        allows: ast.allows.clone(),
        vis: ast.vis.clone(),
        name: Some(identifier(&format!("__{whole}{name}"), span)),
        scalar: ast.scalar.clone(),
        items,
        element: true,
        ..ast::Model::default()
    };
    let children = model.parts().into_iter().filter_map(|sub| ast.child(sub)).map(parse::child_again);
    model.children = children.collect();
    model
}

//! A model with sets, taken apart: each loop over a set is a small model of its own, an element.
//!
//! In the text of an element a family is a list with one entry for each name of the loop: in `for e @ (i, j) in edges`,
//! `x[nodes]` is `x: [Vec3; 2]` and `k[edges]` is `k: [Real; 1]`, and `k[e]`, `x[i]`, `x[j]` are `k[0]`, `x[0]` and
//! `x[1]`. So an element goes the way of every model, with the user's tokens, and the code does not depend on the sets.
//! What stands beside the loops is an element too, of ordinary coordinates. A sum over a set is a loop with one hidden
//! output, and the outputs and figures that read sums are an element with these among its parameters, see `sums`. In a
//! constraint it is a loop that adds to rows which other elements have too, see `rows`.

mod bindings;
mod collisions;
mod declarations;
mod element;
mod elements;
mod fields;
mod held;
mod indices;
mod looks;
mod loops;
mod mentions;
mod names;
mod params;
mod pieces;
mod reading;
mod rows;
mod subs;
mod sums;
mod text;
mod uses;
mod written;

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};

use crate::diagnostics::{Errors, Id, Message, similar};
use crate::identifier::bare;
use crate::model::{Model, Storage};
use crate::parse::{self, ast};
use ast::{Declare, Kind};

pub(crate) use ast::{Length, Members};
use bindings::Binding;
pub(crate) use declarations::declarations;
pub use element::{Element, Given, Outputs, Slot};
pub use fields::Field;
use params::Over;
use pieces::Known;
use reading::Meaning;
use subs::Part;

/// A model with sets.
pub struct Family<'a> {
    /// its text
    pub(crate) ast: &'a ast::Model,
    /// its sets, in the order of the text
    pub sets: Vec<Set<'a>>,
    /// its coordinates, in the order of the text, and then its states
    pub fields: Vec<Field>,
    /// what stands beside the loops, and then each loop
    pub elements: Vec<Element>,
    /// the model of all parameters and modes, each that of one member
    pub(crate) params: ast::Model,
    /// their sets, once these are compiled
    pub(crate) over: Over,
    families: Families,
    parts: Vec<Part<'a>>,
    bindings: Vec<Binding>,
    /// the outputs that read sums, with names in place of these
    of_sums: TokenStream,
}

/// A set.
pub struct Set<'a> {
    /// its name
    pub name: &'a Ident,
    /// the doc comment
    pub(crate) docs: &'a [String],
    /// how many members there are, where the model says it
    pub length: Option<&'a Length>,
    /// the sets whose members one of its members joins
    pub of: Vec<usize>,
    /// its members where the builder gives no others
    pub members: Option<&'a Members>,
}

impl Set<'_> {
    /// What the model says of its members, of sets with these names.
    pub(crate) fn said(&self, names: &[String]) -> Option<String> {
        let name = bare(self.name);
        let members = |count: usize| if count == 1 { "1 member".to_owned() } else { format!("{count} members") };
        let unless = "unless the builder gives others";
        Some(match (self.length, self.members) {
            (Some(Length::Literal(count)), _) => format!("`{name}` has {}.", members(*count)),
            (Some(Length::Named(length)), _) => format!("`{name}` has `{length}` members."),
            (None, Some(Members::List(list))) => format!("`{name}` has {}, {unless}.", members(list.len())),
            (None, Some(Members::Chain(_))) => {
                let joined = self.of.first().and_then(|&of| names.get(of))?;
                format!("`{name}` joins neighbours of `{joined}` in a row, {unless}.")
            }
            (None, None) => return None,
        })
    }
}

/// Takes a model with sets apart. `None` with mistakes.
pub(crate) fn read<'a>(ast: &'a ast::Model, errors: &mut Errors) -> Option<Family<'a>> {
    if ast.items.iter().any(parse::sets::is_broken) {
        return None;
    }
    let before = errors.len();
    let sets = sets(ast, errors);
    let of_sets = errors.len();
    let families = families(ast, &sets, errors);
    // what could not be read as a family would be told again at each of its indices
    let all_known = before == 0 && errors.len() == of_sets;
    let declared = sums::is_declared(ast);
    let pieces = pieces::pieces(ast, declared);
    let parts = subs::of(ast, &sets, errors);
    // a sub with mistakes reports them where it is written; what is read of it here follows from them
    if parts.len() < ast.items.iter().filter(|item| matches!(item.kind, Kind::Sub(_))).count() {
        return None;
    }
    let mut loops = loops::of_subs(&parts);
    loops.extend(loops::of(pieces.iter().flat_map(|piece| piece.items), &sets, errors));
    let mut of_sums = TokenStream::new();
    let known = Known { names: pieces::names_of_sums(&pieces), constraints: pieces::constraints(&pieces) };
    for piece in pieces::looked_at(&pieces) {
        pieces::beside_sums(piece, errors);
        let text = sums::taken(piece.tokens, declared, &sets, &mut loops, errors);
        uses::outside(&uses::read(&text), &families, &sets, errors);
        if let Some(name) = sums::multiplier(piece.tokens) {
            let instead = "an output of its own, without sums";
            errors.report(parse::words::refuse(&name, &name.to_string(), "multipliers beside sums", instead));
        }
        of_sums.extend(text);
    }
    let (mut rows, before_rows) = (Vec::new(), errors.len());
    for text in names::in_place(&pieces, errors) {
        rows.push(rows::taken(text, rows.len(), (&sets, declared), &mut loops, errors));
    }
    if errors.len() == before_rows {
        rows::multipliers(&pieces, &mut rows, errors);
    }
    for text in rows.iter().filter_map(|of| of.beside.as_ref()) {
        parse::pieces(text.clone())
            .iter()
            .for_each(|piece| uses::outside(&uses::read(piece), &families, &sets, errors));
    }
    collisions::report(ast, &parts, &loops, &known.names, errors);
    collisions::labels(&pieces, &loops, errors);
    pieces.iter().flat_map(|piece| piece.items).for_each(|item| uses::lengths(item, &ast.lengths, errors));
    options(ast, errors);
    for piece in pieces.iter().filter(|piece| piece.stands_beside() && !piece.is_broken()) {
        if pieces::sums_elsewhere(piece, declared, &known, errors) {
            continue;
        }
        if !piece.items.iter().any(|item| matches!(item.kind, Kind::Sub(_))) {
            uses::outside(&piece.values(), &families, &sets, errors);
        }
        uses::with(piece.items.iter(), &families, errors);
    }
    let others = pieces.iter().flat_map(pieces::Piece::meant_by).collect();
    for each in &loops {
        let before = errors.len();
        pieces::refused(each, declared, &known, errors);
        if all_known && errors.len() == before {
            uses::inside(each, &families, &others, &sets, errors);
        }
    }
    if errors.len() > before {
        return None;
    }
    let bindings = bindings::taken(&mut loops, &parts, errors);
    if errors.len() == before {
        subs::unbound(ast, &parts, &bindings, errors);
    }
    let starts = held::starts(&loops, &families, &parts, errors);
    if errors.len() > before {
        return None;
    }
    let fields = fields::fields(ast, &pieces, &sets, &parts);
    let meanings: Vec<Meaning> = pieces.iter().map(Meaning::of).collect();
    let whole = element::Whole {
        ast,
        pieces: &pieces,
        meanings: &meanings,
        fields: &fields,
        sets: &sets,
        families: &families,
        parts: &parts,
        bindings: &bindings,
        starts: &starts,
    };
    let elements = elements::elements(&whole, &loops, &rows, errors);
    let params = params::params(ast, &pieces);
    let family =
        Family { ast, sets, fields, elements, params, over: Over::default(), families, parts, bindings, of_sums };
    (errors.len() == before).then_some(family)
}

impl Family<'_> {
    /// The set that a name is over; `None` of an ordinary one.
    pub(crate) fn set_of(&self, name: &Ident) -> Option<usize> {
        self.families.get(&bare(name)).copied()
    }

    /// The model of a sub that declares a field; `None` of what the whole declares.
    pub(crate) fn model_of(&self, field: &Field) -> Option<&Ident> {
        let all = self.parts.iter().flat_map(|part| part.inner.iter().map(move |inner| (part, inner)));
        let mut named = all.filter(|(part, inner)| part.shown(inner, &inner.name.ident) == field.shown);
        named.find_map(|(_, inner)| inner.of.name.as_ref())
    }

    /// Gives the parameters and modes, which have been compiled, the names that they have in the whole.
    pub(crate) fn name_params(&mut self, params: &mut Model) {
        self.over = params::named(params, &self.families, &self.parts);
    }

    /// The element of the outputs that read sums, of which the elements have been compiled; `None` without any.
    pub(crate) fn of_sums<'m>(&self, elements: impl Iterator<Item = &'m Model>) -> Option<Element> {
        if self.of_sums.is_empty() {
            return None;
        }
        let pieces = pieces::pieces(self.ast, sums::is_declared(self.ast));
        let sums = self.elements.iter().zip(elements).filter(|(element, _)| element.outputs == Outputs::Sum);
        let sums = sums.flat_map(|(_, model)| &model.observed.outputs).map(sums::declared).collect();
        let meanings: Vec<Meaning> = pieces.iter().map(Meaning::of).collect();
        let whole = element::Whole {
            ast: self.ast,
            pieces: &pieces,
            meanings: &meanings,
            fields: &self.fields,
            sets: &self.sets,
            families: &self.families,
            parts: &self.parts,
            bindings: &self.bindings,
            starts: &[],
        };
        Some(elements::of_sums(&whole, &format!("Part{}", self.elements.len()), self.of_sums.clone(), sums))
    }
}

/// The set of each name that is a family.
type Families = BTreeMap<String, usize>;

fn sets<'a>(ast: &'a ast::Model, errors: &mut Errors) -> Vec<Set<'a>> {
    let mut sets: Vec<Set<'a>> = Vec::new();
    for item in &ast.items {
        let Kind::Set(ast::Set { name, length, of, members }) = &item.kind else { continue };
        let lengths = |name: &&Ident| ast.lengths.params.iter().any(|length| length.ident == **name);
        if let Some(length) = of.iter().find(lengths) {
            let message = Message::new(Id::M0701, length, format!("`{length}` is not a set, but a length"));
            errors.report(message.help(match of.len() {
                1 => format!("write `set {name}: const {length};`"),
                _ => format!("name the set of that length, which is declared by `set nodes: const {length};`"),
            }));
        }
        let joined = of.iter().filter(|name| !lengths(name)).filter_map(|name| known(name, &sets, errors));
        let joined: Vec<usize> = joined.collect();
        let members = members.as_ref().filter(|_| joined.len() == of.len());
        let set = Set { name, docs: &item.docs, length: length.as_ref(), of: joined, members };
        if let Err(message) = written::members(&set, &sets) {
            errors.report(message);
        }
        sets.push(set);
    }
    sets
}

/// The set of a name (M0701).
fn known(name: &Ident, sets: &[Set<'_>], errors: &mut Errors) -> Option<usize> {
    let found = sets.iter().position(|set| set.name == name);
    if found.is_none() {
        let names: Vec<String> = sets.iter().map(|set| set.name.to_string()).collect();
        let near = similar(&name.to_string(), names.iter().map(String::as_str));
        let of_length = sets.iter().find(|set| matches!(set.length, Some(Length::Named(length)) if length == name));
        let help = match (of_length, near) {
            (Some(set), _) => format!("it is the length of one: `{}`", set.name),
            (None, Some(near)) => format!("did you mean `{near}`?"),
            (None, None) => format!("declare it before: `set {name};`"),
        };
        errors.report(Message::new(Id::M0701, name, format!("`{name}` is not a set")).help(help));
    }
    found
}

fn families(ast: &ast::Model, sets: &[Set<'_>], errors: &mut Errors) -> Families {
    let mut families = Families::new();
    for item in &ast.items {
        if let Kind::Sub(ast::Sub { name, over: Some(over), .. }) = &item.kind {
            families.extend(known(over, sets, &mut Errors::new()).map(|set| (bare(name), set)));
        }
        let Kind::Declare(Declare { names, .. }) = &item.kind else { continue };
        for name in names {
            let Some(over) = &name.over else { continue };
            let Some(set) = known(over, sets, errors) else { continue };
            families.extend([Some(&name.ident), name.velocity.as_ref()].into_iter().flatten().map(|n| (bare(n), set)));
        }
    }
    families
}

/// What a model with sets may not ask for.
fn options(ast: &ast::Model, errors: &mut Errors) {
    let Some(name) = &ast.name else { return };
    if ast.options.storage == Some(Storage::Dense) {
        let message = Message::new(Id::M0903, name, "a model with sets is sparse, whatever the size of its sets");
        errors.report(message.help("leave the option `storage = dense` out"));
    }
    if ast.options.emit.linearized {
        let known = "leave it out, and steps evaluate elements twice";
        errors.report(parse::words::refuse(name, "emit", "linearised steps in one call of models with sets", known));
    }
    if ast.options.emit.has_products() {
        let known = "`emit(partials)` is known there, for derivatives of steps and runs";
        errors.report(parse::words::refuse(name, "emit", "products with derivatives of models with sets", known));
    }
    if let Some(option) = &ast.options.prepared {
        let instead = "`freeze(..)` makes parameters constants of the code";
        errors.report(parse::words::refuse(option, "prepared", "prepared values of models with sets", instead));
    }
    let inside = ast.items.iter().flat_map(|item| match &item.kind {
        Kind::Each(each) => each.items.as_slice(),
        _ => &[],
    });
    for item in ast.items.iter().chain(inside).flat_map(ast::Item::flat) {
        if matches!(&item.kind, Kind::Energy(energy) if energy.role.is_of_optimisers() && !ast.options.emit.partials) {
            let what = "costs of models with sets, without their derivatives,";
            let instead = "ask for these: `#[model(emit(partials))]`";
            errors.report(parse::words::refuse(&item.keyword, &item.keyword.to_string(), what, instead));
        }
    }
}

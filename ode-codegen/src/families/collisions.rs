//! Names of a model with sets that would be the same method (M0102, M0106).

use std::collections::BTreeMap;

use proc_macro2::Ident;

use super::held::Lets;
use super::loops::Loop;
use super::pieces::{Piece, Sums};
use super::subs::Part;
use crate::diagnostics::{Errors, Id, Message, location};
use crate::identifier::bare;
use crate::parse::ast;
use ast::{Kind, Role};

/// Methods that every model with sets has.
const METHODS: [&str; 13] = [
    "builder",
    "build",
    "cast",
    "clone",
    "constraint_jacobian",
    "constraint_values",
    "damping",
    "energy",
    "force",
    "mass",
    "new",
    "outputs",
    "stiffness",
];

/// Sets, coordinates, velocities, states and outputs are methods of the model, and parameters are its fields.
/// `let`s of sums stand in an element of their own.
pub(super) fn report(ast: &ast::Model, parts: &[Part<'_>], loops: &[Loop], of_sums: &Lets, errors: &mut Errors) {
    let (mut known, mut methods, mut written) = (BTreeMap::<String, Ident>::new(), Vec::new(), BTreeMap::new());
    known.extend(ast.lengths.params.iter().map(|length| (length.ident.to_string(), length.ident.clone())));
    let of_members = ast.items.iter().any(|item| match &item.kind {
        Kind::Declare(d) => d.role == Role::Input && d.names.iter().any(|name| name.over.is_some()),
        _ => false,
    });
    // a loop's own `let`s hide those outside
    let inside = loops.iter().filter(|each| each.sum.is_none()).flat_map(|each| &each.items);
    let inside = inside.filter(|item| !matches!(item.kind, Kind::Let(_)));
    for item in ast.items.iter().chain(inside) {
        let names: Vec<(Ident, Option<Role>)> = match &item.kind {
            Kind::Set(set) => vec![(set.name.clone(), None)],
            // fields of their block, unless members have some
            Kind::Declare(d) if d.role == Role::Input && !of_members => Vec::new(),
            Kind::Declare(d) => {
                let of = |n: &ast::Name| [Some(n.ident.clone()), n.velocity.clone()].into_iter().flatten();
                d.names.iter().flat_map(of).map(|name| (name, Some(d.role))).collect()
            }
            Kind::Let(own) if of_sums.contains_key(&bare(&own.name)) => vec![(own.name.clone(), Some(Role::Param))],
            Kind::Sub(sub) => parts.iter().find(|part| part.sub.name == sub.name).map_or_else(Vec::new, Part::names),
            _ => Vec::new(),
        };
        for (name, role) in &names {
            let is_method = *role != Some(Role::Param);
            if is_method && METHODS.contains(&bare(name).as_str()) {
                let what = format!("`{name}` is a method of every model with sets");
                errors.report(Message::new(Id::M0106, name, what).help("choose another name"));
            }
            match known.get(&bare(name)) {
                Some(earlier) => errors.report(
                    Message::new(Id::M0102, name, format!("`{name}` is declared twice"))
                        .note(format!("first at {}", location(earlier.span()))),
                ),
                None => _ = known.insert(bare(name), name.clone()),
            }
            if is_method {
                methods.push(name.clone());
            }
            // members of a coordinate or state are read by one method and written by another
            if matches!(role, Some(Role::Coord | Role::State | Role::Input | Role::Mode)) {
                written.insert(format!("{}_mut", bare(name)), name.clone());
            }
        }
    }
    for (method, of) in methods.iter().filter_map(|method| Some((method, written.get(&bare(method))?))) {
        let what = format!("`{method}` is the method that writes `{of}`");
        errors.report(Message::new(Id::M0106, method, what).help("choose another name"));
    }
}

/// Names of rows, limits, costs and figures are told apart by nothing else than the name (M0102). Those of one element
/// are compared when it is checked.
pub(super) fn labels(pieces: &[Piece<'_>], loops: &[Loop], errors: &mut Errors) {
    let of_pieces = |sums: Sums| -> Vec<&ast::Item> {
        pieces.iter().filter(|piece| piece.sums == sums).flat_map(|piece| piece.items).collect()
    };
    let of_rows = pieces.iter().filter(|piece| piece.sums == Sums::Rows).map(|piece| piece.items.iter().collect());
    let of_loops = loops.iter().filter(|each| each.sum.is_none()).map(|each| each.items.iter().collect());
    let all = [of_pieces(Sums::None), of_pieces(Sums::Shown)].into_iter().chain(of_rows).chain(of_loops);
    let mut known = BTreeMap::new();
    for (element, items) in all.enumerate() {
        for item in items.into_iter().flat_map(ast::Item::flat) {
            let (word, name) = match &item.kind {
                Kind::Constraint(constraint) => ("constraint", &constraint.name),
                Kind::Limit(limit) => ("limit", &limit.name),
                Kind::Energy(ast::Energy { role, name: Some(name), .. }) if role.is_of_optimisers() => {
                    (role.word(), name)
                }
                Kind::Show(show) => ("show", &show.name),
                Kind::Event(event) => ("event", &event.name),
                _ => continue,
            };
            let (owner, earlier) = *known.entry((word, bare(name))).or_insert((element, name.span()));
            if owner != element {
                let message = Message::new(Id::M0102, name, format!("`{name}` is declared twice in this model"));
                errors.report(message.note(format!("previous `{word}` of this name at {}", location(earlier))));
            }
        }
    }
}

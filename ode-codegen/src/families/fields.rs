//! The coordinates and states of the whole.

use proc_macro2::Ident;

use super::Set;
use super::pieces::Piece;
use super::subs::{Inner, Part, dotted, is_part, outside_brackets};
use super::text::{list, model, of};
use crate::identifier::bare;
use crate::parse::ast;
use ast::{Declare, Item, Kind, Role};

/// A coordinate or state of the whole.
pub struct Field {
    /// its name
    pub name: Ident,
    /// the name of its velocity
    pub velocity: Option<Ident>,
    /// the set that has one for each member; `None` of an ordinary one
    pub set: Option<usize>,
    /// it is a state or an algebraic variable
    pub is_state: bool,
    /// it is an algebraic variable
    pub is_algebraic: bool,
    /// its equation is a balance, of which any loop may have shares
    pub(crate) is_balanced: bool,
    /// as it is shown, with `#0` for the number of a member: `x[#0]`, `leg[#0].x`
    pub(crate) shown: String,
    /// the model of this one alone
    pub(crate) alone: ast::Model,
    /// of a sub: what stands in names of that model, and what in those of the whole
    spelled: Vec<(String, String)>,
}

impl Field {
    /// Coordinates come first, then states, and then algebraic variables.
    pub(super) fn rank(&self) -> (bool, bool) {
        (self.is_state, self.is_algebraic)
    }

    /// Do rows of constraints determine it?
    pub(super) fn has_laws(&self) -> bool {
        self.is_algebraic && !self.is_balanced
    }

    /// A name of the model of this one alone, in which a member is the only one of a list, as the whole shows it.
    pub fn template(&self, name: &str) -> String {
        let known = self.spelled.iter().filter(|(own, _)| name.contains(own.as_str()));
        match known.max_by_key(|(own, _)| own.len()) {
            Some((own, shown)) => name.replacen("[0]", "", usize::from(self.set.is_some())).replacen(own, shown, 1),
            None if self.set.is_some() => name.replacen("[0]", "[#0]", 1),
            None => name.to_owned(),
        }
    }
}

/// The coordinates of the whole, then its states, and then its algebraic variables.
pub(super) fn fields(ast: &ast::Model, pieces: &[Piece<'_>], sets: &[Set<'_>], parts: &[Part<'_>]) -> Vec<Field> {
    let mut fields = Vec::new();
    for item in pieces.iter().flat_map(|piece| piece.items) {
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
    let mut shares = Vec::new();
    balanced(ast, "", &mut shares);
    for field in fields.iter_mut().filter(|field| field.is_algebraic) {
        let name = outside_brackets(&field.shown);
        field.is_balanced = shares.iter().any(|target| is_part(target, &name));
    }
    fields.sort_by_key(Field::rank);
    fields
}

/// The variables of a model, and of those in it, that have a share of a balance anywhere.
fn balanced(model: &ast::Model, path: &str, all: &mut Vec<String>) {
    let inside = model.items.iter().flat_map(|item| match &item.kind {
        Kind::Each(each) => each.items.as_slice(),
        _ => &[],
    });
    for item in model.items.iter().chain(inside).flat_map(Item::flat) {
        match &item.kind {
            Kind::Balance(balance) => {
                all.extend(dotted(&balance.target).map(|target| format!("{path}{target}")));
            }
            Kind::Sub(sub) => {
                if let Some(child) = model.child(sub).and_then(|child| child.model.as_ref()) {
                    balanced(child, &format!("{path}{}.", bare(&sub.name)), all);
                }
            }
            _ => {}
        }
    }
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
    let of_sub = names.iter().flatten().filter(|(own, shown)| !shown.starts_with(&bare(own)));
    let spelled = of_sub.map(|(own, shown)| (bare(own), shown.clone())).collect();
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
    let units = from.items.iter().filter(|item| matches!(item.kind, Kind::Unit(_))).cloned();
    let items = units.chain([of(item, Kind::Declare(declare))]).collect();
    let mut alone = model(ast, &format!("Field{number}"), items);
    (alone.options.units, alone.measured) = (from.options.units, from.is_measured());
    let is_algebraic = d.role == Role::Algebraic;
    let is_state = is_algebraic || d.role == Role::State;
    Field { name, velocity, set, is_state, is_algebraic, is_balanced: false, shown, alone, spelled }
}

/// Is it among the unknowns?
pub(super) fn moves(role: Role) -> bool {
    matches!(role, Role::Coord | Role::State | Role::Algebraic)
}

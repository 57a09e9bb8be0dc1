//! What an element is.

use proc_macro2::Ident;

use super::bindings::Binding;
use super::fields::Field;
use super::held::Starts;
use super::loops::Loop;
use super::pieces::Piece;
use super::reading::Meaning;
use super::subs::{Inner, Part};
use super::{Families, Set};
use crate::identifier::bare;
use crate::parse::ast;
use ast::Role;

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
    /// where its modes come from
    pub modes: Vec<Given>,
    /// the subs of members in it, with the entries of the tuple that say of which members
    pub subs: Vec<(String, Vec<usize>)>,
    /// every family, with the entries of the tuple that say of which members
    pub(super) members: Vec<(String, Vec<usize>)>,
    /// the names of its loop, each with its entry of the tuple
    pub(super) names: Vec<(usize, String)>,
    /// its items are those of a sub
    pub is_of_sub: bool,
    /// the element whose constraint rows its members add to, itself or an earlier one
    pub shared: Option<usize>,
}

impl Element {
    /// The entry of the tuple that says of which member a sub is, by its place in the list.
    pub(crate) fn member(&self, sub: &str, place: usize) -> Option<usize> {
        let (_, ends) = self.subs.iter().find(|(name, _)| name == sub)?;
        ends.get(place).copied()
    }

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
        if let Some((sub, end, rest)) = self.of_sub(name) {
            return format!("{sub}[#{end}]{rest}");
        }
        if self.set.is_none() || self.shared.is_some() {
            return name.to_owned();
        }
        let (label, rest) = name.split_at(name.find(['.', '[']).unwrap_or(name.len()));
        format!("{label}[#0]{rest}")
    }

    /// The name of an exact start as the whole shows it: `init norm(x[1] - x[0])` is `init norm(x[#2] - x[#1])`.
    pub(crate) fn start(&self, name: &str) -> String {
        let shown = self.spelled(name, |end| Some(format!("#{end}")));
        if shown == name { self.template(name) } else { shown }
    }

    /// A text as the user writes it: `x[1]` of the element is `x[j]`.
    pub(crate) fn as_written(&self, text: &str) -> String {
        self.spelled(text, |end| self.names.iter().find(|(of, _)| *of == end).map(|(_, name)| name.clone()))
    }

    /// A text in which members of families are what `name` calls an entry of the tuple.
    fn spelled(&self, text: &str, name: impl Fn(usize) -> Option<String>) -> String {
        let (mut out, mut rest) = (String::new(), text);
        while let Some((before, after)) = rest.split_once('[') {
            out.push_str(before);
            out.push('[');
            let family = before.rsplit(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap_or_default();
            let known = self.members.iter().find(|(name, _)| name == family && !before.ends_with(&format!(".{name}")));
            let member = |(_, ends): &(String, Vec<usize>)| {
                let digits = after.find(']')?;
                let (place, after) = after.split_at(digits);
                Some((name(*ends.get(place.parse::<usize>().ok()?)?)?, after))
            };
            rest = after;
            if let Some((member, after)) = known.and_then(member) {
                out.push_str(&member);
                rest = after;
            }
        }
        out.push_str(rest);
        out
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

/// A parameter, an input or a mode of an element.
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
    pub(super) fn of(name: &Ident, ends: Option<Vec<usize>>) -> Self {
        let listed = ends.is_some();
        Self { own: name.clone(), name: name.clone(), ends, listed }
    }
}

/// A model taken apart, of which elements are made.
pub(super) struct Whole<'a> {
    pub(super) ast: &'a ast::Model,
    pub(super) pieces: &'a [Piece<'a>],
    pub(super) meanings: &'a [Meaning],
    pub(super) fields: &'a [Field],
    pub(super) sets: &'a [Set<'a>],
    pub(super) families: &'a Families,
    pub(super) parts: &'a [Part<'a>],
    pub(super) bindings: &'a [Binding],
    /// what each loop reads of others
    pub(super) starts: &'a [Starts],
}

impl Whole<'_> {
    /// The algebraic variables that a loop has equations for: those of its own members that no balance determines, with
    /// their place.
    pub(super) fn determined(&self, around: &Loop) -> Vec<(String, Option<usize>)> {
        if let Some(part) = around.sub.as_ref().and_then(|sub| self.part(sub)) {
            let has_laws = |field: &Field| field.has_laws();
            return self.algebraic_of(part, Some(0), has_laws).map(|name| (name, None)).collect();
        }
        let Some(own) = around.over_all() else { return Vec::new() };
        let of_it = self.fields.iter().filter(|field| field.has_laws() && field.set == Some(own.set));
        of_it.map(|field| (bare(&field.name), around.place(&own.ident))).collect()
    }

    /// The algebraic variables that balances determine, as a text calls them: beside the loops without `around`.
    pub(super) fn balanced(&self, around: Option<&Loop>) -> Vec<String> {
        let of_subs = self.parts.iter().flat_map(|part| {
            let places: Vec<Option<usize>> = match part.set {
                None => vec![None],
                Some(set) => (0..around.map_or(0, |around| around.ends(set).len())).map(Some).collect(),
            };
            let is_balanced = |field: &Field| field.is_balanced;
            places.into_iter().flat_map(move |place| self.algebraic_of(part, place, is_balanced))
        });
        let own = self.fields.iter().filter(|field| field.is_balanced).map(|field| bare(&field.name));
        own.chain(of_subs).collect()
    }

    /// The algebraic variables of a sub that are of this kind, by their names in an element.
    fn algebraic_of<'p>(
        &'p self,
        part: &'p Part<'p>,
        place: Option<usize>,
        kind: impl Fn(&Field) -> bool + 'p,
    ) -> impl Iterator<Item = String> + 'p {
        let of = move |inner: &&Inner<'_>| {
            let name = part.spelled(inner, &inner.name.ident);
            inner.declare.role == Role::Algebraic && self.fields.iter().any(|field| field.name == name && kind(field))
        };
        part.inner.iter().filter(of).map(move |inner| bare(&part.placed(inner, place)))
    }

    /// The sub of a name.
    pub(super) fn part(&self, name: &Ident) -> Option<&Part<'_>> {
        self.parts.iter().find(|part| part.sub.name == *name)
    }
}

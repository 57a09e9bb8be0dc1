//! Lists whose members `let`s define one by one: `let tip[i] = e;`.

use std::collections::BTreeMap;

use super::values::Value;
use super::waiting::Pending;
use crate::parse::ast;

/// A list: its members by their indices, and in the order of the text.
pub(crate) struct List<'a> {
    /// how many indices a member has
    pub(crate) depth: usize,
    /// a mistake in a member is reported; nothing that is read of the list is reported again
    pub(crate) broken: bool,
    /// in the order in which they are defined
    pub(crate) members: Vec<Member<'a>>,
    /// how many of the first members are evaluated
    pub(crate) known: usize,
    /// a member with the shape and unit of all, and which one it is
    pub(crate) like: Option<(usize, Value)>,
    /// place of each in `members`
    places: BTreeMap<Vec<i64>, usize>,
}

/// One member of a list.
pub(crate) struct Member<'a> {
    /// its indices
    pub(crate) at: Vec<i64>,
    /// its text
    pub(crate) binding: &'a ast::Let,
    /// what to evaluate, and where it stands
    pub(crate) pending: Pending<'a>,
    /// once it is evaluated
    pub(crate) value: Option<Value>,
}

impl<'a> List<'a> {
    /// A list without members yet.
    pub(crate) fn of_depth(depth: usize) -> Self {
        List { depth, broken: false, members: Vec::new(), known: 0, like: None, places: BTreeMap::new() }
    }

    /// Adds a member; `Err` with the earlier one of its indices if there is one.
    pub(crate) fn add(&mut self, member: Member<'a>) -> Result<(), &Member<'a>> {
        match self.places.get(&member.at) {
            Some(&earlier) => Err(&self.members[earlier]),
            None => {
                self.places.insert(member.at.clone(), self.members.len());
                self.members.push(member);
                Ok(())
            }
        }
    }

    /// Places of the members whose indices begin like this, by index.
    pub(crate) fn below(&self, first: &[i64]) -> Vec<usize> {
        match first.len() == self.depth {
            true => self.places.get(first).copied().into_iter().collect(),
            false => self
                .places
                .range(first.to_vec()..)
                .take_while(|(at, _)| at.starts_with(first))
                .map(|(_, k)| *k)
                .collect(),
        }
    }

    /// The first member, by index, before which one is missing, with the indices of that one.
    pub(crate) fn gap(&self) -> Option<(&Member<'a>, Vec<i64>)> {
        let mut before: Option<&Vec<i64>> = None;
        self.places.iter().find_map(|(at, &place)| {
            let mut next = vec![0; self.depth];
            if let Some(before) = before
                && let Some(level) = (0..self.depth).find(|&k| at[k] != before[k])
            {
                next[..level].copy_from_slice(&at[..level]);
                next[level] = before[level] + 1;
            }
            before = Some(at);
            (*at != next).then(|| (&self.members[place], next))
        })
    }

    /// How many parts the members whose indices begin like this have.
    pub(crate) fn length(&self, first: &[i64]) -> i64 {
        let last = self.below(first).last().map(|&k| self.members[k].at[first.len()]);
        last.map_or(0, |last| last + 1)
    }
}

/// `tip[2]`
pub(crate) fn spelled(name: &str, at: &[i64]) -> String {
    at.iter().fold(name.to_owned(), |name, i| format!("{name}[{i}]"))
}

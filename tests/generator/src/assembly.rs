//! The blocks of a model with sets, added up from those of its elements, member by member.
//!
//! Numbers of the whole are found by the names that the model written out gives them, so that nothing here knows how
//! the runtime orders members.

mod declared;
mod member;
mod rows;

use std::collections::BTreeSet;

use ode_codegen::Compiled;
use ode_codegen::phases::families::Parts;
use ode_codegen::phases::lower::Call;

use crate::external;
use crate::interpreter::{Inputs, Outputs as Values, run};
use crate::random::Set;

pub use member::Member;

/// What a block has numbers for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// kinetic, potential and dissipated
    Energies,
    /// entries of positions
    Positions,
    /// directions of motion
    Velocities,
    /// states and algebraic variables
    States,
    /// rows ż − g and −F
    Rates,
    /// algebraic variables alone
    Algebraic,
    /// rows F alone
    Laws,
    /// exact conditions on positions where a run begins
    Positioned,
    /// and those on velocities
    Launched,
    /// rows of constraints
    Rows,
    /// inputs
    Inputs,
    /// modes
    Modes,
    /// parameters
    Parameters,
    /// outputs
    Outputs,
    /// path constraints
    Limits,
    /// time
    Time,
    /// all of a kind that only their sum is compared of
    Together,
}

/// Blocks one after the other.
pub type Spaces = &'static [Space];

/// The unknowns of a step.
pub const UNKNOWNS: Spaces = &[Space::Velocities, Space::States, Space::Rows];
/// The rows (r, ż − g, Φ) of a step.
pub const STEP: Spaces = &[Space::Velocities, Space::Rates, Space::Rows];
/// The rows (r, ż − g, Φ, Φ̇, Φ̈).
pub const LEVELS: Spaces = &[Space::Velocities, Space::Rates, Space::Rows, Space::Rows, Space::Rows];
/// What these are differentiated by: (q, v, a, z, λ, u, t).
pub const ALONG: Spaces =
    &[Space::Velocities, Space::Velocities, Space::Velocities, Space::States, Space::Rows, Space::Inputs, Space::Time];

/// All elements at all of their members.
pub struct Assembly<'a> {
    whole: &'a Compiled,
    /// whether its steps are differentiated
    pub varied: bool,
    /// elements, one after the other
    pub elements: Vec<Member<'a>>,
    /// coordinates, each alone
    pub fields: Vec<Member<'a>>,
    /// the default of each parameter of the whole
    pub defaults: Vec<f64>,
    /// where each mode of the whole begins
    pub beginnings: Vec<f64>,
}

impl<'a> Assembly<'a> {
    /// Places the elements of a model with these sets in the same model written out.
    ///
    /// # Errors
    /// A name that the model written out does not have, or the rows that no element has once.
    pub fn new(parts: &'a Parts<'a>, whole: &'a Compiled, sets: &[Set]) -> Result<Self, String> {
        let tuples = |set: Option<usize>| match set.map(|set| parts.family.sets[set].name.to_string()) {
            None => Ok(vec![Vec::new()]),
            Some(name) => sets.iter().find(|set| set.name == name).map(|set| set.members.clone()).ok_or(name),
        };
        declared::said(parts, sets)?;
        let (mut elements, mut fields): (Vec<Member<'_>>, Vec<Member<'_>>) = (Vec::new(), Vec::new());
        for (number, element) in parts.family.elements.iter().enumerate() {
            for tuple in tuples(element.set)? {
                elements.push(Member::of_element(parts, number, &tuple, whole)?);
            }
        }
        for (number, field) in parts.family.fields.iter().enumerate() {
            for tuple in tuples(field.set)? {
                fields.push(Member::of_field(parts, number, tuple.first().copied(), whole)?);
            }
        }
        let rows = elements.iter().map(|member| match member.shares_rows {
            true => [Vec::new(), member.rows.clone()],
            false => [member.rows.clone(), Vec::new()],
        });
        once("rows", unique(rows), &whole.names.constraints)?;
        once("states", fields.iter().flat_map(|member| member.z.iter().copied()), &whole.names.z)?;
        once("positions", fields.iter().flat_map(|member| member.q.iter().copied()), &whole.names.q)?;
        once("laws", unique(elements.iter().map(Member::determined)), &whole.model.flow.laws)?;
        let (positioned, launched) = (&whole.names.init_position, &whole.names.init_velocity);
        rows::apart(elements.iter_mut().flat_map(|member| &mut member.positioned), positioned);
        rows::apart(elements.iter_mut().flat_map(|member| &mut member.launched), launched);
        once("starts", elements.iter().flat_map(|member| member.positioned.iter().copied()), positioned)?;
        once("starts", elements.iter().flat_map(|member| member.launched.iter().copied()), launched)?;
        let events = elements.iter().flat_map(|member| member.events.iter().copied());
        let named: Vec<String> = whole.program.events.iter().map(|event| event.label.clone()).collect();
        once("events", events, &named)?;
        let varied = parts.elements.iter().any(|element| element.model.header.options.emit.partials);
        let defaults = declared::defaults(parts, &whole.names.p);
        let beginnings = declared::beginnings(parts, &whole.names.modes);
        Ok(Self { whole, varied, elements, fields, defaults, beginnings })
    }

    /// How many numbers blocks of the whole have.
    pub fn len(&self, spaces: Spaces) -> usize {
        let names = &self.whole.names;
        let one = |space: &Space| match space {
            Space::Energies => 3,
            Space::Positions => names.q.len(),
            Space::Velocities => names.v.len(),
            Space::States | Space::Rates => names.z.len(),
            Space::Algebraic | Space::Laws => self.whole.model.flow.laws.len(),
            Space::Positioned => names.init_position.len(),
            Space::Launched => names.init_velocity.len(),
            Space::Rows => names.constraints.len(),
            Space::Inputs => names.u.len(),
            Space::Modes => names.modes.len(),
            Space::Parameters => names.p.len(),
            Space::Outputs => names.y.len(),
            Space::Limits => names.limits.len(),
            Space::Time | Space::Together => 1,
        };
        spaces.iter().map(one).sum()
    }

    /// For each number of a member its place in blocks of the whole.
    pub fn places(&self, member: &Member<'_>, spaces: Spaces) -> Vec<usize> {
        let before = (0..spaces.len()).map(|k| self.len(&spaces[..k]));
        let own = spaces.iter().map(|&space| member.places(space));
        own.zip(before).flat_map(|(own, before)| own.into_iter().map(move |place| before + place)).collect()
    }

    /// A member's own of the numbers of the whole.
    pub fn own(&self, member: &Member<'_>, values: &[f64], spaces: Spaces) -> Vec<f64> {
        self.places(member, spaces).into_iter().map(|place| values[place]).collect()
    }

    /// What a call gives of a member where the whole is at these numbers, and sums over members have these values;
    /// `None` where there is no such kernel.
    pub fn run(&self, member: &Member<'_>, call: Call, whole: &Inputs, sums: &[f64]) -> Option<Values> {
        let inputs = self.inputs(member, whole, sums);
        let kernel = member.compiled.program.get(call)?;
        let externals = &member.compiled.model.externals;
        Some(run(kernel, &inputs, &|partial, x| external::value(externals, partial, x)))
    }

    /// The numbers of a member where the whole is at these.
    pub fn inputs(&self, member: &Member<'_>, whole: &Inputs, sums: &[f64]) -> Inputs {
        let own = |values, spaces| self.own(member, values, spaces);
        Inputs {
            t: whole.t,
            q: own(&whole.q, &[Space::Positions]),
            v: own(&whole.v, &[Space::Velocities]),
            a: own(&whole.a, &[Space::Velocities]),
            z: own(&whole.z, &[Space::States]),
            zdot: own(&whole.zdot, &[Space::States]),
            u: own(&whole.u, &[Space::Inputs]),
            modes: own(&whole.modes, &[Space::Modes]),
            lambda: own(&whole.lambda, &[Space::Rows]),
            weights: whole.weights.clone(),
            turns: member.turns.iter().map(|&place| whole.turns[place]).collect(),
            p: own(&whole.p, &[Space::Parameters]).into_iter().chain(sums.iter().copied()).collect(),
            ..Inputs::default()
        }
    }
}

/// Is each of these names there once?
fn once(what: &str, found: impl Iterator<Item = usize>, names: &[String]) -> Result<(), String> {
    let mut found: Vec<usize> = found.collect();
    found.sort_unstable();
    match found == (0..names.len()).collect::<Vec<_>>() {
        true => Ok(()),
        false => Err(format!("{what} {found:?} of {names:?}")),
    }
}

/// Places of elements' own rows, and once of those that several share.
fn unique(rows: impl Iterator<Item = [Vec<usize>; 2]>) -> impl Iterator<Item = usize> {
    let (mut own, mut shared) = (Vec::new(), BTreeSet::new());
    for [one, more] in rows {
        own.extend(one);
        shared.extend(more);
    }
    own.into_iter().chain(shared)
}

/// For each name its place.
fn places(all: &[String], names: impl Iterator<Item = String>) -> Result<Vec<usize>, String> {
    names
        .map(|name| all.iter().position(|other| *other == name).ok_or_else(|| format!("{name} is not in {all:?}")))
        .collect()
}

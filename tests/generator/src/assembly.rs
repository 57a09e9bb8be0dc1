//! The blocks of a model with sets, added up from those of its elements, member by member.
//!
//! Numbers of the whole are found by the names that the model written out gives them, so that nothing here knows how
//! the runtime orders members.

mod declared;
mod rows;

use ode_codegen::Compiled;
use ode_codegen::phases::families::{Given, Outputs, Parts, Slot};
use ode_codegen::phases::lower::Call;

use crate::external;
use crate::interpreter::{Inputs, Outputs as Values, run};
use crate::random::Set;

/// How names of sums over members begin.
const SUM: &str = "__sum_";

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

/// An element at one of its members: for each of its numbers the place of that in the whole.
pub struct Member<'a> {
    /// what was compiled
    pub compiled: &'a Compiled,
    q: Vec<usize>,
    v: Vec<usize>,
    z: Vec<usize>,
    rates: Vec<usize>,
    /// how many of the states are algebraic variables
    algebraic: usize,
    /// the place of the first algebraic variable of the whole
    first: usize,
    positioned: Vec<usize>,
    launched: Vec<usize>,
    rows: Vec<usize>,
    u: Vec<usize>,
    p: Vec<usize>,
    outputs: Vec<usize>,
    limits: Vec<usize>,
    turns: Vec<usize>,
    modes: Vec<usize>,
    /// for each of its events that of the whole
    pub events: Vec<usize>,
    /// what the outputs are
    pub observes: Outputs,
    /// the last parameters, which are sums over members and no parameters of the whole
    pub sums: &'a [String],
}

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
        let rows = elements.iter().flat_map(|member| member.rows.iter().copied());
        once("rows", rows, &whole.names.constraints)?;
        once("states", fields.iter().flat_map(|member| member.z.iter().copied()), &whole.names.z)?;
        once("positions", fields.iter().flat_map(|member| member.q.iter().copied()), &whole.names.q)?;
        let determined = elements.iter().flat_map(|member| member.determined());
        once("laws", determined, &whole.model.flow.laws)?;
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
        Ok(Self { whole, varied, elements, fields, defaults })
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

impl<'a> Member<'a> {
    /// A coordinate, of a member of its set.
    fn of_field(parts: &'a Parts<'a>, field: usize, member: Option<usize>, whole: &Compiled) -> Result<Self, String> {
        let (compiled, names) = (&parts.fields[field], &whole.names);
        let of_member = |name: &String| {
            let shown = parts.family.fields[field].template(name);
            member.map_or(shown.clone(), |member| shown.replacen("#0", &member.to_string(), 1))
        };
        let z = places(&names.z, compiled.names.z.iter().map(of_member))?;
        Ok(Self {
            q: places(&names.q, compiled.names.q.iter().map(of_member))?,
            v: places(&names.v, compiled.names.v.iter().map(of_member))?,
            rates: z.clone(),
            z,
            algebraic: compiled.model.na(),
            first: whole.model.nz() - whole.model.na(),
            positioned: Vec::new(),
            launched: Vec::new(),
            rows: Vec::new(),
            u: Vec::new(),
            p: Vec::new(),
            outputs: Vec::new(),
            limits: Vec::new(),
            turns: Vec::new(),
            modes: Vec::new(),
            events: Vec::new(),
            observes: Outputs::Each,
            sums: &[],
            compiled,
        })
    }

    fn of_element(parts: &'a Parts<'a>, number: usize, tuple: &[usize], whole: &Compiled) -> Result<Self, String> {
        let (element, compiled) = (&parts.family.elements[number], &parts.elements[number]);
        let (own, names) = (&compiled.names, &whole.names);
        let (mut q, mut v, mut z) = (Vec::new(), Vec::new(), Vec::new());
        for slot in &element.slots {
            let field = Self::of_field(parts, slot.field, slot.end.map(|end| tuple[end]), whole)?;
            q.extend(field.q);
            v.extend(field.v);
            z.extend(field.z);
        }
        // of a sub of members, `leg[1].m`
        let of_sub = |name: &str| {
            let (sub, entry, rest) = indexed(name)?;
            let (_, ends) = element.subs.iter().find(|(of, _)| of == sub)?;
            Some(format!("{sub}[{}]{rest}", tuple[*ends.get(entry)?]))
        };
        let given_by = |all: &[Given], name: &String| {
            let of_member = || {
                let (base, entry, rest) = indexed(name)?;
                let given = all.iter().find(|given| given.name == base)?;
                Some(format!("{base}[{}]{rest}", tuple[*given.ends.as_ref()?.get(entry)?]))
            };
            of_member().or_else(|| of_sub(name)).unwrap_or_else(|| name.clone())
        };
        // what stands beside the loops reads no input or mode of members, and has one in place of all
        let one_of = |all: &[String], name: String| {
            let (base, rest) = name.split_at(name.find('.').unwrap_or(name.len()));
            if element.set.is_none() && !all.contains(&name) { format!("{base}[0]{rest}") } else { name }
        };
        let input = |name: &String| one_of(&names.u, given_by(&element.inputs, name));
        let mode = |name: &String| one_of(&names.modes, given_by(&element.modes, name));
        let happening: Vec<String> = whole.program.events.iter().map(|event| event.label.clone()).collect();
        let first = own.p.iter().position(|name| name.starts_with(SUM)).unwrap_or(own.p.len());
        let (parameters, sums) = own.p.split_at(first);
        // what holds a coordinate has its name, others that of their label
        let held = |name: &String| {
            let (base, entry, rest) = name.strip_prefix("fix ").and_then(indexed)?;
            let of_this = |slot: &&Slot| parts.family.fields[slot.field].name == base;
            let end = element.slots.iter().filter(of_this).nth(entry)?.end?;
            Some(format!("fix {base}[{}]{rest}", tuple[end]))
        };
        let labelled = |name: &String| match (of_sub(name), element.set) {
            (Some(name), _) => name,
            (None, Some(_)) => {
                let (label, rest) = name.split_at(name.find(['.', '[']).unwrap_or(name.len()));
                format!("{label}_{}{rest}", tuple[0])
            }
            (None, None) => name.clone(),
        };
        let row = |name: &String| match element.set {
            Some(_) if name.starts_with("fix ") => {
                let of_sub = || Some(format!("fix {}", of_sub(&name[4..])?));
                held(name).or_else(of_sub).unwrap_or_else(|| name.clone())
            }
            _ => labelled(name),
        };
        let start = |name: &String| rows::start((&parts.family, element), name, tuple);
        let observed = |all: &[String], names: &[String]| places(all, names.iter().map(labelled));
        let turning = |of: &Compiled| -> Vec<usize> {
            of.model.blocks().iter().filter(|block| block.chart.turns()).map(|block| block.v).collect()
        };
        let all = turning(whole);
        let turns = turning(compiled).into_iter().filter_map(|first| all.iter().position(|&other| other == v[first]));
        Ok(Self {
            rows: places(&names.constraints, own.constraints.iter().map(row))?,
            u: places(&names.u, own.u.iter().map(input))?,
            p: places(&names.p, parameters.iter().map(|name| given_by(&element.given, name)))?,
            outputs: match element.outputs {
                Outputs::Sum => Vec::new(),
                _ => observed(&names.y, &own.y)?,
            },
            limits: observed(&names.limits, &own.limits)?,
            observes: element.outputs,
            sums,
            modes: places(&names.modes, own.modes.iter().map(mode))?,
            events: places(&happening, compiled.program.events.iter().map(|event| labelled(&event.label)))?,
            turns: turns.flat_map(|block| 9 * block..9 * block + 9).collect(),
            rates: rows::rates((compiled, whole), &z, &labelled)?,
            algebraic: compiled.model.na(),
            first: whole.model.nz() - whole.model.na(),
            positioned: places(&names.init_position, own.init_position.iter().map(start))?,
            launched: places(&names.init_velocity, own.init_velocity.iter().map(start))?,
            compiled,
            q,
            v,
            z,
        })
    }

    /// Those of states that are of algebraic variables.
    fn solved(&self, all: &[usize]) -> Vec<usize> {
        all[all.len() - self.algebraic..].iter().map(|place| place - self.first).collect()
    }

    /// The rows F that it has.
    fn determined(&self) -> impl Iterator<Item = usize> {
        let given = self.compiled.model.flow.shares.iter().flatten();
        let laws = given.copied().filter(|own| own + self.algebraic >= self.z.len());
        laws.map(|own| self.rates[own] - self.first)
    }

    /// For each of its numbers the place in a block of the whole.
    pub fn places(&self, space: Space) -> Vec<usize> {
        match space {
            Space::Energies => vec![0, 1, 2],
            Space::Positions => self.q.clone(),
            Space::Velocities => self.v.clone(),
            Space::Rows => self.rows.clone(),
            Space::States => self.z.clone(),
            Space::Rates => self.rates.clone(),
            Space::Algebraic => self.solved(&self.z),
            Space::Laws => self.solved(&self.rates),
            Space::Positioned => self.positioned.clone(),
            Space::Launched => self.launched.clone(),
            Space::Inputs => self.u.clone(),
            Space::Modes => self.modes.clone(),
            Space::Parameters => self.p.clone(),
            Space::Outputs => self.outputs.clone(),
            Space::Limits => self.limits.clone(),
            Space::Time | Space::Together => vec![0],
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

/// `x[1].z` in three.
fn indexed(name: &str) -> Option<(&str, usize, &str)> {
    let (base, rest) = name.split_once('[')?;
    let (entry, rest) = rest.split_once(']')?;
    Some((base, entry.parse().ok()?, rest))
}

/// For each name its place.
fn places(all: &[String], names: impl Iterator<Item = String>) -> Result<Vec<usize>, String> {
    names
        .map(|name| all.iter().position(|other| *other == name).ok_or_else(|| format!("{name} is not in {all:?}")))
        .collect()
}

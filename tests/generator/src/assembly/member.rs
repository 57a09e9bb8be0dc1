//! An element at one of its members, with the places of its numbers in the whole.

use ode_codegen::Compiled;
use ode_codegen::phases::families::{Given, Outputs, Parts, Slot};

use super::{Space, places, rows};

/// How names of sums over members begin.
const SUM: &str = "__sum_";

/// An element at one of its members: for each of its numbers the place of that in the whole.
pub struct Member<'a> {
    /// what was compiled
    pub compiled: &'a Compiled,
    pub(super) q: Vec<usize>,
    v: Vec<usize>,
    pub(super) z: Vec<usize>,
    rates: Vec<usize>,
    /// how many of the states are algebraic variables
    algebraic: usize,
    /// the place of the first algebraic variable of the whole
    first: usize,
    pub(super) positioned: Vec<usize>,
    pub(super) launched: Vec<usize>,
    pub(super) rows: Vec<usize>,
    /// others add to these rows too
    pub(super) shares_rows: bool,
    u: Vec<usize>,
    p: Vec<usize>,
    outputs: Vec<usize>,
    limits: Vec<usize>,
    pub(super) turns: Vec<usize>,
    modes: Vec<usize>,
    /// for each of its events that of the whole
    pub events: Vec<usize>,
    /// what the outputs are
    pub observes: Outputs,
    /// the last parameters, which are sums over members and no parameters of the whole
    pub sums: &'a [String],
}

impl<'a> Member<'a> {
    /// A coordinate, of a member of its set.
    pub(super) fn of_field(
        parts: &'a Parts<'a>,
        field: usize,
        member: Option<usize>,
        whole: &Compiled,
    ) -> Result<Self, String> {
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
            shares_rows: false,
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

    pub(super) fn of_element(
        parts: &'a Parts<'a>,
        number: usize,
        tuple: &[usize],
        whole: &Compiled,
    ) -> Result<Self, String> {
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
        // what stands beside the loops reads no input of members, and has one in place of all
        let one_of = |name: String| {
            let (base, rest) = name.split_at(name.find('.').unwrap_or(name.len()));
            if element.set.is_none() && !names.u.contains(&name) { format!("{base}[0]{rest}") } else { name }
        };
        let input = |name: &String| one_of(given_by(&element.inputs, name));
        let mode = |name: &String| given_by(&element.modes, name);
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
            _ if element.shared.is_some() => name.clone(),
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
            shares_rows: element.shared.is_some(),
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

    /// The rows F that it has, and those that others have too.
    pub(super) fn determined(&self) -> [Vec<usize>; 2] {
        let flow = &self.compiled.model.flow;
        let (mut own, mut shared) = (Vec::new(), Vec::new());
        for &scalar in flow.shares.iter().flatten().filter(|own| *own + self.algebraic >= self.z.len()) {
            let is_shared = flow.balances.iter().any(|balance| balance.scalar == scalar);
            if is_shared { &mut shared } else { &mut own }.push(self.rates[scalar] - self.first);
        }
        [own, shared]
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

/// `x[1].z` in three.
fn indexed(name: &str) -> Option<(&str, usize, &str)> {
    let (base, rest) = name.split_once('[')?;
    let (entry, rest) = rest.split_once(']')?;
    Some((base, entry.parse().ok()?, rest))
}

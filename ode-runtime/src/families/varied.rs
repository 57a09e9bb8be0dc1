//! Models with sets whose steps and runs are differentiated: the patterns of their derivatives, and which element
//! stands where in them.

use std::vec::Vec;

use crate::families::changed::{self, EVENT_COLUMNS};
use crate::families::composite::{Composite, Element};
use crate::families::derived::{Entries, PARTIALS, Partials, Placed};
use crate::families::observed::derived;
use crate::families::placing::{Member, Of};
use crate::model::layout::Pattern;
use crate::model::optimizable::Optimizable;
use crate::model::sensitive::{Change, PartialPatterns};

/// A model made of elements, all of which have derivatives of every row.
pub trait Varied: Composite {
    /// Shows the element of each part, in their order.
    fn each_varied<W: OnVaried<Self>>(work: &mut W);
}

/// What is done with each part.
pub trait OnVaried<S: Composite> {
    /// Part `part`, of elements `E`.
    fn part<E: Element<S> + Optimizable>(&mut self, part: usize);
}

/// Which matrix.
pub(super) const STATES: usize = 0;
pub(super) const PARAMETERS: usize = 1;
pub(super) const MOMENTA: usize = 2;
pub(super) const MOMENTA_BY_PARAMETER: usize = 3;
pub(super) const STARTS: usize = 4;
pub(super) const STARTS_BY_PARAMETER: usize = 5;
pub(super) const LIMITS: usize = 6;
pub(super) const COSTS: usize = 7;
pub(super) const COSTS_BY_PARAMETER: usize = 8;
pub(super) const SQUARES: usize = 9;
pub(super) const EVENTS: usize = 10;
pub(super) const EVENTS_BY_PARAMETER: usize = 11;

/// Rows (r, s, Φ, Φ̇, Φ̈).
pub(super) const ROWS: &[Of] = &[Of::Velocities, Of::States, Of::Rows, Of::Rows, Of::Rows];
/// Columns (q, v, a, z, λ, u, t).
pub(super) const COLUMNS: &[Of] =
    &[Of::Velocities, Of::Velocities, Of::Velocities, Of::States, Of::Rows, Of::Inputs, Of::Time];
/// Columns (q, v, t).
const MOTION: &[Of] = &[Of::Velocities, Of::Velocities, Of::Time];
/// Columns (q, v, z, u).
const ASKED_BY: &[Of] = &[Of::Velocities, Of::Velocities, Of::States, Of::Inputs];
/// Rows of the start: its conditions, and q (tangent), v and z.
const START: &[Of] = &[Of::Starts, Of::Velocities, Of::Velocities, Of::States];

/// The patterns of a system, made now if nobody asked before.
pub(super) fn partials<S: Varied>(system: &S) -> &Partials {
    let topology = system.topology();
    topology.varied.get_or_init(|| {
        let layout = topology.layout();
        let (nv, nz, nc, nu) = (layout.v.len(), layout.z.len(), layout.constraints.len(), layout.u.len());
        let entries = topology.parts.iter().map(|_| core::array::from_fn(|_| Vec::new())).collect();
        let guessed = std::vec![None; 2 * nv + nz];
        let mut collected = Collected { system, entries, exact: false, changes: Vec::new(), guessed };
        S::each_varied(&mut collected);
        collected.exact = true;
        S::each_varied(&mut collected);
        let (rows, np) = (nv + nz + 3 * nc, derived(system).parameter_names.len());
        let states = (rows, 3 * nv + nz + nc + nu + 1);
        let motion = 2 * nv + 1;
        let starts = layout.init_position.len() + layout.init_position_jacobian.nnz();
        let starts = starts + layout.init_velocity.len() + layout.init_velocity_jacobian.nnz();
        let (asked_by, costs) = (2 * nv + nz + nu, topology.costs.len());
        let sizes = [
            states,
            (rows, np),
            (nv, motion),
            (nv, np),
            (starts, motion),
            (starts + 2 * nv + nz, np),
            (topology.limits.len(), asked_by),
            (costs, asked_by),
            (costs, np),
            (topology.squares.len(), asked_by),
            (layout.events.len() + collected.changes.len(), asked_by + 1),
            (layout.events.len() + collected.changes.len(), np),
        ];
        let Collected { entries, changes, guessed, .. } = collected;
        Partials { of: Placed::of(sizes, entries), changes, guessed }
    })
}

/// (row, column) of each nonzero of each part.
struct Collected<'a, S> {
    system: &'a S,
    entries: Vec<Entries<PARTIALS>>,
    /// exact starts are told, after all others: they hold over guesses
    exact: bool,
    changes: Vec<Change>,
    guessed: Vec<Option<(u32, u32)>>,
}

impl<S: Varied> OnVaried<S> for Collected<'_, S> {
    fn part<E: Element<S> + Optimizable>(&mut self, number: usize) {
        let topology = self.system.topology();
        let Some(part) = topology.parts.get(number).filter(|part| part.spec.members > 0) else { return };
        let Some(entries) = self.entries.get_mut(number) else { return };
        let element = E::of(self.system, part.tuple(0));
        let (of, exact) = (element.partial_patterns(), self.exact);
        let guessed = guessed::<S, E>(if exact { E::EXACT } else { E::GUESSED });
        for number_of in 0..part.spec.members {
            let member = Member { topology, part, number: number_of };
            let mut add = |k: usize, pattern, rows, columns| {
                if !exact {
                    entries[k].extend(member.entries(pattern, rows, columns));
                }
            };
            add(STATES, of.states, ROWS, COLUMNS);
            add(PARAMETERS, of.parameters, ROWS, &[Of::Parameters]);
            add(MOMENTA, of.momenta, &[Of::Velocities], MOTION);
            add(MOMENTA_BY_PARAMETER, of.momenta_by_parameter, &[Of::Velocities], &[Of::Parameters]);
            add(STARTS, of.starts, &[Of::Starts], MOTION);
            add(STARTS_BY_PARAMETER, of.starts_by_parameter, START, &[Of::Parameters]);
            add(LIMITS, element.limit_pattern(), &[Of::Limits], ASKED_BY);
            add(COSTS, of.costs, &[Of::Costs], ASKED_BY);
            add(COSTS_BY_PARAMETER, of.costs_by_parameter, &[Of::Costs], &[Of::Parameters]);
            add(SQUARES, element.square_pattern(), &[Of::Squares], ASKED_BY);
            if !exact && of.events.rows > 0 {
                let rows = changed::rows(member, element.changes(), &mut self.changes);
                entries[EVENTS].extend(member.entries_in(of.events, &rows, EVENT_COLUMNS));
                let by = member.entries_in(of.events_by_parameter, &rows, &[Of::Parameters]);
                entries[EVENTS_BY_PARAMETER].extend(by);
            }
            let rows = member.places(&START[1..]);
            for row in guessed.iter().filter_map(|&own| rows.get(own)) {
                if let Some(by) = self.guessed.get_mut(*row) {
                    *by = Some((number as u32, number_of as u32));
                }
            }
        }
    }
}

/// The rows of the start that an element speaks of, by its entries of q, v and z.
fn guessed<S: Varied, E: Element<S>>(spoken: [&[usize]; 3]) -> Vec<usize> {
    let (mut rows, [mut q, mut v, mut z]) = (Vec::new(), [0; 3]);
    let nv: usize = E::SLOTS.iter().map(|slot| slot.v).sum();
    for slot in E::SLOTS {
        let of = |level: usize, at: usize| spoken[level].contains(&at);
        // a rotation is guessed as a whole
        let turned = slot.q != slot.v && (0..slot.q).any(|k| of(0, q + k));
        rows.extend((0..slot.v).filter(|&k| turned || slot.q == slot.v && of(0, q + k)).map(|k| v + k));
        rows.extend((0..slot.v).filter(|&k| of(1, v + k)).map(|k| nv + v + k));
        rows.extend((0..slot.z).filter(|&k| of(2, z + k)).map(|k| 2 * nv + z + k));
        (q, v, z) = (q + slot.q, v + slot.v, z + slot.z);
    }
    rows
}

fn pattern<S: Varied>(system: &S, matrix: usize) -> Pattern<'_> {
    partials(system).of.columns[matrix].pattern()
}

/// [`Optimizable::limit_pattern`](crate::Optimizable::limit_pattern) of the whole.
pub fn limit_pattern<S: Varied>(system: &S) -> Pattern<'_> {
    pattern(system, LIMITS)
}

/// [`Optimizable::square_pattern`](crate::Optimizable::square_pattern) of the whole.
pub fn square_pattern<S: Varied>(system: &S) -> Pattern<'_> {
    pattern(system, SQUARES)
}

/// [`Sensitive::partial_patterns`](crate::Sensitive::partial_patterns) of the whole.
pub fn partial_patterns<S: Varied>(system: &S) -> PartialPatterns<'_> {
    let of = |matrix| pattern(system, matrix);
    PartialPatterns::new(of(STATES), of(PARAMETERS))
        .with_momenta(of(MOMENTA), of(MOMENTA_BY_PARAMETER))
        .with_events(of(EVENTS), of(EVENTS_BY_PARAMETER))
        .with_starts(of(STARTS), of(STARTS_BY_PARAMETER))
        .with_costs(of(COSTS), of(COSTS_BY_PARAMETER))
}

/// [`Sensitive::changes`](crate::Sensitive::changes) of the whole.
pub fn changes<S: Varied>(system: &S) -> &[Change] {
    &partials(system).changes
}

//! The derivatives of a model with sets that its steps and runs vary by: those of its elements, at their places.

use std::vec::Vec;

use crate::error::Cause;
use crate::families::changed::{self, EVENT_COLUMNS};
use crate::families::composite::{Composite, Element};
use crate::families::derived::{Entries, PARTIALS, Partials, Placed};
use crate::families::gather::{Local, add_at, members, rates_of};
use crate::families::observed::derived;
use crate::families::placing::{Member, Of};
use crate::families::spec::Form;
use crate::model::layout::{Block, Layout, Pattern};
use crate::model::optimizable::Optimizable;
use crate::model::sensitive::{Change, PartialPatterns};
use crate::model::system::{At, Rates, Residual};
use crate::numbers::scalar::Scalar;

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
const STATES: usize = 0;
const PARAMETERS: usize = 1;
const MOMENTA: usize = 2;
const MOMENTA_BY_PARAMETER: usize = 3;
pub(super) const STARTS: usize = 4;
pub(super) const STARTS_BY_PARAMETER: usize = 5;
const LIMITS: usize = 6;
const COSTS: usize = 7;
const COSTS_BY_PARAMETER: usize = 8;
const SQUARES: usize = 9;
pub(super) const EVENTS: usize = 10;
pub(super) const EVENTS_BY_PARAMETER: usize = 11;

/// Rows (r, s, Φ, Φ̇, Φ̈).
const ROWS: &[Of] = &[Of::Velocities, Of::States, Of::Rows, Of::Rows, Of::Rows];
/// Columns (q, v, a, z, λ, u, t).
const COLUMNS: &[Of] = &[Of::Velocities, Of::Velocities, Of::Velocities, Of::States, Of::Rows, Of::Inputs, Of::Time];
/// Columns (q, v, t).
const MOTION: &[Of] = &[Of::Velocities, Of::Velocities, Of::Time];
/// Columns (q, v, z, u).
const ASKED_BY: &[Of] = &[Of::Velocities, Of::Velocities, Of::States, Of::Inputs];
/// Rows of the start: its conditions, and q (tangent), v and z.
const START: &[Of] = &[Of::Starts, Of::Velocities, Of::Velocities, Of::States];

/// The patterns of a system, made now if nobody asked before.
fn partials<S: Varied>(system: &S) -> &Partials {
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

/// What is asked of each element.
pub(super) trait Ask<S: Varied> {
    /// Has an element of this form an answer?
    fn concerns(&self, _form: &Form) -> bool {
        true
    }
    fn ask<E: Element<S> + Optimizable>(&mut self, at: Standing<'_>, element: &E, t: S::Real, local: &Local<E>);
}

/// Where an element stands.
pub(super) struct Standing<'a> {
    member: Member<'a>,
    part: usize,
    pub(super) partials: &'a Partials,
}

impl Standing<'_> {
    /// The place of each nonzero of a matrix.
    pub(super) fn places(&self, matrix: usize, nonzeros: usize) -> &[u32] {
        let places = self.partials.of.places.get(self.part).map_or(&[][..], |of| &of[matrix]);
        places.get(self.member.number * nonzeros..).unwrap_or_default()
    }

    /// Adds the nonzeros of a matrix.
    pub(super) fn add<T: Scalar>(&self, matrix: usize, from: &[T], to: &mut [T]) {
        add_at(self.places(matrix, from.len()), 0, from, to);
    }

    /// The part and the member.
    pub(super) fn who(&self) -> (u32, u32) {
        (self.part as u32, self.member.number as u32)
    }
}

pub(super) struct Asking<'a, S: Composite, A> {
    pub(super) system: &'a S,
    pub(super) at: At<'a, S>,
    pub(super) rates: Option<Rates<'a, S>>,
    pub(super) ask: A,
}

impl<S: Varied, A: Ask<S>> OnVaried<S> for Asking<'_, S, A> {
    fn part<E: Element<S> + Optimizable>(&mut self, number: usize) {
        let (topology, partials) = (self.system.topology(), partials(self.system));
        if topology.parts.get(number).is_none_or(|part| !self.ask.concerns(&part.spec.form)) {
            return;
        }
        members::<S, E>(self.system, number, self.at, |part, member, tuple, element, local| {
            if let Some(Rates { a, zdot, lambda }) = self.rates {
                rates_of::<S, E>(topology, part, (member, tuple), [a, zdot, lambda], local);
            }
            let member = Member { topology, part, number: member };
            self.ask.ask(Standing { member, part: number, partials }, element, self.at.t, local);
        });
    }
}

/// A matrix of which the nonzeros are added.
struct Adding<'a, T> {
    matrix: usize,
    /// of [`STATES`], the rows (r, s, Φ) alone, or the others
    first: bool,
    out: &'a mut [T],
}

impl<S: Varied> Ask<S> for Adding<'_, S::Real> {
    fn ask<E: Element<S> + Optimizable>(&mut self, at: Standing<'_>, element: &E, t: S::Real, local: &Local<E>) {
        let (layout, of) = (element.layout(), element.partial_patterns());
        let (point, rates) = (local.at(t), local.rates());
        match self.matrix {
            STATES => {
                let mut own = E::Partials::zeros(of.states.nnz());
                match self.first {
                    true => element.residual_partials(point, rates, &mut Residual::zeros(&layout), &mut own),
                    false => element.level_partials(point, rates, &mut own),
                }
                let rows = first_rows(&layout);
                let places = at.places(STATES, own.as_ref().len());
                for ((&row, &value), &place) in of.states.indices.iter().zip(own.as_ref()).zip(places) {
                    if let Some(to) = self.out.get_mut(place as usize).filter(|_| (row < rows) == self.first) {
                        *to += value;
                    }
                }
            }
            PARAMETERS => {
                let mut own = E::PartialsByParameter::zeros(of.parameters.nnz());
                element.partials_by_parameter(point, rates, &mut own);
                at.add(PARAMETERS, own.as_ref(), self.out);
            }
            MOMENTA => {
                let mut own = E::MomentumPartials::zeros(of.momenta.nnz());
                element.momentum_partials(point, &mut own);
                at.add(MOMENTA, own.as_ref(), self.out);
            }
            _ => {
                let mut own = E::MomentumPartialsByParameter::zeros(of.momenta_by_parameter.nnz());
                element.momentum_partials_by_parameter(point, &mut own);
                at.add(MOMENTA_BY_PARAMETER, own.as_ref(), self.out);
            }
        }
    }
}

/// Rows (r, s, Φ).
fn first_rows(layout: &Layout<'_>) -> usize {
    layout.v.len() + layout.z.len() + layout.constraints.len()
}

/// The rows (r, s, Φ) of ∂(r, s, Φ, Φ̇, Φ̈)/∂(q, v, a, z, λ, u, t), or the others.
fn states<S: Varied>(system: &S, at: At<'_, S>, rates: Rates<'_, S>, first: bool, out: &mut [S::Real]) {
    let rows = first_rows(&system.layout());
    let indices = &partials(system).of.columns[STATES].indices;
    for (_, value) in indices.iter().zip(out.iter_mut()).filter(|(row, _)| (**row < rows) == first) {
        *value = S::Real::ZERO;
    }
    S::each_varied(&mut Asking { system, at, rates: Some(rates), ask: Adding { matrix: STATES, first, out } });
}

/// [`Sensitive::residual_partials`](crate::Sensitive::residual_partials) of the whole.
pub fn residual_partials<S: Varied>(
    system: &S,
    at: At<'_, S>,
    rates: Rates<'_, S>,
    residual: &mut Residual<S>,
    out: &mut [S::Real],
) {
    system.residual(at, rates, residual);
    states(system, at, rates, true, out);
}

/// [`Sensitive::level_partials`](crate::Sensitive::level_partials) of the whole.
pub fn level_partials<S: Varied>(system: &S, at: At<'_, S>, rates: Rates<'_, S>, out: &mut [S::Real]) {
    states(system, at, rates, false, out);
}

/// The nonzeros of a matrix.
fn matrix<S: Varied>(system: &S, at: At<'_, S>, rates: Option<Rates<'_, S>>, matrix: usize, out: &mut [S::Real]) {
    out.fill(S::Real::ZERO);
    S::each_varied(&mut Asking { system, at, rates, ask: Adding { matrix, first: true, out } });
}

/// [`Sensitive::partials_by_parameter`](crate::Sensitive::partials_by_parameter) of the whole.
pub fn partials_by_parameter<S: Varied>(system: &S, at: At<'_, S>, rates: Rates<'_, S>, out: &mut [S::Real]) {
    matrix(system, at, Some(rates), PARAMETERS, out);
}

/// [`Sensitive::momentum_partials`](crate::Sensitive::momentum_partials) of the whole.
pub fn momentum_partials<S: Varied>(system: &S, at: At<'_, S>, out: &mut [S::Real]) {
    matrix(system, at, None, MOMENTA, out);
}

/// [`Sensitive::momentum_partials_by_parameter`](crate::Sensitive::momentum_partials_by_parameter) of the whole.
pub fn momentum_partials_by_parameter<S: Varied>(system: &S, at: At<'_, S>, out: &mut [S::Real]) {
    matrix(system, at, None, MOMENTA_BY_PARAMETER, out);
}

/// What an optimiser asks for, with its derivatives.
struct Values<'a, T> {
    /// [`LIMITS`], [`COSTS`] or [`SQUARES`]
    matrix: usize,
    values: &'a mut [T],
    by: &'a mut [T],
    by_parameter: &'a mut [T],
}

impl<S: Varied> Ask<S> for Values<'_, S::Real> {
    fn concerns(&self, form: &Form) -> bool {
        let names = match self.matrix {
            LIMITS => form.limits,
            SQUARES => form.squares,
            _ => form.costs,
        };
        !names.is_empty()
    }

    fn ask<E: Element<S> + Optimizable>(&mut self, at: Standing<'_>, element: &E, t: S::Real, local: &Local<E>) {
        let (point, of) = (local.at(t), element.partial_patterns());
        match self.matrix {
            LIMITS => {
                let pattern = element.limit_pattern();
                let (mut own, mut by) = (E::H::zeros(pattern.rows), E::LimitPartials::zeros(pattern.nnz()));
                element.limit_partials(point, &mut own, &mut by);
                at.member.add(&[Of::Limits], own.as_ref(), self.values);
                at.add(LIMITS, by.as_ref(), self.by);
            }
            SQUARES => {
                let pattern = element.square_pattern();
                let (mut own, mut by) = (E::Squares::zeros(pattern.rows), E::SquarePartials::zeros(pattern.nnz()));
                element.square_partials(point, &mut own, &mut by);
                at.member.add(&[Of::Squares], own.as_ref(), self.values);
                at.add(SQUARES, by.as_ref(), self.by);
            }
            _ => {
                let (mut own, mut by) = (E::Costs::zeros(of.costs.rows), E::CostByState::zeros(of.costs.nnz()));
                let mut by_parameter = E::CostByParameter::zeros(of.costs_by_parameter.nnz());
                element.cost_partials(point, &mut own, &mut by, &mut by_parameter);
                at.member.add(&[Of::Costs], own.as_ref(), self.values);
                at.add(COSTS, by.as_ref(), self.by);
                at.add(COSTS_BY_PARAMETER, by_parameter.as_ref(), self.by_parameter);
            }
        }
    }
}

fn values<S: Varied>(system: &S, at: At<'_, S>, matrix: usize, [values, by, by_parameter]: [&mut [S::Real]; 3]) {
    for out in [&mut *values, &mut *by, &mut *by_parameter] {
        out.fill(S::Real::ZERO);
    }
    let ask = Values { matrix, values, by, by_parameter };
    S::each_varied(&mut Asking { system, at, rates: None, ask });
}

/// [`Optimizable::limit_partials`](crate::Optimizable::limit_partials) of the whole.
pub fn limit_partials<S: Varied>(system: &S, at: At<'_, S>, limits: &mut [S::Real], by: &mut [S::Real]) {
    values(system, at, LIMITS, [limits, by, &mut []]);
}

/// [`Optimizable::square_partials`](crate::Optimizable::square_partials) of the whole.
pub fn square_partials<S: Varied>(system: &S, at: At<'_, S>, rows: &mut [S::Real], by: &mut [S::Real]) {
    values(system, at, SQUARES, [rows, by, &mut []]);
}

/// [`Sensitive::cost_partials`](crate::Sensitive::cost_partials) of the whole: each cost is the sum over its members.
pub fn cost_partials<S: Varied>(system: &S, at: At<'_, S>, costs: &mut [S::Real], by: [&mut [S::Real]; 2]) {
    let [states, parameters] = by;
    values(system, at, COSTS, [costs, states, parameters]);
}

/// Second derivatives, of which those of each element are added.
struct Curvatures<'a, T> {
    covector: &'a [T],
    vector: &'a [T],
    states: &'a mut [T],
    parameters: &'a mut [T],
    found: Result<(), Cause>,
}

impl<S: Varied> Ask<S> for Curvatures<'_, S::Real> {
    fn ask<E: Element<S> + Optimizable>(&mut self, at: Standing<'_>, element: &E, t: S::Real, local: &Local<E>) {
        let layout = element.layout();
        let (nv, nz, nc) = (layout.v.len(), layout.z.len(), layout.constraints.len());
        let columns = 3 * nv + nz + nc + layout.u.len() + 1;
        let (mut covector, mut vector) = (E::Rows::zeros(nv + nz + 3 * nc), E::Columns::zeros(columns));
        at.member.take(ROWS, self.covector, covector.as_mut());
        at.member.take(COLUMNS, self.vector, vector.as_mut());
        let (mut states, mut parameters) = (E::Columns::zeros(columns), element.parameter_block());
        let found = element.curvature(local.at(t), local.rates(), &covector, &vector, &mut states, &mut parameters);
        if found.is_err() {
            self.found = found;
            return;
        }
        at.member.add(COLUMNS, states.as_ref(), self.states);
        at.member.add(&[Of::Parameters], parameters.as_ref(), self.parameters);
    }
}

/// [`Sensitive::curvature`](crate::Sensitive::curvature) of the whole.
///
/// # Errors
/// Those of an element.
pub fn curvature<S: Varied>(
    system: &S,
    at: At<'_, S>,
    rates: Rates<'_, S>,
    [covector, vector]: [&[S::Real]; 2],
    states: &mut [S::Real],
    parameters: &mut [S::Real],
) -> Result<(), Cause> {
    states.fill(S::Real::ZERO);
    parameters.fill(S::Real::ZERO);
    let ask = Curvatures { covector, vector, states, parameters, found: Ok(()) };
    let mut asking = Asking { system, at, rates: Some(rates), ask };
    S::each_varied(&mut asking);
    asking.ask.found
}

//! What elements give to a run of blocks: their columns, and their rows of the residual.

use crate::families::blocks::{FIRST, Kind};
use crate::families::composite::{Composite, Element};
use crate::families::gather::{Local, Q, Spots, V, Z, copy, sum, take_lambda, take_modes, take_u};
use crate::families::placed::Part;
use crate::families::topology::Topology;
use crate::model::layout::Block;
use crate::model::linearize::Weights;
use crate::model::system::{At, Rates, Residual};
use crate::numbers::scalar::Scalar;

/// What the tangent is taken at: numbers that threads may share.
pub(super) struct Point<'a, S: Composite> {
    pub(super) system: &'a S,
    pub(super) t: S::Real,
    pub(super) q: &'a [S::Real],
    pub(super) v: &'a [S::Real],
    pub(super) z: &'a [S::Real],
    pub(super) u: &'a [S::Real],
    pub(super) modes: &'a [S::Real],
    pub(super) rates: [&'a [S::Real]; 3],
    pub(super) weights: Weights<S::Real>,
    pub(super) step: &'a [S::Real],
}

impl<S: Composite> Clone for Point<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Composite> Copy for Point<'_, S> {}

/// What elements give.
pub(super) trait Contribution<S: Composite> {
    /// it is added to what there is, and has no rows
    const ADDS: bool;
    /// elements of this kind give something
    fn speaks<E: Element<S>>() -> bool;
    /// Nonzeros of the element's tangent, and its residual.
    fn give<E: Element<S>>(
        point: &Point<'_, S>,
        of: (&E, At<'_, E>, Rates<'_, E>),
        step: &E::V,
        residual: &mut Residual<E>,
        tangent: &mut E::Tangent,
    );
}

/// Blocks of a kind as an element's own block `own`, with what they write.
pub(super) struct Run<'a, T> {
    pub(super) own: usize,
    pub(super) kind: Kind,
    /// the first of them, and the place of its first nonzero
    pub(super) first: [usize; 2],
    pub(super) count: usize,
    pub(super) nonzeros: &'a mut [T],
    pub(super) rows: &'a mut [T],
}

/// Takes the element's numbers of a block, its `own`, or of all others.
#[cfg_attr(not(debug_assertions), inline(always))]
fn gather<S: Composite, E: Element<S>>(
    point: &Point<'_, S>,
    places: Spots<'_>,
    (block, own): (usize, bool),
    local: &mut Local<E>,
) {
    let [a, zdot, _] = point.rates;
    places.each(|slot, place| {
        if (slot == block) != own {
            return;
        }
        place.take::<Q, _>(point.q, local.q.as_mut());
        place.take::<V, _>(point.v, local.v.as_mut());
        place.take::<V, _>(point.step, local.step.as_mut());
        place.take::<V, _>(a, local.a.as_mut());
        place.take::<Z, _>(point.z, local.z.as_mut());
        place.take::<Z, _>(zdot, local.zdot.as_mut());
    });
}

/// Writes the columns of a run of blocks, and adds their rows: each element is evaluated in which such a block stands
/// as its block `own`. `B` is that number where it is known when this is compiled.
///
/// The coupling of a block with itself, and its rows of the residual, are the same places for all elements it stands
/// in: they are added up first, and then written once.
#[inline(never)]
pub(super) fn add_elements<S: Composite, E: Element<S>, G: Contribution<S>, const B: usize>(
    point: &Point<'_, S>,
    topology: &Topology,
    part: &Part,
    run: Run<'_, S::Real>,
) {
    let block = if B == usize::MAX { run.own } else { B };
    let Some(incident) = part.incident.get(block) else { return };
    let (starts, width, kind) = (&topology.tangent.starts, E::WIDTH + E::SLOTS.len() + 1, run.kind);
    let before = E::SLOTS.iter().take(block);
    let [first_v, first_z] = before.fold([0, 0], |[v, z], slot| [v + slot.v, z + slot.z]);
    let mut inputs = E::U::zeros(point.u.len());
    copy(point.u, inputs.as_mut());
    for own in 0..run.count {
        let number = run.first[0] + own;
        let (Some(&from), Some(&to)) = (incident.starts.get(number), incident.starts.get(number + 1)) else {
            return;
        };
        let column = kind.row + number * kind.len;
        let (Some(&place), Some(&next)) = (starts.get(column), starts.get(column + 1)) else { return };
        let Some(columns) = run.nonzeros.get_mut(place - run.first[1]..) else { return };
        let rows = run.rows.get_mut(own * kind.len..).unwrap_or_default();
        let (from, to) = (from as usize, to as usize);
        let Some(elements) = incident.elements.get(from * width..to * width) else { return };
        let Some((any, own_places)) = elements.get(..width).and_then(|first| first.split_at_checked(E::WIDTH)) else {
            continue;
        };
        let element = E::of(point.system, any);
        let layout = element.layout();
        let mut shared = Local::new(&element);
        gather(point, Spots::of::<S, E>(topology, any), (block, true), &mut shared);
        let mut own_tangent = E::Tangent::zeros(layout.tangent.nnz());
        let mut own_rows = Residual::<E>::zeros(&layout);
        for (tuple, places) in elements.chunks_exact(width).map(|element| element.split_at(E::WIDTH)) {
            let element = E::of(point.system, tuple);
            // made anew, so that the compiler drops what the element does not read
            let mut local = shared.clone();
            gather(point, Spots::of::<S, E>(topology, tuple), (block, false), &mut local);
            let member = tuple.first().map_or(0, |&member| member as usize);
            take_lambda(part, member, point.rates[2], local.lambda.as_mut());
            take_u::<E>(topology, part, tuple, point.u, &mut inputs);
            take_modes::<E>(topology, part, tuple, point.modes, &mut local.modes);
            let mut residual = Residual::<E>::zeros(&layout);
            let mut tangent = E::Tangent::zeros(layout.tangent.nnz());
            let at = At { u: &inputs, ..local.at(point.t) };
            G::give(point, (&element, at, local.rates()), &local.step, &mut residual, &mut tangent);
            write_columns::<S, E, G, false>(block, &tangent, places, next - place, columns);
            E::add_own(block, &tangent, &mut own_tangent);
            if !G::ADDS {
                sum(residual.r.as_ref(), own_rows.r.as_mut());
                sum(residual.s.as_ref(), own_rows.s.as_mut());
                sum(residual.phi.as_ref(), own_rows.phi.as_mut());
            }
        }
        write_columns::<S, E, G, true>(block, &own_tangent, own_places, next - place, columns);
        if !G::ADDS {
            let own = match E::SLOTS.get(block) {
                Some(slot) if slot.z > 0 => own_rows.s.as_ref().get(first_z..first_z + slot.z).unwrap_or_default(),
                Some(slot) => own_rows.r.as_ref().get(first_v..first_v + slot.v).unwrap_or_default(),
                None => own_rows.phi.as_ref(),
            };
            sum(own, rows);
        }
    }
}

/// Writes the columns of a block, over what is there already or to be added to it.
#[cfg_attr(not(debug_assertions), inline(always))]
fn write_columns<S: Composite, E: Element<S>, G: Contribution<S>, const OWN: bool>(
    block: usize,
    tangent: &E::Tangent,
    rows: &[u32],
    height: usize,
    columns: &mut [S::Real],
) {
    if G::ADDS {
        E::write_columns::<OWN, true>(block, tangent, rows, height, columns);
    } else {
        E::write_columns::<OWN, false>(block, tangent, rows, height, columns);
    }
}

/// Writes the entries of a block in a column, for [`Element::write_columns`], from `row` on, of which the top bit says
/// that nothing has been written there. Then they are assigned, else added; with `ADDS` they are always added. Nothing
/// where there are no nonzeros.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn put<T: Scalar, const ADDS: bool, const N: usize>(column: &mut [T], row: u32, values: [T; N]) {
    match column.get_mut((row & !FIRST) as usize..).and_then(<[T]>::first_chunk_mut) {
        Some(entries) if row & FIRST != 0 && !ADDS => *entries = values,
        Some(entries) => sum(&values, entries),
        None => {}
    }
}

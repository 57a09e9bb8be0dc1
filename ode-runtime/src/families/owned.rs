//! The tangent of the whole: each block writes its own columns, and its own rows of the residual.

use core::marker::PhantomData;

use crate::families::composite::{Composite, Element, OnParts};
use crate::families::placed::Part;
use crate::families::run::{Contribution, Point, Run, add_elements};
use crate::families::topology::Topology;
use crate::linalg::both;
use crate::model::linearize::Weights;
use crate::model::system::{At, Rates, Residual};
use crate::numbers::scalar::{Real, Scalar};

/// Blocks that are written one after the other: their columns stay in the cache while parts add to them. The order of
/// sums does not depend on who writes which.
const TOGETHER: usize = 16;

/// Nonzeros that one thread writes alone: with fewer, some 50 µs of work, a second one costs more than it gives.
const ALONE: usize = 1 << 15;

/// Blocks of one kind, with what they write.
struct Owned<'a, T> {
    kind: usize,
    first: usize,
    count: usize,
    /// their columns
    nonzeros: &'a mut [T],
    /// their rows of the residual
    rows: &'a mut [T],
}

/// The residual and its tangent.
struct Whole;

impl<S: Composite> Contribution<S> for Whole {
    const ADDS: bool = false;

    fn speaks<E: Element<S>>() -> bool {
        true
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn give<E: Element<S>>(
        point: &Point<'_, S>,
        (element, at, rates): (&E, At<'_, E>, Rates<'_, E>),
        step: &E::V,
        residual: &mut Residual<E>,
        tangent: &mut E::Tangent,
    ) {
        element.tangent(at, rates, point.weights, step, residual, tangent);
    }
}

/// What the stiffness of Newton's iterations has more.
struct More;

impl<S: Composite> Contribution<S> for More
where
    S::Real: Real,
{
    const ADDS: bool = true;

    fn speaks<E: Element<S>>() -> bool {
        !E::NEWTON_IS_EXACT
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn give<E: Element<S>>(
        point: &Point<'_, S>,
        (element, at, _): (&E, At<'_, E>, Rates<'_, E>),
        _: &E::V,
        _: &mut Residual<E>,
        tangent: &mut E::Tangent,
    ) {
        element.newton_stiffness(at, point.weights, tangent);
    }
}

/// [`Linearize::tangent`](crate::Linearize::tangent) of the whole, nonzeros into `out`.
pub fn tangent<S: Composite>(
    system: &S,
    at: At<'_, S>,
    rates: Rates<'_, S>,
    weights: Weights<S::Real>,
    step: &S::V,
    residual: &mut Residual<S>,
    out: &mut [S::Real],
) {
    let (q, v, z, u) = (at.q.as_slice(), at.v.as_slice(), at.z.as_slice(), at.u.as_ref());
    let rates_of_all = [rates.a.as_slice(), rates.zdot, rates.lambda];
    let modes = at.modes.as_ref();
    let point = Point { system, t: at.t, q, v, z, u, modes, rates: rates_of_all, weights, step };
    let topology = system.topology();
    write_all::<S, Whole>(point, topology, [&mut residual.r, &mut residual.s, &mut residual.phi], out);
    for &place in &topology.unwritten {
        if let Some(entry) = out.get_mut(place as usize) {
            *entry = S::Real::ZERO;
        }
    }
    // elements have −g, their share of the rates
    for (&place, (s, &rate)) in topology.diagonal.iter().zip(residual.s.iter_mut().zip(rates.zdot)) {
        *s += rate;
        if let Some(entry) = out.get_mut(place as usize) {
            *entry += weights.rates;
        }
    }
}

/// [`Linearize::newton_stiffness`](crate::Linearize::newton_stiffness) of the whole, added to `out`.
pub fn newton_stiffness<S: Composite>(system: &S, at: At<'_, S>, weights: Weights<S::Real>, out: &mut [S::Real])
where
    S::Real: Real,
{
    let none = [].as_slice();
    let (q, v, z, u) = (at.q.as_slice(), at.v.as_slice(), at.z.as_slice(), at.u.as_ref());
    let modes = at.modes.as_ref();
    let point = Point { system, t: at.t, q, v, z, u, modes, rates: [none; 3], weights, step: none };
    write_all::<S, More>(point, system.topology(), [&mut [], &mut [], &mut []], out);
}

/// Each kind of block, with its columns, and its rows among those of r, s and Φ.
fn write_all<S: Composite, G: Contribution<S>>(
    point: Point<'_, S>,
    topology: &Topology,
    mut all_rows: [&mut [S::Real]; 3],
    out: &mut [S::Real],
) {
    let mut nonzeros = out;
    for (kind, blocks) in topology.kinds.iter().enumerate() {
        let of = match topology.field_specs.get(kind) {
            Some(field) if field.z.is_empty() => &mut all_rows[0],
            Some(_) => &mut all_rows[1],
            None => &mut all_rows[2],
        };
        let rows = core::mem::take(of);
        let len = if G::ADDS { 0 } else { blocks.count * blocks.len };
        let Some((rows, rest)) = rows.split_at_mut_checked(len) else { return };
        *of = rest;
        let first = topology.tangent.starts[blocks.row];
        let end = topology.tangent.starts[blocks.row + blocks.count * blocks.len];
        let Some((own, rest)) = nonzeros.split_at_mut_checked(end - first) else { return };
        nonzeros = rest;
        write::<S, G>(point, topology, Owned { kind, first: 0, count: blocks.count, nonzeros: own, rows });
    }
}

/// Halves, until few are left.
fn write<S: Composite, G: Contribution<S>>(point: Point<'_, S>, topology: &Topology, owned: Owned<'_, S::Real>) {
    let Some(blocks) = topology.kinds.get(owned.kind).filter(|_| owned.count > 0) else { return };
    if owned.count > TOGETHER {
        let half = owned.count.div_ceil(2).next_multiple_of(TOGETHER).min(owned.count);
        let at = |block: usize| topology.tangent.starts.get(blocks.row + block * blocks.len).copied().unwrap_or(0);
        let split = at(owned.first + half) - at(owned.first);
        let (own, others) = owned.nonzeros.split_at_mut(split);
        let (rows, later) = owned.rows.split_at_mut(if G::ADDS { 0 } else { half * blocks.len });
        let own = Owned { count: half, nonzeros: own, rows, ..owned };
        let first = owned.first + half;
        let others = Owned { kind: owned.kind, first, count: owned.count - half, nonzeros: others, rows: later };
        if own.nonzeros.len() + others.nonzeros.len() > ALONE {
            both(|| write::<S, G>(point, topology, own), || write::<S, G>(point, topology, others));
        } else {
            write::<S, G>(point, topology, own);
            write::<S, G>(point, topology, others);
        }
        return;
    }
    owned.rows.fill(S::Real::ZERO);
    S::each_part(&mut Columns { point, topology, owned, contribution: PhantomData::<G> });
}

struct Columns<'a, S: Composite, G> {
    point: Point<'a, S>,
    topology: &'a Topology,
    owned: Owned<'a, S::Real>,
    contribution: PhantomData<G>,
}

impl<S: Composite, G: Contribution<S>> OnParts<S> for Columns<'_, S, G> {
    fn part<E: Element<S>>(&mut self, number: usize) {
        let has_members = |part: &&Part| part.spec.members > 0 && G::speaks::<E>();
        let Some(part) = self.topology.parts.get(number).filter(has_members) else { return };
        let kind = self.owned.kind;
        let constraints = self.topology.fields.len() + part.owner;
        if kind != constraints && !E::SLOTS.iter().any(|slot| slot.field == kind) {
            return;
        }
        for block in 0..=E::SLOTS.len() {
            let of = E::SLOTS.get(block).map_or(constraints, |slot| slot.field);
            if of != kind {
                continue;
            }
            let Self { point, topology, owned, .. } = self;
            let Some(&kind) = topology.kinds.get(owned.kind) else { return };
            let place = topology.tangent.starts.get(kind.row + owned.first * kind.len).copied().unwrap_or(0);
            let run = Run {
                own: block,
                kind,
                first: [owned.first, place],
                count: owned.count,
                nonzeros: owned.nonzeros,
                rows: owned.rows,
            };
            // Known when this is compiled, only what the block's columns need is evaluated. Where nothing is optimised,
            // the first shall do for all.
            match block {
                0 => add_elements::<S, E, G, 0>(point, topology, part, run),
                _ if cfg!(debug_assertions) => add_elements::<S, E, G, { usize::MAX }>(point, topology, part, run),
                1 => add_elements::<S, E, G, 1>(point, topology, part, run),
                2 => add_elements::<S, E, G, 2>(point, topology, part, run),
                _ => add_elements::<S, E, G, { usize::MAX }>(point, topology, part, run),
            }
        }
    }
}

//! Events of a model with sets: each member has those of its element.

use crate::families::composite::{Composite, Element, OnParts};
use crate::families::gather::{Local, Spot, Spots, copy, members};
use crate::families::placed::Part;
use crate::model::layout::Block;
use crate::model::system::{At, Rates, Reset};

/// The events of a part: the number of the first, and how many a member has.
fn events(part: &Part) -> (usize, usize) {
    let [.., first] = part.first_asked;
    (first, part.spec.form.events.len())
}

struct Guards<'a, S: Composite> {
    system: &'a S,
    at: At<'a, S>,
    /// the slopes are asked for
    rates: Option<Rates<'a, S>>,
    out: &'a mut [S::Real],
}

impl<S: Composite> OnParts<S> for Guards<'_, S> {
    fn part<E: Element<S>>(&mut self, number: usize) {
        let topology = self.system.topology();
        if topology.parts.get(number).is_none_or(|part| part.spec.form.events.is_empty()) {
            return;
        }
        members::<S, E>(self.system, number, self.at, |part, member, tuple, element, local| {
            let (first, count) = events(part);
            let mut own = E::Guards::zeros(count);
            match self.rates {
                None => element.guards(local.at(self.at.t), &mut own),
                Some(rates) => {
                    local.take_rates(topology, part, (member, tuple), rates);
                    element.guard_rates(local.at(self.at.t), local.rates(), &mut own);
                }
            }
            let first = first + member * count;
            if let Some(to) = self.out.get_mut(first..first + count) {
                to.copy_from_slice(own.as_ref());
            }
        });
    }
}

/// [`System::guards`](crate::System::guards) of the whole: part by part, those of each member side by side.
pub fn guards<S: Composite>(system: &S, at: At<'_, S>, out: &mut S::Guards) {
    S::each_part(&mut Guards { system, at, rates: None, out: out.as_mut() });
}

/// [`System::guard_rates`](crate::System::guard_rates) of the whole.
pub fn guard_rates<S: Composite>(system: &S, at: At<'_, S>, rates: Rates<'_, S>, out: &mut S::Guards) {
    S::each_part(&mut Guards { system, at, rates: Some(rates), out: out.as_mut() });
}

struct Resets<'a, 'o, S: Composite> {
    system: &'a S,
    event: usize,
    at: At<'a, S>,
    out: Reset<'o, S>,
}

impl<S: Composite> OnParts<S> for Resets<'_, '_, S> {
    fn part<E: Element<S>>(&mut self, number: usize) {
        let topology = self.system.topology();
        let Some(part) = topology.parts.get(number) else { return };
        let (first, count) = events(part);
        let Some(event) = self.event.checked_sub(first).filter(|event| *event < count * part.spec.members) else {
            return;
        };
        let (member, event, at) = (event / count, event % count, self.at);
        let tuple = part.tuple(member);
        let element = E::of(self.system, tuple);
        let mut before = Local::new(&element);
        if topology.shares_inputs() {
            copy(at.u.as_ref(), before.u.as_mut());
        }
        before.take(topology, part, tuple, at);
        // what the event does not assign is written as it was
        let (mut q, mut v, mut z, mut modes) =
            (before.q.clone(), before.v.clone(), before.z.clone(), before.modes.clone());
        element.reset(event, before.at(at.t), Reset { q: &mut q, v: &mut v, z: &mut z, modes: &mut modes });
        let out = &mut self.out;
        Spots::of::<S, E>(topology, tuple).each(|_, Spot { whole, own, len }| {
            put(q.as_ref(), own[0], out.q, whole[0], len[0]);
            put(v.as_ref(), own[1], out.v, whole[1], len[1]);
            put(z.as_ref(), own[2], out.z, whole[2], len[2]);
        });
        let mut own = 0;
        topology.modes(part, tuple, |whole, len| {
            put(modes.as_ref(), own, out.modes.as_mut(), whole, len);
            own += len;
        });
    }
}

fn put<T: Copy>(from: &[T], own: usize, to: &mut [T], whole: usize, len: usize) {
    if let (Some(from), Some(to)) = (from.get(own..own + len), to.get_mut(whole..whole + len)) {
        to.copy_from_slice(from);
    }
}

/// [`System::reset`](crate::System::reset) of the whole: an event changes what its member's element has.
pub fn reset<S: Composite>(system: &S, event: usize, at: At<'_, S>, out: Reset<'_, S>) {
    S::each_part(&mut Resets { system, event, at, out });
}

//! The rows of what events of members change.

use std::vec::Vec;

use crate::families::placing::{Member, Of};
use crate::model::sensitive::{Change, Changed};

/// Columns (q, v, z, u, t).
pub(super) const EVENT_COLUMNS: &[Of] = &[Of::Velocities, Of::Velocities, Of::States, Of::Inputs, Of::Time];

/// Adds what the events of a member change to `all`; returns the rows of its guards, and then of its changes.
pub(super) fn rows(member: Member<'_>, own: &[Change], all: &mut Vec<Change>) -> Vec<usize> {
    let Member { topology, part, number } = member;
    let count = part.spec.form.events.len();
    let first = part.first_asked[3] + number * count;
    let (velocities, states) = (member.places(&[Of::Velocities]), member.places(&[Of::States]));
    let mut modes = Vec::new();
    topology.modes(part, part.tuple(number), |whole, len| modes.extend(whole..whole + len));
    let of = |places: &[usize], own: usize| places.get(own).copied().unwrap_or_default();
    let changes = topology.layout().events.len() + all.len();
    all.extend(own.iter().map(|change| Change {
        event: first + change.event,
        of: match change.of {
            Changed::Position(own) => Changed::Position(of(&velocities, own)),
            Changed::Velocity(own) => Changed::Velocity(of(&velocities, own)),
            Changed::State(own) => Changed::State(of(&states, own)),
            Changed::Mode(own) => Changed::Mode(of(&modes, own)),
        },
    }));
    (first..first + count).chain(changes..changes + own.len()).collect()
}

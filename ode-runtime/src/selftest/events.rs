//! Guards, their rates, and resets against the twin over dual numbers.

use super::compare::{Mismatch, vector};
use super::direction::Direction;
use super::probe::Check;
use crate::model::differentiable::{Differentiable, FromParameters};
use crate::model::layout::Block;
use crate::model::system::Reset;
use crate::numbers::dual::Dual;

/// Events that are named where they differ.
const NAMED: usize = 64;

pub(super) fn check<S, D>(c: &Check<'_, S, D>) -> Result<(), Mismatch>
where
    S: Differentiable<Real = f64>,
    D: FromParameters<Real = Dual<f64>>,
{
    let l = c.model.layout();
    let mut names = [""; NAMED];
    for (name, event) in names.iter_mut().zip(l.events) {
        *name = event.name;
    }
    let (mut guards, mut rates): (S::Guards, S::Guards) = (Block::zeros(l.events.len()), Block::zeros(l.events.len()));
    c.model.guards(c.point.at(), &mut guards);
    c.model.guard_rates(c.point.at(), c.point.rates(), &mut rates);
    let (twin, at) = c.lifted(Direction::Flight);
    let mut moving: D::Guards = Block::zeros(l.events.len());
    twin.guards(at.at(), &mut moving);
    let moving = moving.as_ref();
    vector("guard", &names, guards.as_ref(), &|i| moving.get(i).map_or(0.0, |x| x.re))?;
    vector("rate of guard", &names, rates.as_ref(), &|i| moving.get(i).map_or(0.0, |x| x.eps))?;
    (0..l.events.len()).try_for_each(|event| reset(c, event))
}

/// The values after an event.
fn reset<S, D>(c: &Check<'_, S, D>, event: usize) -> Result<(), Mismatch>
where
    S: Differentiable<Real = f64>,
    D: FromParameters<Real = Dual<f64>>,
{
    let l = c.model.layout();
    let p = c.point;
    let (mut q, mut v, mut z, mut modes) = (p.q.clone(), p.v.clone(), p.z.clone(), p.modes.clone());
    c.model.reset(event, p.at(), Reset { q: &mut q, v: &mut v, z: &mut z, modes: &mut modes });
    let (twin, at) = c.lifted(Direction::Flight);
    let (mut dq, mut dv, mut dz, mut dm) = (at.q.clone(), at.v.clone(), at.z.clone(), at.modes.clone());
    twin.reset(event, at.at(), Reset { q: &mut dq, v: &mut dv, z: &mut dz, modes: &mut dm });
    for (block, names, own, twin) in [
        ("q after an event", l.q, q.as_ref(), dq.as_ref()),
        ("v after an event", l.v, v.as_ref(), dv.as_ref()),
        ("z after an event", l.z, z.as_ref(), dz.as_ref()),
        ("modes after an event", l.modes, modes.as_ref(), dm.as_ref()),
    ] {
        vector(block, names, own, &|i| twin.get(i).map_or(0.0, |x| x.re))?;
    }
    Ok(())
}

//! States of a run, made again from those that are kept.

use crate::error::Cause;
use crate::integrators::Vary;
use crate::model::sensitive::Sensitive;
use crate::run::reversible::{Knot, Made, Passage, Point, Reversible};
use crate::run::simulation::Simulation;
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::variation::Controls;

impl<S, M, U> Reversible<'_, S, M, U>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    /// Brings `at` to where step n begins.
    pub(super) fn reach(
        &mut self,
        n: usize,
        at: &mut Point<S, M>,
        remade: &mut u64,
        failed: &mut [S::Real; 2],
    ) -> Result<Made<S::Real>, Cause> {
        self.kept.release_after(n);
        while let Some((k, point)) = self.kept.last(n) {
            // states after events are kept too
            let jumps = self.jumps.get(..self.jumps.partition_point(|jump| jump.next <= n)).unwrap_or_default();
            let jump = jumps.last().filter(|jump| jump.next > k);
            let (k, point) = jump.map_or((k, point), |jump| (jump.next, &jump.after));
            at.0.copy_from(&point.0);
            at.1.clone_from(&point.1);
            if k == n {
                break;
            }
            let next = k + self.kept.plan(k, n);
            for k in k..next {
                let Some(&step) = self.made.get(k) else { break };
                *failed = [step.h, at.0.t];
                self.hold(k);
                remake(&mut self.run, step, at)?;
                *remade += 1;
                if let Some(planned) = self.knot(k + 1).map(|knot| knot.planned) {
                    self.hold(k + 1);
                    begin_anew(&mut self.run, planned, at)?;
                }
            }
            self.kept.keep(next, || at.clone());
            if next == n {
                break;
            }
        }
        self.hold(n);
        self.made.get(n).copied().ok_or(Cause::NotDifferentiable { what: "a run without steps" })
    }

    /// What interrupts the motion before step n.
    pub(super) fn passage(&self, n: usize) -> Option<Passage> {
        let event = self.jumps.binary_search_by_key(&n, |jump| jump.next).ok().map(Passage::Event);
        event.or_else(|| self.knot(n).map(|_| Passage::Knot))
    }

    /// Has the scratch of a step that leads to `end`: recalled from there, which it returns, or of another attempt,
    /// which leaves the proposal too. Of a step to a knot the proposal becomes its end, before the sample, and what was
    /// proposed before projection is left in `fresh`.
    pub(super) fn again(
        &mut self,
        step: Made<S::Real>,
        passage: Option<Passage>,
        (x, m): &Point<S, M>,
        end: &Point<S, M>,
    ) -> Result<bool, Cause> {
        let Simulation { system, method, inputs, scratch, proposal, fresh, projection, .. } = &mut self.run;
        let plain = passage.is_none() && projection.is_none();
        if plain && method.recall(*system, x, (&end.0, &end.1), scratch) {
            return Ok(true);
        }
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut Work::default() };
        proposal.attempt(method, &mut cx, (x, m), step.h, scratch)?;
        proposal.x.t = step.end;
        if passage == Some(Passage::Knot) {
            fresh.copy_from(&proposal.x);
            complete(&mut self.run)?;
        }
        Ok(false)
    }

    /// The knot before step n.
    fn knot(&self, n: usize) -> Option<&Knot<S>> {
        let place = self.knots.binary_search_by_key(&n, |knot| knot.next);
        place.ok().and_then(|place| self.knots.get(place))
    }

    /// Makes the inputs those of step n.
    pub(super) fn hold(&mut self, n: usize) {
        let knot = self.knots.get(self.knots.partition_point(|knot| knot.next <= n));
        if let Some(held) = knot.map_or(&self.held, |knot| &knot.held) {
            self.run.inputs.resume(held.clone());
        }
    }
}

/// Begins anew with the inputs of after a sample instant, where a step of a size was planned.
fn begin_anew<S, M, U>(
    run: &mut Simulation<'_, S, M, U>,
    planned: S::Real,
    (x, m): &mut Point<S, M>,
) -> Result<(), Cause>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    let Simulation { system, method, inputs, scratch, proposal, .. } = run;
    let mut work = Work::default();
    let mut cx = Context { system: *system, inputs: &*inputs, work: &mut work };
    proposal.acceleration.settle(&mut cx, x)?;
    *m = method.restart(&mut cx, x, planned, scratch, &mut proposal.acceleration)?;
    Ok(())
}

/// Makes a step of a run once more.
fn remake<S, M, U>(
    run: &mut Simulation<'_, S, M, U>,
    step: Made<S::Real>,
    (x, m): &mut Point<S, M>,
) -> Result<(), Cause>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    let Simulation { system, method, inputs, scratch, proposal, .. } = &mut *run;
    let mut cx = Context { system: *system, inputs: &*inputs, work: &mut Work::default() };
    proposal.attempt(method, &mut cx, (x, m), step.h, scratch)?;
    proposal.x.t = step.end;
    complete(run)?;
    run.proposal.commit(&run.method, (x, m), &mut run.scratch);
    x.t = step.end;
    Ok(())
}

/// Projects what was proposed, and completes it.
fn complete<S, M, U>(run: &mut Simulation<'_, S, M, U>) -> Result<(), Cause>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    let Simulation { system, method, inputs, proposal, projection, projector, .. } = run;
    let mut cx = Context { system: *system, inputs: &*inputs, work: &mut Work::default() };
    if let Some(projection) = projection {
        projector.project(&mut cx, projection, &mut proposal.x)?;
    }
    proposal.finish(method, &mut cx)
}

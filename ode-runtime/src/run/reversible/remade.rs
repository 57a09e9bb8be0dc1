//! States of a run, made again from those that are kept.

use crate::error::Cause;
use crate::integrators::Vary;
use crate::integrators::method::Method;
use crate::model::input::Inputs;
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::run::interruption::Interruption;
use crate::run::reversible::{Knot, Made, Point, Reversible};
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
                self.run.remake(step, at)?;
                *remade += 1;
                if let Some(planned) = self.knot(k + 1).map(|knot| knot.planned) {
                    self.hold(k + 1);
                    self.run.begin_anew_at(planned, at)?;
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

    /// What interrupts the motion before step n: of an event, its place among those of the run.
    pub(super) fn interruption_before(&self, n: usize) -> Option<Interruption<usize>> {
        let event = self.jumps.binary_search_by_key(&n, |jump| jump.next).ok().map(Interruption::Event);
        event.or_else(|| self.knot(n).map(|_| Interruption::Sample))
    }

    /// Has the scratch of a step that leads to `end`: recalled from there, which it returns, or of another attempt,
    /// which leaves the proposal too. Of a step to a knot the proposal becomes its end, before the sample, and what was
    /// proposed before projection is left in `fresh`.
    pub(super) fn again(
        &mut self,
        step: Made<S::Real>,
        interruption: Option<Interruption<usize>>,
        (x, m): &Point<S, M>,
        end: &Point<S, M>,
    ) -> Result<bool, Cause> {
        let run = &mut self.run;
        let plain = interruption.is_none() && run.projection.is_none();
        if plain && run.method.recall(run.system, x, (&end.0, &end.1), &mut run.scratch) {
            return Ok(true);
        }
        run.propose_again(step, (x, m))?;
        if interruption == Some(Interruption::Sample) {
            run.fresh.copy_from(&run.proposal.x);
            run.complete()?;
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

impl<S: Solvable, M: Method<S>, U: Inputs<S>> Simulation<'_, S, M, U> {
    /// Begins anew with the inputs of after a sample instant, where a step of a size was planned.
    fn begin_anew_at(&mut self, planned: S::Real, (x, m): &mut Point<S, M>) -> Result<(), Cause> {
        let Self { system, method, inputs, scratch, proposal, .. } = self;
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut Work::default() };
        proposal.acceleration.settle(&mut cx, x)?;
        *m = method.restart(&mut cx, x, planned, scratch, &mut proposal.acceleration)?;
        Ok(())
    }

    /// Makes a step once more.
    fn remake(&mut self, step: Made<S::Real>, (x, m): &mut Point<S, M>) -> Result<(), Cause> {
        self.propose_again(step, (x, m))?;
        self.complete()?;
        self.proposal.commit(&self.method, (x, m), &mut self.scratch);
        x.t = step.end;
        Ok(())
    }

    /// Proposes a step once more.
    fn propose_again(&mut self, step: Made<S::Real>, from: (&State<S>, &M::Memory)) -> Result<(), Cause> {
        let Self { system, method, inputs, scratch, proposal, .. } = self;
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut Work::default() };
        proposal.attempt(method, &mut cx, from, step.h, scratch)?;
        proposal.x.t = step.end;
        Ok(())
    }

    /// Projects what was proposed, and completes it.
    fn complete(&mut self) -> Result<(), Cause> {
        let Self { system, method, inputs, proposal, projection, projector, .. } = self;
        let mut cx = Context { system: *system, inputs: &*inputs, work: &mut Work::default() };
        if let Some(projection) = projection {
            projector.project(&mut cx, projection, &mut proposal.x)?;
        }
        proposal.finish(method, &mut cx)
    }
}

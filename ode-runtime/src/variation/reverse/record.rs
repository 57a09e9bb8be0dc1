//! Operations as a method makes them: each is put on the tape, with the point at which it is linear.

use std::boxed::Box;

use crate::error::Cause;
use crate::model::sensitive::Sensitive;
use crate::model::state::{Moment, State};
use crate::numbers::scalar::Scalar;
use crate::solve::ProjectedBy;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::chain::{Chain, Ending, Found, Increment, Moved, RateVariation, Solved, Varied};
use crate::variation::charts::spins;
use crate::variation::controls::Controls;
use crate::variation::momenta::{Forces, HeldRows, Momentum};
use crate::variation::projection::iterations;
use crate::variation::unknowns::{Factorization, Unknowns};

use super::ending::{End, Taken};
use super::momenta::{Carried, Equated, Held, Pushed};
use super::motion::{Stage, StateNodes};
use super::nodes::Node;
use super::operation::{Link, Operation};
use super::projection::Projected;
use super::tape::Tape;

impl<S: Solvable + Sensitive> Tape<S> {
    /// What an operation makes.
    fn v(&mut self) -> Node {
        self.swept.nodes.v.make()
    }

    /// The unknowns of an implicit step.
    fn end<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Ending<'_, S>,
        (x, rates): (StateNodes, Option<&(Node, Node)>),
        taken: Option<Taken<S>>,
        found: &RateVariation<S, Self>,
    ) -> Result<(), Cause> {
        let place = self.pools.ends.next(|| End::new(cx.system));
        if let Some(end) = self.pools.ends.all.get_mut(place) {
            end.record(cx, at, (x, rates.copied(), found.clone()), taken, &mut self.asked)?;
        }
        self.operations.push(Operation::Ending(place));
        Ok(())
    }

    /// y + s x
    fn sum(&mut self, y: Option<Node>, s: S::Real, x: Node) -> Node {
        let to = self.v();
        self.operations.push(Operation::V(Link { y, s, x, to }));
        to
    }
}

impl<S: Solvable + Sensitive> Chain<S> for Tape<S> {
    type V = Node;
    type Z = Node;
    type L = Node;

    fn scale(&mut self, s: S::Real, x: &Node) -> Node {
        self.sum(None, s, *x)
    }

    fn add(&mut self, y: &mut Node, s: S::Real, x: &Node) {
        *y = self.sum(Some(*y), s, *x);
    }

    fn scale_z(&mut self, s: S::Real, x: &Node) -> Node {
        let to = self.swept.nodes.z.make();
        self.operations.push(Operation::Z(Link { y: None, s, x: *x, to }));
        to
    }

    fn add_z(&mut self, y: &mut Node, s: S::Real, x: &Node) {
        let to = self.swept.nodes.z.make();
        self.operations.push(Operation::Z(Link { y: Some(*y), s, x: *x, to }));
        *y = to;
    }

    fn still(&mut self, system: &S, zdot: &mut Node) {
        if system.layout().algebraic > 0 {
            let to = self.swept.nodes.z.make();
            self.operations.push(Operation::Still { x: *zdot, to });
            *zdot = to;
        }
    }

    fn retract(&mut self, system: &S, step: &S::V, q: &Node, by: &Node) -> Moved<Node> {
        if system.turnings().is_empty() {
            return Moved { q: self.sum(Some(*q), S::Real::ONE, *by), spin: None };
        }
        let (to, spin) = (self.v(), spins(system).then(|| self.v()));
        self.operations.push(Operation::Retract { step: step.clone(), q: *q, by: *by, to, spin });
        Moved { q: to, spin }
    }

    fn align(&mut self, _system: &S, s: S::Real, vector: &S::V, spin: &Option<Node>, x: &mut Node) {
        let Some(spin) = *spin else { return };
        let to = self.v();
        self.operations.push(Operation::Align { s, vector: vector.clone(), spin, x: *x, to });
        *x = to;
    }

    fn local(&mut self, system: &S, at: (&S::Q, &S::Q, &S::V), from: &Node, to: &Node) -> Node {
        if system.turnings().is_empty() {
            return self.sum(Some(*to), -S::Real::ONE, *from);
        }
        let step = self.v();
        let at = Box::new((at.0.clone(), at.1.clone(), at.2.clone()));
        self.operations.push(Operation::Local { at, from: *from, to: *to, step });
        step
    }

    fn step_rate(&mut self, system: &S, (step, velocity): (&S::V, &S::V), by: &Node, v: &Node) -> Node {
        if system.turnings().is_empty() {
            return *v;
        }
        let rate = self.v();
        let at = Box::new((step.clone(), velocity.clone()));
        self.operations.push(Operation::StepRate { at, by: *by, v: *v, rate });
        rate
    }

    fn velocity_rate(
        &mut self,
        system: &S,
        (step, velocity, acceleration): (&S::V, &S::V, &S::V),
        (by, v): (&Node, &Node),
        a: Node,
    ) -> Node {
        if !spins(system) {
            return a;
        }
        let rate = self.v();
        let at = Box::new((step.clone(), velocity.clone(), acceleration.clone()));
        self.operations.push(Operation::VelocityRate { at, by: *by, v: *v, a, rate });
        rate
    }

    fn motion<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        x: &mut Varied<Node, Node>,
        found: Found<'_, S>,
    ) -> Result<RateVariation<S, Self>, Cause> {
        let (made, z) = (self.unknown(cx.system), self.swept.nodes.z.make());
        let place = self.pools.stages.next(|| Stage::new(cx.system));
        if let Some(stage) = self.pools.stages.all.get_mut(place) {
            stage.record(cx, at, (x.clone(), z, made.clone()), found, &mut self.asked)?;
        }
        self.operations.push(Operation::Motion(place));
        x.z = z;
        Ok(made)
    }

    fn unknown(&mut self, _system: &S) -> RateVariation<S, Self> {
        Solved { a: self.swept.nodes.v.make(), zdot: self.swept.nodes.z.make(), lambda: self.swept.nodes.l.make() }
    }

    fn ending<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Ending<'_, S>,
        (q, v, z): (&Node, &Node, &Node),
        rates: Option<&(Node, Node)>,
        found: &mut RateVariation<S, Self>,
    ) -> Result<(), Cause> {
        self.end(cx, at, (Varied { q: *q, v: *v, z: *z }, rates), None, found)
    }

    fn increment<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Increment<'_, S>,
        (x, lambda): (&Varied<Node, Node>, &Node),
        rates: Option<&(Node, Node)>,
        left_out: Option<&Node>,
        found: &mut RateVariation<S, Self>,
    ) -> Result<(), Cause> {
        let taken = Taken { vector: at.vector(cx.system), lambda: *lambda, left_out: left_out.copied() };
        self.end(cx, at.at, (x.clone(), rates), Some(taken), found)
    }

    fn project(
        &mut self,
        system: &S,
        made: &State<S>,
        by: &ProjectedBy<'_, S>,
        x: &mut Varied<Node, Node>,
    ) -> Result<(), Cause> {
        let first = x.q;
        iterations(system, made, by, |made| {
            let (before, after) = ((x.q, x.v), (self.v(), self.v()));
            let inertia = if made.renewed() { x.q } else { first };
            let place = self.pools.projections.next(|| Projected::new(system, self.asked.parameters));
            if let Some(projected) = self.pools.projections.all.get_mut(place) {
                projected.record(system, made, inertia, [before, after])?;
            }
            self.operations.push(Operation::Project(place));
            (x.q, x.v) = after;
            Ok(())
        })
    }

    fn by_parameters(&self) -> bool {
        self.asked.parameters
    }

    fn no_multipliers(&mut self, _system: &S) -> Node {
        self.swept.nodes.l.make()
    }

    fn add_l(&mut self, y: &mut Node, s: S::Real, x: &Node) {
        let to = self.swept.nodes.l.make();
        self.operations.push(Operation::L(Link { y: Some(*y), s, x: *x, to }));
        *y = to;
    }

    fn forces<U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        at: &mut Forces<S>,
        x: &Varied<Node, Node>,
    ) -> Result<(Node, Node), Cause> {
        let made = (self.v(), self.swept.nodes.z.make());
        let pushed = Pushed::record(cx, at, (x.clone(), made), &mut self.asked)?;
        self.operations.push(Operation::Forces(pushed.into()));
        Ok(made)
    }

    fn momentum(&mut self, _system: &S, at: &Momentum<S>, q: &Node, (x, impulse): (&Node, Option<&Node>)) -> Node {
        let made = self.v();
        let carried = Carried { at: at.clone(), q: *q, x: *x, impulse: impulse.copied(), made };
        self.operations.push(Operation::Momentum(carried.into()));
        made
    }

    fn held(&mut self, _system: &S, at: &HeldRows<S>, q: &Node, v: &Node) -> Node {
        let made = self.swept.nodes.l.make();
        self.operations.push(Operation::Held(Held { at: at.clone(), q: *q, v: *v, made }.into()));
        made
    }

    fn solve(
        &mut self,
        _system: &S,
        factors: &Factorization<S::Real>,
        rows: Unknowns<Node, Node, Node>,
    ) -> Unknowns<Node, Node, Node> {
        let made = Unknowns {
            v: self.v(),
            z: rows.z.is_some().then(|| self.swept.nodes.z.make()),
            lambda: self.swept.nodes.l.make(),
            second: rows.second.is_some().then(|| self.v()),
        };
        let equated = Equated { factors: factors.clone(), rows, made: made.clone() };
        self.operations.push(Operation::Solve(equated.into()));
        made
    }
}

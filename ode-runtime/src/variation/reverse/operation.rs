//! Recorded operations, and their transposes.

use std::boxed::Box;

use crate::error::Cause;
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::solvable::Solvable;

use super::charts;
use super::ending::End;
use super::momenta::{Carried, Equated, Held, Pushed};
use super::motion::Stage;
use super::nodes::{Node, Nodes};
use super::projection::Projected;
use super::room::{Pool, Swept};

/// y + s x
#[derive(Clone, Copy, Debug)]
pub(super) struct Link<T> {
    pub(super) y: Option<Node>,
    pub(super) s: T,
    pub(super) x: Node,
    pub(super) to: Node,
}

impl<T: Real> Link<T> {
    fn sweep<B: Block<T>>(self, nodes: &mut Nodes<B>) {
        if let Some(y) = self.y {
            nodes.pass(self.to, T::ONE, y);
        }
        if self.s != T::ZERO {
            nodes.pass(self.to, self.s, self.x);
        }
    }
}

/// An operation, with the numbers at which it is linear; the large ones are kept in pools.
pub(super) enum Operation<S: Solvable + Sensitive> {
    V(Link<S::Real>),
    Z(Link<S::Real>),
    L(Link<S::Real>),
    Still { x: Node, to: Node },
    Retract { step: S::V, q: Node, by: Node, to: Node, spin: Option<Node> },
    Align { s: S::Real, vector: S::V, spin: Node, x: Node, to: Node },
    Local { at: Box<(S::Q, S::Q, S::V)>, from: Node, to: Node, step: Node },
    StepRate { at: Box<(S::V, S::V)>, by: Node, v: Node, rate: Node },
    VelocityRate { at: Box<(S::V, S::V, S::V)>, by: Node, v: Node, a: Node, rate: Node },
    Motion(usize),
    Ending(usize),
    Project(usize),
    Forces(Box<Pushed<S>>),
    Momentum(Box<Carried<S>>),
    Held(Box<Held<S>>),
    Solve(Box<Equated<S>>),
}

/// The large operations.
pub(super) struct Pools<S: Solvable + Sensitive> {
    pub(super) stages: Pool<Stage<S>>,
    pub(super) ends: Pool<End<S>>,
    pub(super) projections: Pool<Projected<S>>,
}

impl<S: Solvable + Sensitive> Operation<S> {
    /// Takes the covectors of what it has made back to what it was given.
    pub(super) fn transpose(&self, system: &S, pools: &mut Pools<S>, swept: &mut Swept<S>) -> Result<(), Cause> {
        let nodes = &mut swept.nodes;
        let (layout, one) = (system.layout(), S::Real::ONE);
        let zeros = || S::V::zeros(layout.v.len());
        match self {
            Operation::V(link) => link.sweep(&mut nodes.v),
            Operation::Z(link) => link.sweep(&mut nodes.z),
            Operation::L(link) => link.sweep(&mut nodes.l),
            Operation::Still { x, to } => {
                let zdot = nodes.z.get(*to).clone();
                nodes.z.add(*x, one, zdot.as_ref().get(..layout.differential()).unwrap_or_default());
            }
            Operation::Retract { step, q, by, to, spin } => {
                let (mut from, mut along) = (zeros(), zeros());
                let spin = spin.map(|spin| nodes.v.get(spin));
                charts::retract(system, step, (nodes.v.get(*to), spin), (&mut from, &mut along));
                nodes.v.add(*q, one, from.as_ref());
                nodes.v.add(*by, one, along.as_ref());
            }
            Operation::Align { s, vector, spin, x, to } => {
                let mut turned = zeros();
                charts::align(system, *s, vector, nodes.v.get(*to), &mut turned);
                nodes.v.add(*spin, one, turned.as_ref());
                nodes.v.pass(*to, one, *x);
            }
            Operation::Local { at, from, to, step } => {
                let (mut back, mut ahead) = (zeros(), zeros());
                charts::local(system, (&at.0, &at.1, &at.2), nodes.v.get(*step), (&mut back, &mut ahead));
                nodes.v.add(*from, one, back.as_ref());
                nodes.v.add(*to, one, ahead.as_ref());
            }
            Operation::StepRate { at, by, v, rate } => {
                let (mut along, mut of_v) = (zeros(), zeros());
                charts::step_rate(system, (&at.0, &at.1), nodes.v.get(*rate), (&mut along, &mut of_v));
                nodes.v.add(*by, one, along.as_ref());
                nodes.v.add(*v, one, of_v.as_ref());
            }
            Operation::VelocityRate { at, by, v, a, rate } => {
                let (mut along, mut of_v, mut of_a) = (zeros(), zeros(), zeros());
                let to = (&mut along, &mut of_v, &mut of_a);
                charts::velocity_rate(system, (&at.0, &at.1, &at.2), nodes.v.get(*rate), to);
                nodes.v.add(*by, one, along.as_ref());
                nodes.v.add(*v, one, of_v.as_ref());
                nodes.v.add(*a, one, of_a.as_ref());
            }
            Operation::Motion(place) => {
                return pools.stages.all.get_mut(*place).map_or(Ok(()), |stage| stage.sweep(system, swept));
            }
            Operation::Ending(place) => {
                return pools.ends.all.get_mut(*place).map_or(Ok(()), |end| end.sweep(system, swept));
            }
            Operation::Project(place) => {
                if let Some(projected) = pools.projections.all.get_mut(*place) {
                    projected.sweep(system, swept);
                }
            }
            Operation::Forces(pushed) => return pushed.sweep(system, swept),
            Operation::Momentum(carried) => carried.sweep(system, swept),
            Operation::Held(held) => held.sweep(system, swept),
            Operation::Solve(equated) => equated.sweep(system, swept),
        }
        Ok(())
    }
}

//! The transpose of a linearised projection: see [`projection`](super::super::projection).

use crate::error::{Cause, Level};
use crate::linalg::Kkt;
use crate::model::layout::{Block, RowKind};
use crate::model::sensitive::Sensitive;
use crate::model::state::copy;
use crate::numbers::scalar::Scalar;
use crate::solve::factorize_transposed;
use crate::solve::solvable::Solvable;
use crate::variation::projection::{Correction, LinearProjection};
use crate::variation::pull::negative;
use crate::variation::rows::Places;

use super::charts;
use super::nodes::Node;
use super::room::{Covectors, Totals};

/// One level of a projection.
pub(super) struct Projected<S: Solvable + Sensitive> {
    linear: LinearProjection<S>,
    level: Level,
    by: S::V,
    /// velocities after it
    v: S::V,
    /// q and v before and after
    nodes: [(Node, Node); 2],
}

impl<S: Solvable + Sensitive> Projected<S> {
    pub(super) fn new(system: &S) -> Self {
        let nv = system.layout().v.len();
        Self {
            linear: LinearProjection::new(system),
            level: Level::Position,
            by: Block::zeros(nv),
            v: Block::zeros(nv),
            nodes: [(Node(0), Node(0)); 2],
        }
    }

    pub(super) fn record(
        &mut self,
        system: &S,
        at: &Correction<'_, S>,
        parameters: bool,
        nodes: [(Node, Node); 2],
    ) -> Result<(), Cause> {
        self.linear.linearize(system, at, parameters)?;
        self.level = at.level;
        copy(at.by, &mut self.by);
        copy(&at.to.v, &mut self.v);
        self.nodes = nodes;
        Ok(())
    }

    pub(super) fn sweep(&mut self, system: &S, all: &mut Covectors<S>, totals: &mut Totals<S>) -> Result<(), Cause> {
        let (layout, one, zero) = (system.layout(), S::Real::ONE, S::Real::ZERO);
        let places = Places::of(&layout);
        let zeros = || S::V::zeros(layout.v.len());
        let Self { linear, level, by, v: velocity, nodes: [(q, v), (q_after, v_after)] } = self;
        let (given_q, given_v) = (all.v.get(*q_after).clone(), all.v.get(*v_after).clone());
        let (mut q_by, mut x, positions) = (zeros(), zeros(), *level == Level::Position);
        if positions {
            let mut spin = zeros();
            charts::align(system, one, velocity, &given_v, &mut spin);
            charts::retract(system, by, (&given_q, Some(&spin)), (&mut q_by, &mut x));
        } else {
            copy(&given_q, &mut q_by);
            copy(&given_v, &mut x);
        }
        all.v.add(*v, one, given_v.as_ref());
        let kkt = &mut linear.kkt;
        factorize_transposed::<S>(&layout, kkt, &linear.values)?;
        let mut l = S::L::zeros(layout.constraints.len());
        kkt.solve(x.as_mut(), S::Z::zeros(layout.z.len()).as_mut(), l.as_mut());
        let (own, held) = (linear.own.as_mut(), linear.held.as_mut());
        own.fill(zero);
        held.fill(zero);
        negative(own, 0, x.as_ref());
        for (row, &x) in l.as_ref().iter().enumerate() {
            let to = match (positions, layout.kind(row)) {
                (_, RowKind::Compliant) => None,
                (true, RowKind::Holonomic) => held.get_mut(places.laws().start + row),
                (true, RowKind::Nonholonomic) => own.get_mut(places.accelerations().start + row),
                _ => held.get_mut(places.rates().start + row),
            };
            to.into_iter().for_each(|to| *to = -x);
        }
        let (mut carried, mut v_by) = (zeros(), zeros());
        let totals = (&mut totals.t, totals.parameters.as_mut());
        let totals = linear.moved.pull_along(system, own, (&mut q_by, None), totals);
        let v_of_held = (!positions).then_some(&mut v_by);
        linear.ahead.pull_along(system, held, (&mut carried, v_of_held), totals);
        if positions {
            charts::retract(system, by, (&carried, None), (&mut q_by, &mut zeros()));
        } else {
            crate::solve::add(q_by.as_mut(), one, carried.as_ref());
        }
        all.v.add(*q, one, q_by.as_ref());
        all.v.add(*v, one, v_by.as_ref());
        Ok(())
    }
}

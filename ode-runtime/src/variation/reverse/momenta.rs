//! The transposes of the parts of equations on momenta, and of their solves.

use crate::error::Cause;
use crate::model::layout::{Block, RowKind};
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::controls::Controls;
use crate::variation::momenta::{Forces, HeldRows, Momentum};
use crate::variation::pull::negative;
use crate::variation::rows::add_transposed;
use crate::variation::unknowns::{Factorization, Unknowns};

use super::feedback::Feedback;
use super::motion::{Parts, StateNodes};
use super::nodes::Node;
use super::room::{Asked, Swept};

/// F and g at a point.
#[derive(Debug)]
pub(super) struct Pushed<S: Solvable + Sensitive> {
    point: State<S>,
    u: S::U,
    momenta: S::MomentumPartials,
    momenta_by_parameter: S::MomentumPartialsByParameter,
    feedback: Feedback<S>,
    x: StateNodes,
    made: (Node, Node),
}

impl<S: Solvable + Sensitive> Pushed<S> {
    pub(super) fn record<U: Controls<S>>(
        cx: &Context<'_, S, U>,
        at: &Forces<S>,
        (x, made): (StateNodes, (Node, Node)),
        asked: &mut Asked<S>,
    ) -> Result<Self, Cause> {
        let mut feedback = Feedback::new();
        feedback.record(cx.system, cx.inputs, at.moment(), &asked.inputs, &mut asked.direction)?;
        Ok(Self {
            point: at.point.clone(),
            u: at.u.clone(),
            momenta: at.momenta.clone(),
            momenta_by_parameter: at.momenta_by_parameter.clone(),
            feedback,
            x,
            made,
        })
    }

    pub(super) fn sweep(&self, system: &S, swept: &mut Swept<S>) -> Result<(), Cause> {
        let Swept { nodes, pull, .. } = swept;
        let (layout, patterns, one) = (system.layout(), system.partial_patterns(), S::Real::ONE);
        let (nv, differential) = (layout.v.len(), layout.differential());
        let force = nodes.v.get(self.made.0).clone();
        let rows = pull.rows.as_mut();
        rows.fill(S::Real::ZERO);
        negative(rows, 0, force.as_ref());
        let rates = nodes.z.get(self.made.1).as_ref();
        negative(rows, pull.places.s().start, rates.get(..differential).unwrap_or_default());
        let none = (&S::L::zeros(layout.constraints.len()), &S::Z::zeros(layout.z.len()));
        pull.with_dependents(system, self.point.at(&self.u), self.point.rates(), none)?;
        let parts = Parts { velocities: true, states: differential };
        swept.spread(&self.feedback, (&self.x, parts));
        let Swept { nodes, totals, .. } = swept;
        let mut by = S::V::zeros(nv);
        for (node, first) in [(self.x.q, 0), (self.x.v, nv)] {
            by.as_mut().fill(S::Real::ZERO);
            add_transposed(patterns.momenta, self.momenta.as_ref(), first, force.as_ref(), by.as_mut());
            nodes.v.add(node, one, by.as_ref());
        }
        let mut time = [totals.t];
        add_transposed(patterns.momenta, self.momenta.as_ref(), 2 * nv, force.as_ref(), &mut time);
        [totals.t] = time;
        let (pattern, values) = (patterns.momenta_by_parameter, self.momenta_by_parameter.as_ref());
        add_transposed(pattern, values, 0, force.as_ref(), totals.parameters.as_mut());
        Ok(())
    }
}

/// What δ(M x + Gᵀ λ) was made of.
#[derive(Debug)]
pub(super) struct Carried<S: Solvable + Sensitive> {
    pub(super) at: Momentum<S>,
    pub(super) q: Node,
    pub(super) x: Node,
    pub(super) impulse: Option<Node>,
    pub(super) made: Node,
}

impl<S: Solvable + Sensitive> Carried<S> {
    pub(super) fn sweep(&self, system: &S, Swept { nodes, totals, pull }: &mut Swept<S>) {
        let rows = &mut pull.rows;
        let (layout, pattern, one) = (system.layout(), system.partial_patterns().states, S::Real::ONE);
        let (places, rest) = (pull.places, self.at.rest.states.as_ref());
        rows.as_mut().fill(S::Real::ZERO);
        rows.as_mut().iter_mut().zip(nodes.v.get(self.made).as_ref()).for_each(|(row, &x)| *row = x);
        let (mut q, mut x) = (S::V::zeros(layout.v.len()), S::V::zeros(layout.v.len()));
        let beside = (&mut totals.t, totals.parameters.as_mut());
        self.at.added.pull_along(system, rows.as_ref(), (&mut q, None), beside);
        nodes.v.add(self.q, one, q.as_ref());
        add_transposed(pattern, rest, places.a(), rows.as_ref(), x.as_mut());
        nodes.v.add(self.x, one, x.as_ref());
        let Some(impulse) = self.impulse else { return };
        let mut l = S::L::zeros(layout.constraints.len());
        add_transposed(pattern, rest, places.lambda(), rows.as_ref(), l.as_mut());
        for (row, l) in l.as_mut().iter_mut().enumerate() {
            if layout.kind(row) == RowKind::Compliant {
                *l = S::Real::ZERO;
            }
        }
        nodes.l.add(impulse, -one, l.as_ref());
    }
}

/// What δ of held rows was made of.
#[derive(Debug)]
pub(super) struct Held<S: Solvable + Sensitive> {
    pub(super) at: HeldRows<S>,
    pub(super) q: Node,
    pub(super) v: Node,
    pub(super) made: Node,
}

impl<S: Solvable + Sensitive> Held<S> {
    pub(super) fn sweep(&self, system: &S, Swept { nodes, totals, pull }: &mut Swept<S>) {
        let rows = &mut pull.rows;
        let (layout, one) = (system.layout(), S::Real::ONE);
        rows.as_mut().fill(S::Real::ZERO);
        let held = rows.as_mut().iter_mut().skip(self.at.places().start);
        for (row, (to, &x)) in held.zip(nodes.l.get(self.made).as_ref()).enumerate() {
            if self.at.kinds.contains(&layout.kind(row)) {
                *to = x;
            }
        }
        let (mut q, mut v) = (S::V::zeros(layout.v.len()), S::V::zeros(layout.v.len()));
        let beside = (&mut totals.t, totals.parameters.as_mut());
        self.at.jacobians.pull_along(system, rows.as_ref(), (&mut q, Some(&mut v)), beside);
        nodes.v.add(self.q, one, q.as_ref());
        nodes.v.add(self.v, one, v.as_ref());
    }
}

/// Linear equations that were solved.
#[derive(Debug)]
pub(super) struct Equated<S: Solvable + Sensitive> {
    pub(super) factors: Factorization<S::Real>,
    pub(super) rows: Unknowns<Node, Node, Node>,
    pub(super) made: Unknowns<Node, Node, Node>,
}

impl<S: Solvable + Sensitive> Equated<S> {
    pub(super) fn sweep(&self, system: &S, Swept { nodes, .. }: &mut Swept<S>) {
        let (layout, minus) = (system.layout(), -S::Real::ONE);
        let (nv, nc) = (layout.v.len(), layout.constraints.len());
        let nz = if self.rows.z.is_some() { layout.differential() } else { 0 };
        let mut x: std::vec::Vec<S::Real> = std::vec::Vec::new();
        x.extend(nodes.v.get(self.made.v).as_ref());
        x.extend(self.made.z.iter().flat_map(|&z| nodes.z.get(z).as_ref().iter().take(nz)));
        x.extend(nodes.l.get(self.made.lambda).as_ref());
        x.extend(self.made.second.iter().flat_map(|&v| nodes.v.get(v).as_ref()));
        self.factors.lu.solve_transposed(&mut x);
        let part = |first: usize, count: usize| x.get(first..first + count).unwrap_or_default();
        nodes.v.add(self.rows.v, minus, part(0, nv));
        if let Some(z) = self.rows.z {
            nodes.z.add(z, minus, part(nv, nz));
        }
        nodes.l.add(self.rows.lambda, minus, part(nv + nz, nc));
        if let Some(second) = self.rows.second {
            nodes.v.add(second, minus, part(nv + nz + nc, nv));
        }
    }
}

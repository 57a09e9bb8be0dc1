//! The transpose of a linearised motion: see [`motion`](super::super::motion).

use crate::error::Cause;
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::{Moment, State, copy};
use crate::model::system::At;
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Acceleration, add};
use crate::variation::chain::{Found, Solved, Varied};
use crate::variation::controls::Controls;
use crate::variation::momenta::take;
use crate::variation::rows::Places;

use super::feedback::Feedback;
use super::nodes::Node;
use super::room::{Asked, Covectors, Swept, Totals};

/// Blocks of a state.
pub(super) type StateNodes = Varied<Node, Node>;
/// Blocks that equations determine.
pub(super) type RateNodes = Solved<Node, Node, Node>;

/// Which parts of a pulled covector belong to a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// whether its velocities do
    pub(super) velocities: bool,
    /// how many of its first-order states do
    pub(super) states: usize,
}

impl<S: Solvable + Sensitive> Swept<S> {
    /// Gives what has been pulled to a state, parameters and inputs.
    pub(super) fn spread(&mut self, feedback: &Feedback<S>, (x, parts): (&StateNodes, Parts)) {
        let (Self { nodes, totals, pull }, one) = (self, S::Real::ONE);
        nodes.v.add(x.q, one, pull.q());
        if parts.velocities {
            nodes.v.add(x.v, one, pull.v());
        }
        nodes.z.add(x.z, one, pull.z().get(..parts.states).unwrap_or_default());
        add(totals.parameters.as_mut(), one, pull.parameters.as_ref());
        totals.t += pull.t();
        give((nodes, totals), feedback, pull.places, x, pull.u());
    }
}

/// Gives a covector of inputs to a state, to time and to the inputs' own numbers.
pub(super) fn give<S: Solvable + Sensitive>(
    (nodes, totals): (&mut Covectors<S>, &mut Totals<S>),
    feedback: &Feedback<S>,
    places: Places,
    x: &StateNodes,
    u: &[S::Real],
) {
    let (one, nv) = (S::Real::ONE, places.v());
    feedback.add_own(u, &mut totals.own);
    totals.t += feedback.by_time(u);
    if feedback.on_state() {
        let (mut v, mut z) = (S::V::zeros(nv), S::Z::zeros(places.s().len()));
        v.as_mut().iter_mut().zip(feedback.by(u, 0)).for_each(|(to, x)| *to = x);
        nodes.v.add(x.q, one, v.as_ref());
        v.as_mut().iter_mut().zip(feedback.by(u, nv)).for_each(|(to, x)| *to = x);
        nodes.v.add(x.v, one, v.as_ref());
        z.as_mut().iter_mut().zip(feedback.by(u, 2 * nv)).for_each(|(to, x)| *to = x);
        nodes.z.add(x.z, one, z.as_ref());
    }
}

/// Whether all are zero.
pub(super) fn still<T: Scalar>(x: &[T]) -> bool {
    x.iter().all(|&x| x == T::ZERO)
}

/// The equations of motion at a point.
#[derive(Debug)]
pub(super) struct Stage<S: Solvable + Sensitive> {
    point: State<S>,
    acceleration: Acceleration<S>,
    feedback: Feedback<S>,
    x: StateNodes,
    /// z of the point, with the algebraic variables that follow
    z: Node,
    made: RateNodes,
}

impl<S: Solvable + Sensitive> Stage<S> {
    pub(super) fn new(system: &S) -> Self {
        let none = Node(0);
        Self {
            point: State::neutral(system),
            acceleration: Acceleration::new(system),
            feedback: Feedback::new(),
            x: Varied { q: none, v: none, z: none },
            z: none,
            made: Solved { a: none, zdot: none, lambda: none },
        }
    }

    pub(super) fn record<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        (x, z, made): (StateNodes, Node, RateNodes),
        found: Found<'_, S>,
        asked: &mut Asked<S>,
    ) -> Result<(), Cause> {
        take(&mut self.point, at);
        let State { a, zdot, lambda, .. } = &mut self.point;
        self.acceleration.assemble(cx, at, a, zdot, lambda)?;
        copy(a, found.a);
        copy(zdot, found.zdot);
        copy(lambda, found.lambda);
        self.feedback.record(cx.system, cx.inputs, at, &asked.inputs, &mut asked.direction)?;
        (self.x, self.z, self.made) = (x, z, made);
        Ok(())
    }

    pub(super) fn sweep(&mut self, system: &S, swept: &mut Swept<S>) -> Result<(), Cause> {
        let nodes = &mut swept.nodes;
        let (layout, one) = (system.layout(), S::Real::ONE);
        let (differential, first_order) = (layout.differential(), layout.first_order());
        let z_after = nodes.z.get(self.z).clone();
        let (known, algebraic) = z_after.as_ref().split_at(differential.min(layout.z.len()));
        nodes.z.add(self.x.z, one, known);
        let (a, zdot, lambda) = (nodes.v.get(self.made.a), nodes.z.get(self.made.zdot), nodes.l.get(self.made.lambda));
        let rates = zdot.as_ref().get(..differential).unwrap_or_default();
        if still(a.as_ref()) && still(rates) && still(lambda.as_ref()) && still(algebraic) {
            return Ok(());
        }
        let Self { point, acceleration, feedback, x, .. } = self;
        let (z, u) = acceleration.point();
        let (z, u) = (&z.clone(), &u.clone());
        let v = if first_order { &point.a } else { &point.v };
        let at = At { t: point.t, q: &point.q, v, z, u, modes: &point.modes };
        let by = Solved { a: a.clone(), zdot: zdot.clone(), lambda: lambda.clone() };
        swept.pull.motion(system, acceleration, (at, point.rates()), by, &z_after)?;
        let parts = Parts { velocities: !first_order, states: differential };
        swept.spread(feedback, (x, parts));
        Ok(())
    }
}

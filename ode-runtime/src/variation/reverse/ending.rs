//! The transpose of the equations at the end of an implicit step: see [`ending`](super::super::ending).

use std::vec::Vec;

use crate::error::{Cause, Level, Name, Quantity};
use crate::linalg::{Lanes, gauss};
use crate::model::layout::Block;
use crate::model::linearize::Weights;
use crate::model::sensitive::Sensitive;
use crate::model::state::{State, copy};
use crate::model::system::System;
use crate::numbers::scalar::Scalar;
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::solve::{Tangent, add};
use crate::variation::chain::{Ending, Solved, Varied};
use crate::variation::controls::Controls;
use crate::variation::pull::{Pull, negative};

use super::charts;
use super::feedback::Feedback;
use super::motion::{Parts, RateNodes, StateNodes, still};
use super::nodes::Node;
use super::room::{Asked, Swept};

/// Covectors of the unknowns of an implicit step, or of its rows.
type Unknown<S> = (<S as System>::V, <S as System>::Z, <S as System>::L);

/// The equations of an implicit step at their solution.
#[derive(Debug)]
pub(super) struct End<S: Solvable + Sensitive> {
    point: State<S>,
    tangent: Tangent<S>,
    level: Level,
    weights: Weights<S::Real>,
    feedback: Feedback<S>,
    x: StateNodes,
    rates: Option<(Node, Node)>,
    made: RateNodes,
    /// of equations that are linearised where the step begins
    taken: Option<Taken<S>>,
}

/// What the rows of an increment were multiplied by, and what else they vary with: see
/// [`increment`](super::super::increment).
#[derive(Debug)]
pub(super) struct Taken<S: Solvable + Sensitive> {
    pub(super) vector: S::Columns,
    /// multipliers of the point
    pub(super) lambda: Node,
    /// what the rows of Φ lack
    pub(super) left_out: Option<Node>,
}

impl<S: Solvable + Sensitive> End<S> {
    pub(super) fn new(system: &S) -> Self {
        let (none, zero) = (Node(0), S::Real::ZERO);
        Self {
            point: State::neutral(system),
            tangent: Tangent::new(system),
            level: Level::Position,
            weights: Weights { rates: zero, velocity: zero, position: zero, state: zero },
            feedback: Feedback::new(),
            x: Varied { q: none, v: none, z: none },
            rates: None,
            made: Solved { a: none, zdot: none, lambda: none },
            taken: None,
        }
    }

    pub(super) fn record<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Ending<'_, S>,
        (x, rates, made): (StateNodes, Option<(Node, Node)>, RateNodes),
        taken: Option<Taken<S>>,
        asked: &mut Asked<S>,
    ) -> Result<(), Cause> {
        let Ending { x: end, step, weights, level } = at;
        self.point.copy_from(end);
        self.level = level;
        self.feedback.record(cx.system, cx.inputs, end.moment(), &asked.inputs, &mut asked.direction)?;
        self.weights = weights;
        copy(step, &mut self.tangent.step);
        self.tangent.linearize(cx, level, weights, end)?;
        (self.x, self.rates, self.made, self.taken) = (x, rates, made, taken);
        Ok(())
    }

    pub(super) fn sweep(&mut self, system: &S, swept: &mut Swept<S>) -> Result<(), Cause> {
        let Swept { nodes, pull, .. } = swept;
        let (layout, one) = (system.layout(), S::Real::ONE);
        let made = &self.made;
        let mut y = (nodes.v.get(made.a).clone(), nodes.z.get(made.zdot).clone(), nodes.l.get(made.lambda).clone());
        if still(y.0.as_ref()) && still(y.1.as_ref()) && still(y.2.as_ref()) {
            return Ok(());
        }
        self.tangent.factorize_transposed(system)?;
        self.solve(system, &mut y)?;
        if self.taken.is_none() && self.feedback.on_state() {
            self.close(system, pull, &mut y)?;
        }
        self.write(pull, &y);
        let Self { point, tangent, feedback, x, rates, taken, .. } = self;
        let (zdot, at) = (&y.1, point.at(&tangent.u));
        pull.rows_alone(system, at, point.rates())?;
        if let Some((a, rates)) = *rates {
            nodes.v.add(a, one, pull.a());
            nodes.z.add(rates, -one, zdot.as_ref().get(..layout.differential()).unwrap_or_default());
        }
        if let Some(Taken { vector, lambda, left_out }) = taken {
            if let Some(left_out) = *left_out {
                nodes.l.add(left_out, one, y.2.as_ref());
            }
            swept.spread(feedback, (x, Parts { velocities: false, states: 0 }));
            swept.pull.curvature(system, at, point.rates(), vector)?;
            swept.nodes.l.add(*lambda, one, swept.pull.lambda());
        }
        swept.spread(feedback, (x, Parts { velocities: true, states: layout.z.len() }));
        Ok(())
    }

    /// A⁻ᵀ y
    fn solve(&self, system: &S, (a, zdot, lambda): &mut Unknown<S>) -> Result<(), Cause> {
        self.tangent.apply(system, &mut Work::default(), a, zdot, lambda)
    }

    /// Writes −y to the rows of the equations.
    fn write(&self, pull: &mut Pull<S>, (a, zdot, lambda): &Unknown<S>) {
        let places = pull.places;
        let held = if self.level == Level::Velocity { places.rates() } else { places.laws() };
        let rows = pull.rows.as_mut();
        rows.fill(S::Real::ZERO);
        negative(rows, 0, a.as_ref());
        negative(rows, places.s().start, zdot.as_ref());
        negative(rows, held.start, lambda.as_ref());
    }

    /// −Jᵀ y, by inputs.
    fn by_inputs(&self, system: &S, pull: &mut Pull<S>, y: &Unknown<S>) -> Result<S::U, Cause> {
        self.write(pull, y);
        pull.rows_alone(system, self.point.at(&self.tangent.u), self.point.rates())?;
        let mut u = S::U::zeros(system.layout().u.len());
        u.as_mut().iter_mut().zip(pull.u()).for_each(|(to, &x)| *to = x);
        Ok(u)
    }

    /// Inputs that depend on the state depend on the unknowns, and the equations are those of A + J U E: see
    /// [`ending`](super::super::ending). Transposed, with Z = A⁻ᵀ Eᵀ Uᵀ and s = Jᵀ y,
    ///
    /// ```text
    /// (1 + Jᵀ Z) s = Jᵀ y₀,   y = y₀ − Z s
    /// ```
    ///
    /// # Errors
    /// [`Cause::Singular`] with an input that nothing determines.
    fn close(&mut self, system: &S, pull: &mut Pull<S>, y: &mut Unknown<S>) -> Result<(), Cause> {
        let (layout, one) = (system.layout(), S::Real::ONE);
        let nu = layout.u.len();
        let mut s: Vec<Lanes<S::Real>> = Vec::new();
        let first = self.by_inputs(system, pull, y)?;
        s.extend(first.as_ref().iter().map(|&x| Lanes::splat(-x)));
        let (mut columns, mut matrix) = (Vec::new(), std::vec![S::Real::ZERO; nu * nu]);
        for k in 0..nu {
            let column = self.unknown_by_input(system, k)?;
            let by = self.by_inputs(system, pull, &column)?;
            for (row, &x) in by.as_ref().iter().enumerate() {
                if let Some(entry) = matrix.get_mut(row * nu + k) {
                    *entry = if row == k { one - x } else { -x };
                }
            }
            columns.push(column);
        }
        gauss(&mut matrix, &mut s).map_err(|singular| Cause::Singular {
            unknown: Quantity::Input,
            name: Name::of(layout.u, singular.index),
        })?;
        for ((a, zdot, lambda), s) in columns.iter().zip(&s) {
            let s = -s.0[0];
            add(y.0.as_mut(), s, a.as_ref());
            add(y.1.as_mut(), s, zdot.as_ref());
            add(y.2.as_mut(), s, lambda.as_ref());
        }
        Ok(())
    }

    /// A column of Z.
    fn unknown_by_input(&self, system: &S, k: usize) -> Result<Unknown<S>, Cause> {
        let layout = system.layout();
        let (nv, zeros) = (layout.v.len(), || S::V::zeros(layout.v.len()));
        let mut u = S::U::zeros(layout.u.len());
        u.as_mut().iter_mut().skip(k).take(1).for_each(|x| *x = S::Real::ONE);
        let (mut q, mut v, mut z) = (zeros(), zeros(), S::Z::zeros(layout.z.len()));
        q.as_mut().iter_mut().zip(self.feedback.by(u.as_ref(), 0)).for_each(|(to, x)| *to = x);
        v.as_mut().iter_mut().zip(self.feedback.by(u.as_ref(), nv)).for_each(|(to, x)| *to = x);
        z.as_mut()
            .iter_mut()
            .zip(self.feedback.by(u.as_ref(), 2 * nv))
            .for_each(|(to, x)| *to = self.weights.state * x);
        let (mut spin, mut a) = (zeros(), zeros());
        charts::align(system, S::Real::ONE, &self.point.v, &v, &mut spin);
        charts::retract(system, &self.tangent.step, (&q, Some(&spin)), (&mut zeros(), &mut a));
        for (a, &v) in a.as_mut().iter_mut().zip(v.as_ref()) {
            *a = self.weights.position * *a + self.weights.velocity * v;
        }
        let mut column = (a, z, S::L::zeros(layout.constraints.len()));
        self.solve(system, &mut column)?;
        Ok(column)
    }
}

//! What a consistent start varies by.
//!
//! A start is made from a guess by Newton steps of least norm ([`Start`]): q ← q ⊕ f x, with f = 1 but far from the
//! solution, and
//!
//! ```text
//! x = Jᵀ y,  J x = −c        c = (Φ, conditions), J = ∂c/∂q
//! δx − Jᵀ δy = δ(Jᵀ) y,  J δx = −δc − δ(J) x
//! ```
//!
//! Where constraints and conditions determine all positions, the start does not depend on the way to it, and δq is −J⁻¹
//! ∂c. Where they leave some open, it does: the point that the steps arrive at moves with the guess and with each of
//! them. −J⁺ ∂c would then be off in the open directions by a share of the distance of the guess. So the steps are made
//! again and varied one by one, and the derivative is that of the start that was found, exact in both cases. Velocities
//! are found by one such step, since their rows are linear.

use core::fmt;

use crate::error::{Cause, Level, Name, Quantity};
use crate::linalg::Square;
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::{State, copy, finite};
use crate::numbers::scalar::Scalar;
use crate::solve::Assembly;
use crate::solve::add;
use crate::solve::solvable::Solvable;
use crate::solve::start::Start;
use crate::variation::charts;
use crate::variation::columns::Columns;
use crate::variation::curvature::{Along, Curvature};
use crate::variation::direction::{Direction, Seed};
use crate::variation::forward::{ForwardMode, StateColumns};

/// Steps at the solution, which make its variation that of rows that hold.
const SETTLED: u32 = 2;

/// Storage for variations of consistent starts.
pub struct Beginning<S: Solvable + Sensitive> {
    assembly: Assembly<S>,
    curvature: Curvature<S>,
    states: S::StartPartials,
    parameters: S::StartPartialsByParameter,
    direction: Direction<S>,
    /// the state between steps, and its step
    x: State<S>,
    step: S::V,
    y: S::L,
    /// room for the multipliers of conditions, as its right-hand side
    conditions: S::Assembly,
}

impl<S: Solvable + Sensitive> fmt::Debug for Beginning<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Beginning").finish_non_exhaustive()
    }
}

/// Columns of positions and velocities, and what they vary besides.
type StartColumns<'a, S, T> = (&'a mut [S], &'a mut [S], &'a [Seed<T>]);

/// A step of least norm: of positions or velocities, and the share of it that was made.
#[derive(Clone, Copy)]
struct Step<T> {
    level: Level,
    factor: T,
    /// at the solution nothing is left to step
    settled: bool,
}

impl<S: Solvable + Sensitive> Beginning<S> {
    /// Storage in the shape of `system`.
    pub fn new(system: &S) -> Self {
        let (layout, patterns) = (system.layout(), system.partial_patterns());
        Self {
            assembly: Assembly::new(system, &layout),
            curvature: Curvature::new(system, true),
            states: Block::zeros(patterns.starts.nnz()),
            parameters: Block::zeros(patterns.starts_by_parameter.nnz()),
            direction: Direction::zeros(system),
            x: State::neutral(system),
            step: Block::zeros(layout.v.len()),
            y: Block::zeros(layout.constraints.len()),
            conditions: S::Assembly::new(&layout),
        }
    }

    /// Writes what the model's guess varies by, where [`Start::solve`] begins: by parameters only.
    pub fn guess<K: Columns>(&mut self, system: &S, chain: &ForwardMode<S, K>, at: &mut StateColumns<S, K>) {
        let (patterns, x) = (system.partial_patterns(), State::neutral(system));
        system.start_partials(x.at(&self.assembly.u), &mut self.states, &mut self.parameters);
        for (k, seed) in chain.seeds().iter().enumerate() {
            let Some((q, v, z)) = at.column(k) else { continue };
            let blocks = [q.as_mut(), v.as_mut(), z.as_mut()];
            for (i, to) in blocks.into_iter().flatten().enumerate() {
                let row = patterns.starts.rows + i;
                let entries = patterns.starts_by_parameter.entries().zip(self.parameters.as_ref());
                let own = entries.filter(|((r, c), _)| *r == row && Some(*c) == seed.parameter);
                *to = own.fold(S::Real::ZERO, |sum, (_, &x)| sum + x);
            }
        }
    }

    /// Takes variations of `from`, where [`Start::solve_from`] begins, to those of the start that it finds. Rates,
    /// multipliers and algebraic variables follow from the state: [`settle`](crate::integrators::settle).
    ///
    /// # Errors
    /// As [`Start::solve_from`]; [`Cause::NonFinite`] where a derivative is not finite.
    pub fn apply<K: Columns>(
        &mut self,
        system: &S,
        start: &Start<S::Real>,
        from: &State<S>,
        chain: &ForwardMode<S, K>,
        at: &mut StateColumns<S, K>,
    ) -> Result<(), Cause> {
        let (layout, mut x) = (system.layout(), from.clone());
        self.x.copy_from(from);
        self.x.t = start.time;
        let (q, v) = (at.q.as_mut(), at.v.as_mut());
        let seeds = chain.seeds();
        start.assemble_seen(system, &mut x, &mut |q_from, factor| {
            copy(q_from, &mut self.x.q);
            self.vary(system, Step { level: Level::Position, factor, settled: false }, (&mut *q, &mut *v, seeds))
        })?;
        copy(&x.q, &mut self.x.q);
        let one = S::Real::ONE;
        for _ in 0..SETTLED {
            let made = Step { level: Level::Position, factor: one, settled: true };
            self.vary(system, made, (&mut *q, &mut *v, seeds))?;
        }
        if !layout.first_order() {
            let made = Step { level: Level::Velocity, factor: one, settled: false };
            self.vary(system, made, (&mut *q, &mut *v, seeds))?;
            copy(&x.v, &mut self.x.v);
            for _ in 0..SETTLED {
                self.vary(system, Step { settled: true, ..made }, (&mut *q, &mut *v, seeds))?;
            }
        }
        let parameters = system.derivatives().parameter_names;
        for ((q, v), seed) in q.iter().zip(v.iter()).zip(seeds) {
            let named = |cause| match seed.parameter.and_then(|i| parameters.get(i)) {
                Some(name) => Cause::NonFinite { quantity: Quantity::Derivative, name: Name::new(name) },
                None => cause,
            };
            let velocities = || finite(v.as_ref(), Quantity::Velocity, layout.v);
            finite(q.as_ref(), Quantity::Coordinate, layout.directions).and_then(|()| velocities()).map_err(named)?;
        }
        Ok(())
    }

    /// A step of least norm from the state between steps, and of the columns.
    fn vary(
        &mut self,
        system: &S,
        made: Step<S::Real>,
        (q, v, seeds): StartColumns<'_, S::V, S::Real>,
    ) -> Result<(), Cause> {
        let layout = system.layout();
        let velocities = made.level == Level::Velocity;
        self.find(system, made)?;
        let at = self.x.at(&self.assembly.u);
        if velocities {
            self.curvature.velocities(system, at, &self.y);
        } else {
            self.curvature.positions(system, at, &self.step, &self.y);
        }
        system.start_partials(at, &mut self.states, &mut self.parameters);
        let mut factored = self.step.clone();
        factored.as_mut().iter_mut().for_each(|x| *x *= made.factor);
        for ((q, v), seed) in q.iter_mut().zip(v).zip(seeds) {
            self.column(system, made.level, (q, v, *seed))?;
            let Direction { q: by, v: spin, .. } = &mut self.direction;
            for (by, &x) in by.as_mut().iter_mut().zip(self.assembly.rhs().iter()) {
                *by = made.factor * x;
            }
            if velocities {
                add(v.as_mut(), S::Real::ONE, by.as_ref());
                continue;
            }
            let from = q.clone();
            charts::retract(system, &factored, (&from, by), q, Some(spin));
            charts::align(system, S::Real::ONE, &self.x.v, spin, v);
        }
        finite(factored.as_ref(), Quantity::Coordinate, layout.directions)
    }

    /// The step and its multipliers; adds a step of velocities to the state, where their rows are linear.
    fn find(&mut self, system: &S, made: Step<S::Real>) -> Result<(), Cause> {
        let layout = system.layout();
        let (nv, nc) = (layout.v.len(), layout.constraints.len());
        self.assembly.linearize(system, made.level, &self.x)?;
        self.step.as_mut().fill(S::Real::ZERO);
        self.y.as_mut().fill(S::Real::ZERO);
        self.conditions.rhs().fill(S::Real::ZERO);
        if made.settled {
            return Ok(());
        }
        self.assembly.solve(&layout)?;
        copy(self.assembly.full(), &mut self.step);
        for row in 0..nc + self.conditions.rhs().len().saturating_sub(nv + nc) {
            let scale = self.assembly.scale(&layout, made.level, row);
            let multiplier = self.assembly.rhs().get(nv + row).map_or(S::Real::ZERO, |&x| -scale * x);
            let to = match row.checked_sub(nc) {
                None => self.y.as_mut().get_mut(row),
                Some(condition) => self.conditions.rhs().get_mut(condition),
            };
            if let Some(to) = to {
                *to = multiplier;
            }
        }
        if made.level == Level::Velocity {
            add(self.x.v.as_mut(), S::Real::ONE, self.step.as_ref());
        }
        Ok(())
    }

    /// What the step varies by along a column, as the solution of the bordered matrix.
    fn column(&mut self, system: &S, level: Level, (q, v, seed): (&S::V, &S::V, Seed<S::Real>)) -> Result<(), Cause> {
        let (layout, patterns) = (system.layout(), system.partial_patterns());
        let (nv, nc) = (layout.v.len(), layout.constraints.len());
        let (np, nw, velocities) = (layout.init_position.len(), layout.init_velocity.len(), level == Level::Velocity);
        let Self { assembly, curvature, direction, step, conditions, .. } = self;
        let (mut l, by) = (S::L::zeros(nc), &mut direction.q);
        by.as_mut().fill(S::Real::ZERO);
        let held = Along { q, v, t: seed.t, parameter: seed.parameter };
        curvature.along(system, velocities, (None, held), (by, &mut l));
        assembly.rhs().fill(S::Real::ZERO);
        for (to, &x) in assembly.rhs().iter_mut().zip(by.as_ref()) {
            *to = x;
        }
        for (row, &x) in l.as_ref().iter().enumerate() {
            if let Some(to) = assembly.rhs().get_mut(nv + row) {
                *to = x;
            }
        }
        let (first, count) = if velocities { (np * (1 + nv), nw) } else { (0, np) };
        let mut entry = |row: usize, change: S::Real| {
            let Some(row) = row.checked_sub(first).filter(|row| *row < count * (1 + nv)) else { return };
            let Some(place) = row.checked_sub(count) else {
                if let Some(to) = assembly.rhs().get_mut(nv + nc + row) {
                    *to -= change;
                }
                return;
            };
            let (condition, column) = (place / nv.max(1), place % nv.max(1));
            let multiplier = conditions.rhs().get(condition).copied().unwrap_or(S::Real::ZERO);
            if let Some(to) = assembly.rhs().get_mut(column) {
                *to += change * multiplier;
            }
            let along = step.as_ref().get(column).copied().filter(|_| !velocities).unwrap_or(S::Real::ZERO);
            if let Some(to) = assembly.rhs().get_mut(nv + nc + condition) {
                *to -= change * along;
            }
        };
        let by = |column: usize| match column {
            column if column < nv => q.as_ref().get(column).copied(),
            column if column < 2 * nv => v.as_ref().get(column - nv).copied(),
            _ => Some(seed.t),
        };
        for ((row, column), &value) in patterns.starts.entries().zip(self.states.as_ref()) {
            entry(row, value * by(column).unwrap_or(S::Real::ZERO));
        }
        for ((row, column), &value) in patterns.starts_by_parameter.entries().zip(self.parameters.as_ref()) {
            if Some(column) == seed.parameter && row < patterns.starts.rows {
                entry(row, value);
            }
        }
        for row in 0..nc + count {
            let scale = assembly.scale(&layout, level, row);
            if let Some(x) = assembly.rhs().get_mut(nv + row) {
                *x *= scale;
            }
        }
        assembly.again(&layout)
    }
}

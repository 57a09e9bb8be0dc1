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
use crate::linalg::{Factored, Square};
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::{State, copy, finite};
use crate::model::system::System;
use crate::numbers::scalar::Scalar;
use crate::solve::Assembly;
use crate::solve::add;
use crate::solve::solvable::Solvable;
use crate::solve::start::Start;
use crate::variation::charts;
use crate::variation::columns::Columns;
use crate::variation::direction::{Direction, Seed};
use crate::variation::forward::{ForwardMode, StateColumns};
use crate::variation::projection_step::{Along, ProjectionStep};

/// Steps at the solution, which make its variation that of rows that hold.
const SETTLED: u32 = 2;

/// Storage for variations of consistent starts.
pub struct Beginning<S: Solvable + Sensitive> {
    assembly: Assembly<S>,
    projection_step: ProjectionStep<S>,
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
type StartColumns<'a, V, T> = (&'a mut [V], &'a mut [V], &'a [Seed<T>]);

/// The factors of the bordered matrix.
type StartFactors<S> = <<S as Solvable>::Assembly as Square<<S as System>::Real>>::Factors;

/// What is stepped from a state: a step of least norm, or several that are zero.
#[derive(Clone, Copy)]
struct Steps<T> {
    /// whether of positions or velocities
    level: Level,
    /// the share of them that was made
    factor: T,
    /// whether there is nothing left to step, at the solution
    settled: bool,
}

impl<S: Solvable + Sensitive> Beginning<S> {
    /// Storage in the shape of `system`.
    pub fn new(system: &S) -> Self {
        let (layout, patterns) = (system.layout(), system.partial_patterns());
        Self {
            assembly: Assembly::new(system, &layout),
            projection_step: ProjectionStep::new(system, true),
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
            let mut blocks = [q.as_mut(), v.as_mut(), z.as_mut()];
            blocks.iter_mut().for_each(|block| block.fill(S::Real::ZERO));
            let Some(parameter) = seed.parameter else { continue };
            for (row, place) in patterns.starts_by_parameter.column(parameter) {
                let entry = row
                    .checked_sub(patterns.starts.rows)
                    .and_then(|i| blocks.iter_mut().flat_map(|b| b.iter_mut()).nth(i));
                if let (Some(to), Some(&value)) = (entry, self.parameters.as_ref().get(place)) {
                    *to += value;
                }
            }
        }
    }

    /// Takes variations of `from`, where [`Start::solve_from`] begins, to those of the start that it finds. Rates,
    /// multipliers and algebraic variables follow from the state: [`settle`](crate::integrators::settle).
    ///
    /// # Errors
    /// As [`Start::solve_from`]; [`Cause::NonFinite`] where a derivative is not finite; [`Cause::NoParameter`].
    pub fn apply<K: Columns>(
        &mut self,
        system: &S,
        start: &Start<S::Real>,
        from: &State<S>,
        chain: &ForwardMode<S, K>,
        at: &mut StateColumns<S, K>,
    ) -> Result<(), Cause> {
        chain.largest().check_parameter(system)?;
        let (layout, mut x) = (system.layout(), from.clone());
        self.x.copy_from(from);
        self.x.t = start.time;
        let (q, v, seeds) = (at.q.as_mut(), at.v.as_mut(), chain.seeds());
        let made = |level, factor| Steps { level, factor, settled: false };
        let settled = |level| Steps { level, factor: S::Real::ONE, settled: true };
        start.assemble_seen(system, &mut x, &mut |q_from, factor| {
            copy(q_from, &mut self.x.q);
            self.vary(system, made(Level::Position, factor), (&mut *q, &mut *v, seeds))
        })?;
        copy(&x.q, &mut self.x.q);
        self.vary(system, settled(Level::Position), (&mut *q, &mut *v, seeds))?;
        if !layout.first_order() {
            self.vary(system, made(Level::Velocity, S::Real::ONE), (&mut *q, &mut *v, seeds))?;
            copy(&x.v, &mut self.x.v);
            self.vary(system, settled(Level::Velocity), (&mut *q, &mut *v, seeds))?;
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

    /// Steps of least norm from the state between them, of the columns too. All are solved with the same factors.
    fn vary(
        &mut self,
        system: &S,
        steps: Steps<S::Real>,
        (q, v, seeds): StartColumns<'_, S::V, S::Real>,
    ) -> Result<(), Cause> {
        let velocities = steps.level == Level::Velocity;
        let mut factors = self.find(system, steps)?;
        let at = self.x.at(&self.assembly.u);
        if velocities {
            self.projection_step.velocities(system, at, &self.y)?;
        } else {
            self.projection_step.positions(system, at, &self.step, &self.y)?;
        }
        system.start_partials(at, &mut self.states, &mut self.parameters);
        let mut factored = self.step.clone();
        factored.as_mut().iter_mut().for_each(|x| *x *= steps.factor);
        for _ in 0..if steps.settled { SETTLED } else { 1 } {
            for ((q, v), seed) in q.iter_mut().zip(v.iter_mut()).zip(seeds) {
                self.column(system, velocities, (q, v, seed), &mut factors)?;
                let (Direction { q: by, v: spin, .. }, (found, _)) = (&mut self.direction, self.assembly.rhs());
                for (by, &x) in by.as_mut().iter_mut().zip(found.iter()) {
                    *by = steps.factor * x;
                }
                if velocities {
                    add(v.as_mut(), S::Real::ONE, by.as_ref());
                    continue;
                }
                let from = q.clone();
                charts::retract(system, &factored, (&from, by), q, Some(spin));
                charts::align(system, S::Real::ONE, &self.x.v, spin, v);
            }
        }
        finite(factored.as_ref(), Quantity::Coordinate, system.layout().directions)
    }

    /// The step and its multipliers, and the factors if they were needed; adds a step of velocities to the state, where
    /// their rows are linear.
    fn find(&mut self, system: &S, steps: Steps<S::Real>) -> Result<Option<StartFactors<S>>, Cause> {
        let layout = system.layout();
        let (nv, nc) = (layout.v.len(), layout.constraints.len());
        self.assembly.linearize(system, steps.level, &self.x)?;
        self.step.as_mut().fill(S::Real::ZERO);
        self.y.as_mut().fill(S::Real::ZERO);
        self.conditions.rhs().fill(S::Real::ZERO);
        if steps.settled {
            return Ok(None);
        }
        let factors = self.assembly.factorize(&layout)?;
        self.assembly.solve_with(&factors, &layout)?;
        copy(self.assembly.full(), &mut self.step);
        let (found, scales) = self.assembly.rhs();
        let multipliers = self.y.as_mut().iter_mut().take(nc).chain(self.conditions.rhs());
        for (to, (&x, &scale)) in multipliers.zip(found.iter().zip(scales).skip(nv)) {
            *to = -scale * x;
        }
        if steps.level == Level::Velocity {
            add(self.x.v.as_mut(), S::Real::ONE, self.step.as_ref());
        }
        Ok(Some(factors))
    }

    /// What the step varies by along a column, as the solution of the bordered matrix.
    fn column(
        &mut self,
        system: &S,
        velocities: bool,
        (q, v, seed): (&S::V, &S::V, &Seed<S::Real>),
        factors: &mut Option<StartFactors<S>>,
    ) -> Result<(), Cause> {
        let (layout, patterns) = (system.layout(), system.partial_patterns());
        let (nv, nc) = (layout.v.len(), layout.constraints.len());
        let (np, of_positions) = (layout.init_position.len(), layout.init_position_jacobian);
        let (first, count, pattern) = match velocities {
            true => (np + of_positions.nnz(), layout.init_velocity.len(), layout.init_velocity_jacobian),
            false => (0, np, of_positions),
        };
        let Self { assembly, projection_step, direction, step, conditions, states, parameters, .. } = self;
        let (mut l, by) = (S::L::zeros(nc), &mut direction.q);
        by.as_mut().fill(S::Real::ZERO);
        let held = Along { q, v, t: seed.t, parameter: seed.parameter };
        projection_step.along(system, velocities, (None, held), (by, &mut l));
        let (rhs, scales) = assembly.rhs();
        rhs.fill(S::Real::ZERO);
        for (to, &x) in rhs.iter_mut().zip(by.as_ref().iter().chain(l.as_ref())) {
            *to = x;
        }
        // rows of starts: the conditions, then the nonzeros of their Jacobian
        let mut entry = |row: usize, change: S::Real| {
            let Some(row) = row.checked_sub(first) else { return };
            let Some(place) = row.checked_sub(count) else {
                rhs.get_mut(nv + nc + row).into_iter().for_each(|to| *to -= change);
                return;
            };
            let Some((condition, column)) = pattern.entry(place) else { return };
            let multiplier = conditions.rhs().get(condition).copied().unwrap_or(S::Real::ZERO);
            rhs.get_mut(column).into_iter().for_each(|to| *to += change * multiplier);
            let along = step.as_ref().get(column).copied().filter(|_| !velocities).unwrap_or(S::Real::ZERO);
            rhs.get_mut(nv + nc + condition).into_iter().for_each(|to| *to -= change * along);
        };
        let by = q.as_ref().iter().chain(v.as_ref()).chain([&seed.t]);
        for (column, &by) in by.enumerate() {
            for (row, place) in patterns.starts.column(column) {
                entry(row, states.as_ref().get(place).map_or(S::Real::ZERO, |&value| value * by));
            }
        }
        for (row, place) in seed.parameter.into_iter().flat_map(|column| patterns.starts_by_parameter.column(column)) {
            // below them stands the guess
            if row < patterns.starts.rows {
                entry(row, parameters.as_ref().get(place).copied().unwrap_or(S::Real::ZERO));
            }
        }
        for (x, &scale) in rhs.iter_mut().zip(scales).skip(nv).take(nc + count) {
            *x *= scale;
        }
        // few parameters move a start
        if rhs.iter().all(|&x| x == S::Real::ZERO) {
            return Ok(());
        }
        let factors = match factors {
            Some(factors) => factors,
            none => none.insert(assembly.factorize(&layout)?),
        };
        factors.solve(assembly.rhs().0);
        Ok(())
    }
}

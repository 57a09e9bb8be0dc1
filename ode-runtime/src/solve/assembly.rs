//! The bordered system of a consistent start.

use crate::error::{Cause, Level, Name, Quantity};
use crate::linalg::{Factored, Square};
use crate::model::layout::{Block, Layout, Pattern, RowKind};
use crate::model::state::{State, finite};
use crate::model::system::{Conditions, Constraint};
use crate::numbers::field::Field;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::dependence::{Dependence, NEAR, visit};
use crate::solve::solvable::Solvable;
use crate::solve::undetermined;

pub(super) fn norm_of<T: Real>(values: &[T]) -> T {
    T::ONE + crate::solve::norm(values)
}

/// The bordered matrix, and a second one as room: its entries for the conditions, its right-hand side for the scales.
pub(crate) struct Assembly<S: Solvable> {
    /// whether conditions of the start have no say
    pub(super) free: bool,
    matrix: S::Assembly,
    room: S::Assembly,
    pub(super) constraint: Constraint<S>,
    pub(crate) u: S::U,
    pub(super) step: S::V,
    full: S::V,
    /// index and residual of the row with the largest scaled residual
    worst: (usize, S::Real),
}

impl<S: Solvable> Assembly<S> {
    pub(crate) fn new(system: &S, layout: &Layout<'_>) -> Self {
        let mut u = S::U::zeros(layout.u.len());
        system.nominal(&mut u);
        Self {
            free: false,
            matrix: S::Assembly::new(layout),
            room: S::Assembly::new(layout),
            constraint: Constraint::zeros(layout),
            u,
            step: Block::zeros(layout.v.len()),
            full: Block::zeros(layout.v.len()),
            worst: (0, S::Real::ZERO),
        }
    }

    /// Sets up the matrix and the right-hand side at `x`; returns the largest residual relative to the scale of its
    /// row.
    pub(crate) fn linearize(&mut self, system: &S, level: Level, x: &State<S>) -> Result<S::Real, Cause> {
        let layout = system.layout();
        let (nv, nc, n) = (layout.v.len(), layout.constraints.len(), self.matrix.size());
        let at = x.at(&self.u);
        system.constraint(at, &mut self.constraint);
        let [np, of_positions, nw, of_velocities] = conditions(&layout);
        let (given, scales) = self.room.room(np + of_positions + nw + of_velocities);
        let (position, rest) = given.split_at_mut(np);
        let (position_jacobian, rest) = rest.split_at_mut(of_positions);
        let (velocity, rest) = rest.split_at_mut(nw);
        let (velocity_jacobian, _) = rest.split_at_mut(of_velocities);
        position_jacobian.fill(S::Real::ZERO);
        velocity_jacobian.fill(S::Real::ZERO);
        system.conditions(at, Conditions { position, position_jacobian, velocity, velocity_jacobian });

        let (rows, values, jacobian) = match level {
            Level::Position => (self.constraint.phi.as_ref(), position, position_jacobian),
            Level::Velocity | Level::Acceleration => (self.constraint.rate.as_ref(), velocity, velocity_jacobian),
        };
        let (names, pattern) = given_at(&layout, level);
        let (values, jacobian) = if self.free { (&mut [][..], &mut [][..]) } else { (values, jacobian) };
        finite(rows, Quantity::Constraint, layout.constraints)?;
        finite(values, Quantity::Condition, names)?;

        let count = nc + values.len();
        let rhs = self.matrix.rhs();
        rhs.fill(S::Real::ZERO);
        for (b, &c) in rhs.iter_mut().skip(nv).zip(rows.iter().chain(values.iter())) {
            *b = -c;
        }
        // the largest entry of each row, then the factor that brings it into [1, 2)
        scales.fill(S::Real::ZERO);
        let held = layout.jacobian.entries().zip(self.constraint.jacobian.as_ref());
        let held = held.filter(|((r, _), _)| restricts(&layout, level, *r)).map(|((r, c), &value)| (r, c, value));
        let given = pattern.entries().zip(jacobian.iter()).map(|((i, c), &value)| (nc + i, c, value));
        let entries = || held.clone().chain(given.clone());
        for (r, _, value) in entries() {
            if let Some(scale) = scales.get_mut(nv + r) {
                *scale = scale.max(value.abs());
            }
        }
        scales.iter_mut().for_each(|scale| *scale = scale.equalizer());
        self.matrix.clear();
        for (r, c, value) in entries() {
            let value = value * scales.get(nv + r).copied().unwrap_or(S::Real::ONE);
            self.matrix.set(nv + r, c, value);
            self.matrix.set(c, nv + r, value);
        }
        // A relative perturbation ε^(2/3) changes a step by as much, and gives repeated rows a pivot well above
        // round-off.
        let epsilon = S::Real::PIVOT_TOLERANCE;
        (0..nv).for_each(|i| self.matrix.set(i, i, S::Real::ONE));
        for i in nv..n {
            self.matrix.set(i, i, if i < nv + count { -epsilon } else { S::Real::ONE });
        }
        self.worst = (0, S::Real::ZERO);
        for (i, (b, &scale)) in self.matrix.rhs().iter_mut().zip(scales.iter()).skip(nv).enumerate() {
            *b *= scale;
            let (size, (at, most)) = (b.abs(), self.worst);
            self.worst = (if size > most { i } else { at }, S::Real::select(most.lt(size), size, most));
        }
        for (row, scale) in scales.iter_mut().skip(nv).take(nc).enumerate() {
            if !restricts(&layout, level, row) {
                *scale = S::Real::ZERO;
            }
        }
        Ok(self.worst.1)
    }

    /// The step of least norm into `full`.
    pub(crate) fn solve(&mut self, layout: &Layout<'_>) -> Result<(), Cause> {
        let factors = self.factorize(layout)?;
        self.solve_with(&factors, layout)
    }

    /// The factors of the matrix, for the step and for right-hand sides to come.
    pub(crate) fn factorize(&self, layout: &Layout<'_>) -> Result<<S::Assembly as Square<S::Real>>::Factors, Cause> {
        self.matrix.factorize().map_err(|singular| undetermined(layout, 0, singular))
    }

    /// [`Assembly::solve`] with the factors.
    pub(crate) fn solve_with(&mut self, factors: &impl Factored<S::Real>, layout: &Layout<'_>) -> Result<(), Cause> {
        factors.solve(self.matrix.rhs());
        for (to, &from) in self.full.as_mut().iter_mut().zip(self.matrix.rhs().iter()) {
            *to = from;
        }
        finite(self.full.as_ref(), Quantity::Coordinate, layout.directions)
    }

    /// The step of least norm.
    pub(crate) fn full(&self) -> &S::V {
        &self.full
    }

    /// The right-hand side, and what its rows of constraints and conditions, below the first nv, are multiplied by in
    /// the matrix: zero if one restricts nothing at this level.
    pub(crate) fn rhs(&mut self) -> (&mut [S::Real], &[S::Real]) {
        (self.matrix.rhs(), self.room.rhs())
    }

    /// `step` = factor · `full`.
    pub(super) fn scaled(&mut self, factor: S::Real) {
        for (to, &from) in self.step.as_mut().iter_mut().zip(self.full.as_ref()) {
            *to = factor * from;
        }
    }

    /// Accepts, or names the row with the largest residual.
    pub(super) fn judge(
        &mut self,
        layout: &Layout<'_>,
        level: Level,
        tolerance: S::Real,
        off: S::Real,
        stalled: bool,
        size: S::Real,
    ) -> Result<(), Cause> {
        if off <= tolerance * size {
            return Ok(());
        }
        if let Some(cause) = self.contradiction(layout, level) {
            return Err(cause);
        }
        let (index, nc) = (self.worst.0, layout.constraints.len());
        let (name, own) = match index.checked_sub(nc) {
            None => {
                let rows = match level {
                    Level::Position => self.constraint.phi.as_ref(),
                    Level::Velocity | Level::Acceleration => self.constraint.rate.as_ref(),
                };
                (Name::of(layout.constraints, index), rows.get(index).copied())
            }
            Some(i) => {
                let [np, of_positions, nw, _] = conditions(layout);
                let offset = match level {
                    Level::Position => 0,
                    Level::Velocity | Level::Acceleration => np + of_positions,
                };
                let (room, _) = self.room.room(np + of_positions + nw);
                (Name::of(given_at(layout, level).0, i), room.get(offset + i).copied())
            }
        };
        let residual = own.unwrap_or(off).to_f64();
        if stalled {
            Err(Cause::Inconsistent { level, name, residual })
        } else {
            Err(Cause::NotConverged { level, name, residual })
        }
    }
}

impl<S: Solvable> Assembly<S> {
    /// The error for rows and conditions whose residual no step reduces.
    fn contradiction(&mut self, layout: &Layout<'_>, level: Level) -> Option<Cause> {
        let (nc, [np, of_positions, nw, of_velocities]) = (layout.constraints.len(), conditions(layout));
        let room = self.room.room(np + of_positions + nw + of_velocities).0;
        let (position, velocity) = room.split_at(np + of_positions);
        let (rows, (values, jacobian)) = match level {
            Level::Position => (&self.constraint.phi, position.split_at(np)),
            Level::Velocity | Level::Acceleration => (&self.constraint.rate, velocity.split_at(nw)),
        };
        let (conditions, pattern) = if self.free { (&[][..], Pattern::NONE) } else { given_at(layout, level) };
        let held = self.constraint.jacobian.as_ref();
        let entries = |each: &mut dyn FnMut(usize, usize, S::Real)| {
            visit(&layout.jacobian, held, &mut |r, c, value| {
                if restricts(layout, level, r) {
                    each(r, c, value);
                }
            });
            visit(&pattern, jacobian, &mut |i, c, value| each(nc + i, c, value));
        };
        let off = |row: usize| match row.checked_sub(nc) {
            None => rows.as_ref().get(row).copied().unwrap_or(S::Real::ZERO),
            Some(i) => values.get(i).copied().unwrap_or(S::Real::ZERO),
        };
        Dependence::<S>::of(*layout, conditions, &entries, NEAR).contradiction(level, &off)
    }
}

/// The conditions on positions and the nonzeros of their Jacobian, and the same of those on velocities.
fn conditions(layout: &Layout<'_>) -> [usize; 4] {
    let (position, velocity) = (&layout.init_position_jacobian, &layout.init_velocity_jacobian);
    [layout.init_position.len(), position.nnz(), layout.init_velocity.len(), velocity.nnz()]
}

/// The names of the conditions of a level, and the pattern of their Jacobian.
fn given_at<'a>(layout: &Layout<'a>, level: Level) -> (&'a [&'a str], Pattern<'a>) {
    match level {
        Level::Position => (layout.init_position, layout.init_position_jacobian),
        Level::Velocity | Level::Acceleration => (layout.init_velocity, layout.init_velocity_jacobian),
    }
}

/// Whether a row restricts positions, or velocities.
fn restricts(layout: &Layout<'_>, level: Level, row: usize) -> bool {
    level == Level::Velocity || layout.kind(row) == RowKind::Holonomic
}

//! How a step of a projection varies with the point at which it is made.
//!
//! A projection solves M x = Gᵀ y, Φ + G x = 0 for a step x of positions, or Φ̇ + G x = 0 for one of velocities. Along
//! a direction
//!
//! ```text
//! M δx − Gᵀ δy = − δ(M) x + δ(Gᵀ) y
//! G δx         = − δΦ − δ(G) x
//! ```
//!
//! The rows of the model are linear in a and λ, and those of Φ̇ in v: the derivatives of M x, Gᵀ y and G x at constant
//! x and y are differences of its partials.

use crate::error::Cause;
use crate::model::layout::{Block, RowKind};
use crate::model::sensitive::Sensitive;
use crate::model::system::{At, Rates};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::norm;
use crate::solve::solvable::Solvable;
use crate::variation::jacobians::Jacobians;

/// What a step varies with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Along<'a, S: Solvable> {
    pub(super) q: &'a S::V,
    pub(super) v: &'a S::V,
    pub(super) t: S::Real,
    pub(super) parameter: Option<usize>,
}

/// The derivatives at a point, at constant x and y.
#[derive(Debug)]
pub(super) struct ProjectionStep<S: Solvable + Sensitive> {
    /// those of M x
    inertia: Jacobians<S>,
    /// those of −Gᵀ y, and of the constraints
    held: Jacobians<S>,
    room: Jacobians<S>,
    rows: S::Rows,
    /// whether a direction has a parameter
    parameters: bool,
    /// nothing, in the places of velocities, rates and multipliers
    still: (S::V, S::Z, S::L),
}

impl<S: Solvable + Sensitive> ProjectionStep<S> {
    /// `parameters` says whether a direction will have one.
    pub(super) fn new(system: &S, parameters: bool) -> Self {
        let layout = system.layout();
        Self {
            parameters,
            inertia: Jacobians::zeros(system),
            held: Jacobians::zeros(system),
            room: Jacobians::zeros(system),
            rows: Block::zeros(system.partial_patterns().states.rows),
            still: (Block::zeros(layout.v.len()), Block::zeros(layout.z.len()), Block::zeros(layout.constraints.len())),
        }
    }

    /// Those of M x at a point.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] with the name of a row whose derivatives are not finite, or of the parameter.
    pub(super) fn inertia(&mut self, system: &S, at: At<'_, S>, x: &S::V) -> Result<(), Cause> {
        let (nv, (still, zdot, lambda)) = (system.layout().v.len(), &self.still);
        let (x, size) = &unit(x);
        let (moving, resting) = match system.layout().first_order() {
            true => (At { v: x, ..at }, At { v: still, ..at }),
            false => (at, at),
        };
        self.inertia.evaluate(system, moving, Rates { a: x, zdot, lambda }, self.parameters);
        self.room.evaluate(system, resting, Rates { a: still, zdot, lambda }, self.parameters);
        self.inertia.subtract_rows(system, &self.room, |row| (row < nv).then_some(*size));
        self.inertia.check_used(system, self.parameters, (&|row| row < nv, &|column| column < nv))
    }

    /// Those of −Gᵀ y and Φ̇ at a point, with the velocities of the point after the step.
    ///
    /// # Errors
    /// As [`ProjectionStep::inertia`].
    pub(super) fn velocities(&mut self, system: &S, at: At<'_, S>, y: &S::L) -> Result<(), Cause> {
        self.at_velocities(system, at, y, 2 * system.layout().v.len())
    }

    /// The same, checked as far as they are by the first columns.
    fn at_velocities(&mut self, system: &S, at: At<'_, S>, y: &S::L, by: usize) -> Result<(), Cause> {
        let (nv, places, (still, zdot, lambda)) = (system.layout().v.len(), self.held.places, &self.still);
        let (y, size) = &unit(y);
        self.held.evaluate(system, at, Rates { a: still, zdot, lambda: y }, self.parameters);
        self.room.evaluate(system, at, Rates { a: still, zdot, lambda }, self.parameters);
        self.held.subtract_rows(system, &self.room, |row| (row < nv).then_some(*size));
        let used = |row| row < nv || places.laws().contains(&row) || places.rates().contains(&row);
        self.held.check_used(system, self.parameters, (&used, &|column| column < by))
    }

    /// Those of −Gᵀ y, Φ and G x at a point.
    ///
    /// # Errors
    /// As [`ProjectionStep::inertia`].
    pub(super) fn positions(&mut self, system: &S, at: At<'_, S>, x: &S::V, y: &S::L) -> Result<(), Cause> {
        let nv = system.layout().v.len();
        self.at_velocities(system, At { v: x, ..at }, y, nv)?;
        let (rates, (still, zdot, lambda)) = (self.held.places.rates(), &self.still);
        self.room.evaluate(system, At { v: still, ..at }, Rates { a: still, zdot, lambda }, self.parameters);
        self.held.subtract_rows(system, &self.room, |row| rates.contains(&row).then_some(S::Real::ONE));
        self.held.check_used(system, self.parameters, (&|row| rates.contains(&row), &|column| column < nv))
    }

    /// Subtracts from the right-hand side of a step of velocities, or else positions, what it varies by: of M with a
    /// direction at its point, if that is part of the step, and of the constraints with one at theirs.
    pub(super) fn along(
        &mut self,
        system: &S,
        velocities: bool,
        (inertia, held): (Option<Along<'_, S>>, Along<'_, S>),
        (v, l): (&mut S::V, &mut S::L),
    ) {
        let layout = system.layout();
        let places = self.held.places;
        self.rows.as_mut().fill(S::Real::ZERO);
        if let Some(along) = inertia {
            self.inertia.add_along(system, (along.q, None), (along.t, along.parameter), self.rows.as_mut());
            self.rows.as_mut().get_mut(layout.v.len()..).unwrap_or_default().fill(S::Real::ZERO);
        }
        let rest = if velocities { held } else { Along { v: &self.still.0, ..held } };
        self.held.add_along(system, (rest.q, Some(rest.v)), (rest.t, rest.parameter), self.rows.as_mut());
        let rows = self.rows.as_ref();
        for (v, &row) in v.as_mut().iter_mut().zip(rows) {
            *v -= row;
        }
        let (laws, rates) = (rows.get(places.laws()), rows.get(places.rates()));
        let both = laws.unwrap_or_default().iter().zip(rates.unwrap_or_default());
        for (row, (l, (&law, &rate))) in l.as_mut().iter_mut().zip(both).enumerate() {
            *l -= match layout.kind(row) {
                RowKind::Compliant => S::Real::ZERO,
                RowKind::Holonomic if !velocities => law + rate,
                _ => rate,
            };
        }
    }

    /// The transpose of [`ProjectionStep::along`]: adds what a covector of the right-hand side gives by q at the point
    /// of M, if that is part of the step, by q and v at that of the constraints, by time and by parameters.
    #[cfg(feature = "std")]
    pub(super) fn back(
        &mut self,
        system: &S,
        velocities: bool,
        (v, l): (&S::V, &S::L),
        (inertia, q, v_held): (Option<&mut S::V>, &mut S::V, &mut S::V),
        (t, parameters): (&mut S::Real, &mut [S::Real]),
    ) {
        let layout = system.layout();
        let places = self.held.places;
        let rows = self.rows.as_mut();
        rows.fill(S::Real::ZERO);
        for (row, &x) in rows.iter_mut().zip(v.as_ref()) {
            *row = -x;
        }
        if let Some(inertia) = inertia {
            self.inertia.pull_along(system, rows, (inertia, None), (&mut *t, &mut *parameters));
        }
        for (row, &x) in l.as_ref().iter().enumerate() {
            let (law, rate) = match layout.kind(row) {
                RowKind::Compliant => (false, false),
                RowKind::Holonomic => (!velocities, true),
                RowKind::Nonholonomic => (false, true),
            };
            for (place, held) in [(places.laws().start + row, law), (places.rates().start + row, rate)] {
                rows.get_mut(place).filter(|_| held).into_iter().for_each(|row| *row = -x);
            }
        }
        self.held.pull_along(system, rows, (q, velocities.then_some(v_held)), (t, parameters));
    }
}

impl<S: Solvable + Sensitive> Jacobians<S> {
    /// Subtracts the entries of rows that have a factor, and multiplies by it.
    fn subtract_rows(&mut self, system: &S, other: &Self, factor: impl Fn(usize) -> Option<S::Real>) {
        let patterns = system.partial_patterns();
        let states = patterns.states.entries().zip(self.states.as_mut()).zip(other.states.as_ref());
        let parameters = patterns.parameters.entries().zip(self.parameters.as_mut()).zip(other.parameters.as_ref());
        for (((row, _), x), &y) in states.chain(parameters) {
            if let Some(factor) = factor(row) {
                *x = factor * (*x - y);
            }
        }
    }
}

/// A block of the size of 1, so that differences with it are of the size of their parts, and its own size.
fn unit<T: Real, B: Block<T>>(x: &B) -> (B, T) {
    let (mut unit, size) = (x.clone(), norm(x.as_ref()));
    let factor = Some(size.recip()).filter(|factor| factor.is_finite()).unwrap_or(T::ZERO);
    unit.as_mut().iter_mut().for_each(|x| *x *= factor);
    (unit, size)
}

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

use crate::model::layout::{Block, RowKind};
use crate::model::sensitive::Sensitive;
use crate::model::system::{At, Rates};
use crate::numbers::scalar::Scalar;
use crate::solve::solvable::Solvable;
use crate::variation::rows::{Jacobians, Places};

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
pub(super) struct Curvature<S: Solvable + Sensitive> {
    /// those of M x
    inertia: Jacobians<S>,
    /// those of −Gᵀ y, and of the constraints
    held: Jacobians<S>,
    room: Jacobians<S>,
    rows: S::Rows,
    /// nothing, in the places of velocities, rates and multipliers
    still: (S::V, S::Z, S::L),
}

impl<S: Solvable + Sensitive> Curvature<S> {
    pub(super) fn new(system: &S) -> Self {
        let layout = system.layout();
        Self {
            inertia: Jacobians::zeros(system),
            held: Jacobians::zeros(system),
            room: Jacobians::zeros(system),
            rows: Block::zeros(system.partial_patterns().states.rows),
            still: (Block::zeros(layout.v.len()), Block::zeros(layout.z.len()), Block::zeros(layout.constraints.len())),
        }
    }

    /// Those of M x at a point.
    pub(super) fn inertia(&mut self, system: &S, at: At<'_, S>, x: &S::V) {
        let (nv, (still, zdot, lambda)) = (system.layout().v.len(), &self.still);
        let (moving, resting) = match system.layout().first_order() {
            true => (At { v: x, ..at }, At { v: still, ..at }),
            false => (at, at),
        };
        self.inertia.evaluate(system, moving, Rates { a: x, zdot, lambda }, true);
        self.room.evaluate(system, resting, Rates { a: still, zdot, lambda }, true);
        self.inertia.subtract_rows(system, &self.room, |row| row < nv);
    }

    /// Those of −Gᵀ y and Φ̇ at a point, with the velocities of the point after the step.
    pub(super) fn velocities(&mut self, system: &S, at: At<'_, S>, y: &S::L) {
        let (nv, (still, zdot, lambda)) = (system.layout().v.len(), &self.still);
        self.held.evaluate(system, at, Rates { a: still, zdot, lambda: y }, true);
        self.room.evaluate(system, at, Rates { a: still, zdot, lambda }, true);
        self.held.subtract_rows(system, &self.room, |row| row < nv);
    }

    /// Those of −Gᵀ y, Φ and G x at a point.
    pub(super) fn positions(&mut self, system: &S, at: At<'_, S>, x: &S::V, y: &S::L) {
        self.velocities(system, At { v: x, ..at }, y);
        let (rates, (still, zdot, lambda)) = (Places::of(&system.layout()).rates(), &self.still);
        self.room.evaluate(system, At { v: still, ..at }, Rates { a: still, zdot, lambda }, true);
        self.held.subtract_rows(system, &self.room, |row| rates.contains(&row));
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
        let places = Places::of(&layout);
        self.rows.as_mut().fill(S::Real::ZERO);
        if let Some(along) = inertia {
            self.inertia.add_along(system, (along.q, Some(along.v)), (along.t, along.parameter), self.rows.as_mut());
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
}

impl<S: Solvable + Sensitive> Jacobians<S> {
    /// Subtracts the entries of some rows.
    fn subtract_rows(&mut self, system: &S, other: &Self, rows: impl Fn(usize) -> bool) {
        let patterns = system.partial_patterns();
        let states = patterns.states.entries().zip(self.states.as_mut()).zip(other.states.as_ref());
        let parameters = patterns.parameters.entries().zip(self.parameters.as_mut()).zip(other.parameters.as_ref());
        for (((row, _), x), &y) in states.chain(parameters) {
            if rows(row) {
                *x -= y;
            }
        }
    }
}

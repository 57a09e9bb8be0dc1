//! The equations at a point, linearised at constant accelerations.

use crate::error::{Cause, Name, Quantity};
use crate::model::layout::{Block, RowKind};
use crate::model::sensitive::Sensitive;
use crate::model::system::{At, Rates};
use crate::numbers::scalar::Scalar;
use crate::solve::algebraic::Laws;
use crate::solve::solvable::Solvable;
use crate::variation::abreast::Abreast;
use crate::variation::direction::Direction;
use crate::variation::jacobians::Jacobians;
use crate::variation::rows::entry;

/// Every row by everything, with what follows from equations of its own: algebraic variables, and the multipliers of
/// compliant rows.
#[derive(Debug)]
pub(super) struct Equations<S: Solvable + Sensitive> {
    pub(super) jacobians: Jacobians<S>,
    /// several directions, and what the rows change by
    pub(super) abreast: Abreast<S>,
    laws: Laws<S>,
}

impl<S: Solvable + Sensitive> Equations<S> {
    pub(super) fn new(system: &S) -> Self {
        Self { jacobians: Jacobians::zeros(system), abreast: Abreast::zeros(system), laws: Laws::new(&system.layout()) }
    }

    /// Linearises at a point whose algebraic variables satisfy their equations; `parameters` says whether a direction
    /// will have one.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] where a derivative is not finite.
    pub(super) fn evaluate(
        &mut self,
        system: &S,
        at: At<'_, S>,
        rates: Rates<'_, S>,
        parameters: bool,
    ) -> Result<(), Cause> {
        self.jacobians.evaluate(system, at, rates, parameters);
        let layout = system.layout();
        if layout.algebraic > 0 {
            let mut values = S::Z::zeros(layout.z.len());
            let values = values.as_mut().get_mut(..layout.algebraic).unwrap_or_default();
            self.laws.evaluate(system, at, false, values);
        }
        self.jacobians.check(system, parameters)
    }

    /// Adds a direction to those side by side.
    pub(super) fn put(&mut self, system: &S, lane: usize, direction: &Direction<S>) {
        self.abreast.put(system, &self.jacobians, lane, direction);
    }

    /// What the rows change by along `count` directions side by side. Algebraic variables and the multipliers of
    /// compliant rows are written to the directions, and included.
    ///
    /// # Errors
    /// [`Cause::Singular`] with an algebraic variable that its equations do not determine.
    pub(super) fn follow(&mut self, system: &S, count: usize) -> Result<(), Cause> {
        let (layout, pattern) = (system.layout(), system.partial_patterns().states);
        let places = self.jacobians.places;
        let differential = places.z()..places.z() + layout.differential();
        let velocities = if layout.first_order() { places.v()..places.v() } else { places.v()..places.a() };
        for known in [0..places.v(), velocities, differential, places.u()..pattern.cols] {
            self.abreast.add(system, &self.jacobians, known);
        }
        self.settle(system, count)
    }

    /// The same of rows that have been changed.
    ///
    /// # Errors
    /// As [`Equations::follow`].
    pub(super) fn settle(&mut self, system: &S, count: usize) -> Result<(), Cause> {
        let (layout, pattern) = (system.layout(), system.partial_patterns().states);
        let Self { jacobians, abreast, laws } = self;
        let (places, differential) = (jacobians.places, layout.differential());
        let algebraic = places.z() + differential..places.lambda();
        if !algebraic.is_empty() {
            for lane in 0..count {
                // in the rows of s stands −F
                abreast.read(lane, places.s().start + differential, laws.rhs());
                laws.solve().map_err(|singular| Cause::Singular {
                    unknown: Quantity::Algebraic,
                    name: Name::of(layout.z, differential + singular.index),
                })?;
                abreast.set(lane, algebraic.start, laws.rhs());
            }
            abreast.add(system, jacobians, algebraic);
        }
        for row in (0..layout.constraints.len()).filter(|&row| layout.kind(row) == RowKind::Compliant) {
            let (place, column) = (places.accelerations().start + row, places.lambda() + row);
            let give = entry(pattern, jacobians.states.as_ref(), place, column);
            let (columns, rows) = abreast.parts();
            if let (Some(lambda), Some(&law)) = (columns.get_mut(column), rows.get(place)) {
                *lambda = law * -give.recip();
            }
            abreast.add(system, jacobians, column..column + 1);
        }
        Ok(())
    }

    /// The same along one direction. Algebraic variables are written to it, the multipliers of compliant rows to
    /// `lambda`.
    ///
    /// # Errors
    /// As [`Equations::follow`].
    pub(super) fn along(&mut self, system: &S, direction: &mut Direction<S>, lambda: &mut S::L) -> Result<(), Cause> {
        self.abreast.clear();
        self.put(system, 0, direction);
        self.follow(system, 1)?;
        let places = self.jacobians.places;
        self.abreast.get(0, places.z(), direction.z.as_mut());
        self.abreast.get(0, places.lambda(), lambda.as_mut());
        Ok(())
    }
}

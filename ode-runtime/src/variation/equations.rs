//! The equations at a point, linearised at constant accelerations.

use crate::error::{Cause, Name, Quantity};
use crate::linalg::Square;
use crate::model::layout::{Block, RowKind};
use crate::model::sensitive::Sensitive;
use crate::model::system::{At, Rates};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::solvable::Solvable;
use crate::variation::direction::Direction;
use crate::variation::rows::{Jacobians, Places, add_product, entry};

/// Every row by everything, with what follows from equations of its own: algebraic variables, and the multipliers of
/// compliant rows.
#[derive(Debug)]
pub(super) struct Equations<S: Solvable + Sensitive> {
    pub(super) jacobians: Jacobians<S>,
    rows: S::Rows,
    algebra: S::Algebra,
}

impl<S: Solvable + Sensitive> Equations<S> {
    pub(super) fn new(system: &S) -> Self {
        Self {
            jacobians: Jacobians::zeros(system),
            rows: Block::zeros(system.partial_patterns().states.rows),
            algebra: S::Algebra::new(&system.layout()),
        }
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
            system.algebraic(at, values, self.algebra.entries());
        }
        self.jacobians.check(system, parameters)
    }

    /// What the rows change by along a direction. Algebraic variables are written to the direction, the multipliers of
    /// compliant rows to `lambda`; both are included.
    ///
    /// # Errors
    /// [`Cause::Singular`] with an algebraic variable that its equations do not determine.
    pub(super) fn along(&mut self, system: &S, direction: &mut Direction<S>, lambda: &mut S::L) -> Result<(), Cause> {
        let (layout, pattern) = (system.layout(), system.partial_patterns().states);
        let (places, differential) = (Places::of(&layout), layout.differential());
        let Self { jacobians, rows, algebra, .. } = self;
        let (values, rows) = (jacobians.states.as_ref(), rows.as_mut());
        let Direction { q, v, z, u, t, parameter } = direction;
        rows.fill(S::Real::ZERO);
        add_product(pattern, values, 0, q.as_ref(), rows);
        if !layout.first_order() {
            add_product(pattern, values, places.v(), v.as_ref(), rows);
        }
        let (known, algebraic) = z.as_mut().split_at_mut(differential.min(layout.z.len()));
        add_product(pattern, values, places.z(), known, rows);
        add_product(pattern, values, places.u(), u.as_ref(), rows);
        add_product(pattern, values, places.t(), &[*t], rows);
        jacobians.add_parameter(system, *parameter, rows);
        let values = jacobians.states.as_ref();
        if !algebraic.is_empty() {
            // in the rows of s stands −F
            let own = rows.get(places.s()).unwrap_or_default().iter().skip(differential);
            algebra.rhs().iter_mut().zip(own).for_each(|(x, &row)| *x = row);
            algebra.solve().map_err(|singular| Cause::Singular {
                unknown: Quantity::Algebraic,
                name: Name::of(layout.z, differential + singular.index),
            })?;
            algebraic.iter_mut().zip(algebra.rhs()).for_each(|(x, &mut found)| *x = found);
            add_product(pattern, values, places.z() + differential, algebraic, rows);
        }
        for (row, lambda) in lambda.as_mut().iter_mut().enumerate() {
            *lambda = S::Real::ZERO;
            if layout.kind(row) == RowKind::Compliant {
                let (place, column) = (places.accelerations().start + row, places.lambda() + row);
                let law = rows.get(place).copied().unwrap_or(S::Real::ZERO);
                *lambda = -law / entry(pattern, values, place, column);
            }
        }
        add_product(pattern, values, places.lambda(), lambda.as_ref(), rows);
        Ok(())
    }

    /// Adds what velocities, which follow from the rows of first-order models, change.
    pub(super) fn add_velocities(&mut self, system: &S, v: &S::V) {
        let (layout, pattern) = (system.layout(), system.partial_patterns().states);
        let (values, rows) = (self.jacobians.states.as_ref(), self.rows.as_mut());
        add_product(pattern, values, Places::of(&layout).v(), v.as_ref(), rows);
    }

    /// What the rows change by.
    pub(super) fn rows(&self) -> &[S::Real] {
        self.rows.as_ref()
    }
}

impl<S: Sensitive> Jacobians<S> {
    /// The derivatives at a point.
    pub(super) fn evaluate(&mut self, system: &S, at: At<'_, S>, rates: Rates<'_, S>, parameters: bool) {
        system.partials(at, rates, &mut self.states);
        if parameters {
            system.partials_by_parameter(at, rates, &mut self.parameters);
        }
    }

    /// rows += ∂/∂p of a parameter, if there is one.
    pub(super) fn add_parameter(&self, system: &S, parameter: Option<usize>, rows: &mut [S::Real]) {
        if let Some(parameter) = parameter {
            let pattern = system.partial_patterns().parameters;
            add_product(pattern, self.parameters.as_ref(), parameter, &[S::Real::ONE], rows);
        }
    }

    /// Refuses derivatives that are not finite.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] with the name of the row.
    pub(super) fn check(&self, system: &S, parameters: bool) -> Result<(), Cause>
    where
        S::Real: Real,
    {
        let sum = |values: &[S::Real]| values.iter().fold(S::Real::ZERO, |sum, &x| sum + x);
        let by_parameter = if parameters { sum(self.parameters.as_ref()) } else { S::Real::ZERO };
        if (sum(self.states.as_ref()) + by_parameter).is_finite() {
            return Ok(());
        }
        let (layout, patterns) = (system.layout(), system.partial_patterns());
        let states = patterns.states.entries().zip(self.states.as_ref());
        let parameters = patterns.parameters.entries().zip(self.parameters.as_ref()).filter(|_| parameters);
        let Some(((row, _), _)) = states.chain(parameters).find(|(_, x)| !x.is_finite()) else { return Ok(()) };
        let (nv, nz) = (layout.v.len(), layout.z.len());
        let (quantity, name) = if row < nv {
            (Quantity::Force, Name::of(layout.directions, row))
        } else if row < nv + nz {
            (Quantity::Rate, Name::of(layout.z, row - nv))
        } else {
            let row = (row - nv - nz) % layout.constraints.len().max(1);
            (Quantity::Constraint, Name::of(layout.constraints, row))
        };
        Err(Cause::NonFinite { quantity, name })
    }
}

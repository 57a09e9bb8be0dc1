//! The derivatives of the rows at a point, by everything.

use crate::error::{Cause, Name, Quantity};
use crate::model::layout::{Block, Layout, Pattern};
use crate::model::sensitive::Sensitive;
use crate::model::system::{At, Rates};
use crate::numbers::lanes::sum;
use crate::numbers::scalar::{Real, Scalar};
#[cfg(feature = "std")]
use crate::variation::rows::add_transposed;
use crate::variation::rows::{Places, add_product};

/// The nonzeros of the derivatives at a point.
#[derive(Clone, Debug)]
pub(super) struct Jacobians<S: Sensitive> {
    pub(super) places: Places,
    pub(super) states: S::Partials,
    pub(super) parameters: S::PartialsByParameter,
}

impl<S: Sensitive> Jacobians<S> {
    pub(super) fn zeros(system: &S) -> Self {
        let patterns = system.partial_patterns();
        Self {
            places: Places::of(&system.layout()),
            states: Block::zeros(patterns.states.nnz()),
            parameters: Block::zeros(patterns.parameters.nnz()),
        }
    }

    /// The derivatives at a point; those by parameters only if a direction will have one.
    pub(super) fn evaluate(&mut self, system: &S, at: At<'_, S>, rates: Rates<'_, S>, parameters: bool) {
        system.partials(at, rates, &mut self.states);
        if parameters {
            system.partials_by_parameter(at, rates, &mut self.parameters);
        }
    }

    /// rows += what they change by along δq and δv, and along time and a parameter.
    pub(super) fn add_along(
        &self,
        system: &S,
        (q, v): (&S::V, Option<&S::V>),
        (t, parameter): (S::Real, Option<usize>),
        rows: &mut [S::Real],
    ) {
        let (pattern, places) = (system.partial_patterns().states, self.places);
        let values = self.states.as_ref();
        add_product(pattern, values, 0, q.as_ref(), rows);
        add_product(pattern, values, places.v(), v.map_or(&[][..], AsRef::as_ref), rows);
        add_product(pattern, values, places.t(), &[t], rows);
        self.add_parameter(system, parameter, rows);
    }

    /// Adds what a covector of the rows gives by q and v, by time and parameters.
    #[cfg(feature = "std")]
    pub(super) fn pull_along<'a>(
        &self,
        system: &S,
        rows: &[S::Real],
        (q, v): (&mut S::V, Option<&mut S::V>),
        (t, parameters): (&'a mut S::Real, &'a mut [S::Real]),
    ) -> (&'a mut S::Real, &'a mut [S::Real]) {
        let (patterns, places) = (system.partial_patterns(), self.places);
        let values = self.states.as_ref();
        add_transposed(patterns.states, values, 0, rows, q.as_mut());
        if let Some(v) = v {
            add_transposed(patterns.states, values, places.v(), rows, v.as_mut());
        }
        add_transposed(patterns.states, values, places.t(), rows, core::slice::from_mut(t));
        add_transposed(patterns.parameters, self.parameters.as_ref(), 0, rows, parameters);
        (t, parameters)
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
    /// [`Cause::NonFinite`] with the name of what one is by.
    pub(super) fn check(&self, system: &S, parameters: bool) -> Result<(), Cause>
    where
        S::Real: Real,
    {
        self.check_used(system, parameters, (&|_| true, &|_| true))
    }

    /// The same of the rows that are used, by the columns that are used and by parameters.
    ///
    /// # Errors
    /// As [`Jacobians::check`].
    pub(super) fn check_used(
        &self,
        system: &S,
        parameters: bool,
        (used, by): (&dyn Fn(usize) -> bool, &dyn Fn(usize) -> bool),
    ) -> Result<(), Cause>
    where
        S::Real: Real,
    {
        let parameter = if parameters { sum(self.parameters.as_ref()) } else { S::Real::ZERO };
        if (sum(self.states.as_ref()) + parameter).is_finite() {
            return Ok(());
        }
        let patterns = system.partial_patterns();
        if let Some(column) = infinite(patterns.states, self.states.as_ref(), &|row, column| used(row) && by(column)) {
            return Err(by_column(&system.layout(), column));
        }
        let found = infinite(patterns.parameters, self.parameters.as_ref(), &|row, _| used(row));
        found.filter(|_| parameters).map_or(Ok(()), |i| Err(by_parameter(system, i)))
    }
}

/// The column of the first entry that is used and not finite.
pub(super) fn infinite<T: Real>(
    pattern: Pattern<'_>,
    values: &[T],
    used: &dyn Fn(usize, usize) -> bool,
) -> Option<usize> {
    let mut entries = pattern.entries().zip(values);
    entries.find(|&((row, column), x)| used(row, column) && !x.is_finite()).map(|((_, column), _)| column)
}

/// The derivatives by what a column of [`PartialPatterns::states`](crate::PartialPatterns::states) is by are not
/// finite.
pub(super) fn by_column(layout: &Layout<'_>, column: usize) -> Cause {
    let places = Places::of(layout);
    let (quantity, names, first) = match column {
        column if column < places.v() => (Quantity::Derivative, layout.steps, 0),
        column if column < places.a() => (Quantity::Derivative, layout.v, places.v()),
        column if column < places.z() => (Quantity::Mass, layout.directions, places.a()),
        column if column < places.lambda() => (Quantity::Derivative, layout.z, places.z()),
        column if column < places.u() => (Quantity::Constraint, layout.constraints, places.lambda()),
        column if column < places.t() => (Quantity::Derivative, layout.u, places.u()),
        _ => (Quantity::Derivative, &["t"][..], places.t()),
    };
    Cause::NonFinite { quantity, name: Name::of(names, column - first) }
}

/// The derivatives by a parameter are not finite.
pub(super) fn by_parameter<S: Sensitive>(system: &S, i: usize) -> Cause {
    Cause::NonFinite { quantity: Quantity::Derivative, name: Name::of(system.derivatives().parameter_names, i) }
}

/// Something of a row is not finite.
pub(super) fn not_finite(layout: &Layout<'_>, row: usize) -> Cause {
    let (nv, nz) = (layout.v.len(), layout.z.len());
    let (quantity, name) = if row < nv {
        (Quantity::Force, Name::of(layout.directions, row))
    } else if row < nv + nz {
        (Quantity::Rate, Name::of(layout.z, row - nv))
    } else {
        let row = (row - nv - nz) % layout.constraints.len().max(1);
        (Quantity::Constraint, Name::of(layout.constraints, row))
    };
    Cause::NonFinite { quantity, name }
}

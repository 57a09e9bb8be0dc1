//! What is measured: outputs by name.

use core::marker::PhantomData;

use ode_runtime::{Block, Differentiable, Layout, Name, Order, Real, State, UnknownName, wrap};

use crate::filter::error::FilterError;

/// R outputs of a model that are measured together: [`Filter::sensor`](crate::Filter::sensor).
#[derive(Debug)]
pub struct Sensor<S, const R: usize> {
    rows: [usize; R],
    /// whether they are angles
    turns: [bool; R],
    pub(super) names: [Name; R],
    /// whether an output reads accelerations, rates, multipliers, algebraic variables or, in first-order models,
    /// velocities
    pub(super) reads_rates: bool,
    model: PhantomData<fn() -> S>,
}

impl<S, const R: usize> Clone for Sensor<S, R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S, const R: usize> Copy for Sensor<S, R> {}

impl<S: Differentiable<Real: Real>, const R: usize> Sensor<S, R> {
    /// The outputs of these names.
    pub(super) fn of(system: &S, outputs: [&str; R]) -> Result<Self, UnknownName> {
        let layout = system.layout();
        let mut rows = [0; R];
        for (row, name) in rows.iter_mut().zip(outputs) {
            *row = UnknownName::place("output", name, layout.outputs)?;
        }
        let reads = |(row, column): (usize, usize)| rows.contains(&row) && follows(&layout, column);
        let reads_rates = system.derivatives().output_jacobian.entries().any(reads);
        Ok(Self { rows, turns: [false; R], names: outputs.map(Name::new), reads_rates, model: PhantomData })
    }

    /// Makes some of the outputs angles, in radians: of their differences whole turns do not count.
    ///
    /// # Errors
    /// For a name that is not of this sensor, the most similar one.
    pub fn angles<const A: usize>(mut self, outputs: [&str; A]) -> Result<Self, FilterError> {
        for name in outputs {
            let place = self.names.iter().position(|own| own.as_str() == name);
            let unknown = || UnknownName::new("measured output", name, self.names.iter().map(Name::as_str));
            self.turns[place.ok_or_else(unknown)?] = true;
        }
        Ok(self)
    }

    /// What a number of a row differs from another.
    pub(super) fn difference(&self, row: usize, x: S::Real, y: S::Real) -> S::Real {
        if self.turns[row] { wrap(x - y) } else { x - y }
    }

    /// Names of the outputs.
    pub fn outputs(&self) -> &[Name] {
        &self.names
    }

    /// Their values at a state.
    ///
    /// # Errors
    /// [`FilterError::Output`] for one that is not finite.
    pub(super) fn read(&self, system: &S, x: &State<S>, u: &S::U) -> Result<[S::Real; R], FilterError> {
        let mut y = S::Y::zeros(system.layout().outputs.len());
        system.outputs(x.at(u), x.rates(), &mut y);
        let values = self.rows.map(|row| y.as_ref()[row]);
        self.finite(|r| values[r].is_finite())?;
        Ok(values)
    }

    /// Shows each nonzero of the outputs' Jacobian: its row in the sensor, its column, and its value.
    pub(super) fn jacobian(&self, system: &S, x: &State<S>, u: &S::U, mut show: impl FnMut(usize, usize, S::Real)) {
        let pattern = system.derivatives().output_jacobian;
        let mut values = S::OutputJacobian::zeros(pattern.nnz());
        system.output_jacobian(x.at(u), x.rates(), &mut values);
        for ((row, column), &value) in pattern.entries().zip(values.as_ref()) {
            (0..R).filter(|&r| self.rows[r] == row).for_each(|r| show(r, column, value));
        }
    }

    /// Refuses the first output that is not.
    pub(super) fn finite(&self, is: impl Fn(usize) -> bool) -> Result<(), FilterError> {
        match (0..R).find(|&r| !is(r)) {
            None => Ok(()),
            Some(r) => Err(FilterError::Output { output: self.names[r] }),
        }
    }
}

/// Whether a column of the outputs' Jacobian is by what follows from the entries of a state that may be chosen.
fn follows(layout: &Layout<'_>, column: usize) -> bool {
    let (nv, nz, nc) = (layout.v.len(), layout.z.len(), layout.constraints.len());
    let (velocities, algebraic) = (nv..2 * nv, 2 * nv + nz - layout.algebraic..2 * nv + nz);
    let rates = 2 * nv + nz..3 * nv + 2 * nz + nc;
    rates.contains(&column)
        || algebraic.contains(&column)
        || layout.order == Order::First && velocities.contains(&column)
}

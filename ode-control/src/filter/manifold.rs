//! How a correction turns the directions of a model, and what outputs vary by along them.

use core::fmt;

use ode_runtime::linalg::{Field, SMatrix, SVector};
use ode_runtime::variation::{
    Chain, Columns, Fixed, ForwardMode, Moved, Seed, StateColumns, Varied, column_entry, unit_columns,
};
use ode_runtime::{Block, Cause, Lent, Real, Scalar, Sensitive, Solvable, State, Work};
use ode_runtime::{Context, integrators::settle, solve::ProjectedBy};

use crate::deviation::step_of;
use crate::filter::RealOf;
use crate::filter::error::FilterError;
use crate::filter::sensor::Sensor;

/// Velocities that do not vary.
fn still<S: Solvable, const N: usize>(system: &S) -> [S::V; N] {
    Fixed.each(S::V::zeros(system.layout().v.len()))
}

/// A column for each direction, and what carries them along.
pub struct Directions<S: Solvable + Sensitive, const N: usize> {
    chain: ForwardMode<S, Fixed<N>>,
    columns: StateColumns<S, Fixed<N>>,
}

impl<S: Solvable + Sensitive, const N: usize> fmt::Debug for Directions<S, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Directions").finish_non_exhaustive()
    }
}

impl<S: Solvable + Sensitive, const N: usize> Directions<S, N> {
    pub(super) fn new(system: &S) -> Self {
        let chain = ForwardMode::new(system, Fixed, [Seed::STATE; N]);
        let (still, z) = (still(system), Fixed.each(S::Z::zeros(system.layout().z.len())));
        let columns = Varied { q: still.clone(), v: still, z };
        Self { chain, columns }
    }

    /// Γ = ∂((x ⊕ (d + ε)) ⊖ (x ⊕ d))/∂ε at ε = 0, where `moved` is x ⊕ d: the reset of a covariance about x to one
    /// about x ⊕ d. It is T(d) of [`so3::tangent`] on body rotations, T(−d) on those of space. With a projection of
    /// `moved`, its derivative too; of states that do not turn, none is needed.
    ///
    /// # Errors
    /// Why the constraints cannot be solved there.
    pub(super) fn reset(
        &mut self,
        system: &S,
        d: &SVector<RealOf<S>, N>,
        moved: &State<S>,
        projected: Option<ProjectedBy<'_, S>>,
    ) -> Result<Option<SMatrix<RealOf<S>, N, N>>, Cause> {
        if system.turnings().is_empty() && projected.is_none() {
            return Ok(None);
        }
        let Self { chain, columns } = self;
        unit_columns::<S, Fixed<N>>(&system.layout(), columns);
        let by = columns.q.clone();
        let Moved { q, spin } = chain.retract(system, &step_of(system, d), &still(system), &by);
        columns.q = q;
        chain.align(system, S::Real::ONE, &moved.v, &spin, &mut columns.v);
        if let Some(by) = projected {
            chain.project(system, moved, &by, columns)?;
        }
        let (layout, columns) = (system.layout(), &self.columns);
        let entry = |r, k| column_entry::<S, Fixed<N>>(&layout, columns, r, k).unwrap_or(S::Real::ZERO).entry();
        Ok(Some(SMatrix::from_fn(entry)))
    }

    /// H = ∂y/∂d of outputs at x ⊕ d, d = 0, by what follows from the state too.
    ///
    /// # Errors
    /// Why the equations of motion cannot be linearised there; [`FilterError::Output`] where H is not finite.
    pub(super) fn outputs<const R: usize>(
        &mut self,
        system: &S,
        (x, u): (&State<S>, &S::U),
        sensor: &Sensor<S, R>,
    ) -> Result<SMatrix<RealOf<S>, R, N>, FilterError> {
        let Self { chain, columns } = self;
        unit_columns::<S, Fixed<N>>(&system.layout(), columns);
        let rates = if sensor.reads_rates {
            let mut cx = Context { system, inputs: &Lent(u), work: &mut Work::default() };
            Some(settle(&mut cx, x, chain, columns)?)
        } else {
            None
        };
        let mut h = [[S::Real::ZERO; N]; R];
        sensor.jacobian(system, x, u, |r, column, value| {
            for (k, h) in h[r].iter_mut().enumerate() {
                let state = [columns.q[k].as_ref(), columns.v[k].as_ref(), columns.z[k].as_ref()];
                let rates = rates.as_ref().map(|rates| (&rates.a[k], &rates.zdot[k], &rates.lambda[k]));
                let rates = rates.map_or([&[][..]; 3], |(a, zdot, l)| [a.as_ref(), zdot.as_ref(), l.as_ref()]);
                // beyond them are inputs and parameters, which do not vary
                *h += value * state.into_iter().chain(rates).flatten().nth(column).copied().unwrap_or(S::Real::ZERO);
            }
        });
        sensor.finite(|r| h[r].iter().all(|x| x.is_finite()))?;
        Ok(SMatrix::from_fn(|r, k| h[r][k].entry()))
    }
}

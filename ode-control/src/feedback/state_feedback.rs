//! State feedback about an operating point.

use core::fmt;

#[cfg(feature = "std")]
use ode_runtime::linalg::Labelled;
use ode_runtime::linalg::nalgebra::SMatrix;
#[cfg(feature = "std")]
use ode_runtime::variation::Several;
use ode_runtime::variation::{Columns, Fixed};
use ode_runtime::{Block, Cause, Name, Observable, Quantity, Ranges, Real, Sensitive, State};
#[cfg(feature = "std")]
use ode_runtime::{RunError, Scalar, UnknownName};

use crate::deviation::Deviation;

/// u = u₀ − K (x ⊖ x₀), within the bounds that the model gives its inputs.
///
/// x ⊖ x₀ is along the directions of a state: rotations are subtracted on their tangent space, an `Angle` without whole
/// turns. A gain of fewer states, the independent ones of a constrained model, is applied to these by name.
///
/// `Feedback::of` takes a gain with names. On a device [`Feedback::sized`] takes its numbers, and neither needs a heap
/// to be applied.
pub struct Feedback<'a, S: Observable<Real: Real> + Sensitive, K: Columns> {
    system: &'a S,
    at: State<S>,
    u: S::U,
    /// a column for each state, the direction that it is, and −K
    gain: K::Of<(usize, S::U)>,
    low: S::U,
    high: S::U,
}

impl<S: Observable<Real: Real> + Sensitive, K: Columns> fmt::Debug for Feedback<'_, S, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feedback").field("gain", &self.gain).finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<'a, S: Observable<Real: Real> + Sensitive> Feedback<'a, S, Several> {
    /// The feedback of a gain with names, K of [`Regulator::gain`](crate::Regulator::gain), about the state `at` with
    /// the inputs `u`.
    ///
    /// # Errors
    /// [`RunError::Name`] for a row that is no input, or a column that is no state; those of [`Feedback::sized`].
    pub fn of(system: &'a S, at: &State<S>, u: impl Into<S::U>, gain: &Labelled<f64>) -> Result<Self, RunError> {
        let layout = system.layout();
        let directions: Vec<&str> = layout.state_direction_names().collect();
        let rows = gain.row_names().iter().map(|row| UnknownName::place("input", row, layout.u));
        let rows: Vec<usize> = rows.collect::<Result<_, _>>()?;
        let columns = gain.column_names().iter().enumerate().map(|(c, name)| {
            let place = UnknownName::place("state", name, &directions)?;
            let mut column = S::U::zeros(layout.u.len());
            for (r, &row) in rows.iter().enumerate() {
                if let Some(entry) = column.as_mut().get_mut(row) {
                    *entry = S::Real::from_f64(-gain[(r, c)]);
                }
            }
            Ok((place, column))
        });
        let columns: Vec<(usize, S::U)> = columns.collect::<Result<_, UnknownName>>()?;
        Ok(Self::with(system, at, u.into(), columns)?)
    }
}

impl<'a, S: Observable<Real: Real> + Sensitive, const N: usize> Feedback<'a, S, Fixed<N>> {
    /// The same for a gain of all N directions of a state and all M inputs, in the order of the model.
    ///
    /// # Errors
    /// [`Cause::OutOfRange`] for another N or M; [`Cause::NonFinite`] in the state, in an input, or in the gain, the
    /// [`Quantity::Derivative`] by the state of that column.
    pub fn sized<const M: usize>(
        system: &'a S,
        at: &State<S>,
        u: impl Into<S::U>,
        gain: &SMatrix<S::Real, M, N>,
    ) -> Result<Self, Cause> {
        let layout = system.layout();
        let numbers = [
            ("number of columns of a gain", N, layout.state_directions()),
            ("number of rows of a gain", M, layout.u.len()),
        ];
        for (setting, found, expected) in numbers {
            if found != expected {
                let (value, needed) = (found as f64, expected as f64);
                return Err(Cause::OutOfRange { setting, value, low: needed, high: needed });
            }
        }
        let columns = core::array::from_fn(|c| {
            let mut column = S::U::zeros(M);
            column.as_mut().iter_mut().zip(gain.column(c).iter()).for_each(|(entry, &k)| *entry = -k);
            (c, column)
        });
        Self::with(system, at, u.into(), columns)
    }
}

impl<'a, S: Observable<Real: Real> + Sensitive, K: Columns> Feedback<'a, S, K> {
    fn with(system: &'a S, at: &State<S>, u: S::U, gain: K::Of<(usize, S::U)>) -> Result<Self, Cause> {
        let (at, layout) = (at.entered(system)?, system.layout());
        if let Some(row) = u.as_ref().iter().position(|u| !u.is_finite()) {
            return Err(Cause::NonFinite {
                quantity: Quantity::Input,
                name: Name::new(layout.u.get(row).copied().unwrap_or("")),
            });
        }
        let lost = |(_, column): &&(usize, S::U)| column.as_ref().iter().any(|k| !k.is_finite());
        if let Some((place, _)) = gain.as_ref().iter().find(lost) {
            let name = Name::new(layout.state_direction_names().nth(*place).unwrap_or(""));
            return Err(Cause::NonFinite { quantity: Quantity::Derivative, name });
        }
        let Ranges { low, high, .. } = system.input_bounds();
        Ok(Self { system, at, u, gain, low, high })
    }

    /// Writes the inputs that the gain asks for at `x`, within their bounds; those of another state than a number are
    /// not a number.
    pub fn apply(&self, x: &State<S>, u: &mut S::U) {
        self.unbounded(x, u);
        self.bound(u);
    }

    /// What the gain asks for.
    pub(super) fn unbounded(&self, x: &State<S>, u: &mut S::U) {
        let deviation = Deviation::of(self.system, x, &self.at);
        u.as_mut().copy_from_slice(self.u.as_ref());
        for (place, column) in self.gain.as_ref() {
            let by = deviation.entry(*place);
            u.as_mut().iter_mut().zip(column.as_ref()).for_each(|(u, &k)| *u += k * by);
        }
    }

    /// Inputs within their bounds.
    pub(super) fn bound(&self, u: &mut S::U) {
        let bounds = self.low.as_ref().iter().zip(self.high.as_ref());
        for (u, (&low, &high)) in u.as_mut().iter_mut().zip(bounds) {
            // as comparisons, so that NaN stays what it is
            if *u < low {
                *u = low;
            } else if *u > high {
                *u = high;
            }
        }
    }

    pub(super) fn system(&self) -> &'a S {
        self.system
    }

    /// The inputs at `x`.
    pub fn at(&self, x: &State<S>) -> S::U {
        let mut u = self.u.clone();
        self.apply(x, &mut u);
        u
    }
}

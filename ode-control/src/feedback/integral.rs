//! State feedback that keeps the integrals of outputs.

use core::fmt;
#[cfg(feature = "std")]
use std::format;

#[cfg(feature = "std")]
use ode_runtime::linalg::Labelled;
use ode_runtime::linalg::nalgebra::SMatrix;
#[cfg(feature = "std")]
use ode_runtime::variation::Several;
use ode_runtime::variation::{Columns, Fixed};
use ode_runtime::{Block, Cause, Observable, Real, RunError, Scalar, Sensitive, State, UnknownName};

use crate::feedback::state_feedback::Feedback;

/// u = u₀ − K (x ⊖ x₀) − Kᵢ ξ at the steps of a controller, within the bounds of the inputs: `Feedback` with integral
/// action.
///
/// ξ⁺ = ξ + h (y − y₀) of I outputs as numbers, whose reference y₀ is their value at the state x₀. While an input is at
/// its bound and ξ would drive it further there, ξ is held: conditional integration, against windup. K. J. Åström, T.
/// Hägglund, Advanced PID Control, 2006, §3.5.
///
/// The gain is that of [`Lqr::integral`](crate::Lqr::integral) for the steps of h. No heap is needed to apply it.
pub struct IntegralFeedback<'a, S: Observable<Real: Real> + Sensitive, K: Columns, const I: usize> {
    feedback: Feedback<'a, S, K>,
    /// the place of each output, and its −Kᵢ
    outputs: [(usize, S::U); I],
    reference: [S::Real; I],
    integral: [S::Real; I],
    h: S::Real,
}

impl<S: Observable<Real: Real> + Sensitive, K: Columns, const I: usize> fmt::Debug for IntegralFeedback<'_, S, K, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { feedback, reference, integral, h, .. } = self;
        let mut shown = f.debug_struct("IntegralFeedback");
        shown.field("feedback", feedback).field("reference", reference).field("integral", integral);
        shown.field("h", h).finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<'a, S: Observable<Real: Real> + Sensitive, const I: usize> IntegralFeedback<'a, S, Several, I> {
    /// Of a gain with names about the state `at` with the inputs `u`, in steps of `h`: the columns `integral of` these
    /// outputs are Kᵢ, the others K.
    ///
    /// # Errors
    /// As [`Feedback::of`]; [`RunError::Name`] for an output that the model or the gain has not; [`Cause::OutOfRange`]
    /// for a step that is not positive and finite, [`Cause::Invalid`] for a gain that is not finite.
    pub fn of(
        system: &'a S,
        at: &State<S>,
        u: impl Into<S::U>,
        gain: &Labelled<f64>,
        outputs: [&str; I],
        h: f64,
    ) -> Result<Self, RunError> {
        let (rows, columns) = (gain.row_names(), gain.column_names());
        let mut integrals = [0; I];
        for (place, output) in integrals.iter_mut().zip(outputs) {
            *place = UnknownName::place("column of the gain", &format!("integral of {output}"), columns)?;
        }
        let others = || (0..columns.len()).filter(|column| !integrals.contains(column));
        let (places, names) = (others().collect::<std::vec::Vec<_>>(), others().map(|column| &columns[column]));
        let states = Labelled::new(rows, names, |r, c| gain[(r, places[c])]);
        let u = u.into();
        let feedback = Feedback::of(system, at, u.clone(), &states)?;
        let inputs = system.layout().u;
        let mut own = [(); I].map(|()| S::U::zeros(inputs.len()));
        for (column, &of) in own.iter_mut().zip(&integrals) {
            for (r, row) in rows.iter().enumerate() {
                let input = UnknownName::place("input", row, inputs)?;
                column.as_mut()[input] = S::Real::from_f64(-gain[(r, of)]);
            }
        }
        Self::with(feedback, system, at, &u, outputs, own, h)
    }
}

impl<'a, S: Observable<Real: Real> + Sensitive, const N: usize, const I: usize> IntegralFeedback<'a, S, Fixed<N>, I> {
    /// The same of numbers: a gain of all N directions of a state and all M inputs, in the order of the model, and one
    /// of the integrals.
    ///
    /// # Errors
    /// As [`Feedback::sized`] and [`IntegralFeedback::of`].
    pub fn sized<const M: usize>(
        system: &'a S,
        at: &State<S>,
        u: impl Into<S::U>,
        gain: &SMatrix<S::Real, M, N>,
        outputs: [(&str, [S::Real; M]); I],
        h: f64,
    ) -> Result<Self, RunError> {
        let u = u.into();
        let feedback = Feedback::sized(system, at, u.clone(), gain)?;
        let own = outputs.map(|(_, gain)| {
            let mut column = S::U::zeros(M);
            column.as_mut().iter_mut().zip(gain).for_each(|(entry, k)| *entry = -k);
            column
        });
        Self::with(feedback, system, at, &u, outputs.map(|(name, _)| name), own, h)
    }
}

impl<'a, S: Observable<Real: Real> + Sensitive, K: Columns, const I: usize> IntegralFeedback<'a, S, K, I> {
    fn with(
        feedback: Feedback<'a, S, K>,
        system: &'a S,
        at: &State<S>,
        u: &S::U,
        names: [&str; I],
        gains: [S::U; I],
        h: f64,
    ) -> Result<Self, RunError> {
        if !(h > 0.0 && h.is_finite()) {
            let (low, high) = (f64::MIN_POSITIVE, f64::MAX);
            return Err(Cause::OutOfRange { setting: "step of the controller", value: h, low, high }.into());
        }
        if let Some(value) = gains.iter().flat_map(|gain| gain.as_ref()).find(|k| !k.is_finite()) {
            return Err(Cause::Invalid { setting: "gain of an integral", value: value.to_f64() }.into());
        }
        let mut places = [0; I];
        for (place, name) in places.iter_mut().zip(names) {
            *place = UnknownName::place("output", name, system.layout().outputs)?;
        }
        let mut places = places.into_iter();
        let outputs = gains.map(|gain| (places.next().unwrap_or_default(), gain));
        let zero = [S::Real::ZERO; I];
        let mut made = Self { feedback, outputs, reference: zero, integral: zero, h: S::Real::from_f64(h) };
        made.reference = made.read(at, u);
        Ok(made)
    }

    /// Writes the inputs of the step that begins at `x`, within their bounds, and integrates over it. Outputs that are
    /// not finite are not integrated.
    pub fn step(&mut self, x: &State<S>, u: &mut S::U) {
        self.feedback.unbounded(x, u);
        for ((_, gain), &integral) in self.outputs.iter().zip(&self.integral) {
            u.as_mut().iter_mut().zip(gain.as_ref()).for_each(|(u, &k)| *u += k * integral);
        }
        let asked = u.clone();
        self.feedback.bound(u);
        let y = self.read(x, u);
        for (i, (_, gain)) in self.outputs.iter().enumerate() {
            let by = self.h * (y[i] - self.reference[i]);
            let inputs = gain.as_ref().iter().zip(asked.as_ref().iter().zip(u.as_ref()));
            let further = inputs.into_iter().any(|(&k, (&asked, &bound))| (asked - bound) * (k * by) > S::Real::ZERO);
            if by.is_finite() && !further {
                self.integral[i] += by;
            }
        }
    }

    /// ξ, of each output.
    pub fn integrals(&self) -> &[S::Real; I] {
        &self.integral
    }

    /// Begins again with integrals of zero.
    pub fn reset(&mut self) {
        self.integral = [S::Real::ZERO; I];
    }

    /// The outputs at a state.
    fn read(&self, x: &State<S>, u: &S::U) -> [S::Real; I] {
        let system = self.feedback.system();
        let mut y = S::Y::zeros(system.layout().outputs.len());
        system.outputs(x.at(u), x.rates(), &mut y);
        core::array::from_fn(|i| y.as_ref()[self.outputs[i].0])
    }
}

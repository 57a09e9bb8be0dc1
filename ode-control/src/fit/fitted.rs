//! What a fit has found.

use core::fmt;

use ode_runtime::linalg::Labelled;
use ode_runtime::{Solvable, State, Table, UnknownName};

use crate::fit::doubt::Doubt;
use crate::fit::least_squares::ending::Ending;
use crate::fit::student::quantile;

/// What a fit has found: values by name, how well they are determined, and what the data do not tell.
///
/// Parameters have the names of the model, `start of th` is that of an entry of the start (`start of th in log 2`, if
/// there are several logs), and `offset of angle` that of a sensor's offset.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fitted<S: Solvable> {
    /// the model with the fitted parameters
    pub model: S,
    /// where the motion of each log begins
    pub starts: Vec<State<S>>,
    /// a row for each unknown, and one column: the value
    pub values: Labelled<f64>,
    /// (JᵀJ)⁻¹ of the residuals in standard deviations, Gauss–Newton's, or as
    /// [`Fit::observed_information`](crate::Fit::observed_information) says; NaN for what has no deviation. With a
    /// robust loss, rows of J are weighted by √ρ′, unless noise follows from the residuals:
    /// [`Fit::noise_from_residuals`](crate::Fit::noise_from_residuals).
    pub covariance: Labelled<f64>,
    /// ∂residuals/∂unknowns, in standard deviations: a row for each measurement
    pub jacobian: Labelled<f64>,
    /// for each log a table of `t` and, for each output, `….predicted` (with its offset), `….measured` and
    /// `….residual`, predicted − measured; NaN where nothing was measured
    pub residuals: Vec<Table>,
    /// a row for each iteration: `iteration`, `cost`, `gradient`, `damping`, `step`, and each unknown by name; a
    /// plot of it has `iteration` across
    pub history: Table,
    /// half the sum of the squares of residuals in standard deviations, or of what the loss makes of them
    pub cost: f64,
    /// measurements less what they determine: unknowns but those at a bound, and one for each combination of others
    /// that nothing depends on
    pub freedom: usize,
    /// what the data do not tell
    pub doubts: Vec<Doubt>,
    /// why the search has ended
    pub ending: Ending,
    /// evaluations of all residuals, the first included
    pub residual_evaluations: usize,
    /// evaluations of their Jacobian
    pub jacobian_evaluations: usize,
    /// whether deviations follow from the residuals
    pub(super) scattered: bool,
}

impl<S: Solvable> Fitted<S> {
    /// The value of an unknown: of a parameter in its declared unit, of others in SI.
    ///
    /// # Errors
    /// A name that the fit did not ask for.
    pub fn value(&self, name: &str) -> Result<f64, UnknownName> {
        Ok(self.values[(self.place(name)?, 0)])
    }

    /// The standard deviation of an unknown; none if it is at a bound, or if the data do not determine it.
    ///
    /// # Errors
    /// A name that the fit did not ask for.
    pub fn deviation(&self, name: &str) -> Result<Option<f64>, UnknownName> {
        let place = self.place(name)?;
        Ok(Some(self.covariance[(place, place)].sqrt()).filter(|deviation| deviation.is_finite()))
    }

    /// The symmetric interval that contains an unknown with a probability, as `0.95`; none if it has no deviation.
    ///
    /// It is that of Student's t if deviations follow from the residuals,
    /// [`Fit::noise_from_residuals`](crate::Fit::noise_from_residuals), and that of the normal distribution if those
    /// of the measurements are known.
    ///
    /// # Errors
    /// A name that the fit did not ask for.
    pub fn interval(&self, name: &str, probability: f64) -> Result<Option<(f64, f64)>, UnknownName> {
        let (value, deviation) = (self.value(name)?, self.deviation(name)?);
        let sound = probability > 0.0 && probability < 1.0;
        Ok(deviation.filter(|_| sound).map(|deviation| {
            let half = deviation * quantile(probability, self.scattered.then_some(self.freedom));
            (value - half, value + half)
        }))
    }

    /// The correlation of unknowns; NaN for what has no deviation.
    pub fn correlation(&self) -> Labelled<f64> {
        let c = &self.covariance;
        let entry = |i: usize, j: usize| {
            if i == j && c[(i, i)].is_finite() { 1.0 } else { c[(i, j)] / (c[(i, i)] * c[(j, j)]).sqrt() }
        };
        Labelled::new(c.row_names(), c.column_names(), entry)
    }

    /// The mean square of the residuals in standard deviations, for each degree of freedom: about 1 if model and
    /// deviations are right.
    pub fn reduced_chi_square(&self) -> f64 {
        2.0 * self.cost / self.freedom as f64
    }

    fn place(&self, name: &str) -> Result<usize, UnknownName> {
        UnknownName::place("unknown of the fit", name, self.values.row_names())
    }
}

impl<S: Solvable> fmt::Display for Fitted<S> {
    /// Each unknown with its deviation, then the cost, why the search has ended, and what the data do not tell.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.values.row_names();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (i, name) in names.iter().enumerate() {
            let (value, deviation) = (self.values[(i, 0)], self.covariance[(i, i)].sqrt());
            match deviation.is_finite() {
                true => writeln!(f, "{name:<width$} = {value:.6e} ± {deviation:.1e}")?,
                false => writeln!(f, "{name:<width$} = {value:.6e}")?,
            }
        }
        let Self { cost, residual_evaluations: runs, ending, .. } = self;
        writeln!(f, "cost {cost:.6e} after {runs} evaluations: {ending}")?;
        self.doubts.iter().try_for_each(|doubt| writeln!(f, "{doubt}"))
    }
}

//! Fits of models to measurements.

mod asked;
mod channel;
mod confidence;
mod curvature;
mod doubt;
mod error;
mod experiment;
mod first_state;
mod fitted;
mod held_rows;
mod least_squares;
mod log;
mod problem;
mod search;
mod student;
mod tables;
mod unknown;

use core::fmt;
use core::ops::ControlFlow;

use ode_runtime::integrators::{DormandPrince8, Vary};
use ode_runtime::solve::Projection;
use ode_runtime::{Method, Piecewise, Sensitive, Setup, Simulation, Solvable, StartError, System};

use asked::Asked;
use least_squares::ending::Limits;
use problem::Steps;
use unknown::Wanted;

pub use doubt::Doubt;
pub use error::FitError;
pub use experiment::Between;
pub use fitted::Fitted;
pub use least_squares::{ending::Ending, iteration::Iteration, loss::Loss};
pub use log::{
    Log,
    error::{LogError, LogPlace},
};

/// The accuracy of a step of the runs, and of constraints, if nothing else is asked for.
const ACCURACY: f64 = 1e-10;

/// Parameters, initial states and sensor offsets of a model from measurements: those with the least
///
/// ```text
/// ½ Σ ((y(t) + offset − measured)/σ)²        over all measured outputs y, times t and logs
/// ```
///
/// by the method of Levenberg and Marquardt, with the exact derivatives of the runs. If errors of the measurements are
/// normal and independent, this is the maximum of likelihood.
///
/// The guess is the model: its parameters, and its consistent start at the time at which a log begins. A run lands on
/// each time of its log. With the default, steps of [`DormandPrince8`] to 10⁻¹⁰, it is a smooth function of the
/// unknowns to about this accuracy, which convergence does not notice. A run that fails somewhere on the way counts
/// as a step that was too long.
///
/// ```
/// use ode_control::{Fit, Log};
/// use ode_model::prelude::*;
///
/// model! {
///     pub struct Pendulum {
///         param l: Real [m] = 1.0;
///         param c: Real [N*m*s] = 0.05;
///         coord th: Angle;
///         kinetic = 0.5kg * sq(l * der(th));
///         param g: Real [m/s^2] = 9.81;
///         potential = -1.0kg * g * l * cos(th);
///         dissipation = 0.5 * c * sq(der(th));
///         output angle: Real [rad] = th;
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let text = "time,angle
/// 0.00,0.497
/// 0.25,0.330
/// 0.50,-0.041
/// 0.75,-0.364
/// 1.00,-0.421
/// 1.25,-0.177
/// 1.50,0.159
/// 1.75,0.366
/// 2.00,0.296
/// 2.25,0.043
/// 2.50,-0.229
/// 2.75,-0.316
/// 3.00,-0.188
/// ";
/// let log = Log::read_csv(text.as_bytes(), "time", &["angle"])?.beginning_with("th", 0.5);
///
/// let model = Pendulum::default();
/// let fit = Fit::of(&model).log(&log).measured("angle", 0.005);
/// let fitted = fit.parameter("l").parameter("c").between("c", 0.0, 1.0).start_of("th").solve()?;
///
/// assert!(fitted.ending.converged() && fitted.doubts.is_empty());
/// let (low, high) = fitted.interval("l", 0.95)?.ok_or("not determined")?;
/// assert!(low < 0.8 && 0.8 < high && high - low < 0.02, "{fitted}");
/// assert_eq!(fitted.model.l, fitted.value("l")?);
/// # Ok(())
/// # }
/// ```
pub struct Fit<'a, S: Solvable, M: Method<S>> {
    system: &'a S,
    method: M,
    steps: Box<Steps<'a, S, M>>,
    asked: Asked<'a>,
}

impl<S: Solvable, M: Method<S>> fmt::Debug for Fit<'_, S, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Asked { logs, measured, wanted, bounds, loss, .. } = &self.asked;
        let mut out = f.debug_struct("Fit");
        out.field("logs", &logs.len()).field("measured", measured).field("wanted", wanted);
        out.field("bounds", bounds).field("loss", loss).finish_non_exhaustive()
    }
}

impl<'a, S: Solvable<Real = f64, U: Copy> + Sensitive> Fit<'a, S, DormandPrince8> {
    /// A fit of this model, from its parameters and start on, without anything to fit so far.
    pub fn of(system: &'a S) -> Self {
        let held = !system.layout().constraints.is_empty();
        Self {
            system,
            method: DormandPrince8,
            steps: Box::new(move |setup| match held {
                true => setup.project(Projection::to(ACCURACY)).adaptive(ACCURACY),
                false => setup.adaptive(ACCURACY),
            }),
            asked: Asked::nothing(),
        }
    }
}

impl<'a, S: Solvable<Real = f64>, M: Method<S>> Fit<'a, S, M> {
    /// Runs by another method; `steps` chooses its steps, and whatever else the run needs: projection, events.
    ///
    /// `.method(GeneralizedAlpha::default(), |setup| setup.fixed(1e-3))`
    pub fn method<N: Vary<S>>(
        self,
        method: N,
        steps: impl for<'r> Fn(
            Setup<'r, S, N, Piecewise<'r, f64, <S as System>::U>>,
        ) -> Result<Simulation<'r, S, N, Piecewise<'r, f64, <S as System>::U>>, StartError>
        + 'a,
    ) -> Fit<'a, S, N>
    where
        S: Sensitive,
        S::U: Copy,
    {
        let Self { system, asked, .. } = self;
        Fit { system, method, steps: Box::new(steps), asked }
    }

    /// Adds an experiment. Parameters and offsets are common to all, starts are not.
    #[must_use]
    pub fn log(mut self, log: &'a Log) -> Self {
        self.asked.logs.push(log);
        self
    }

    /// A column that each log has, which measures the output of this name, or else the coordinate, velocity or state,
    /// with errors of this standard deviation, in its unit.
    ///
    /// An output that jumps by a turn, as `atan2` does, is to be compared with a measurement that does.
    #[must_use]
    pub fn measured(mut self, name: &str, deviation: f64) -> Self {
        self.asked.measured.push((name.to_owned(), deviation));
        self
    }

    /// Inputs that each log has recorded; the others are the model's own. A row has all of them or none.
    #[must_use]
    pub fn inputs(mut self, names: &[&str], between: Between) -> Self {
        self.asked.recorded = names.iter().map(|name| (*name).to_owned()).collect();
        self.asked.between = between;
        self
    }

    /// Asks for a parameter, from its value in the model on, in its declared unit.
    #[must_use]
    pub fn parameter(mut self, name: &str) -> Self {
        self.asked.wanted.push(Wanted::Parameter(name.to_owned()));
        self
    }

    /// Asks for a coordinate, velocity or state where the motion begins, in each log for itself: from
    /// [`Log::beginning_with`] on, or from the model's consistent start. An entry of a rotation `att` is a step from
    /// there, `att.step.x`.
    ///
    /// In a model with constraints, entries that are fitted or given must determine the start, positions and
    /// velocities; or the fit asks for parameters that an `init` of the model reads.
    #[must_use]
    pub fn start_of(mut self, name: &str) -> Self {
        self.asked.wanted.push(Wanted::Start(name.to_owned()));
        self
    }

    /// Asks for a constant that the sensor of an output adds to it, from zero on.
    #[must_use]
    pub fn offset(mut self, name: &str) -> Self {
        self.asked.wanted.push(Wanted::Offset(name.to_owned()));
        self
    }

    /// Keeps an unknown between bounds. Its name is that in [`Fitted`](crate::Fitted): `c`, `start of th`, `offset of
    /// angle`.
    #[must_use]
    pub fn between(mut self, name: &str, low: f64, high: f64) -> Self {
        self.asked.bounds.push((name.to_owned(), low, high));
        self
    }

    /// What residuals cost, in standard deviations; the default is their squares.
    #[must_use]
    pub fn loss(mut self, loss: Loss) -> Self {
        self.asked.loss = loss;
        self
    }

    /// Takes the deviations of the measurements as weights only: how large they are follows from the residuals. Then
    /// intervals are those of Student's t. With a robust loss the covariance is that of an M-estimator, from how often
    /// and how far residuals are beyond the knee, which remains in the deviations given; [`Doubt::NoScatter`] says that
    /// too many are. P. J. Huber, Robust regression, Annals of Statistics 1 (1973) 799–821.
    #[must_use]
    pub fn noise_from_residuals(mut self) -> Self {
        self.asked.scattered = true;
        self
    }

    /// Takes the covariance from the cost's second derivatives, the observed information, instead of Gauss–Newton's
    /// JᵀJ, which leaves out those of the residuals. The two differ where residuals are large and the model is far
    /// from linear within their deviations.
    ///
    /// The second derivatives are differences of exact gradients, of sixth order: six Jacobians for each unknown. They
    /// are one-sided beside a bound or runs that fail, and where no side has room Gauss–Newton's is kept:
    /// [`Doubt::NoCurvature`]. With [`Loss::Huber`], whose second derivative jumps at the knee, they are good to about
    /// a hundredth.
    #[must_use]
    pub fn observed_information(mut self) -> Self {
        self.asked.curved = true;
        self
    }

    /// Ends where a step changes the cost by less than this share, or the trust region is smaller than this share of
    /// the unknowns, or residuals are orthogonal to it to all that they change by: MINPACK's `ftol`, `xtol` and `gtol`.
    /// The default is 10⁻¹².
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.asked.limits = Limits { cost: tolerance, step: tolerance, gradient: tolerance, ..self.asked.limits };
        self
    }

    /// Gives up after this many evaluations of the residuals; the default is 200. One only looks at the guess, and so
    /// does zero.
    #[must_use]
    pub fn evaluations(mut self, most: usize) -> Self {
        self.asked.limits.evaluations = most;
        self
    }

    /// Shows each iteration, and the end. `ControlFlow::Break(())` ends the fit with what it has found so far.
    #[must_use]
    pub fn progress(mut self, see: impl FnMut(&Iteration<'_>) -> ControlFlow<()> + 'a) -> Self {
        self.asked.progress = Some(Box::new(see));
        self
    }
}

//! From what is asked for to what is found.

use core::ops::ControlFlow;

use ode_runtime::integrators::Vary;
use ode_runtime::linalg::{DVector, Labelled};
use ode_runtime::{Name, Observable, Parametric, Sensitive, Solvable, State, Table, UnknownName};

use crate::fit::Fit;
use crate::fit::channel::Channel;
use crate::fit::confidence::Confidence;
use crate::fit::curvature::hessian;
use crate::fit::doubt::Doubt;
use crate::fit::error::FitError;
use crate::fit::experiment::Experiment;
use crate::fit::first_state::{coordinate, place};
use crate::fit::fitted::Fitted;
use crate::fit::least_squares::iteration::Iteration;
use crate::fit::least_squares::loss::Loss;
use crate::fit::least_squares::{Found, LevenbergMarquardt, Residuals};
use crate::fit::problem::{Estimates, Problem};
use crate::fit::unknown::{Of, Wanted};

/// The unknowns of a fit, with the guess of parameters and offsets.
#[derive(Default)]
struct Guess {
    of: Vec<Of>,
    names: Vec<String>,
    guess: Vec<f64>,
}

impl<'a, S, M> Fit<'a, S, M>
where
    S: Solvable<Real = f64, U: Copy> + Sensitive + Parametric + Observable,
    M: Vary<S> + Clone,
{
    /// Searches for the least cost.
    ///
    /// # Errors
    /// [`FitError`]: a name that does not exist, a log or a setting that is refused, a run that fails at the guess. A
    /// fit that ends without convergence, or that the data do not determine, is no error:
    /// [`Fitted::ending`](crate::Fitted), [`Fitted::doubts`](crate::Fitted).
    pub fn solve(mut self) -> Result<Fitted<S>, FitError> {
        let mut progress = self.asked.progress.take();
        let (problem, guess) = self.problem()?;
        let columns = ["iteration", "cost", "gradient", "damping", "step"].map(str::to_owned);
        let mut history = Table::with_columns(columns.into_iter().chain(problem.names.iter().cloned()));
        let mut see = |iteration: &Iteration<'_>| {
            let &Iteration { number, cost, gradient, damping, step, .. } = iteration;
            let numbers = [number as f64, cost, gradient, damping, step].into_iter();
            history.push_row(numbers.chain(iteration.values().map(|(_, value)| value)));
            progress.as_mut().map_or(ControlFlow::Continue(()), |see| see(iteration))
        };
        let search = LevenbergMarquardt { loss: self.asked.loss, limits: self.asked.limits, progress: &mut see };
        let found = search.solve(&problem, guess)?;
        self.fitted(&problem, found, history)
    }

    /// Everything that is asked for, by its place in the model, and the guess.
    fn problem(&self) -> Result<(Problem<'_, S, M>, Estimates<S>), FitError> {
        for (what, none) in [
            ("log", self.asked.logs.is_empty()),
            ("measured output", self.asked.measured.is_empty()),
            ("unknown", self.asked.wanted.is_empty()),
        ] {
            if none {
                return Err(FitError::Nothing { what });
            }
        }
        once(self.asked.measured.iter().map(|(name, _)| name.as_str()))?;
        let mut channels = Vec::new();
        for (name, deviation) in &self.asked.measured {
            if !(*deviation > 0.0 && deviation.is_finite()) {
                let what = "the standard deviation";
                return Err(FitError::Setting { what, name: Name::new(name), value: *deviation });
            }
            channels.push(Channel::of(self.system, name, *deviation)?);
        }
        // whose squares are numbers
        if let Some(value) = self.asked.loss.knee().filter(|knee| !(1e-100..=1e100).contains(knee)) {
            return Err(FitError::Setting { what: "the knee", name: Name::new("loss"), value });
        }
        let value = self.asked.limits.cost;
        if !(0.0..1.0).contains(&value) {
            return Err(FitError::Tolerance { value });
        }
        once(self.asked.bounds.iter().map(|(name, ..)| name.as_str()))?;
        for log in &self.asked.logs {
            once(log.starts().iter().map(|(name, _)| name.as_str()))?;
        }
        if self.asked.loss != Loss::Squares && self.asked.scattered && self.asked.curved {
            return Err(FitError::NoVariance);
        }
        let starts: Vec<&str> = self.asked.wanted.iter().filter_map(Wanted::start).collect();
        let recorded = (&self.asked.recorded[..], self.asked.between);
        let experiments: Vec<Experiment<S>> = (self.asked.logs.iter().enumerate())
            .map(|(number, log)| Experiment::new(self.system, (number, log), &channels, &starts, recorded))
            .collect::<Result<_, FitError>>()?;
        let Guess { of, names, guess } = self.unknowns()?;
        once(names.iter().map(String::as_str))?;
        let present = |(_, row): &(f64, Vec<f64>)| row.iter().filter(|x| !x.is_nan()).count();
        let measurements = experiments.iter().flat_map(|experiment| experiment.rows.iter().map(present)).sum();
        if measurements < of.len() {
            return Err(FitError::TooFew { measurements, unknowns: of.len() });
        }
        let bases: Vec<State<S>> = experiments.iter().map(|experiment| experiment.base.clone()).collect();
        let guess = Estimates { numbers: DVector::from_vec(guess), bases };
        let bounds = vec![(f64::NEG_INFINITY, f64::INFINITY); of.len()];
        let (method, steps) = (&self.method, &*self.steps);
        let mut problem =
            Problem { system: self.system, method, steps, channels, experiments, unknowns: of, names, bounds };
        problem.bounds = self.bounds(&problem, &guess)?;
        Ok((problem, guess))
    }

    fn unknowns(&self) -> Result<Guess, FitError> {
        let (layout, mut all) = (self.system.layout(), Guess::default());
        let several = self.asked.logs.len() > 1;
        for wanted in &self.asked.wanted {
            let logs = if wanted.start().is_some() { self.asked.logs.len() } else { 1 };
            for log in 0..logs {
                let (of, guess) = match wanted {
                    Wanted::Parameter(name) => {
                        let value = self.system.parameter(name)?;
                        let names = self.system.derivatives().parameter_names;
                        let place = UnknownName::place("parameter", name, names)?;
                        let scale = self.system.parameter_units().get(place).map_or(1.0, |unit| unit.1);
                        (Of::Parameter { name: name.clone(), scale }, value)
                    }
                    Wanted::Start(name) => (Of::Start { log, direction: place(&layout, name)? }, 0.0),
                    Wanted::Offset(name) => {
                        let names: Vec<&str> = self.asked.measured.iter().map(|(name, _)| name.as_str()).collect();
                        (Of::Offset { channel: UnknownName::place("measured output", name, &names)? }, 0.0)
                    }
                };
                all.of.push(of);
                all.names.push(wanted.name(several.then_some(log + 1)));
                all.guess.push(guess);
            }
        }
        Ok(all)
    }

    /// The bounds of each unknown.
    fn bounds(&self, problem: &Problem<'_, S, M>, guess: &Estimates<S>) -> Result<Vec<(f64, f64)>, FitError> {
        let (layout, values, mut bounds) = (self.system.layout(), problem.values(guess), problem.bounds.clone());
        for (name, low, high) in &self.asked.bounds {
            let of_log = |own: &str| own.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with(" in log "));
            let meant: Vec<usize> =
                (0..bounds.len()).filter(|&k| problem.names[k] == *name || of_log(&problem.names[k])).collect();
            if meant.is_empty() {
                let names = problem.names.iter().map(String::as_str);
                return Err(UnknownName::new("unknown of the fit", name, names).into());
            }
            for k in meant {
                let (name, guess) = (Name::new(&problem.names[k]), values[k]);
                if let Of::Start { direction, .. } = problem.unknowns[k]
                    && direction < layout.v.len()
                    && coordinate(&layout, direction).is_none()
                {
                    return Err(FitError::Unbounded { name });
                }
                if !(low < high && *low <= guess && guess <= *high) {
                    return Err(FitError::Bounds { name, low: *low, high: *high, guess });
                }
                bounds[k] = (*low, *high);
            }
        }
        Ok(bounds)
    }

    fn fitted(
        &self,
        problem: &Problem<'_, S, M>,
        found: Found<Estimates<S>>,
        history: Table,
    ) -> Result<Fitted<S>, FitError> {
        let Found { point, cost, residuals, jacobian, held, ending, evaluations } = found;
        let (names, values) = (&problem.names, problem.values(&point));
        let (mut weighted, mut r) = (jacobian.clone(), residuals.clone());
        // the variance of an estimator has the weights in a factor
        if !self.asked.scattered {
            self.asked.loss.weigh(&mut r, &mut weighted);
        }
        let mut confidence = Confidence::of(&weighted, &values, &held, names);
        let (of, deviations) = confidence.determined();
        if self.asked.curved && !of.is_empty() {
            match hessian(problem, (&point, self.asked.loss), (&of, &deviations)) {
                Ok(hessian) => confidence.observe(&hessian, names),
                Err(k) => confidence.doubts.push(Doubt::NoCurvature { name: names[k].clone() }),
            }
        }
        let Confidence { mut covariance, mut doubts, estimated } = confidence;
        if self.asked.scattered {
            let scatter = self.asked.loss.scatter(&residuals, estimated);
            if scatter.is_none() {
                doubts.push(Doubt::NoScatter);
            }
            covariance *= scatter.unwrap_or(f64::NAN);
        }
        let model = problem.model(&point).map_err(|failure| failure.of(0))?;
        let mut starts = Vec::new();
        for log in 0..problem.experiments.len() {
            starts.push(problem.begin(&model, &point, log).map_err(|failure| failure.of(log))?);
        }
        let rows = problem.measurement_names();
        Ok(Fitted {
            model,
            starts,
            values: Labelled::new(names, ["value"], |k, _| values[k]),
            covariance: Labelled::new(names, names, |i, j| covariance[(i, j)]),
            jacobian: Labelled::new(&rows, names, |i, j| jacobian[(i, j)]),
            residuals: problem.tables(&point)?,
            history,
            cost,
            freedom: residuals.len() - estimated,
            doubts,
            ending,
            residual_evaluations: evaluations.0,
            jacobian_evaluations: evaluations.1,
            scattered: self.asked.scattered,
        })
    }
}

/// Refuses a name that comes twice.
fn once<'n>(names: impl Iterator<Item = &'n str>) -> Result<(), FitError> {
    let mut seen = Vec::new();
    for name in names {
        if seen.contains(&name) {
            return Err(FitError::Twice { name: Name::new(name) });
        }
        seen.push(name);
    }
    Ok(())
}

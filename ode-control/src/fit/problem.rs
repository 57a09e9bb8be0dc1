//! Residuals of the logs, and what they change by.

use ode_runtime::integrators::Vary;
use ode_runtime::linalg::{DMatrix, DVector};
use ode_runtime::{
    By, Layout, Method, Name, Order, Parametric, Seen, Sensitive, Setup, Simulation, Solvable, Start, StartError, State,
};

use crate::fit::channel::{Channel, FAR};
use crate::fit::error::{Failure, FitError};
use crate::fit::experiment::{Experiment, Recorded};
use crate::fit::first_state::FirstState;
use crate::fit::least_squares::Residuals;
use crate::fit::unknown::Of;

/// The choice of steps, and whatever else a run is set up with.
pub(super) type Steps<'a, S, M> =
    dyn for<'r> Fn(Setup<'r, S, M, Recorded<'r, S>>) -> Result<Simulation<'r, S, M, Recorded<'r, S>>, StartError> + 'a;

/// Residuals (y + offset − measured)/σ of the outputs along the runs of all logs.
pub(super) struct Problem<'f, S: Solvable, M: Method<S>> {
    pub(super) system: &'f S,
    pub(super) method: &'f M,
    pub(super) steps: &'f Steps<'f, S, M>,
    pub(super) channels: Vec<Channel>,
    pub(super) experiments: Vec<Experiment<S>>,
    pub(super) unknowns: Vec<Of>,
    pub(super) names: Vec<String>,
    pub(super) bounds: Vec<(f64, f64)>,
}

/// Values of the unknowns.
#[derive(Clone)]
pub(super) struct Estimates<S: Solvable> {
    /// of parameters and offsets; those of starts are in what is kept of the first states
    pub(super) numbers: DVector<f64>,
    pub(super) bases: Vec<State<S>>,
}

impl<'f, S, M> Problem<'f, S, M>
where
    S: Solvable<Real = f64, U: Copy> + Sensitive + Parametric,
    M: Vary<S> + Clone,
{
    /// The model with the parameters of a point.
    pub(super) fn model(&self, at: &Estimates<S>) -> Result<S, Failure> {
        let mut model = self.system.clone();
        let values: Vec<(&str, f64)> = self.parameters().map(|(k, name, _)| (name, at.numbers[k])).collect();
        model.set_parameters(&values).map_err(|error| Failure::Run(error.into()))?;
        Ok(model)
    }

    /// The unknowns that are parameters: their places, names and units.
    fn parameters(&self) -> impl Iterator<Item = (usize, &str, f64)> {
        self.unknowns.iter().enumerate().filter_map(|(k, of)| match of {
            Of::Parameter { name, scale } => Some((k, name.as_str(), *scale)),
            _ => None,
        })
    }

    /// The unknowns that are entries of the start of a log: their places and directions.
    fn starts(&self, log: usize) -> impl Iterator<Item = (usize, usize)> {
        self.unknowns.iter().enumerate().filter_map(move |(k, of)| match of {
            Of::Start { log: own, direction } if *own == log => Some((k, *direction)),
            _ => None,
        })
    }

    /// What is added to an output.
    pub(super) fn offset(&self, at: &Estimates<S>, channel: usize) -> f64 {
        let of = self.unknowns.iter().position(|of| *of == Of::Offset { channel });
        of.map_or(0.0, |k| at.numbers[k])
    }

    /// A run of a log.
    fn run<'r>(
        &'r self,
        model: &'r S,
        experiment: &'r Experiment<S>,
        first: Option<&State<S>>,
    ) -> Result<Simulation<'r, S, M, Recorded<'r, S>>, Failure>
    where
        'f: 'r,
    {
        let setup = Simulation::of(model, self.method.clone()).inputs(experiment.inputs());
        let setup = match first {
            Some(first) => setup.given(first.clone()),
            None => setup.start(Start::at(experiment.first.time)),
        };
        Ok((self.steps)(setup)?)
    }

    /// Where a log begins, if that is not the model's consistent start.
    pub(super) fn first(&self, model: &S, at: &Estimates<S>, log: usize) -> Result<Option<State<S>>, Failure> {
        let first = &self.experiments[log].first;
        if first.is_consistent() { Ok(None) } else { first.state(model, &at.bases[log]).map(Some) }
    }

    /// Where a log begins.
    pub(super) fn begin(&self, model: &S, at: &Estimates<S>, log: usize) -> Result<State<S>, Failure> {
        let first = self.first(model, at, log)?;
        Ok(self.run(model, &self.experiments[log], first.as_ref())?.state().clone())
    }

    /// What the channels measure in a state of a run; NaN where nothing was `measured`.
    fn predicted(&self, seen: &Seen<'_, S>, measured: &[f64], at: &Estimates<S>) -> Result<Vec<f64>, Failure> {
        let outputs = seen.outputs();
        let channels = self.channels.iter().zip(measured).enumerate();
        channels
            .map(|(i, (channel, measured))| match channel.value(seen, outputs.as_ref()) + self.offset(at, i) {
                _ if measured.is_nan() => Ok(f64::NAN),
                value if (value / channel.deviation).abs() < FAR => Ok(value),
                _ => Err(Failure::NonFinite { name: Name::new(&channel.name), time: seen.t }),
            })
            .collect()
    }

    /// The predictions for the rows of a log.
    fn predictions(&self, model: &S, at: &Estimates<S>, log: usize) -> Result<Vec<Vec<f64>>, Failure> {
        let experiment = &self.experiments[log];
        let first = self.first(model, at, log)?;
        let mut run = self.run(model, experiment, first.as_ref())?;
        let row = |(time, measured): &(f64, Vec<f64>)| {
            run.advance_to(*time)?;
            self.predicted(&run.now(), measured, at)
        };
        experiment.rows.iter().map(row).collect()
    }

    /// The residuals of a row that are there.
    fn row(&self, predicted: &[f64], measured: &[f64], out: &mut Vec<f64>) {
        for ((channel, predicted), measured) in self.channels.iter().zip(predicted).zip(measured) {
            if !measured.is_nan() {
                out.push((predicted - measured) / channel.deviation);
            }
        }
    }

    /// The residuals of a log and their Jacobian, row by row of it.
    fn linear(&self, model: &S, at: &Estimates<S>, log: usize) -> Result<(Vec<f64>, Vec<f64>), Failure> {
        let (experiment, layout) = (&self.experiments[log], model.layout());
        let first = self.first(model, at, log)?;
        let (by, across) = self.directions(model, log, first.as_ref())?;
        let mut run = self.run(model, experiment, first.as_ref())?.vary(&by)?;
        let (mut residuals, mut jacobian) = (Vec::new(), Vec::new());
        let (of_outputs, of_states) = (self.rows(&layout, true), self.rows(&layout, false));
        for (time, measured) in &experiment.rows {
            run.advance_to(*time)?;
            let predicted = self.predicted(&run.run().now(), measured, at)?;
            self.row(&predicted, measured, &mut residuals);
            let outputs = of_outputs.then(|| &*run.output_jacobian() * &across);
            let states = of_states.then(|| &*run.jacobian() * &across);
            for (i, channel) in self.channels.iter().enumerate().filter(|(i, _)| !measured[*i].is_nan()) {
                let (matrix, row) = match channel.row(&layout) {
                    Ok(row) => (&outputs, row),
                    Err(row) => (&states, row),
                };
                for (k, of) in self.unknowns.iter().enumerate() {
                    let own = if *of == (Of::Offset { channel: i }) { 1.0 } else { 0.0 };
                    let of_run = matrix.as_ref().map_or(0.0, |matrix| matrix[(row, k)]);
                    let slope = (of_run + own) / channel.deviation;
                    if slope.is_nan() || slope.abs() >= FAR {
                        return Err(Failure::NonFinite { name: Name::new(&channel.name), time: *time });
                    }
                    jacobian.push(slope);
                }
            }
        }
        Ok((residuals, jacobian))
    }

    /// Whether a channel is an output, or is a state.
    fn rows(&self, layout: &Layout<'_>, outputs: bool) -> bool {
        self.channels.iter().any(|channel| channel.row(layout).is_ok() == outputs)
    }

    /// What the run of a log is to be differentiated by, and what each of these changes by with each unknown.
    fn directions(&self, model: &S, log: usize, first: Option<&State<S>>) -> Result<(By, DMatrix<f64>), Failure> {
        let (layout, all) = (model.layout(), self.unknowns.len());
        let parameters: Vec<(usize, &str, f64)> = self.parameters().collect();
        let mut by = parameters.iter().fold(By::new(), |by, (_, name, _)| by.parameter(name));
        let own = |across: &mut DMatrix<f64>| {
            for (row, (k, _, scale)) in parameters.iter().enumerate() {
                across[(row, *k)] = *scale;
            }
        };
        let Some(first) = first else {
            let mut across = DMatrix::zeros(parameters.len(), all);
            own(&mut across);
            return Ok((by, across));
        };
        let names = model.derivatives().parameter_names;
        let places: Vec<usize> =
            parameters.iter().filter_map(|(_, name, _)| names.iter().position(|own| own == name)).collect();
        let starts: Vec<(usize, usize)> = self.starts(log).collect();
        let fitted: Vec<usize> = starts.iter().map(|&(_, direction)| direction).collect();
        let consistent = self.consistent(model, log, &by, parameters.len())?;
        let tangent = self.experiments[log].first.tangent(model, first, &consistent, (&places, &fitted));
        let moves = |row: &usize| tangent.row(*row).iter().any(|x| *x != 0.0);
        let moving: Vec<usize> = (0..tangent.nrows()).filter(moves).collect();
        let directions: Vec<&str> = layout.state_direction_names().collect();
        by = moving.iter().fold(by, |by, &row| by.start_of(directions[row]));
        let mut across = DMatrix::zeros(parameters.len() + moving.len(), all);
        own(&mut across);
        for (i, &row) in moving.iter().enumerate() {
            for (j, &(k, _, scale)) in parameters.iter().enumerate() {
                across[(parameters.len() + i, k)] = tangent[(row, j)] * scale;
            }
            for (j, &(k, _)) in starts.iter().enumerate() {
                across[(parameters.len() + i, k)] = tangent[(row, parameters.len() + j)];
            }
        }
        Ok((by, across))
    }

    /// What the model's consistent start changes by with the parameters: a row for each direction of the state.
    fn consistent(&self, model: &S, log: usize, by: &By, parameters: usize) -> Result<DMatrix<f64>, Failure> {
        let (layout, experiment) = (model.layout(), &self.experiments[log]);
        let rows = layout.state_directions();
        if parameters == 0 || !experiment.first.has_consistent_entries() {
            return Ok(DMatrix::zeros(rows, parameters));
        }
        let jacobian = self.run(model, experiment, None)?.vary(by)?.jacobian();
        let nv = layout.v.len();
        // of first-order models, rows of velocities are between
        let skipped = if rows > nv && layout.order == Order::First { nv } else { 0 };
        Ok(DMatrix::from_fn(rows, parameters, |r, k| jacobian[(if r < nv { r } else { r + skipped }, k)]))
    }

    /// The predictions for each row of each log.
    pub(super) fn all_predictions(&self, at: &Estimates<S>) -> Result<Vec<Vec<Vec<f64>>>, FitError> {
        let model = self.model(at).map_err(|failure| failure.of(0))?;
        let of = |log: usize| self.predictions(&model, at, log).map_err(|failure| failure.of(log));
        (0..self.experiments.len()).map(of).collect()
    }
}

impl<S, M> Residuals for Problem<'_, S, M>
where
    S: Solvable<Real = f64, U: Copy> + Sensitive + Parametric,
    M: Vary<S> + Clone,
{
    type Point = Estimates<S>;
    type Error = FitError;

    fn residuals(&self, at: &Estimates<S>) -> Result<DVector<f64>, FitError> {
        let mut all = Vec::new();
        for (predictions, experiment) in self.all_predictions(at)?.iter().zip(&self.experiments) {
            for (predicted, (_, measured)) in predictions.iter().zip(&experiment.rows) {
                self.row(predicted, measured, &mut all);
            }
        }
        Ok(DVector::from_vec(all))
    }

    fn linearize(&self, at: &Estimates<S>) -> Result<(DVector<f64>, DMatrix<f64>), FitError> {
        let model = self.model(at).map_err(|failure| failure.of(0))?;
        let (mut residuals, mut jacobian) = (Vec::new(), Vec::new());
        for log in 0..self.experiments.len() {
            let (own, rows) = self.linear(&model, at, log).map_err(|failure| failure.of(log))?;
            residuals.extend(own);
            jacobian.extend(rows);
        }
        let jacobian = DMatrix::from_row_slice(residuals.len(), self.unknowns.len(), &jacobian);
        Ok((DVector::from_vec(residuals), jacobian))
    }

    fn moved(&self, from: &Estimates<S>, step: &DVector<f64>) -> Estimates<S> {
        let mut to = from.clone();
        let within = |k: usize, x: f64| x.max(self.bounds[k].0).min(self.bounds[k].1);
        for (k, of) in self.unknowns.iter().enumerate() {
            if !matches!(of, Of::Start { .. }) {
                to.numbers[k] = within(k, from.numbers[k] + step[k]);
            }
        }
        for (log, base) in to.bases.iter_mut().enumerate() {
            let clamped = |(k, direction): (usize, usize)| {
                let now = self.value(from, k);
                let there = now + step[k];
                (direction, if within(k, there) == there { step[k] } else { within(k, there) - now })
            };
            let steps: Vec<(usize, f64)> = self.starts(log).map(clamped).collect();
            *base = FirstState::moved(self.system, base, &steps);
        }
        to
    }

    fn values(&self, at: &Estimates<S>) -> DVector<f64> {
        DVector::from_fn(self.unknowns.len(), |k, _| self.value(at, k))
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn bounds(&self) -> &[(f64, f64)] {
        &self.bounds
    }
}

impl<S, M> Problem<'_, S, M>
where
    S: Solvable<Real = f64> + Sensitive + Parametric,
    M: Method<S>,
{
    /// An unknown as a number.
    fn value(&self, at: &Estimates<S>, k: usize) -> f64 {
        match self.unknowns[k] {
            Of::Start { log, direction } => {
                FirstState::value(self.system, &self.experiments[log].base, &at.bases[log], direction)
            }
            _ => at.numbers[k],
        }
    }
}

//! Parameter sweeps: the same question for many models that differ in named parameters.
//!
//! A sweep is a product of axes. An axis is a parameter with its values, or several parameters that vary together.
//! Models are built one by one, the last axis fastest. The results of a closure for each model become a row of a
//! [`Table`], after the values of the varied parameters.

use core::fmt;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::borrow::ToOwned;
use std::string::String;
use std::sync::mpsc;
use std::thread;
use std::vec::Vec;

use crate::error::Name;
use crate::error::unknown::UnknownName;
use crate::keep::table::Table;
use crate::model::differentiable::FromParameters;
use crate::model::parametric::Parametric;
use crate::numbers::scalar::Scalar;

/// Why a sweep cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SweepError {
    /// The model has no parameter of this name.
    Unknown(UnknownName),
    /// Parameters that vary together have different numbers of values.
    Lengths {
        /// the parameter
        name: Name,
        /// how many values it has
        values: usize,
        /// how many the first of its axis has
        expected: usize,
    },
    /// A parameter is varied already.
    Twice {
        /// the parameter
        name: Name,
    },
    /// More points than can be counted.
    TooMany,
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(unknown) => unknown.fmt(f),
            Self::Lengths { name, values, expected } => {
                write!(f, "parameter `{name}` has {values} values where {expected} vary together")
            }
            Self::Twice { name } => write!(f, "parameter `{name}` is varied twice"),
            Self::TooMany => f.write_str("more points than can be counted"),
        }
    }
}

impl core::error::Error for SweepError {}

/// The error of a closure at a point of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct PointError<E> {
    /// names and values of the parameters varied
    pub point: Vec<(String, f64)>,
    /// the closure's error
    pub error: E,
}

impl<E: fmt::Display> fmt::Display for PointError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("at ")?;
        for (i, (name, value)) in self.point.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}{name} = {value}")?;
        }
        write!(f, ": {}", self.error)
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for PointError<E> {}

/// Parameters that vary together: their indices, and a row of values for each point.
#[derive(Clone, Debug)]
struct Axis {
    parameters: Vec<usize>,
    points: Vec<Vec<f64>>,
}

/// Models like one model, in named parameters with values in the units of their declaration.
#[derive(Clone, Debug)]
pub struct Sweep<S: Parametric + FromParameters> {
    base: S::P,
    names: Vec<String>,
    /// the unit of each parameter, in SI
    units: Vec<f64>,
    axes: Vec<Axis>,
}

impl<S: Parametric + FromParameters> Sweep<S> {
    /// A sweep of one point, `model` itself.
    pub fn of(model: &S) -> Self {
        let names = model.derivatives().parameter_names.iter().map(|&name| name.to_owned()).collect();
        let units = model.parameter_units().iter().map(|&(_, scale)| scale).collect();
        Self { base: model.parameter_block(), names, units, axes: Vec::new() }
    }

    /// Combines each point so far with each of these values of a parameter, in the unit of its declaration, as
    /// [`Parametric::set_parameter`] takes it.
    ///
    /// # Errors
    /// [`SweepError`] with the unknown name and what it may have meant.
    pub fn over(self, name: &str, values: impl IntoIterator<Item = f64>) -> Result<Self, SweepError> {
        let values: Vec<f64> = values.into_iter().collect();
        self.together(&[(name, &values)])
    }

    /// Combines each point so far with each row of values of parameters that vary together: the first values, the
    /// second ones, …
    ///
    /// # Errors
    /// [`SweepError`] with the parameter's name.
    pub fn together(mut self, columns: &[(&str, &[f64])]) -> Result<Self, SweepError> {
        let Some(expected) = columns.first().map(|(_, values)| values.len()) else { return Ok(self) };
        if self.len().checked_mul(expected).is_none() {
            return Err(SweepError::TooMany);
        }
        let mut parameters = Vec::new();
        for (name, values) in columns {
            let place = UnknownName::place("parameter", name, &self.names).map_err(SweepError::Unknown)?;
            if values.len() != expected {
                return Err(SweepError::Lengths { name: Name::new(name), values: values.len(), expected });
            }
            if self.axes.iter().flat_map(|axis| &axis.parameters).chain(&parameters).any(|&known| known == place) {
                return Err(SweepError::Twice { name: Name::new(name) });
            }
            parameters.push(place);
        }
        let row = |i: usize| columns.iter().filter_map(|(_, values)| values.get(i).copied()).collect();
        self.axes.push(Axis { parameters, points: (0..expected).map(row).collect() });
        Ok(self)
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.axes.iter().map(|axis| axis.points.len()).product()
    }

    /// Whether an axis has no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The varied parameters, with their values at point `index`.
    fn values(&self, index: usize) -> Vec<(usize, f64)> {
        let (mut left, mut values) = (index, Vec::new());
        for axis in self.axes.iter().rev() {
            let count = axis.points.len().max(1);
            if let Some(point) = axis.points.get(left % count) {
                values.splice(0..0, axis.parameters.iter().copied().zip(point.iter().copied()));
            }
            left /= count;
        }
        values
    }

    /// The model of point `index`, the last axis fastest. Runs and analyses of it check its parameters:
    /// [`System::check`](crate::System::check).
    pub fn model(&self, index: usize) -> Option<S> {
        if index >= self.len() {
            return None;
        }
        let mut parameters = self.base.clone();
        for (place, value) in self.values(index) {
            if let (Some(parameter), Some(&unit)) = (parameters.as_mut().get_mut(place), self.units.get(place)) {
                *parameter = S::Real::from_f64(value) * S::Real::from_f64(unit);
            }
        }
        Some(S::from_parameters(&parameters))
    }

    /// The models, made one by one.
    pub fn models(&self) -> impl Iterator<Item = S> + '_ {
        (0..self.len()).map_while(|index| self.model(index))
    }

    /// A table of the varied parameters and of `columns`, which `ask` gives for each model; `progress` receives the
    /// number of finished points.
    ///
    /// # Errors
    /// The first error of `ask`, with the values of the parameters.
    pub fn run<const N: usize, E>(
        &self,
        columns: [&str; N],
        mut ask: impl FnMut(&S) -> Result<[f64; N], E>,
        mut progress: impl FnMut(usize),
    ) -> Result<Table, PointError<E>> {
        let mut table = self.table(&columns);
        for (index, model) in self.models().enumerate() {
            let answer = ask(&model).map_err(|error| self.failed(index, error))?;
            self.push(&mut table, index, &answer);
            progress(index + 1);
        }
        Ok(table)
    }

    /// [`Sweep::run`] on several threads; rows are in the order of the points. After an error no further point is
    /// begun.
    ///
    /// # Errors
    /// The error of `ask` at the first failing point.
    pub fn run_parallel<const N: usize, E: Send>(
        &self,
        threads: usize,
        columns: [&str; N],
        ask: impl Fn(&S) -> Result<[f64; N], E> + Sync,
        mut progress: impl FnMut(usize),
    ) -> Result<Table, PointError<E>>
    where
        S::P: Sync,
    {
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let mut answers: Vec<Option<[f64; N]>> = std::vec![None; self.len()];
        let mut first: Option<(usize, E)> = None;
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..threads.clamp(1, self.len().max(1)) {
                let (sender, next, failed, ask) = (sender.clone(), &next, &failed, &ask);
                scope.spawn(move || {
                    while !failed.load(Ordering::Relaxed) {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(model) = self.model(index) else { break };
                        let answer = ask(&model);
                        failed.fetch_or(answer.is_err(), Ordering::Relaxed);
                        if sender.send((index, answer)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for (done, (index, answer)) in receiver.iter().enumerate() {
                match answer {
                    Ok(answer) => {
                        if let Some(place) = answers.get_mut(index) {
                            *place = Some(answer);
                        }
                    }
                    Err(error) if first.as_ref().is_none_or(|&(known, _)| index < known) => {
                        first = Some((index, error))
                    }
                    Err(_) => {}
                }
                progress(done + 1);
            }
        });
        if let Some((index, error)) = first {
            return Err(self.failed(index, error));
        }
        let mut table = self.table(&columns);
        for (index, answer) in answers.iter().enumerate() {
            if let Some(answer) = answer {
                self.push(&mut table, index, answer);
            }
        }
        Ok(table)
    }

    /// A table of the varied parameters and of `columns`, with the answers for the points in their order: of an
    /// [`Ensemble`](crate::Ensemble) of the sweep's models, for example. A point without an answer has NaN; answers
    /// beyond the last point are left out.
    pub fn tabulate<const N: usize, E>(
        &self,
        columns: [&str; N],
        answers: impl IntoIterator<Item = Result<[f64; N], E>>,
    ) -> Table {
        let (mut table, mut answers) = (self.table(&columns), answers.into_iter());
        for index in 0..self.len() {
            let answer = answers.next().and_then(Result::ok).unwrap_or([f64::NAN; N]);
            self.push(&mut table, index, &answer);
        }
        table
    }

    fn named(&self, index: usize) -> impl Iterator<Item = (String, f64)> + '_ {
        let name = |place: usize| self.names.get(place).cloned().unwrap_or_default();
        self.values(index).into_iter().map(move |(place, value)| (name(place), value))
    }

    fn failed<E>(&self, index: usize, error: E) -> PointError<E> {
        PointError { point: self.named(index).collect(), error }
    }

    fn table(&self, columns: &[&str]) -> Table {
        let varied = self.axes.iter().flat_map(|axis| &axis.parameters).filter_map(|&place| self.names.get(place));
        Table::with_columns(varied.cloned().chain(columns.iter().map(|&name| name.to_owned())))
    }

    fn push(&self, table: &mut Table, index: usize, answer: &[f64]) {
        let values = self.named(index).map(|(_, value)| value);
        table.push_row(values.chain(answer.iter().copied()));
    }
}

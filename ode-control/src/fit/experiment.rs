//! A log as the runs of a fit need it.

use ode_runtime::{Block, Name, Piecewise, Sensitive, Solvable, State, UnknownName};

use crate::fit::channel::{Channel, FAR};
use crate::fit::error::FitError;
use crate::fit::first_state::{FirstState, place};
use crate::fit::log::Log;

/// What recorded inputs do between the rows of a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Between {
    /// they keep the value of the row before: zero-order hold
    #[default]
    Held,
    /// they go to the next value along a straight line: first-order hold
    Linear,
}

/// A log as the runs of a fit need it.
pub(super) struct Experiment<S: Solvable> {
    pub(super) first: FirstState,
    /// what is kept of the first state, at the guess
    pub(super) base: State<S>,
    /// times and what was measured then, NaN where nothing was
    pub(super) rows: Vec<(f64, Vec<f64>)>,
    knots: Vec<f64>,
    inputs: Vec<S::U>,
    between: Between,
}

/// The inputs of a run.
pub(super) type Recorded<'r, S> = Piecewise<'r, f64, <S as ode_runtime::System>::U>;

impl<S: Solvable<Real = f64> + Sensitive> Experiment<S> {
    /// Of a log, with its number, the entries of the start that are fitted, and the inputs that were recorded.
    pub(super) fn new(
        system: &S,
        (number, log): (usize, &Log),
        channels: &[Channel],
        starts: &[&str],
        (recorded, between): (&[String], Between),
    ) -> Result<Self, FitError> {
        let begins = log.begins();
        let mut wanted: Vec<(&str, Option<f64>)> =
            log.starts().iter().map(|(name, x)| (name.as_str(), Some(*x))).collect();
        for &name in starts {
            let direction = place(&system.layout(), name)?;
            if !wanted.iter().any(|(given, _)| place(&system.layout(), given) == Ok(direction)) {
                wanted.push((name, None));
            }
        }
        let (first, base) = FirstState::new(system, (number, begins), &wanted)?;
        let columns: Vec<&[f64]> =
            channels.iter().map(|channel| log.column(&channel.name)).collect::<Result<_, UnknownName>>()?;
        for (channel, column) in channels.iter().zip(&columns) {
            if let Some(k) = column.iter().position(|measured| (measured / channel.deviation).abs() >= FAR) {
                let (place, name) = (log.row(k), Name::new(&channel.name));
                return Err(FitError::Huge { log: number + 1, place, name, value: column[k] });
            }
        }
        let row = |k: usize| (log.times()[k], columns.iter().map(|column| column[k]).collect::<Vec<f64>>());
        let measured = |(_, values): &(f64, Vec<f64>)| values.iter().any(|x| !x.is_nan());
        let rows: Vec<(f64, Vec<f64>)> = (0..log.times().len()).map(row).filter(measured).collect();
        let earliest = rows.first().map_or(begins, |(t, _)| *t);
        if begins > earliest {
            return Err(FitError::Late { log: number + 1, begins, first: earliest });
        }
        let (knots, inputs) = knots(system, (number, log), recorded)?;
        Ok(Self { first, base, rows, knots, inputs, between })
    }

    /// The inputs of a run.
    pub(super) fn inputs(&self) -> Recorded<'_, S> {
        match self.between {
            Between::Held => Piecewise::constant(&self.knots, &self.inputs),
            Between::Linear => Piecewise::linear(&self.knots, &self.inputs),
        }
    }
}

/// The times at which inputs were recorded, and their values then. Without any, the model's own from the start on.
fn knots<S: Solvable<Real = f64>>(
    system: &S,
    (number, log): (usize, &Log),
    recorded: &[String],
) -> Result<(Vec<f64>, Vec<S::U>), FitError> {
    let layout = system.layout();
    let mut nominal = S::U::zeros(layout.u.len());
    system.nominal(&mut nominal);
    if recorded.is_empty() {
        return Ok((vec![log.begins()], vec![nominal]));
    }
    let mut columns = Vec::new();
    for name in recorded {
        columns.push((UnknownName::place("input", name, layout.u)?, log.column(name)?));
    }
    let (mut knots, mut inputs) = (Vec::new(), Vec::new());
    for (k, &t) in log.times().iter().enumerate() {
        let missing = columns.iter().position(|(_, column)| column[k].is_nan());
        let none = columns.iter().all(|(_, column)| column[k].is_nan());
        match missing {
            Some(_) if none && k > 0 => continue,
            Some(i) => {
                let input = Name::new(&recorded[i]);
                return Err(FitError::Input { log: number + 1, place: log.row(k), input });
            }
            None => {}
        }
        let mut u = nominal.clone();
        columns.iter().for_each(|(place, column)| u.as_mut()[*place] = column[k]);
        knots.push(t);
        inputs.push(u);
    }
    Ok((knots, inputs))
}

//! What a run with its sensitivities has to say: derivatives by name.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use crate::integrators::Vary;
use crate::linalg::{DMatrix, Labelled};
use crate::model::layout::Layout;
use crate::model::sensitive::Sensitive;
use crate::numbers::scalar::{Real, Scalar};
use crate::run::sensitivities::observed::VariedPoint;
use crate::run::sensitivities::varied::Sensitivities;
use crate::run::simulation::Simulation;
use crate::solve::solvable::Solvable;
use crate::variation::{Controls, Solved, Varied};

impl<'a, S, M, U> Sensitivities<'a, S, M, U>
where
    S: Solvable + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    /// The run.
    pub fn run(&self) -> &Simulation<'a, S, M, U> {
        &self.run
    }

    /// What it is differentiated by, column by column.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// ∂(q, v, z, a, ż, λ)/∂ of what the run is differentiated by: rows in this order, q and a in tangent coordinates;
    /// a column for each of [`names`](Self::names).
    pub fn jacobian(&self) -> Labelled<S::Real> {
        let (Varied { q, v, z }, Solved { a, zdot, lambda }) = (&self.at, &self.rates);
        let mut columns = Vec::new();
        for k in 0..self.names.len() {
            columns.push([at(q, k), at(v, k), at(z, k), at(a, k), at(zdot, k), at(lambda, k)].concat());
        }
        stacked(&self.run.system.layout(), &self.names, &columns)
    }

    /// ∂y/∂ of what the run is differentiated by, at the state reached: a row for each of the model's outputs.
    pub fn output_jacobian(&self) -> Labelled<S::Real> {
        let Self { run, chain, numbers, at, rates, .. } = self;
        let inputs = &numbers.of(&run.inputs);
        let outputs = VariedPoint { system: run.system, inputs, x: &run.state, chain, at }.outputs(rates);
        self.labelled(run.system.layout().outputs, &outputs)
    }

    /// The gradients of the model's costs at the state reached: a row for each cost.
    pub fn cost_gradient(&self) -> Labelled<S::Real> {
        self.labelled(self.run.system.cost_names(), &self.integrals.now.jacobian)
    }

    /// The integral of each of the model's costs since [`Simulation::vary`]: the trapezoidal rule over the steps of the
    /// run. A cost that is to be as accurate as the motion is a `state` of the model.
    pub fn cost_integrals(&self) -> &[S::Real] {
        &self.integrals.sums.values
    }

    /// The gradients of [`cost_integrals`](Self::cost_integrals), those of the sums as they are: a row for each cost.
    /// Where an event makes a cost jump, its time varies too.
    pub fn cost_integral_gradient(&self) -> Labelled<S::Real> {
        self.labelled(self.run.system.cost_names(), &self.integrals.sums.jacobian)
    }

    /// The gradient of the time of the last event, a row with its name: also of the one that has ended the run. `None`
    /// before the first.
    pub fn event_time_gradient(&self) -> Option<Labelled<S::Real>> {
        let (event, delays) = self.event.as_ref()?;
        let name = self.run.system.layout().events.get(*event)?.name;
        let entry = |_, k: usize| delays.get(k).copied().unwrap_or(S::Real::ZERO);
        Some(Labelled::new([name], &self.names, entry))
    }

    fn labelled(&self, rows: &[&str], matrix: &DMatrix<S::Real>) -> Labelled<S::Real> {
        labelled(rows, &self.names, matrix)
    }
}

/// Columns of all that a state consists of, by name. It knows no model, as what follows, so it is compiled once.
fn stacked<T: Real>(layout: &Layout<'_>, names: &[String], columns: &[Vec<T>]) -> Labelled<T> {
    let rates = layout.v.iter().chain(layout.z).map(|name| format!("der({name})"));
    let states = [layout.steps, layout.v, layout.z].concat();
    let states = states.iter().map(ToString::to_string).chain(rates);
    let rows: Vec<String> = states.chain(layout.multipliers.iter().map(ToString::to_string)).collect();
    let entry = |r: usize, c: usize| columns.get(c).and_then(|column| column.get(r)).copied();
    Labelled::new(&rows, names, |r, c| entry(r, c).unwrap_or(T::ZERO))
}

fn labelled<T: Real>(rows: &[&str], names: &[String], matrix: &DMatrix<T>) -> Labelled<T> {
    Labelled::new(rows, names, |r, c| matrix.get((r, c)).copied().unwrap_or(T::ZERO))
}

/// A block of a list of them, empty behind its end.
fn at<T, B: AsRef<[T]>>(blocks: &[B], k: usize) -> &[T] {
    blocks.get(k).map_or(&[], AsRef::as_ref)
}

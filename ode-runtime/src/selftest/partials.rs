//! Derivatives of all rows by everything, against dual numbers.

use super::compare::{Mismatch, Values, agree, cancelled, larger};
use super::direction::Direction;
use super::point::{Random, random_points};
use super::probe::Check;
use super::twins::Twins;
use crate::model::differentiable::FromParameters;
use crate::model::layout::{Block, Pattern};
use crate::model::sensitive::Sensitive;
use crate::numbers::dual::Dual;

/// Checks ∂(r, s, Φ, Φ̇, Φ̈)/∂(q, v, a, z, λ, u, t), ∂(Ṁ v)/∂(q, v, t), and both by p of `S` at random points against
/// `D`; and the derivatives of its events, conditions of starts and guess.
///
/// # Errors
/// The first entry that differs by more than [`TOLERANCE`](super::TOLERANCE) of its block's largest.
pub fn check_partials<S, D>() -> Result<(), Mismatch>
where
    S: Sensitive<Real = f64> + Default,
    D: FromParameters<Real = Dual<f64>>,
{
    random_points(&S::default(), |model, parameters, point| {
        let check = Check::<S, D> { model, parameters, point, marker: core::marker::PhantomData };
        check.partials()?;
        check.pulled_back()?;
        check.momenta()?;
        check.events()?;
        check.starts()
    })
}

impl<S, D> Check<'_, S, D>
where
    S: Sensitive<Real = f64>,
    D: FromParameters<Real = Dual<f64>>,
{
    fn partials(&self) -> Result<(), Mismatch> {
        let (l, patterns) = (self.model.layout(), self.model.partial_patterns());
        let mut states: S::Partials = Block::zeros(patterns.states.nnz());
        self.model.partials(self.point.at(), self.point.rates(), &mut states);
        let mut parameters: S::PartialsByParameter = Block::zeros(patterns.parameters.nnz());
        self.model.partials_by_parameter(self.point.at(), self.point.rates(), &mut parameters);
        type Kind = fn(usize) -> Direction;
        let groups: [(&[&str], Kind); 7] = [
            (l.directions, Direction::Position),
            (l.v, Direction::Velocity),
            (l.directions, Direction::Acceleration),
            (l.z, Direction::State),
            (l.constraints, Direction::Multiplier),
            (l.u, Direction::Input),
            (&["t"], |_| Direction::Time),
        ];
        let mut first = 0;
        for (columns, direction) in groups {
            let states = (patterns.states, states.as_ref(), columns, first);
            group(self, states, direction)?;
            first += columns.len();
        }
        let names = self.model.derivatives().parameter_names;
        group(self, (patterns.parameters, parameters.as_ref(), names, 0), Direction::Parameter)
    }

    /// Their products with a covector.
    fn pulled_back(&self) -> Result<(), Mismatch> {
        let (l, patterns) = (self.model.layout(), self.model.partial_patterns());
        let (mut w, mut states, mut parameters) =
            (S::Rows::zeros(patterns.states.rows), S::Columns::zeros(patterns.states.cols), self.parameters.clone());
        Random(5).fill(w.as_mut(), 1.0);
        self.model.pull_back(self.point.at(), self.point.rates(), &w, &mut states, &mut parameters);
        let (mut by_states, mut by_parameters) =
            (S::Partials::zeros(patterns.states.nnz()), S::PartialsByParameter::zeros(patterns.parameters.nnz()));
        self.model.partials(self.point.at(), self.point.rates(), &mut by_states);
        self.model.partials_by_parameter(self.point.at(), self.point.rates(), &mut by_parameters);
        let (w, terms) = (w.as_ref(), cancelled(by_states.as_ref()));
        let groups = [l.directions, l.v, l.directions, l.z, l.constraints, l.u, &["t"]];
        let mut first = 0;
        for names in groups {
            let own = states.as_ref().get(first..first + names.len()).unwrap_or_default();
            let place = first;
            let of = |c| products(patterns.states, by_states.as_ref(), w, place + c);
            pulled("partials pulled back", names, own, terms, &of)?;
            first += names.len();
        }
        let names = self.model.derivatives().parameter_names;
        let of = |c| products(patterns.parameters, by_parameters.as_ref(), w, c);
        pulled("partials by parameters pulled back", names, parameters.as_ref(), terms, &of)
    }

    /// Derivatives of Ṁ v.
    fn momenta(&self) -> Result<(), Mismatch> {
        let (l, patterns) = (self.model.layout(), self.model.partial_patterns());
        let mut states: S::MomentumPartials = Block::zeros(patterns.momenta.nnz());
        self.model.momentum_partials(self.point.at(), &mut states);
        let mut parameters: S::MomentumPartialsByParameter = Block::zeros(patterns.momenta_by_parameter.nnz());
        self.model.momentum_partials_by_parameter(self.point.at(), &mut parameters);
        let (nv, by_state, by_parameter) = (l.v.len(), patterns.momenta, patterns.momenta_by_parameter);
        type Group<'a> = (Pattern<'a>, &'a [f64], usize, &'a [&'a str], fn(usize) -> Direction);
        let groups: [Group<'_>; 4] = [
            (by_state, states.as_ref(), 0, l.directions, Direction::Position),
            (by_state, states.as_ref(), nv, l.v, Direction::Velocity),
            (by_state, states.as_ref(), 2 * nv, &["t"], |_| Direction::Time),
            (by_parameter, parameters.as_ref(), 0, self.model.derivatives().parameter_names, Direction::Parameter),
        ];
        for (pattern, values, first, columns, direction) in groups {
            momenta(self, (pattern, values, columns, first), direction, self.inertial())?;
        }
        Ok(())
    }
}

/// Compares columns of one kind, level after level.
fn group(
    twins: &dyn Twins,
    (pattern, values, columns, first): (Pattern<'_>, &[f64], &[&str], usize),
    direction: fn(usize) -> Direction,
) -> Result<(), Mismatch> {
    let l = twins.layout();
    let (dynamic, nc) = (l.directions.len() + l.z.len(), l.constraints.len());
    let block = "partials of r and s";
    let rows = Values { block, pattern, values, rows: [l.directions, l.z], columns, first: (0, first) };
    twins.compare_rows(&rows, direction)?;
    let levels = ["partials of Phi", "partials of dPhi/dt", "partials of G a + gamma"];
    for (level, block) in levels.into_iter().enumerate() {
        let place = (dynamic + level * nc, first);
        let rows = Values { block, rows: [l.constraints, &[]], first: place, ..rows };
        rows.compare(&|c, out| twins.held(direction(c), level, out))?;
    }
    Ok(())
}

/// Compares columns of Ṁ v, which has terms of this size.
fn momenta(
    twins: &dyn Twins,
    (pattern, values, columns, first): (Pattern<'_>, &[f64], &[&str], usize),
    direction: fn(usize) -> Direction,
    terms: f64,
) -> Result<(), Mismatch> {
    let block = "partials of dM/dt v";
    let rows = [twins.layout().directions, &[]];
    let rows = Values { block, pattern, values, rows, columns, first: (0, first) };
    rows.compare_beside(&[terms], &|c, out| twins.momentum_rate_along(direction(c), out))
}

/// A column of a matrix times a covector: the sum, and what its round-off is measured by, as terms may cancel.
fn products(pattern: Pattern<'_>, values: &[f64], w: &[f64], column: usize) -> (f64, f64) {
    pattern.column(column).fold((0.0, 0.0_f64), |(sum, size), (r, at)| {
        let term = values.get(at).copied().unwrap_or(0.0) * w.get(r).copied().unwrap_or(0.0);
        (sum + term, size + term.abs())
    })
}

/// Compares products with a covector.
fn pulled(
    block: &'static str,
    names: &[&str],
    found: &[f64],
    terms: f64,
    of: &dyn Fn(usize) -> (f64, f64),
) -> Result<(), Mismatch> {
    let scale = (0..found.len()).fold(terms, |scale, c| larger(scale, of(c).1));
    (0..).zip(found).try_for_each(|(c, &x)| agree(block, (names, c), (&[], 0), x, of(c).0, scale))
}

//! What an operating point may choose: coordinates, velocities, states, inputs, multipliers, and outputs asked for.

use ode_runtime::linalg::{DMatrix, DVector};
use ode_runtime::{Block, Differentiable, Observable, Sensitive, Solvable, State, UnknownName};

/// How many units each kind of unknown changes as soon as a coordinate changes one: inputs rather than coordinates are
/// changed, and multipliers and outputs are whatever they must be.
const FREEDOM: [f64; 6] = [1.0, 1.0, 1.0, 30.0, 1000.0, 1000.0];

/// Numbers of the unknowns: a step of q, v, z, u, λ and the outputs asked for.
#[derive(Clone, Debug)]
pub(super) struct Unknowns {
    /// where each kind begins, and the end
    places: [usize; 7],
    pub(super) low: Vec<f64>,
    pub(super) high: Vec<f64>,
    pub(super) names: Vec<String>,
    /// outputs asked for
    pub(super) outputs: Vec<usize>,
    /// the unit of each input, where the model tells one
    units: Vec<Option<f64>>,
}

/// A kind of unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Position,
    Velocity,
    State,
    Input,
    Multiplier,
    Output,
}

impl Unknowns {
    /// Coordinates and states free, velocities zero, inputs as they are nominally.
    pub(super) fn of<S: Solvable<Real = f64> + Sensitive + Observable>(system: &S) -> Self {
        let layout = system.layout();
        let groups = [layout.steps, layout.v, layout.z, layout.u, layout.multipliers];
        let mut places = [0; 7];
        for (k, group) in groups.iter().enumerate() {
            places[k + 1] = places[k] + group.len();
        }
        places[6] = places[5];
        let mut out = Self {
            low: vec![f64::NEG_INFINITY; places[5]],
            high: vec![f64::INFINITY; places[5]],
            names: groups.concat().iter().map(ToString::to_string).collect(),
            places,
            outputs: Vec::new(),
            units: Vec::new(),
        };
        // in models of first order too: a velocity that is free would meet r = D v − f at any point
        out.range(Kind::Velocity).for_each(|i| (out.low[i], out.high[i]) = (0.0, 0.0));
        let mut u = S::U::zeros(layout.u.len());
        system.nominal(&mut u);
        out.range(Kind::Input).zip(u.as_ref()).for_each(|(i, &u)| (out.low[i], out.high[i]) = (u, u));
        let bounds = system.input_bounds();
        out.units = bounds.iter().zip(u.as_ref()).map(|((_, low, high), &u)| unit(low, high, u)).collect();
        out
    }

    /// The places of a kind.
    pub(super) fn range(&self, kind: Kind) -> std::ops::Range<usize> {
        let k = kind as usize;
        self.places[k]..self.places[k + 1]
    }

    /// Number of all.
    pub(super) fn len(&self) -> usize {
        self.places[6]
    }

    /// The place of a coordinate, velocity, state, input or output of this name; an output becomes an unknown.
    pub(super) fn place<S: Differentiable>(&mut self, system: &S, name: &str) -> Result<usize, UnknownName> {
        let chosen = [Kind::Position, Kind::Velocity, Kind::State, Kind::Input].map(|kind| self.range(kind));
        let asked = self.range(Kind::Output);
        let mut known = chosen.into_iter().flatten().chain(asked);
        if let Some(place) = known.find(|&i| self.names[i] == name) {
            return Ok(place);
        }
        let outputs = system.layout().outputs;
        let Some(output) = outputs.iter().position(|&output| output == name) else {
            let known = self.names[..self.places[4]].iter().map(String::as_str).chain(outputs.iter().copied());
            return Err(UnknownName::new("coordinate, velocity, state, input or output", name, known));
        };
        self.outputs.push(output);
        self.names.push(name.to_owned());
        self.low.push(f64::NEG_INFINITY);
        self.high.push(f64::INFINITY);
        self.places[6] += 1;
        Ok(self.len() - 1)
    }

    /// The directions of a rotation of this name.
    pub(super) fn directions(&self, name: &str) -> Vec<usize> {
        let inside = |entry: &str| entry.strip_prefix(name).is_some_and(|rest| rest.starts_with(".step"));
        self.range(Kind::Position).filter(|&i| inside(&self.names[i])).collect()
    }

    /// The lowest and highest value.
    pub(super) fn bound(&mut self, place: usize, low: f64, high: f64) {
        (self.low[place], self.high[place]) = (low, high);
    }

    /// The kind of the unknown in a place.
    pub(super) fn kind(&self, place: usize) -> Kind {
        let kinds = [Kind::Position, Kind::Velocity, Kind::State, Kind::Input, Kind::Multiplier, Kind::Output];
        kinds.into_iter().find(|&kind| self.range(kind).contains(&place)).unwrap_or(Kind::Output)
    }

    /// What counts as much as a unit of a coordinate: numbers, of an input with its unit. An input of which the model
    /// tells none has the one that moves an equation as much as a unit of what else may change in it; so the unit in
    /// which a model has an input is of no account.
    pub(super) fn scale(&self, jacobian: &DMatrix<f64>) -> DVector<f64> {
        let moving = self.range(Kind::Position).start..self.range(Kind::State).end;
        let effect = |i: usize| {
            let of = |r: usize| {
                let rest = jacobian.row(r).columns_range(moving.clone()).amax();
                jacobian[(r, i)].abs() / if rest > 0.0 { rest } else { 1.0 }
            };
            Some((0..jacobian.nrows()).map(of).fold(0.0, f64::max)).filter(|&effect| effect > 0.0)
        };
        let first = self.range(Kind::Input).start;
        let unit = |i: usize| self.units[i - first].or_else(|| effect(i).map(f64::recip)).unwrap_or(1.0);
        DVector::from_fn(self.len(), |i, _| {
            let kind = self.kind(i);
            FREEDOM[kind as usize] * if kind == Kind::Input { unit(i) } else { 1.0 }
        })
    }
}

/// The unit of an input: half its range, or the one bound that it has, or its nominal value.
fn unit(low: f64, high: f64, nominal: f64) -> Option<f64> {
    let known = [0.5 * (high - low), low.abs(), high.abs(), nominal.abs()];
    known.into_iter().find(|unit| unit.is_finite() && *unit > 0.0)
}

/// A point of the search.
#[derive(Clone, Debug)]
pub(super) struct Candidate<S: Solvable> {
    pub(super) x: State<S>,
    pub(super) u: S::U,
    /// the outputs asked for
    pub(super) y: Vec<f64>,
}

impl<S: Solvable<Real = f64>> Candidate<S> {
    /// The values of the unknowns; of a rotation, which has no value of its own, zero.
    pub(super) fn values(&self, system: &S) -> DVector<f64> {
        let layout = system.layout();
        let own = |name: &&str| layout.q.iter().position(|q| q == name).map_or(0.0, |i| self.x.q.as_ref()[i]);
        let q: Vec<f64> = layout.steps.iter().map(own).collect();
        let groups = [&q, self.x.v.as_ref(), self.x.z.as_ref(), self.u.as_ref(), self.x.lambda.as_ref(), &self.y];
        DVector::from_vec(groups.concat())
    }

    /// The point after a step of all unknowns.
    pub(super) fn moved(&self, system: &S, unknowns: &Unknowns, step: &DVector<f64>) -> Self {
        let mut next = self.clone();
        let mut of_q = self.x.v.clone();
        let part = |kind| unknowns.range(kind).map(|i| step[i]);
        of_q.as_mut().iter_mut().zip(part(Kind::Position)).for_each(|(q, step)| *q = step);
        system.retract(&self.x.q, &of_q, &mut next.x.q);
        for (block, kind) in [
            (next.x.v.as_mut(), Kind::Velocity),
            (next.x.z.as_mut(), Kind::State),
            (next.u.as_mut(), Kind::Input),
            (next.x.lambda.as_mut(), Kind::Multiplier),
            (&mut next.y[..], Kind::Output),
        ] {
            block.iter_mut().zip(part(kind)).for_each(|(x, step)| *x += step);
        }
        next
    }
}

//! What a sensor measures.

use ode_runtime::{Layout, Observable, Seen, System, UnknownName};

/// Predictions and measurements, in standard deviations, that are not less count as infinite: their squares would be.
pub(super) const FAR: f64 = 1e100;

/// What a column of the logs measures, and how exactly.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Channel {
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) deviation: f64,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Output(usize),
    /// a coordinate that is its own direction: the entry of q, and the direction
    Coordinate(usize, usize),
    Velocity(usize),
    State(usize),
}

impl Channel {
    /// The output of this name, else the coordinate, the velocity or the state.
    pub(super) fn of<S: Observable>(system: &S, name: &str, deviation: f64) -> Result<Self, UnknownName> {
        let (layout, units) = (system.layout(), system.units());
        let place = |names: &[&str]| names.iter().position(|own| *own == name);
        let coordinate = place(layout.q).zip(place(layout.steps));
        let found = (place(layout.outputs).map(|i| (What::Output(i), units.y.get(i))))
            .or(coordinate.map(|(q, step)| (What::Coordinate(q, step), units.q.get(q))))
            .or(velocity(&layout, name).map(|i| (What::Velocity(i), units.v.get(i))))
            .or(place(layout.z).map(|i| (What::State(i), units.z.get(i))));
        let Some((what, unit)) = found else {
            let plain = layout.steps.iter().filter(|step| layout.q.contains(step));
            let names = layout.outputs.iter().chain(plain).chain(layout.v).chain(layout.z).copied();
            return Err(UnknownName::new("output or state", name, names));
        };
        let unit = unit.copied().unwrap_or_default().to_owned();
        Ok(Self { name: name.to_owned(), unit, deviation, what })
    }

    /// Its value in a run, given the outputs there.
    pub(super) fn value<S: System<Real = f64>>(&self, seen: &Seen<'_, S>, outputs: &[f64]) -> f64 {
        let (of, place) = match self.what {
            What::Output(i) => (outputs, i),
            What::Coordinate(i, _) => (seen.q.as_ref(), i),
            What::Velocity(i) => (seen.v.as_ref(), i),
            What::State(i) => (seen.z.as_ref(), i),
        };
        of.get(place).copied().unwrap_or(f64::NAN)
    }

    /// Its row in the Jacobian of outputs, or else in that of the state.
    pub(super) fn row(&self, layout: &Layout<'_>) -> Result<usize, usize> {
        let nv = layout.v.len();
        match self.what {
            What::Output(i) => Ok(i),
            What::Coordinate(_, direction) => Err(direction),
            What::Velocity(i) => Err(nv + i),
            What::State(i) => Err(2 * nv + i),
        }
    }
}

/// The velocity of this name: its own, or `der(x)` of the coordinate that it moves.
pub(super) fn velocity(layout: &Layout<'_>, name: &str) -> Option<usize> {
    let own = layout.v.iter().position(|own| *own == name);
    let rate = || {
        let of = name.strip_prefix("der(")?.strip_suffix(')')?;
        layout.steps.iter().position(|step| *step == of && layout.q.contains(step))
    };
    own.or_else(rate)
}

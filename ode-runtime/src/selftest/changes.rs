//! What events, conditions of starts and guesses vary by, against dual numbers.

use super::compare::{Mismatch, Values};
use super::direction::Direction;
use super::point::Point;
use super::probe::Check;
use crate::model::differentiable::FromParameters;
use crate::model::layout::{Block, Layout};
use crate::model::sensitive::{Change, Changed, Sensitive, Turning};
use crate::model::system::{Conditions, Reset};
use crate::numbers::dual::Dual;
use crate::numbers::scalar::Scalar;
use crate::numbers::so3;

/// Rows that are compared.
const ROWS: usize = 512;

/// Columns of one kind, by their names and directions.
type Group<'a> = (&'a [&'a str], fn(usize) -> Direction);

impl<S, D> Check<'_, S, D>
where
    S: Sensitive<Real = f64>,
    D: FromParameters<Real = Dual<f64>>,
{
    /// The derivatives of guards and of what events change.
    pub(super) fn events(&self) -> Result<(), Mismatch> {
        let (l, patterns) = (self.model.layout(), self.model.partial_patterns());
        let mut states: S::EventPartials = Block::zeros(patterns.events.nnz());
        let mut parameters: S::EventPartialsByParameter = Block::zeros(patterns.events_by_parameter.nnz());
        self.model.event_partials(self.point.at(), &mut states, &mut parameters);
        let names = event_rows(&l, self.model.changes());
        let names = names.get(..patterns.events.rows.min(ROWS)).unwrap_or_default();
        let groups: [Group<'_>; 5] = [
            (l.directions, Direction::Position),
            (l.v, Direction::Velocity),
            (l.z, Direction::State),
            (l.u, Direction::Input),
            (&["t"], |_| Direction::Time),
        ];
        let block = "partials of events";
        let own = Values {
            block,
            pattern: patterns.events,
            values: states.as_ref(),
            rows: [names, &[]],
            columns: &[],
            first: (0, 0),
        };
        compare_groups(own, &groups, &|direction, out| self.changed(direction, out))?;
        let own = Values { pattern: patterns.events_by_parameter, values: parameters.as_ref(), ..own };
        let columns = self.model.derivatives().parameter_names;
        compare_groups(own, &[(columns, Direction::Parameter)], &|direction, out| self.changed(direction, out))
    }

    /// The derivatives of the conditions of a start and of the guess.
    pub(super) fn starts(&self) -> Result<(), Mismatch> {
        let (l, patterns) = (self.model.layout(), self.model.partial_patterns());
        let mut states: S::StartPartials = Block::zeros(patterns.starts.nnz());
        let mut parameters: S::StartPartialsByParameter = Block::zeros(patterns.starts_by_parameter.nnz());
        self.model.start_partials(self.point.at(), &mut states, &mut parameters);
        let names = start_rows(&l);
        let names = names.get(..patterns.starts_by_parameter.rows.min(ROWS)).unwrap_or_default();
        let count = patterns.starts.rows.min(names.len());
        let groups: [Group<'_>; 3] =
            [(l.directions, Direction::Position), (l.v, Direction::Velocity), (&["t"], |_| Direction::Time)];
        let own = Values {
            block: "partials of the start",
            pattern: patterns.starts,
            values: states.as_ref(),
            rows: [names.get(..count).unwrap_or_default(), &[]],
            columns: &[],
            first: (0, 0),
        };
        compare_groups(own, &groups, &|direction, out| self.condition(direction, out))?;
        let (pattern, values) = (patterns.starts_by_parameter, parameters.as_ref());
        let own = Values { pattern, values, rows: [names, &[]], ..own };
        let columns = self.model.derivatives().parameter_names;
        compare_groups(own, &[(columns, Direction::Parameter)], &|direction, out| {
            self.condition(direction, out);
            self.guess(direction, out.get_mut(patterns.starts.rows..).unwrap_or_default());
        })
    }

    /// Derivatives of the guards, then of what events change.
    fn changed(&self, direction: Direction, out: &mut [f64]) {
        let (l, (model, at)) = (self.model.layout(), self.lifted(direction));
        let mut guards: D::Guards = Block::zeros(l.events.len());
        model.guards(at.at(), &mut guards);
        for (out, guard) in out.iter_mut().zip(guards.as_ref()) {
            *out = guard.eps;
        }
        let rows = out.get_mut(l.events.len()..).unwrap_or_default();
        for event in 0..l.events.len() {
            let mut after = self.lifted(direction).1;
            let reset = Reset { q: &mut after.q, v: &mut after.v, z: &mut after.z, modes: &mut after.modes };
            model.reset(event, at.at(), reset);
            let (step, v) = self.varied(&model, &after);
            for (row, change) in rows.iter_mut().zip(self.model.changes()).filter(|(_, change)| change.event == event) {
                let number = match change.of {
                    Changed::Position(i) => step.as_ref().get(i),
                    Changed::Velocity(i) => v.as_ref().get(i),
                    Changed::State(i) => after.z.as_ref().get(i),
                    Changed::Mode(i) => after.modes.as_ref().get(i),
                };
                *row = number.map_or(f64::NAN, |x| x.eps);
            }
        }
    }

    /// Derivatives of the conditions and of their Jacobians.
    fn condition(&self, direction: Direction, out: &mut [f64]) {
        let (l, (model, at)) = (self.model.layout(), self.lifted(direction));
        let (np, of_positions) = (l.init_position.len(), l.init_position_jacobian.nnz());
        let (nw, of_velocities) = (l.init_velocity.len(), l.init_velocity_jacobian.nnz());
        let mut room = [Dual::ZERO; ROWS];
        // conditions beyond the room are cut off
        let (position, rest) = room.split_at_mut(np.min(ROWS));
        let (position_jacobian, rest) = rest.split_at_mut(of_positions.min(rest.len()));
        let (velocity, rest) = rest.split_at_mut(nw.min(rest.len()));
        let (velocity_jacobian, _) = rest.split_at_mut(of_velocities.min(rest.len()));
        model.conditions(at.at(), Conditions { position, position_jacobian, velocity, velocity_jacobian });
        for (out, x) in out.iter_mut().zip(room.iter().take(np + of_positions + nw + of_velocities)) {
            *out = x.eps;
        }
    }

    /// Derivatives of the guess.
    fn guess(&self, direction: Direction, out: &mut [f64]) {
        let (model, mut at) = self.lifted(direction);
        model.guess(&mut at.q, &mut at.v, &mut at.z);
        let (step, v) = self.varied(&model, &at);
        for (out, x) in out.iter_mut().zip(step.as_ref().iter().chain(v.as_ref()).chain(at.z.as_ref())) {
            *out = x.eps;
        }
    }

    /// The variation of q in tangent coordinates, and that of v in frames without spin.
    fn varied(&self, model: &D, at: &Point<D>) -> (D::V, D::V) {
        let l: Layout<'_> = self.model.layout();
        let (mut from, mut step, mut v): (D::Q, D::V, D::V) =
            (at.q.clone(), Block::zeros(l.v.len()), Block::zeros(l.v.len()));
        from.as_mut().iter_mut().for_each(|x| x.eps = 0.0);
        model.local(&from, &at.q, &mut step);
        for (to, &x) in v.as_mut().iter_mut().zip(at.v.as_ref()) {
            *to = x;
        }
        let quaternions = self.model.rotations().iter().filter(|(_, count)| *count == 4);
        for (turning, &(place, _)) in self.model.turnings().iter().zip(quaternions) {
            let &Turning::Sphere(first) = turning else { continue };
            let entries = |q: &D::Q| core::array::from_fn(|i| q.as_ref().get(place + i).copied().unwrap_or(Dual::ZERO));
            let [_, _, _, half] = so3::product(&so3::conjugate(&entries(&from)), &entries(&at.q));
            let spin = 2.0 * half.eps;
            if let Some([x, y]) = v.as_mut().get_mut(first..first + 2) {
                (x.eps, y.eps) = (x.eps - spin * y.re, y.eps + spin * x.re);
            }
        }
        (step, v)
    }
}

/// Compares columns of several kinds.
fn compare_groups(
    own: Values<'_>,
    groups: &[Group<'_>],
    oracle: &dyn Fn(Direction, &mut [f64]),
) -> Result<(), Mismatch> {
    let mut first = 0;
    for &(columns, direction) in groups {
        let values = Values { columns, first: (0, first), ..own };
        values.compare(&|c, out| oracle(direction(c), out))?;
        first += columns.len();
    }
    Ok(())
}

/// The names of what partials of events are of: guards, then what events change.
fn event_rows<'a>(l: &Layout<'a>, changes: &[Change]) -> [&'a str; ROWS] {
    let mut names = [""; ROWS];
    let changed = changes.iter().map(|change| match change.of {
        Changed::Position(i) => l.directions.get(i),
        Changed::Velocity(i) => l.v.get(i),
        Changed::State(i) => l.z.get(i),
        Changed::Mode(i) => l.modes.get(i),
    });
    let guards = l.events.iter().map(|event| event.name);
    for (to, name) in names.iter_mut().zip(guards.chain(changed.map(|name| name.copied().unwrap_or_default()))) {
        *to = name;
    }
    names
}

/// The same of those of starts: conditions and entries of their Jacobians, then the guess.
fn start_rows<'a>(l: &Layout<'a>) -> [&'a str; ROWS] {
    let mut names = [""; ROWS];
    let levels = [(l.init_position, l.init_position_jacobian), (l.init_velocity, l.init_velocity_jacobian)];
    let conditions = levels.into_iter().flat_map(|(own, pattern)| {
        let name = |row: &usize| own.get(*row).copied().unwrap_or_default();
        own.iter().copied().chain(pattern.indices.iter().map(name))
    });
    let guess = [l.directions, l.v, l.z].into_iter().flatten().copied();
    for (to, name) in names.iter_mut().zip(conditions.chain(guess)) {
        *to = name;
    }
    names
}

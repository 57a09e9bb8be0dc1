//! The state that the motion of a log begins with.

use ode_runtime::linalg::DMatrix;
use ode_runtime::{Block, Layout, Name, Nominal, Order, RowKind, Sensitive, Solvable, Start, State, UnknownName};

use crate::fit::channel::velocity;
use crate::fit::error::{Failure, FitError};
use crate::fit::held_rows::{HeldRows, constraint, follow};

/// A change of coordinates, relative to their size, that ends the search for a start on the constraints.
const CLOSE: f64 = 1e-14;
/// The same below which a change counts as round-off if it no longer falls, and the distance from the constraints,
/// relative to the size of the coordinates, that is allowed.
const NEAR: f64 = 1e-10;
/// The least size of coordinates: near zero, round-off is that of what they are measured from.
const LEAST: f64 = 1e-4;
/// Iterations of this search.
const MOST: usize = 50;

/// How the first state of a log follows from a kept state and from the parameters.
///
/// Entries that are fitted or given are those of the kept state, with the whole rotation that they are a step of. The
/// others are those of the model's consistent start; if constraints hold the start, they follow from those kept.
pub(super) struct FirstState {
    pub(super) time: f64,
    /// places among [`Layout::state_directions`] that are fitted or given
    chosen: Vec<usize>,
    /// entries of q, v and z that are kept
    kept: [Vec<bool>; 3],
    /// whether constraints hold the start
    constrained: bool,
}

/// Where a direction of the state is.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Position(usize),
    Velocity(usize),
    State(usize),
}

impl Part {
    /// That of a place among [`Layout::state_directions`].
    pub(super) fn of(layout: &Layout<'_>, direction: usize) -> Self {
        let nv = layout.v.len();
        match direction.checked_sub(nv) {
            None => Self::Position(direction),
            Some(rest) if layout.order == Order::First => Self::State(rest),
            Some(rest) if rest < nv => Self::Velocity(rest),
            Some(rest) => Self::State(rest - nv),
        }
    }
}

/// The entry of q that a direction moves alone, if it does.
pub(super) fn coordinate(layout: &Layout<'_>, direction: usize) -> Option<usize> {
    layout.q.iter().position(|entry| *entry == layout.steps[direction])
}

/// The place of a name among [`Layout::state_directions`].
pub(super) fn place(layout: &Layout<'_>, name: &str) -> Result<usize, UnknownName> {
    let names: Vec<&str> = layout.state_direction_names().collect();
    let rate = velocity(layout, name).filter(|_| layout.order != Order::First).map(|i| layout.v.len() + i);
    rate.map_or_else(|| UnknownName::place("entry of the start", name, &names), Ok)
}

impl FirstState {
    /// The entries of the start that are fitted or given, by name, and their values if these are given; with the state
    /// that keeps them.
    pub(super) fn new<S: Solvable<Real = f64> + Sensitive>(
        system: &S,
        (log, time): (usize, f64),
        wanted: &[(&str, Option<f64>)],
    ) -> Result<(Self, State<S>), FitError> {
        let layout = system.layout();
        let mut base = Start::at(time).solve(system, &Nominal).map_err(|error| Failure::Run(error.into()).of(log))?;
        let mut kept = [layout.q.len(), layout.v.len(), layout.z.len()].map(|len| vec![false; len]);
        let mut chosen = Vec::new();
        let turned = turned(system, &base);
        for &(name, value) in wanted {
            let direction = place(&layout, name)?;
            chosen.push(direction);
            match Part::of(&layout, direction) {
                Part::Position(i) => {
                    keep_moved(system, &turned, i, &mut kept[0]);
                    let now = coordinate(&layout, i).map_or(0.0, |entry| base.q.as_ref()[entry]);
                    move_along(system, &mut base.q, i, value.map_or(0.0, |value| value - now));
                }
                Part::Velocity(i) => {
                    kept[1][i] = true;
                    base.v.as_mut()[i] = value.unwrap_or(base.v.as_ref()[i]);
                }
                Part::State(i) => {
                    kept[2][i] = true;
                    base.z.as_mut()[i] = value.unwrap_or(base.z.as_ref()[i]);
                }
            }
        }
        let held = (0..layout.constraints.len()).any(|row| layout.kinds.get(row) != Some(&RowKind::Compliant));
        let first = Self { time, constrained: held && !chosen.is_empty(), chosen, kept };
        if first.constrained {
            let x = first.state(system, &base).map_err(|failure| failure.of(log))?;
            first.determined(system, &x)?;
        }
        Ok((first, base))
    }

    /// Whether it is the model's consistent start.
    pub(super) fn is_consistent(&self) -> bool {
        self.chosen.is_empty()
    }

    /// Whether some entry is that of the model's consistent start.
    pub(super) fn has_consistent_entries(&self) -> bool {
        let [q, v, z] = &self.kept;
        let moving = if self.constrained { z } else { return !q.iter().chain(v).chain(z).all(|kept| *kept) };
        !moving.iter().all(|kept| *kept)
    }

    /// The first state of a model.
    pub(super) fn state<S: Solvable<Real = f64> + Sensitive>(
        &self,
        system: &S,
        base: &State<S>,
    ) -> Result<State<S>, Failure> {
        let mut x = Start::at(self.time).solve(system, &Nominal)?;
        let blocks =
            [(x.q.as_mut(), base.q.as_ref()), (x.v.as_mut(), base.v.as_ref()), (x.z.as_mut(), base.z.as_ref())];
        for ((to, from), kept) in blocks.into_iter().zip(&self.kept) {
            for ((to, &from), _) in to.iter_mut().zip(from).zip(kept).filter(|(_, kept)| **kept) {
                *to = from;
            }
        }
        x.check(&system.layout())?;
        if self.constrained {
            self.complete(system, &mut x)?;
        }
        Ok(x)
    }

    /// Solves the constraints for the entries that are not kept: positions by Newton's method, then velocities.
    fn complete<S: Solvable<Real = f64> + Sensitive>(&self, system: &S, x: &mut State<S>) -> Result<(), Failure> {
        let (layout, nv) = (system.layout(), system.layout().v.len());
        let (rows, free, mut last) = (HeldRows::positions(&layout), self.free(0, nv), f64::INFINITY);
        let mut found = constraint(system, x);
        for _ in 0..MOST {
            let step = follow(&rows.jacobian(&found, &free), &rows.values(found.phi.as_ref()));
            let change = step.amax() / size(x);
            let mut by = S::V::zeros(nv);
            free.iter().zip(step.iter()).for_each(|(&i, &step)| by.as_mut()[i] = step);
            let from = x.q.clone();
            system.retract(&from, &by, &mut x.q);
            found = constraint(system, x);
            // what round-off leaves no longer falls
            if change <= CLOSE || change < NEAR && change >= last {
                break;
            }
            last = change;
        }
        let all: Vec<usize> = (0..nv).collect();
        let off = rows.values(found.phi.as_ref()).amax() / rows.jacobian(&found, &all).amax();
        if !off.is_finite() || off > NEAR * size(x) {
            return Err(Failure::NoStart { constraint: rows.worst(found.phi.as_ref()) });
        }
        if layout.order != Order::First {
            let (rows, free) = (HeldRows::velocities(&layout), self.free(nv, nv));
            let step = follow(&rows.jacobian(&found, &free), &rows.values(found.rate.as_ref()));
            free.iter().zip(step.iter()).for_each(|(&i, step)| x.v.as_mut()[i] += step);
        }
        Ok(())
    }

    /// The directions that are not chosen, of `count` from `first` on, counted from there.
    fn free(&self, first: usize, count: usize) -> Vec<usize> {
        (0..count).filter(|i| !self.chosen.contains(&(first + i))).collect()
    }

    /// Refuses a choice that leaves entries free, or that the constraints do not allow.
    fn determined<S: Solvable<Real = f64> + Sensitive>(&self, system: &S, x: &State<S>) -> Result<(), FitError> {
        let (layout, nv, found) = (system.layout(), system.layout().v.len(), constraint(system, x));
        let moving = (HeldRows::velocities(&layout), nv, layout.v);
        let levels =
            [Some((HeldRows::positions(&layout), 0, layout.steps)), (layout.order != Order::First).then_some(moving)];
        for (rows, first, names) in levels.into_iter().flatten() {
            let free = self.free(first, nv);
            let of_free = rows.jacobian(&found, &free);
            if let Some(left) = rows.undetermined(&of_free) {
                return Err(FitError::FreeStart { name: Name::new(names[free[left]]) });
            }
            let all: Vec<usize> = (0..nv).collect();
            // the first in the order of being asked for that leaves less than the rows determine
            let (rank, mut others) = (rows.rank(&rows.jacobian(&found, &all)), all);
            for chosen in self.chosen.iter().filter_map(|place| place.checked_sub(first)).filter(|&i| i < nv) {
                others.retain(|&i| i != chosen);
                if rows.rank(&rows.jacobian(&found, &others)) < rank {
                    return Err(FitError::DependentStart { name: Name::new(names[chosen]) });
                }
            }
        }
        Ok(())
    }

    /// What the state changes by: a row for each of [`Layout::state_directions`], a column for each parameter (those
    /// of the consistent start are given) and for each fitted direction.
    pub(super) fn tangent<S: Solvable<Real = f64> + Sensitive>(
        &self,
        system: &S,
        x: &State<S>,
        consistent: &DMatrix<f64>,
        (parameters, fitted): (&[usize], &[usize]),
    ) -> DMatrix<f64> {
        let (layout, nv) = (system.layout(), system.layout().v.len());
        let np = parameters.len();
        let mut tangent = DMatrix::zeros(layout.state_directions(), np + fitted.len());
        let kept = |direction: usize| match Part::of(&layout, direction) {
            Part::Position(i) => {
                let mut entries = vec![false; layout.q.len()];
                keep_moved(system, &turned(system, x), i, &mut entries);
                entries.iter().zip(&self.kept[0]).any(|(moved, kept)| *moved && *kept)
            }
            Part::Velocity(i) => self.kept[1][i],
            Part::State(i) => self.kept[2][i],
        };
        let follows = if self.constrained { nv * if layout.order == Order::First { 1 } else { 2 } } else { 0 };
        for direction in (follows..tangent.nrows()).filter(|&direction| !kept(direction)) {
            for k in 0..np {
                tangent[(direction, k)] = consistent[(direction, k)];
            }
        }
        for (k, &direction) in fitted.iter().enumerate() {
            tangent[(direction, np + k)] = 1.0;
        }
        if self.constrained {
            let levels = if follows > nv { 2 } else { 1 };
            let changes = HeldRows::changes(system, x, parameters);
            for level in 0..levels {
                let rows = if level == 0 { HeldRows::positions(&layout) } else { HeldRows::velocities(&layout) };
                let free = self.free(level * nv, nv);
                let (of_free, by_known) = rows.changed(&changes, level, &free, &tangent, np);
                let solved = follow(&of_free, &by_known);
                for (row, &i) in free.iter().enumerate() {
                    tangent.row_mut(level * nv + i).copy_from(&solved.row(row));
                }
            }
        }
        tangent
    }

    /// The kept state with fitted entries moved.
    pub(super) fn moved<S: Solvable<Real = f64>>(system: &S, base: &State<S>, steps: &[(usize, f64)]) -> State<S> {
        let (layout, mut x) = (system.layout(), base.clone());
        let mut step = S::V::zeros(layout.v.len());
        for &(direction, by) in steps {
            match Part::of(&layout, direction) {
                Part::Position(i) => step.as_mut()[i] = by,
                Part::Velocity(i) => x.v.as_mut()[i] += by,
                Part::State(i) => x.z.as_mut()[i] += by,
            }
        }
        system.retract(&base.q, &step, &mut x.q);
        x
    }

    /// The value of an entry: of a rotation, the step from the kept state at the guess.
    pub(super) fn value<S: Solvable<Real = f64>>(system: &S, guess: &State<S>, x: &State<S>, direction: usize) -> f64 {
        let layout = system.layout();
        match Part::of(&layout, direction) {
            Part::Position(i) => match coordinate(&layout, i) {
                Some(entry) => x.q.as_ref()[entry],
                None => {
                    let mut step = S::V::zeros(layout.v.len());
                    system.local(&guess.q, &x.q, &mut step);
                    step.as_ref()[i]
                }
            },
            Part::Velocity(i) => x.v.as_ref()[i],
            Part::State(i) => x.z.as_ref()[i],
        }
    }
}

/// The size of the coordinates.
fn size<S: Solvable<Real = f64>>(x: &State<S>) -> f64 {
    x.q.as_ref().iter().fold(LEAST, |most, q| q.abs().max(most))
}

/// Coordinates with rotations that no axis is special for.
fn turned<S: Solvable<Real = f64>>(system: &S, x: &State<S>) -> S::Q {
    let mut step = S::V::zeros(system.layout().v.len());
    step.as_mut().iter_mut().enumerate().for_each(|(i, step)| *step = 0.3 + 0.2 * (i % 3) as f64);
    let mut q = x.q.clone();
    system.retract(&x.q, &step, &mut q);
    q
}

/// Marks the entries of q that a direction moves: from where no axis is special, those of a whole rotation.
fn keep_moved<S: Solvable<Real = f64>>(system: &S, turned: &S::Q, direction: usize, kept: &mut [bool]) {
    let mut further = turned.clone();
    move_along(system, &mut further, direction, 0.5);
    for ((kept, before), after) in kept.iter_mut().zip(turned.as_ref()).zip(further.as_ref()) {
        *kept |= before != after;
    }
}

/// q ⊕ a step along one direction.
fn move_along<S: Solvable<Real = f64>>(system: &S, q: &mut S::Q, direction: usize, by: f64) {
    let mut step = S::V::zeros(system.layout().v.len());
    step.as_mut()[direction] = by;
    let from = q.clone();
    system.retract(&from, &step, q);
}

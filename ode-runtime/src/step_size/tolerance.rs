//! What error a step may have, entry by entry.

use crate::error::unknown::{UnknownName, asks_for};
use crate::error::{Cause, Name, Quantity, StepLimit};
use crate::model::layout::Layout;
use crate::model::state::State;
use crate::model::system::System;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Estimate;
use crate::step_size::norms::{Sum, largest, largest_share};

/// How the errors of all entries become one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Norm {
    /// the largest, as in Simbody
    #[default]
    Max,
    /// the root of the mean of squares, as in SUNDIALS and in Hairer's codes
    Rms,
}

/// The error allowed in one entry: `absolute` + `relative` · |value at the beginning of the step|.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound<T> {
    /// the part that goes with the value
    pub relative: T,
    /// the absolute part, in the unit of the entry
    pub absolute: T,
}

impl<T: Real> Bound<T> {
    /// An error that does not depend on the value.
    pub fn absolute(absolute: T) -> Self {
        Self { relative: T::ZERO, absolute }
    }

    fn at(&self, magnitude: T) -> T {
        self.absolute + self.relative * magnitude
    }

    fn check(&self) -> Result<(), Cause> {
        for (setting, value, low) in [("accuracy", self.absolute, false), ("relative accuracy", self.relative, true)] {
            if !(value > T::ZERO || low && value == T::ZERO) || !value.is_finite() {
                return Err(Cause::Invalid { setting, value: value.to_f64() });
            }
        }
        Ok(())
    }
}

/// Bounds of the errors of q, v and z, and the norm that combines them.
///
/// Errors of q are steps in tangent coordinates. For a rotation the relative part refers to 1.
#[derive(Clone, Debug)]
pub struct Tolerance<S: System> {
    /// how they are joined
    pub norm: Norm,
    all: Bound<S::Real>,
    each: Option<Each<S>>,
}

/// A bound for each entry.
#[derive(Clone, Debug)]
struct Each<S: System> {
    relative: Estimate<S>,
    absolute: Estimate<S>,
}

/// Which entries of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entries {
    /// q
    Positions,
    /// v
    Velocities,
    /// z
    States,
}

/// The place of the largest error, before it has a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worst<T> {
    /// the norm of all errors and its limit; 1 for errors relative to their bounds
    size: T,
    allowed: T,
    /// index of the entry, those of q before those of v and of z: a number without padding is passed in registers
    index: usize,
}

impl<T: Real> Worst<T> {
    /// Whether it is allowed; NaN is not.
    pub(crate) fn passes(&self) -> bool {
        self.size <= self.allowed
    }

    /// Whether the tolerance is at least `low` times the error, and less than `high` times.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn within(&self, [low, high]: [T; 2]) -> bool {
        self.allowed >= low * self.size && self.allowed < high * self.size
    }

    /// Whether the error is zero, so that it tells nothing about the step.
    pub(crate) fn vanishes(&self) -> bool {
        self.size == T::ZERO
    }

    /// As a multiple of the tolerance.
    pub(crate) fn over(&self) -> T {
        self.size / self.allowed
    }

    /// The tolerance as a multiple of the error: one division, as in Simbody, so that steps agree with Simbody's to the
    /// bit.
    pub(crate) fn room(&self) -> T {
        self.allowed / self.size
    }

    pub(crate) fn named(&self, layout: &Layout<'_>) -> StepLimit {
        let (nv, index) = (layout.v.len(), self.index);
        let (quantity, names, index) = match index / nv.max(1) {
            0 if nv > 0 => (Quantity::Coordinate, layout.directions, index),
            1 if nv > 0 => (Quantity::Velocity, layout.v, index - nv),
            _ => (Quantity::State, layout.z, index - 2 * nv),
        };
        StepLimit { quantity, name: Name::of(names, index), error: self.over().to_f64() }
    }
}

impl<S: System<Real: Real>> Tolerance<S> {
    /// The same bound for every entry.
    pub fn new(all: Bound<S::Real>) -> Self {
        Self { norm: Norm::Max, all, each: None }
    }

    /// The same with this norm.
    pub fn norm(mut self, norm: Norm) -> Self {
        self.norm = norm;
        self
    }

    /// Another bound for the entries of a block.
    pub fn block(mut self, system: &S, entries: Entries, bound: Bound<S::Real>) -> Self {
        let Each { relative, absolute } = self.every(system);
        for (values, value) in [(relative, bound.relative), (absolute, bound.absolute)] {
            part(values, entries).fill(value);
        }
        self
    }

    /// A bound for one entry: a coordinate, a state, or a velocity by its own name or as `der(x)`. The bound of a
    /// coordinate does not apply to its velocity.
    ///
    /// The name of a vector means all its parts. A rotation has no bound by name; its velocity has.
    ///
    /// # Errors
    /// [`UnknownName`] where the model has no such entry.
    pub fn entry(mut self, system: &S, name: &str, bound: Bound<S::Real>) -> Result<Self, UnknownName> {
        let layout = system.layout();
        let Each { relative, absolute } = self.every(system);
        let mut found = false;
        for (entries, names) in
            [(Entries::Positions, layout.directions), (Entries::Velocities, layout.v), (Entries::States, layout.z)]
        {
            for (i, &other) in names.iter().enumerate() {
                let meant = match entries {
                    // directions of a rotation bear names of velocities
                    Entries::Positions => asks_for(name, other) && layout.q.contains(&other),
                    Entries::Velocities => layout.names_velocity(name, i),
                    Entries::States => asks_for(name, other),
                };
                for (values, value) in [(&mut *relative, bound.relative), (&mut *absolute, bound.absolute)] {
                    if let Some(slot) = part(values, entries).get_mut(i).filter(|_| meant) {
                        (*slot, found) = (value, true);
                    }
                }
            }
        }
        let names = layout.q.iter().chain(layout.v).chain(layout.z);
        if found { Ok(self) } else { Err(UnknownName::new("coordinate, velocity or state", name, names.copied())) }
    }

    /// The bounds of each entry; created from the common bound if there are none yet.
    fn every(&mut self, system: &S) -> &mut Each<S> {
        let all = self.all;
        self.each.get_or_insert_with(|| {
            let filled = |value| {
                let mut each = Estimate::zeros(system);
                for entries in [Entries::Positions, Entries::Velocities, Entries::States] {
                    part(&mut each, entries).fill(value);
                }
                each
            };
            Each { relative: filled(all.relative), absolute: filled(all.absolute) }
        })
    }

    pub(crate) fn check(&self) -> Result<(), Cause> {
        let Some(Each { relative, absolute }) = &self.each else { return self.all.check() };
        let blocks = [
            (relative.q.as_ref(), absolute.q.as_ref()),
            (relative.v.as_ref(), absolute.v.as_ref()),
            (relative.z.as_ref(), absolute.z.as_ref()),
        ];
        let mut bounds = blocks.iter().flat_map(|(relative, absolute)| relative.iter().zip(*absolute));
        bounds.try_for_each(|(&relative, &absolute)| Bound { relative, absolute }.check())
    }

    /// The errors relative to their bounds at `x`, where the step begins.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn measure(&self, system: &S, x: &State<S>, error: &Estimate<S>) -> Worst<S::Real> {
        let alike = self.each.is_none() && self.all.relative == S::Real::ZERO && self.norm == Norm::Max;
        let (size, index) =
            if alike { largest(blocks(error).map(|(_, errors)| errors)) } else { self.weigh(system, x, error) };
        let allowed = if alike { self.all.absolute } else { S::Real::ONE };
        Worst { size, allowed, index }
    }

    /// The norm of errors relative to their bounds, and the index of the largest.
    #[inline(never)]
    fn weigh(&self, system: &S, x: &State<S>, error: &Estimate<S>) -> (S::Real, usize) {
        // coordinates with as many directions are their values
        let alike = self.each.is_none() && self.norm == Norm::Max && !S::Real::SEVERAL;
        if alike && error.q.as_ref().len() == x.q.as_ref().len() {
            let values = [x.q.as_ref(), x.v.as_ref(), x.z.as_ref()];
            if let Some(found) =
                largest_share(blocks(error).map(|(_, errors)| errors), values, |value| self.all.at(value.abs()))
            {
                return found;
            }
        }
        let mut sum = Sum::<S::Real>::NONE;
        for (entries, errors) in blocks(error) {
            let bounds = Bounds { tolerance: self, layout: &system.layout(), x, entries };
            errors.iter().enumerate().for_each(|(i, error)| sum.add(error.abs() / bounds.of(i)));
        }
        let size = match self.norm {
            Norm::Max => sum.largest,
            Norm::Rms => (sum.squares / S::Real::from_f64(sum.count.max(1) as f64)).sqrt(),
        };
        (size, sum.at)
    }

    /// The norm of a vector like the state `x`, measured with the bounds at it.
    pub(crate) fn size(&self, system: &S, x: &State<S>, vector: &Estimate<S>) -> S::Real {
        self.measure(system, x, vector).over()
    }

    /// |values| of `x` in the shape of an error.
    pub(crate) fn magnitudes(system: &S, x: &State<S>, out: &mut Estimate<S>) {
        let layout = system.layout();
        for (i, q) in out.q.as_mut().iter_mut().enumerate() {
            *q = magnitude(&layout, x, Entries::Positions, i);
        }
        for (to, v) in out.v.as_mut().iter_mut().zip(x.v.as_ref()) {
            *to = v.abs();
        }
        for (to, z) in out.z.as_mut().iter_mut().zip(x.z.as_ref()) {
            *to = z.abs();
        }
    }
}

fn blocks<S: System>(error: &Estimate<S>) -> [(Entries, &[S::Real]); 3] {
    [
        (Entries::Positions, error.q.as_ref()),
        (Entries::Velocities, error.v.as_ref()),
        (Entries::States, error.z.as_ref()),
    ]
}

/// Bounds of the entries of a block at a state.
struct Bounds<'a, S: System> {
    tolerance: &'a Tolerance<S>,
    layout: &'a Layout<'a>,
    x: &'a State<S>,
    entries: Entries,
}

impl<S: System<Real: Real>> Bounds<'_, S> {
    fn of(&self, i: usize) -> S::Real {
        let of = |each: &Estimate<S>| -> Option<S::Real> {
            let values = match self.entries {
                Entries::Positions => each.q.as_ref(),
                Entries::Velocities => each.v.as_ref(),
                Entries::States => each.z.as_ref(),
            };
            values.get(i).copied()
        };
        let Bound { relative, absolute } = self.tolerance.all;
        let (relative, absolute) = match &self.tolerance.each {
            None => (relative, absolute),
            Some(each) => (of(&each.relative).unwrap_or(relative), of(&each.absolute).unwrap_or(absolute)),
        };
        if relative == S::Real::ZERO {
            return absolute;
        }
        absolute + relative * magnitude(self.layout, self.x, self.entries, i)
    }
}

/// |value| of an entry; 1 for a rotation.
fn magnitude<S: System<Real: Real>>(layout: &Layout<'_>, x: &State<S>, entries: Entries, i: usize) -> S::Real {
    let value = |values: &[S::Real], i: usize| values.get(i).map_or(S::Real::ONE, |value| value.abs());
    match entries {
        Entries::Velocities => value(x.v.as_ref(), i),
        Entries::States => value(x.z.as_ref(), i),
        Entries::Positions if layout.q.len() == layout.v.len() => value(x.q.as_ref(), i),
        Entries::Positions => {
            let own = layout.directions.get(i).and_then(|name| layout.q.iter().position(|other| other == name));
            own.map_or(S::Real::ONE, |own| value(x.q.as_ref(), own))
        }
    }
}

fn part<S: System>(values: &mut Estimate<S>, entries: Entries) -> &mut [S::Real] {
    match entries {
        Entries::Positions => values.q.as_mut(),
        Entries::Velocities => values.v.as_mut(),
        Entries::States => values.z.as_mut(),
    }
}

//! What variations become at an event: saltation.
//!
//! An event happens where its guard is zero, g(x, t) = 0. If the state before it varies by δx, so does its time, and
//! the state just after it, seen at the time of the nominal event:
//!
//! ```text
//! δt = −(g_x δx + g_t δt₀ + g_p δp) / ġ
//! δx⁺ = R′ (δx + ẋ⁻ δt) − ẋ⁺ δt
//! ```
//!
//! R is the reset with what completes it: the projection of positions, if it assigns any, and of velocities back onto
//! the constraints. Both are differentiated where they were solved, M and G included (`landing.rs`). A step that ends
//! just after the crossing is part of the motion, with its size held.

use core::fmt;

use crate::error::{Cause, Name, Quantity};
use crate::model::layout::{Block, Crossing, Layout, Pattern};
use crate::model::rotations::enter;
use crate::model::sensitive::{Changed, Sensitive};
use crate::model::state::{State, copy, finite};
use crate::model::system::{At, Rates, Reset};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::add;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::columns::Columns;
use crate::variation::controls::{Controls, vary_inputs};
use crate::variation::direction::{Direction, Seed};
use crate::variation::forward::{ForwardMode, StateColumns};
use crate::variation::landing::{Landing, ResetColumns};
use crate::variation::motion::LinearMotion;
use crate::variation::rows::entry;

/// An event as it happened in a run.
#[derive(Debug)]
pub struct Transition<'a, S: Solvable> {
    /// its index in [`Layout::events`](crate::Layout::events)
    pub event: usize,
    /// the allowed error of its time: other guards that cross within it happen together with it
    pub within: S::Real,
    /// the largest magnitude that its guard has had: the size to which round-off of the guard is relative
    pub size: S::Real,
    /// the state before it
    pub before: &'a State<S>,
    /// the state after it, with its a and ż
    pub after: &'a State<S>,
}

/// Storage for variations through events.
pub struct Saltation<S: Solvable + Sensitive> {
    motion: LinearMotion<S>,
    landing: Landing<S>,
    states: S::EventPartials,
    parameters: S::EventPartialsByParameter,
    direction: Direction<S>,
    /// rates that belong to the state before; also room
    solved: (S::V, S::Z, S::L),
    guards: (S::Guards, S::Guards),
}

impl<S: Solvable + Sensitive> fmt::Debug for Saltation<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Saltation").finish_non_exhaustive()
    }
}

impl<S: Solvable + Sensitive> Saltation<S> {
    /// Storage in the shape of `system`.
    pub fn new(system: &S) -> Self {
        let (layout, patterns) = (system.layout(), system.partial_patterns());
        let guards = || S::Guards::zeros(layout.events.len());
        Self {
            motion: LinearMotion::new(system),
            landing: Landing::new(system),
            states: Block::zeros(patterns.events.nnz()),
            parameters: Block::zeros(patterns.events_by_parameter.nnz()),
            direction: Direction::zeros(system),
            solved: (
                Block::zeros(layout.v.len()),
                Block::zeros(layout.z.len()),
                Block::zeros(layout.constraints.len()),
            ),
            guards: (guards(), guards()),
        }
    }

    /// Takes variations of the state before an event to those of the state after it, and returns those of its time.
    /// Rates, multipliers and algebraic variables follow from the state: [`settle`](crate::integrators::settle).
    ///
    /// # Errors
    /// [`Cause::Grazing`] if the guard only touches zero; [`Cause::Simultaneous`] if other events happen at the same
    /// time, whose order would decide; [`Cause::VaryingMode`] if a mode becomes a number that varies;
    /// [`Cause::CarriedFrame`] if the event puts a point of the sphere off its constraints; why the model cannot be
    /// evaluated or projected.
    pub fn apply<K: Columns, U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        of: &Transition<'_, S>,
        chain: &ForwardMode<S, K>,
        at: &mut StateColumns<S, K>,
    ) -> Result<K::Of<S::Real>, Cause> {
        chain.largest().check(cx.system, cx.inputs)?;
        self.motion.evaluate(cx, of.before.moment(), chain.largest().parameter.is_some())?;
        let rate = self.crossing(cx, of)?;
        let mut delays = chain.columns().each(S::Real::ZERO);
        for (k, seed) in chain.seeds().iter().enumerate() {
            let (Some(column), Some(delay)) = (at.column(k), delays.as_mut().get_mut(k)) else { continue };
            *delay = self.happen(cx, of, rate, seed, column)?;
        }
        let (q, v) = (at.q.clone(), at.v.clone());
        let reset = ResetColumns { q: q.as_ref(), v: v.as_ref(), seeds: chain.seeds(), delays: delays.as_ref() };
        self.landing.land(cx, (of.event, of.before), &reset, (at.q.as_mut(), at.v.as_mut()))?;
        self.alone(cx.system, of)?;
        let layout = cx.system.layout();
        for (k, &delay) in delays.as_ref().iter().enumerate() {
            let Some((q, v, z)) = at.column(k) else { continue };
            add(q.as_mut(), -delay, of.after.v.as_ref());
            add(v.as_mut(), -delay, of.after.a.as_ref());
            add(z.as_mut(), -delay, of.after.zdot.as_ref());
            finite(q.as_ref(), Quantity::Derivative, layout.directions)?;
            finite(v.as_ref(), Quantity::Derivative, layout.v)?;
            finite(z.as_ref(), Quantity::Derivative, layout.z)?;
        }
        Ok(delays)
    }

    /// The rate of the guard; with the derivatives at the event, and the state after its reset.
    fn crossing<U: Controls<S>>(&mut self, cx: &Context<'_, S, U>, of: &Transition<'_, S>) -> Result<S::Real, Cause> {
        let (system, layout) = (cx.system, cx.system.layout());
        let at = self.motion.at(&layout, of.before.moment());
        let rates = Rates { a: &self.motion.a, zdot: &self.motion.zdot, lambda: &self.motion.lambda };
        let (guards, slopes) = &mut self.guards;
        system.guards(at, guards);
        system.guard_rates(at, rates, slopes);
        system.event_partials(at, &mut self.states, &mut self.parameters);
        self.landing.reset.copy_from(of.before);
        let State { q, v, z, modes, .. } = &mut self.landing.reset;
        system.reset(of.event, at, Reset { q, v, z, modes });
        enter(system, self.landing.reset.q.as_mut())?;
        let name = |i: usize| Name::new(layout.events.get(i).map_or("", |event| event.name));
        let numbers = self.guards.0.as_ref().iter().zip(self.guards.1.as_ref());
        for (i, (event, (&guard, &rate))) in layout.events.iter().zip(numbers).enumerate() {
            let crosses = match event.crossing {
                Crossing::Falling => rate < S::Real::ZERO,
                Crossing::Rising => rate > S::Real::ZERO,
                Crossing::Either => rate != S::Real::ZERO,
            };
            if i != of.event && crosses && guard.abs() <= rate.abs() * of.within {
                return Err(Cause::Simultaneous { event: name(of.event), other: name(i) });
            }
        }
        let rate = self.guards.1.as_ref().get(of.event).copied().unwrap_or(S::Real::ZERO);
        if !rate.is_finite() {
            return Err(Cause::NonFinite { quantity: Quantity::Guard, name: name(of.event) });
        }
        if self.grazes(cx, of, rate)? {
            return Err(Cause::Grazing { event: name(of.event), rate: rate.to_f64() });
        }
        Ok(rate)
    }

    /// Whether the rate of a guard is zero to round-off: below that of its terms, or on a guard that touches zero like
    /// a parabola. Then the rate changes by as much as itself in the time for which round-off of the guard, and of what
    /// it reads, leaves its sign open. Both are ratios of rates, whatever the units of the guard and of time.
    fn grazes<U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        of: &Transition<'_, S>,
        rate: S::Real,
    ) -> Result<bool, Cause> {
        let (system, layout, before) = (cx.system, cx.system.layout(), of.before);
        let (first_order, at) = (layout.first_order(), before.moment());
        let d = &mut self.direction;
        copy(if first_order { &self.motion.a } else { &before.v }, &mut d.q);
        copy(&self.motion.a, &mut d.v);
        copy(&self.motion.zdot, &mut d.z);
        (d.t, d.parameter) = (S::Real::ONE, None);
        d.u.as_mut().fill(S::Real::ZERO);
        vary_inputs(cx.inputs, (system, at), None, d);
        let (a, zdot, lambda) = &mut self.solved;
        self.motion.along(system, d, a, zdot, lambda)?;
        if first_order {
            copy(a, &mut d.v);
        }
        let now = self.motion.at(&layout, at);
        let read = [before.q.as_ref(), now.v.as_ref(), now.z.as_ref(), now.u.as_ref(), &[now.t]];
        let rates = [d.q.as_ref(), d.v.as_ref(), d.z.as_ref(), d.u.as_ref(), &[d.t]];
        let slopes = (system.partial_patterns().events, self.states.as_ref());
        let [terms, depth] = weigh(&layout, slopes, (of.event, of.size), read, rates);
        let hundred = S::Real::from_f64(100.0) * S::Real::EPSILON;
        if rate.abs() <= hundred * terms {
            return Ok(true);
        }
        let earlier = -hundred * depth / rate.abs();
        let moved = |x: &[S::Real], rates: &[S::Real], to: &mut [S::Real]| moved(earlier, x, rates, to);
        let State { q, v, z, .. } = &mut self.landing.landed;
        let mut u = now.u.clone();
        moved(now.v.as_ref(), d.v.as_ref(), v.as_mut());
        moved(now.z.as_ref(), d.z.as_ref(), z.as_mut());
        moved(now.u.as_ref(), d.u.as_ref(), u.as_mut());
        for x in d.q.as_mut() {
            *x *= earlier;
        }
        system.retract(&before.q, &d.q, q);
        let changes = (a.clone(), zdot.clone(), lambda.clone());
        moved(self.motion.a.as_ref(), changes.0.as_ref(), a.as_mut());
        moved(self.motion.zdot.as_ref(), changes.1.as_ref(), zdot.as_mut());
        moved(self.motion.lambda.as_ref(), changes.2.as_ref(), lambda.as_mut());
        let mut slopes = self.guards.1.clone();
        let then = At { t: now.t + earlier, q, v, z, u: &u, modes: now.modes };
        system.guard_rates(then, Rates { a, zdot, lambda }, &mut slopes);
        let change = slopes.as_ref().get(of.event).map_or(S::Real::ZERO, |&then| (then - rate).abs());
        // written so that NaN grazes
        Ok(!(change < rate.abs()))
    }

    /// A column at the time of the event, through the reset; returns how much later the event is.
    fn happen<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        of: &Transition<'_, S>,
        rate: S::Real,
        seed: &Seed<S::Real>,
        (q, v, z): (&mut S::V, &mut S::V, &mut S::Z),
    ) -> Result<S::Real, Cause> {
        let (system, layout) = (cx.system, cx.system.layout());
        let first_order = layout.first_order();
        let d = &mut self.direction;
        d.aim(seed, (q, v, z));
        d.u.as_mut().fill(S::Real::ZERO);
        let rows = Rows { system, states: self.states.as_ref(), parameters: self.parameters.as_ref() };
        let delay = -rows.row(d, of.event) / rate;
        let (a, moving) = (&self.motion.a, if first_order { &self.motion.a } else { &of.before.v });
        add(d.q.as_mut(), delay, moving.as_ref());
        if !first_order {
            add(d.v.as_mut(), delay, a.as_ref());
        }
        add(d.z.as_mut(), delay, self.motion.zdot.as_ref());
        d.t += delay;
        vary_inputs(cx.inputs, (system, of.before.moment()), seed.input, d);
        let (a, zdot, lambda) = &mut self.solved;
        self.motion.along(system, d, a, zdot, lambda)?;
        if first_order {
            copy(a, &mut d.v);
        }
        copy(&d.q, q);
        copy(&d.v, v);
        copy(&d.z, z);
        let own = system.changes().iter().enumerate().filter(|(_, change)| change.event == of.event);
        for (row, change) in own {
            let value = rows.row(&self.direction, layout.events.len() + row);
            let (block, i) = match change.of {
                Changed::Position(i) => (q.as_mut(), i),
                Changed::Velocity(i) => (v.as_mut(), i),
                Changed::State(i) => (z.as_mut(), i),
                Changed::Mode(i) if value != S::Real::ZERO => {
                    let event = Name::new(layout.events.get(of.event).map_or("", |event| event.name));
                    return Err(Cause::VaryingMode { event, mode: Name::of(layout.modes, i) });
                }
                Changed::Mode(_) => continue,
            };
            if let Some(entry) = block.get_mut(i) {
                *entry = value;
            }
        }
        Ok(delay)
    }

    /// Refuses a state after the event that is not that of this event alone.
    fn alone(&self, system: &S, of: &Transition<'_, S>) -> Result<(), Cause> {
        let (layout, landed, after) = (system.layout(), &self.landing.landed, of.after);
        // without constraints both are equal; a projection ends where its tolerance lets it
        let within = S::Real::from_f64(1e-3) * S::Real::EPSILON.sqrt().sqrt();
        let near = |x: &[S::Real], y: &[S::Real]| {
            x.iter().zip(y).all(|(&x, &y)| (x - y).abs() <= within * (S::Real::ONE + y.abs()))
        };
        let states = layout.differential();
        let same = near(landed.q.as_ref(), after.q.as_ref())
            && (layout.first_order() || near(landed.v.as_ref(), after.v.as_ref()))
            && landed.z.as_ref().get(..states) == after.z.as_ref().get(..states)
            && landed.modes == after.modes;
        if same {
            return Ok(());
        }
        let name = |i: usize| Name::new(layout.events.get(i).map_or("", |event| event.name));
        // the guard that has crossed because of it
        let (mut guards, before) = (self.guards.1.clone(), self.guards.0.as_ref());
        system.guards(landed.at(self.motion.inputs()), &mut guards);
        let jumped = |&(i, (&from, &to)): &(usize, (&S::Real, &S::Real))| i != of.event && from * to <= S::Real::ZERO;
        let other = before.iter().zip(guards.as_ref()).enumerate().find(jumped).map_or(of.event, |(i, _)| i);
        Err(Cause::Simultaneous { event: name(of.event), other: name(other) })
    }
}

/// The derivatives of guards and changes.
struct Rows<'a, S: Sensitive> {
    system: &'a S,
    states: &'a [S::Real],
    parameters: &'a [S::Real],
}

impl<S: Sensitive> Rows<'_, S> {
    /// What a row changes by along a direction.
    fn row(&self, d: &Direction<S>, row: usize) -> S::Real {
        let patterns = self.system.partial_patterns();
        let by = [d.q.as_ref(), d.v.as_ref(), d.z.as_ref(), d.u.as_ref(), &[d.t]];
        let states = product(patterns.events, self.states, row, by);
        plus(states, patterns.events_by_parameter, self.parameters, (row, d.parameter))
    }
}

// What follows knows no model, so it is compiled once.

/// A row of a matrix by the numbers of these blocks.
fn product<T: Scalar>(pattern: Pattern<'_>, values: &[T], row: usize, by: [&[T]; 5]) -> T {
    let by = |mut column: usize| {
        for block in by {
            match block.get(column) {
                Some(&x) => return x,
                None => column -= block.len(),
            }
        }
        T::ZERO
    };
    let own = pattern.entries().zip(values).filter(|((r, _), _)| *r == row);
    own.fold(T::ZERO, |sum, ((_, c), &value)| sum + value * by(c))
}

/// A sum and the entry of a matrix in a row and in a column, if there is one.
fn plus<T: Scalar>(sum: T, pattern: Pattern<'_>, values: &[T], (row, column): (usize, Option<usize>)) -> T {
    let own = pattern.entries().zip(values).filter(|((r, c), _)| *r == row && Some(*c) == column);
    own.fold(sum, |sum, (_, &value)| sum + value)
}

/// The magnitudes of the terms of a guard's rate, and of what its value is made of: its size where it was located, and
/// slopes times what the guard may `read`, (q, v, z, u, t).
fn weigh<T: Real>(
    layout: &Layout<'_>,
    (pattern, values): (Pattern<'_>, &[T]),
    (event, size): (usize, T),
    read: [&[T]; 5],
    rates: [&[T]; 5],
) -> [T; 2] {
    // entries of rotations are at most 1
    let q = layout.directions.iter().map(|name| layout.q.iter().position(|own| own == name));
    let [positions, rest @ ..] = read;
    let q = q.map(|place| place.and_then(|i| positions.get(i)).copied().unwrap_or(T::ONE));
    let read = q.chain(rest.into_iter().flatten().copied());
    let rates = rates.into_iter().flatten().copied();
    let (mut terms, mut depth) = (T::ZERO, size.abs());
    for (column, (x, rate)) in read.zip(rates).enumerate() {
        let slope = entry(pattern, values, event, column).abs();
        terms += slope * rate.abs();
        depth += slope * x.abs();
    }
    [terms, depth]
}

/// to = x + time · rates
fn moved<T: Real>(time: T, x: &[T], rates: &[T], to: &mut [T]) {
    for (to, (&x, &rate)) in to.iter_mut().zip(x.iter().zip(rates)) {
        *to = x + time * rate;
    }
}

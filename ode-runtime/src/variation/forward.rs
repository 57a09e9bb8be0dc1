//! Variations carried forward, for all directions at once.

use core::fmt;

use crate::error::Cause;
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::{Moment, State, copy};
use crate::model::system::System;
use crate::numbers::scalar::Scalar;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{ProjectedBy, add};
use crate::variation::chain::{Chain, Ending, Found, Increment, Moved, RateVariation, Solved, Varied};
use crate::variation::charts;
use crate::variation::columns::{Columns, added, combined, scaled};
use crate::variation::controls::Controls;
use crate::variation::direction::{Direction, Seed};
use crate::variation::ending::LinearEnding;
use crate::variation::largest::Largest;
use crate::variation::momenta::{Forces, HeldRows, Momentum};
use crate::variation::motion::LinearMotion;
use crate::variation::projection::{LinearIteration, iterations};
use crate::variation::projection_step::Along;
use crate::variation::rows::Places;
#[cfg(feature = "std")]
use crate::variation::unknowns::{Factorization, Unknowns};

/// The variations of a state along several directions.
pub type StateColumns<S, K> = Varied<<K as Columns>::Of<<S as System>::V>, <K as Columns>::Of<<S as System>::Z>>;

/// The variations of a step along several directions.
pub struct ForwardMode<S: Solvable + Sensitive, K: Columns> {
    columns: K,
    pub(super) seeds: K::Of<Seed<S::Real>>,
    largest: Largest,
    pub(super) motion: LinearMotion<S>,
    projection: LinearIteration<S>,
    pub(super) ending: LinearEnding<S>,
    rows: S::Rows,
    pub(super) direction: Direction<S>,
}

impl<S: Solvable + Sensitive, K: Columns> fmt::Debug for ForwardMode<S, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ForwardMode").field("seeds", &self.seeds).finish_non_exhaustive()
    }
}

impl<S: Solvable + Sensitive, K: Columns> ForwardMode<S, K> {
    /// Room for directions with these seeds. A parameter or a number of the inputs that does not exist is refused where
    /// it is first used: [`Cause::NoParameter`], [`Cause::NoInput`].
    pub fn new(system: &S, columns: K, seeds: K::Of<Seed<S::Real>>) -> Self {
        let patterns = system.partial_patterns();
        let largest = Largest::of(seeds.as_ref());
        Self {
            largest,
            columns,
            seeds,
            motion: LinearMotion::new(system),
            projection: LinearIteration::new(system, largest.parameter.is_some()),
            ending: LinearEnding::new(system),
            rows: Block::zeros(patterns.states.rows),
            direction: Direction::zeros(system),
        }
    }

    /// What the directions change beside the state.
    pub(super) fn largest(&self) -> Largest {
        self.largest
    }

    /// Room for one of each direction.
    pub(super) fn columns(&self) -> &K {
        &self.columns
    }

    /// What the directions change beside the state.
    pub fn seeds(&self) -> &[Seed<S::Real>] {
        self.seeds.as_ref()
    }

    /// Variations of velocities, all zero.
    pub fn zeros_v(&self, system: &S) -> K::Of<S::V> {
        self.columns.each(Block::zeros(system.layout().v.len()))
    }

    /// Variations of first-order states, all zero.
    pub fn zeros_z(&self, system: &S) -> K::Of<S::Z> {
        self.columns.each(Block::zeros(system.layout().z.len()))
    }

    /// Columns of a state, all zero.
    pub fn zeros(&self, system: &S) -> StateColumns<S, K> {
        Varied { q: self.zeros_v(system), v: self.zeros_v(system), z: self.zeros_z(system) }
    }

    pub(super) fn zeros_l(&self, system: &S) -> K::Of<S::L> {
        self.columns.each(Block::zeros(system.layout().constraints.len()))
    }
}

impl<S: Solvable + Sensitive, K: Columns> Chain<S> for ForwardMode<S, K> {
    type V = K::Of<S::V>;
    type Z = K::Of<S::Z>;
    type L = K::Of<S::L>;

    fn scale(&mut self, s: S::Real, x: &Self::V) -> Self::V {
        let mut out = x.clone();
        scaled(s, out.as_mut());
        out
    }

    fn add(&mut self, y: &mut Self::V, s: S::Real, x: &Self::V) {
        added(y.as_mut(), s, x.as_ref());
    }

    fn combine<const N: usize>(&mut self, (s, x): (S::Real, &Self::V), others: [(S::Real, &Self::V); N]) -> Self::V {
        let mut out = x.clone();
        combined(s, out.as_mut(), others.map(|(t, y)| (t, y.as_ref())));
        out
    }

    fn scale_z(&mut self, s: S::Real, x: &Self::Z) -> Self::Z {
        let mut out = x.clone();
        scaled(s, out.as_mut());
        out
    }

    fn add_z(&mut self, y: &mut Self::Z, s: S::Real, x: &Self::Z) {
        added(y.as_mut(), s, x.as_ref());
    }

    fn still(&mut self, system: &S, zdot: &mut Self::Z) {
        let layout = system.layout();
        zdot.as_mut().iter_mut().for_each(|zdot| layout.still(zdot.as_mut()));
    }

    fn retract(&mut self, system: &S, step: &S::V, q: &Self::V, by: &Self::V) -> Moved<Self::V> {
        if system.turnings().is_empty() {
            let mut q = q.clone();
            added(q.as_mut(), S::Real::ONE, by.as_ref());
            return Moved { q, spin: None };
        }
        let mut out = self.zeros_v(system);
        let mut spin = charts::spins(system).then(|| self.zeros_v(system));
        for (k, ((out, q), by)) in out.as_mut().iter_mut().zip(q.as_ref()).zip(by.as_ref()).enumerate() {
            let spin = spin.as_mut().and_then(|spin| spin.as_mut().get_mut(k));
            charts::retract(system, step, (q, by), out, spin);
        }
        Moved { q: out, spin }
    }

    fn align(&mut self, system: &S, s: S::Real, vector: &S::V, spin: &Option<Self::V>, x: &mut Self::V) {
        let Some(spin) = spin else { return };
        for (x, spin) in x.as_mut().iter_mut().zip(spin.as_ref()) {
            charts::align(system, s, vector, spin, x);
        }
    }

    fn local(&mut self, system: &S, at: (&S::Q, &S::Q, &S::V), from: &Self::V, to: &Self::V) -> Self::V {
        let mut out = self.zeros_v(system);
        for ((out, from), to) in out.as_mut().iter_mut().zip(from.as_ref()).zip(to.as_ref()) {
            charts::local(system, at, (from, to), out);
        }
        out
    }

    fn step_rate(&mut self, system: &S, at: (&S::V, &S::V), by: &Self::V, v: &Self::V) -> Self::V {
        let mut out = self.zeros_v(system);
        for ((out, by), v) in out.as_mut().iter_mut().zip(by.as_ref()).zip(v.as_ref()) {
            charts::step_rate(system, at, (by, v), out);
        }
        out
    }

    fn velocity_rate(
        &mut self,
        system: &S,
        at: (&S::V, &S::V, &S::V),
        (by, v): (&Self::V, &Self::V),
        mut a: Self::V,
    ) -> Self::V {
        for ((a, by), v) in a.as_mut().iter_mut().zip(by.as_ref()).zip(v.as_ref()) {
            charts::velocity_rate(system, at, (by, v), a);
        }
        a
    }

    fn motion<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        x: &mut Varied<Self::V, Self::Z>,
        found: Found<'_, S>,
    ) -> Result<RateVariation<S, Self>, Cause> {
        self.largest.check(cx.system, cx.inputs)?;
        let solved = match self.motions_at_once(cx, at, x) {
            Some(solved) => solved,
            None => {
                self.motion.evaluate(cx, at, self.by_parameters())?;
                self.motions(cx, at, x)?
            }
        };
        copy(&self.motion.a, found.a);
        copy(&self.motion.zdot, found.zdot);
        copy(&self.motion.lambda, found.lambda);
        Ok(solved)
    }

    fn unknown(&mut self, system: &S) -> RateVariation<S, Self> {
        Solved { a: self.zeros_v(system), zdot: self.zeros_z(system), lambda: self.zeros_l(system) }
    }

    fn ending<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Ending<'_, S>,
        x: (&Self::V, &Self::V, &Self::Z),
        rates: Option<&(Self::V, Self::Z)>,
        found: &mut RateVariation<S, Self>,
    ) -> Result<(), Cause> {
        self.largest.check(cx.system, cx.inputs)?;
        self.ending.linearize(cx, &at, self.by_parameters())?;
        self.ending.close(cx, &at)?;
        self.unknowns(cx, &at, (x, rates), found, |chain, lane, k| {
            if chain.aim_beside(cx, at.x.moment(), x, k) {
                chain.ending.put_beside(cx.system, lane, &chain.direction);
            }
        })
    }

    fn increment<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Increment<'_, S>,
        (x, lambda): (&Varied<Self::V, Self::Z>, &Self::L),
        rates: Option<&(Self::V, Self::Z)>,
        left_out: Option<&Self::L>,
        found: &mut RateVariation<S, Self>,
    ) -> Result<(), Cause> {
        let (system, pattern) = (cx.system, cx.system.partial_patterns().states);
        self.largest.check(system, cx.inputs)?;
        self.ending.linearize(cx, &at.at, self.by_parameters())?;
        let mut directions = self.columns.each(Direction::zeros(system));
        for (k, direction) in directions.as_mut().iter_mut().enumerate() {
            self.aim(cx, at.at.x.moment(), (&x.q, &x.v, &x.z), k);
            direction.clone_from(&self.direction);
        }
        let mut rows = self.columns.each(S::Rows::zeros(pattern.rows));
        let along = (directions.as_ref(), lambda.as_ref());
        at.along(system, (self.ending.inputs(), self.by_parameters()), along, rows.as_mut())?;
        let laws = Places::of(&system.layout()).laws();
        for (rows, left_out) in rows.as_mut().iter_mut().zip(left_out.iter().flat_map(|all| all.as_ref())) {
            add(rows.as_mut().get_mut(laws.clone()).unwrap_or_default(), -S::Real::ONE, left_out.as_ref());
        }
        let (v, z) = (self.zeros_v(system), self.zeros_z(system));
        self.unknowns(cx, &at.at, ((&x.q, &v, &z), rates), found, |chain, lane, k| {
            if let (Some(direction), Some(rows)) = (directions.as_ref().get(k), rows.as_ref().get(k)) {
                chain.ending.put_beside(system, lane, direction);
                chain.ending.add_rows(lane, 0, rows.as_ref());
            }
        })
    }

    fn project(
        &mut self,
        system: &S,
        made: &State<S>,
        by: &ProjectedBy<'_, S>,
        x: &mut Varied<Self::V, Self::Z>,
    ) -> Result<(), Cause> {
        self.largest.check_parameter(system)?;
        let first = x.q.clone();
        iterations(system, made, by, |made| {
            self.projection.take(system, made)?;
            for (k, seed) in self.seeds.as_ref().iter().enumerate() {
                let Some((q, v, _)) = x.column(k) else { continue };
                let d = &mut self.direction;
                copy(first.as_ref().get(k).filter(|_| !made.renewed()).unwrap_or(q), &mut d.q);
                let inertia = Along { q: &d.q, v: &d.v, t: seed.t, parameter: seed.parameter };
                self.projection.along(system, inertia, (q, v));
            }
            Ok(())
        })
    }

    fn by_parameters(&self) -> bool {
        self.largest.parameter.is_some()
    }

    fn no_multipliers(&mut self, system: &S) -> Self::L {
        self.zeros_l(system)
    }

    fn add_l(&mut self, y: &mut Self::L, s: S::Real, x: &Self::L) {
        added(y.as_mut(), s, x.as_ref());
    }

    fn forces<U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        at: &mut Forces<S>,
        x: &Varied<Self::V, Self::Z>,
    ) -> Result<(Self::V, Self::Z), Cause> {
        let system = cx.system;
        self.largest.check(system, cx.inputs)?;
        let (mut force, mut rates) = (self.zeros_v(system), self.zeros_z(system));
        for (k, (force, rates)) in force.as_mut().iter_mut().zip(rates.as_mut()).enumerate() {
            self.aim(cx, at.moment(), (&x.q, &x.v, &x.z), k);
            at.along(system, &mut self.direction, (force, rates))?;
        }
        Ok((force, rates))
    }

    fn momentum(
        &mut self,
        system: &S,
        at: &Momentum<S>,
        q: &Self::V,
        (x, impulse): (&Self::V, Option<&Self::L>),
    ) -> Self::V {
        let mut out = self.zeros_v(system);
        let columns = out.as_mut().iter_mut().zip(self.seeds.as_ref()).zip(q.as_ref()).zip(x.as_ref());
        for (k, (((out, seed), q), x)) in columns.enumerate() {
            let d = &mut self.direction;
            copy(q, &mut d.q);
            (d.t, d.parameter) = (seed.t, seed.parameter);
            at.along(system, d, (x, impulse.and_then(|l| l.as_ref().get(k))), &mut self.rows, out);
        }
        out
    }

    fn held(&mut self, system: &S, at: &HeldRows<S>, q: &Self::V, v: &Self::V) -> Self::L {
        let mut out = self.zeros_l(system);
        let columns = out.as_mut().iter_mut().zip(self.seeds.as_ref()).zip(q.as_ref()).zip(v.as_ref());
        for (((out, seed), q), v) in columns {
            let d = &mut self.direction;
            copy(q, &mut d.q);
            copy(v, &mut d.v);
            (d.t, d.parameter) = (seed.t, seed.parameter);
            at.along(system, d, &mut self.rows, out);
        }
        out
    }

    #[cfg(feature = "std")]
    fn solve(
        &mut self,
        system: &S,
        factors: &Factorization<S::Real>,
        mut rows: Unknowns<Self::V, Self::Z, Self::L>,
    ) -> Unknowns<Self::V, Self::Z, Self::L> {
        factors.solve(system, &mut rows);
        rows
    }
}

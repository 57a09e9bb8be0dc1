//! What the equations of states and of steps determine, for the directions of [`ForwardMode`] group by group.

use crate::error::Cause;
use crate::model::sensitive::Sensitive;
use crate::model::state::Moment;
use crate::model::system::System;
use crate::numbers::scalar::Scalar;
use crate::solve::add;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::abreast::groups;
use crate::variation::chain::{Chain, Ending, RateVariation, Solved};
use crate::variation::columns::{Columns, part, shown};
use crate::variation::controls::{Controls, vary_inputs};
use crate::variation::direction::{Direction, Seed};
use crate::variation::forward::{ForwardMode, StateColumns};
use crate::variation::motion::MotionColumns;

/// One of each direction.
type Of<K, C> = <K as Columns>::Of<C>;

/// δ(q, v, z) of all directions.
type Known<'a, S, K> = (&'a Of<K, <S as System>::V>, &'a Of<K, <S as System>::V>, &'a Of<K, <S as System>::Z>);
/// δ(a, ż) of all directions.
type KnownRates<S, K> = (Of<K, <S as System>::V>, Of<K, <S as System>::Z>);

impl<S: Solvable + Sensitive, K: Columns> ForwardMode<S, K> {
    /// Takes aim along direction k, of which `x` varies.
    pub(super) fn aim<U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        at: Moment<'_, S>,
        x: Known<'_, S, K>,
        k: usize,
    ) {
        let (known, d) = ((x.0.as_ref().get(k), x.1.as_ref().get(k), x.2.as_ref().get(k)), &mut self.direction);
        let (Some(seed), (Some(q), Some(v), Some(z))) = (self.seeds.as_ref().get(k), known) else { return };
        d.aim(seed, (q, v, z));
        vary_inputs(cx.inputs, (cx.system, at), seed.input, d);
    }

    /// The same where only what varies beside the state is read; false if nothing does.
    pub(super) fn aim_beside<U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        at: Moment<'_, S>,
        x: Known<'_, S, K>,
        k: usize,
    ) -> bool {
        if cx.inputs.depends_on_state() {
            self.aim(cx, at, x, k);
            return true;
        }
        let Some(seed) = self.seeds.as_ref().get(k).filter(|&&seed| seed != Seed::STATE) else { return false };
        (self.direction.t, self.direction.parameter) = (seed.t, seed.parameter);
        vary_inputs(cx.inputs, (cx.system, at), seed.input, &mut self.direction);
        true
    }

    /// a, ż and λ of a state by the model's own function for them and their derivatives, which takes a fraction of the
    /// time. None where the model has no such function, where directions change more than the state and inputs, and
    /// where they are fewer than its columns, of the state and, if inputs change, of these: it has no other room.
    pub(super) fn motions_at_once<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        x: &StateColumns<S, K>,
    ) -> Option<RateVariation<S, Self>> {
        let system = cx.system;
        let columns = MotionColumns::of(&system.layout(), 0);
        let states_alone = self.largest().input.is_none() && !cx.inputs.depends_on_state();
        let count = if states_alone { columns.states } else { columns.with_inputs };
        if !S::DIRECT || !self.largest().states_and_inputs() || self.seeds.as_ref().len() < count {
            return None;
        }
        let mut by = self.unknown(system);
        let columns = Solved {
            a: by.a.as_mut().get_mut(..count)?,
            zdot: by.zdot.as_mut().get_mut(..count)?,
            lambda: by.lambda.as_mut().get_mut(..count)?,
        };
        if !self.motion.straight(cx, at, columns) {
            return None;
        }
        if self.are_units(cx, at, x) {
            return Some(by);
        }
        let mut out = self.unknown(system);
        let Solved { a, zdot, lambda } = &mut out;
        let columns = a.as_mut().iter_mut().zip(zdot.as_mut()).zip(lambda.as_mut());
        for (k, ((a, zdot), lambda)) in columns.enumerate() {
            self.aim(cx, at, (&x.q, &x.v, &x.z), k);
            let Direction { q, v, z, u, .. } = &self.direction;
            let mut columns = by.a.as_ref().iter().zip(by.zdot.as_ref()).zip(by.lambda.as_ref());
            for changes in [q.as_ref(), v.as_ref(), z.as_ref(), u.as_ref()] {
                for (&s, ((by_a, by_zdot), by_lambda)) in changes.iter().zip(columns.by_ref()) {
                    if s != S::Real::ZERO {
                        add(a.as_mut(), s, by_a.as_ref());
                        add(zdot.as_mut(), s, by_zdot.as_ref());
                        add(lambda.as_mut(), s, by_lambda.as_ref());
                    }
                }
            }
        }
        Some(out)
    }

    /// Whether each direction changes one entry of (q, v, z), in turn, and then each input, if any, at rate 1: where a
    /// map of steps begins.
    fn are_units<U: Controls<S>>(&mut self, cx: &Context<'_, S, U>, at: Moment<'_, S>, x: &StateColumns<S, K>) -> bool {
        let layout = cx.system.layout();
        let (n, states) = (layout.v.len(), layout.state_directions());
        let counts = [states, states + layout.u.len()];
        if !counts.contains(&self.seeds.as_ref().len()) || cx.inputs.depends_on_state() {
            return false;
        }
        let unit = |column: &[S::Real], at: Option<usize>| {
            let one = at.and_then(|at| column.get(at));
            // counted without an early end, so that several are looked at together
            let changed = column.iter().fold(0, |count, &x| count + usize::from(x != S::Real::ZERO));
            changed == usize::from(one.is_some()) && one.is_none_or(|&one| one == S::Real::ONE)
        };
        let mut columns = x.q.as_ref().iter().zip(x.v.as_ref()).zip(x.z.as_ref()).enumerate();
        let units = columns.all(|(k, ((q, v), z))| {
            let [q_at, v_at, z_at] = [Some(k), k.checked_sub(n), k.checked_sub(2 * n)];
            unit(q.as_ref(), q_at) && unit(v.as_ref(), v_at) && unit(z.as_ref(), z_at)
        });
        let states_alone = self.seeds.as_ref().iter().take(states).all(|seed| seed.input.is_none());
        // numbers of inputs need not be the inputs themselves
        let mut inputs = 0..self.seeds.as_ref().len().saturating_sub(states);
        units
            && states_alone
            && inputs.all(|i| {
                self.aim(cx, at, (&x.q, &x.v, &x.z), states + i);
                unit(self.direction.u.as_ref(), Some(i))
            })
    }

    /// a, ż and λ of a state, linearised before. Algebraic variables are written to `x`.
    pub(super) fn motions<U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        at: Moment<'_, S>,
        x: &mut StateColumns<S, K>,
    ) -> Result<RateVariation<S, Self>, Cause> {
        let system = cx.system;
        let (mut a, mut zdot, mut lambda) = (self.zeros_v(system), self.zeros_z(system), self.zeros_l(system));
        for group in groups(self.seeds.as_ref().len()) {
            self.motion.begin((shown(&x.q, &group), shown(&x.v, &group), shown(&x.z, &group)));
            for (lane, k) in group.clone().enumerate() {
                if self.aim_beside(cx, at, (&x.q, &x.v, &x.z), k) {
                    self.motion.put_beside(system, lane, &self.direction);
                }
            }
            self.motion.solve(system, group.len())?;
            let (a, zdot, lambda) = (part(&mut a, &group), part(&mut zdot, &group), part(&mut lambda, &group));
            self.motion.read(system, Solved { a, zdot, lambda });
            if system.layout().algebraic > 0 {
                for (lane, z) in part(&mut x.z, &group).iter_mut().enumerate() {
                    self.motion.algebraic(system, lane, z);
                }
            }
        }
        Ok(Solved { a, zdot, lambda })
    }

    /// The unknowns of an implicit step's equations, linearised before: `x` and `rates` are what varies apart from
    /// them, `beside` adds what a direction changes beside the state, in its lane.
    pub(super) fn unknowns<U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        at: &Ending<'_, S>,
        ((q, v, z), rates): (Known<'_, S, K>, Option<&KnownRates<S, K>>),
        Solved { a, zdot, lambda }: &mut RateVariation<S, Self>,
        beside: impl Fn(&mut Self, usize, usize),
    ) -> Result<(), Cause> {
        let system = cx.system;
        for group in groups(self.seeds.as_ref().len()) {
            let rates = rates.map(|(a, zdot)| (shown(a, &group), shown(zdot, &group)));
            self.ending.begin(system, (shown(q, &group), shown(v, &group), shown(z, &group)), rates);
            group.clone().enumerate().for_each(|(lane, k)| beside(self, lane, k));
            self.ending.solve(cx, at, group.len())?;
            let (a, zdot, lambda) = (part(a, &group), part(zdot, &group), part(lambda, &group));
            self.ending.read(Solved { a, zdot, lambda });
        }
        Ok(())
    }
}

//! The parts of equations on momenta, linearised at their points.
//!
//! ```text
//! F = f + Ṁ v and g of (t, q, v, z)      δF = −∂r + ∂(Ṁ v), δg = −∂s at a = 0 and λ = 0
//! M x + Gᵀ λ of (t, q)                   ∂r at a = x and multipliers −λ, less ∂r at a = 0 and λ = 0
//! Φ, and G v + Φₜ or A v + b             rows of the constraints
//! ```
//!
//! r = M a − f − Gᵀ λ is affine in a and λ, so that the difference is that of M x + Gᵀ λ whatever f is. Compliant rows
//! are forces within f: their true multipliers follow from their laws.

use crate::error::{Cause, Level};
use crate::model::layout::{Block, RowKind};
use crate::model::sensitive::Sensitive;
use crate::model::state::{Moment, State, copy};
use crate::model::system::{At, Forward, Rates};
use crate::numbers::scalar::Scalar;
use crate::solve::add;
use crate::solve::algebraic::Algebraic;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::controls::Controls;
use crate::variation::direction::Direction;
use crate::variation::equations::Equations;
use crate::variation::jacobians::{Jacobians, by_column, by_parameter, infinite};
use crate::variation::rows::add_product;

/// F and g at a point.
#[derive(Debug)]
pub struct Forces<S: Solvable + Sensitive> {
    pub(super) point: State<S>,
    pub(super) u: S::U,
    force: S::V,
    equations: Equations<S>,
    pub(super) momenta: S::MomentumPartials,
    pub(super) momenta_by_parameter: S::MomentumPartialsByParameter,
    lambda: S::L,
}

impl<S: Solvable + Sensitive> Forces<S> {
    /// Those of a point, whose algebraic variables are solved for; `parameters` says whether a direction has one.
    ///
    /// # Errors
    /// Why the model cannot be evaluated there.
    pub fn at<U: Controls<S>>(cx: &mut Context<'_, S, U>, at: Moment<'_, S>, parameters: bool) -> Result<Self, Cause> {
        let (system, patterns) = (cx.system, cx.system.partial_patterns());
        let layout = system.layout();
        let mut new = Self {
            point: State::neutral(system),
            u: Block::zeros(layout.u.len()),
            force: Block::zeros(layout.v.len()),
            equations: Equations::new(system),
            momenta: Block::zeros(patterns.momenta.nnz()),
            momenta_by_parameter: Block::zeros(patterns.momenta_by_parameter.nnz()),
            lambda: Block::zeros(layout.constraints.len()),
        };
        let Self { point, u, force, equations, momenta, momenta_by_parameter, .. } = &mut new;
        cx.input(at, u)?;
        let mut algebraic = Algebraic::<S>::new(&layout);
        algebraic.solve(system, at, u, cx.work)?;
        take(point, Moment { z: &algebraic.z, ..at });
        let mut forward = Forward::zeros(&layout);
        system.forward(point.at(u), &mut forward);
        cx.work.evaluations += 1;
        copy(&forward.zdot, &mut point.zdot);
        layout.still(point.zdot.as_mut());
        for (row, (lambda, &gamma)) in point.lambda.as_mut().iter_mut().zip(forward.gamma.as_ref()).enumerate() {
            *lambda = if layout.kind(row) == RowKind::Compliant { -gamma } else { S::Real::ZERO };
        }
        equations.evaluate(system, point.at(u), point.rates(), parameters)?;
        system.momentum_rate(point.at(u), force);
        add(force.as_mut(), S::Real::ONE, forward.force.as_ref());
        system.momentum_partials(point.at(u), momenta);
        if parameters {
            system.momentum_partials_by_parameter(point.at(u), momenta_by_parameter);
        }
        let places = equations.jacobians.places;
        if let Some(column) = infinite(patterns.momenta, momenta.as_ref(), &|_, _| true) {
            // of (q, v, t)
            return Err(by_column(&layout, if column < places.a() { column } else { places.t() }));
        }
        match infinite(patterns.momenta_by_parameter, momenta_by_parameter.as_ref(), &|_, _| true) {
            Some(i) => Err(by_parameter(system, i)),
            None => Ok(new),
        }
    }

    /// F
    pub fn force(&self) -> &S::V {
        &self.force
    }

    /// v of the point
    pub fn velocity(&self) -> &S::V {
        &self.point.v
    }

    pub(super) fn moment(&self) -> Moment<'_, S> {
        self.point.moment()
    }

    /// δF and δg along a direction.
    pub(super) fn along(
        &mut self,
        system: &S,
        direction: &mut Direction<S>,
        (force, rates): (&mut S::V, &mut S::Z),
    ) -> Result<(), Cause> {
        let patterns = system.partial_patterns();
        let Self { equations, momenta, momenta_by_parameter, lambda, .. } = self;
        let places = equations.jacobians.places;
        equations.along(system, direction, lambda)?;
        let (force, nv) = (force.as_mut(), places.v());
        equations.abreast.read(0, 0, force);
        force.iter_mut().for_each(|force| *force = -*force);
        let groups: [(usize, &[S::Real]); 3] =
            [(0, direction.q.as_ref()), (nv, direction.v.as_ref()), (2 * nv, &[direction.t])];
        for (first, x) in groups {
            add_product(patterns.momenta, momenta.as_ref(), first, x, force);
        }
        if let Some(parameter) = direction.parameter {
            let values = momenta_by_parameter.as_ref();
            add_product(patterns.momenta_by_parameter, values, parameter, &[S::Real::ONE], force);
        }
        equations.abreast.read(0, places.s().start, rates.as_mut());
        rates.as_mut().iter_mut().for_each(|rate| *rate = -*rate);
        system.layout().still(rates.as_mut());
        Ok(())
    }
}

/// M x + Gᵀ λ at a point; λ of compliant rows is zero.
#[derive(Clone, Debug)]
pub struct Momentum<S: Solvable + Sensitive> {
    x: S::V,
    value: S::V,
    /// at a = 0 and λ = 0, and what x and λ add
    pub(super) rest: Jacobians<S>,
    pub(super) added: Jacobians<S>,
}

impl<S: Solvable + Sensitive> Momentum<S> {
    /// That of x and λ at a point; `parameters` says whether a direction has one.
    ///
    /// # Errors
    /// Why the model cannot be evaluated there.
    pub fn at<U: Controls<S>>(
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        (x, impulse): (&S::V, Option<&S::L>),
        parameters: bool,
    ) -> Result<Self, Cause> {
        let system = cx.system;
        let layout = system.layout();
        let (mut rest, mut added) = (Jacobians::zeros(system), Jacobians::zeros(system));
        let mut u = S::U::zeros(layout.u.len());
        cx.input(at, &mut u)?;
        let Moment { t, q, v, z, modes } = at;
        let (at, zdot) = (At { t, q, v, z, u: &u, modes }, &S::Z::zeros(layout.z.len()));
        let (mut a, mut lambda) = (S::V::zeros(layout.v.len()), S::L::zeros(layout.constraints.len()));
        rest.evaluate(system, at, Rates { a: &a, zdot, lambda: &lambda }, parameters);
        rest.check(system, parameters)?;
        copy(x, &mut a);
        for (row, (to, &from)) in lambda.as_mut().iter_mut().zip(impulse.iter().flat_map(|l| l.as_ref())).enumerate() {
            *to = if layout.kind(row) == RowKind::Compliant { S::Real::ZERO } else { -from };
        }
        added.evaluate(system, at, Rates { a: &a, zdot, lambda: &lambda }, parameters);
        added.check(system, parameters)?;
        add(added.states.as_mut(), -S::Real::ONE, rest.states.as_ref());
        if parameters {
            add(added.parameters.as_mut(), -S::Real::ONE, rest.parameters.as_ref());
        }
        let mut rows = S::Rows::zeros(system.partial_patterns().states.rows);
        let mut new = Self { x: x.clone(), value: Block::zeros(layout.v.len()), rest, added };
        new.add(system, (x, impulse), rows.as_mut());
        new.value.as_mut().iter_mut().zip(rows.as_ref()).for_each(|(value, &row)| *value = row);
        Ok(new)
    }

    /// M x + Gᵀ λ
    pub fn value(&self) -> &S::V {
        &self.value
    }

    /// x
    pub fn velocity(&self) -> &S::V {
        &self.x
    }

    /// rows += M x + Gᵀ λ, of others than those of the point.
    fn add(&self, system: &S, (x, impulse): (&S::V, Option<&S::L>), rows: &mut [S::Real]) {
        let (layout, pattern) = (system.layout(), system.partial_patterns().states);
        let (places, values) = (self.rest.places, self.rest.states.as_ref());
        add_product(pattern, values, places.a(), x.as_ref(), rows);
        for (row, &impulse) in impulse.iter().flat_map(|l| l.as_ref()).enumerate() {
            if layout.kind(row) != RowKind::Compliant {
                add_product(pattern, values, places.lambda() + row, &[-impulse], rows);
            }
        }
    }

    /// δ(M x + Gᵀ λ) for δq and δt of a direction, δx and δλ.
    pub(super) fn along(
        &self,
        system: &S,
        direction: &Direction<S>,
        by: (&S::V, Option<&S::L>),
        rows: &mut S::Rows,
        out: &mut S::V,
    ) {
        let rows = rows.as_mut();
        rows.fill(S::Real::ZERO);
        self.added.add_along(system, (&direction.q, None), (direction.t, direction.parameter), rows);
        self.add(system, by, rows);
        out.as_mut().iter_mut().zip(rows.iter()).for_each(|(out, &row)| *out = row);
    }
}

/// What rows of one kind or more hold at a point, zero in the others.
#[derive(Clone, Debug)]
pub struct HeldRows<S: Solvable + Sensitive> {
    v: S::V,
    pub(super) jacobians: Jacobians<S>,
    level: Level,
    pub(super) kinds: &'static [RowKind],
}

impl<S: Solvable + Sensitive> HeldRows<S> {
    /// The rows of these kinds at a level: Φ, or what Φ̇ and ψ are; `parameters` says whether a direction has one.
    ///
    /// # Errors
    /// Why the model cannot be evaluated there.
    pub fn at<U: Controls<S>>(
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        (level, kinds): (Level, &'static [RowKind]),
        parameters: bool,
    ) -> Result<Self, Cause> {
        let system = cx.system;
        let layout = system.layout();
        let mut u = S::U::zeros(layout.u.len());
        cx.input(at, &mut u)?;
        let mut jacobians = Jacobians::zeros(system);
        let (a, zdot, lambda) =
            (&S::V::zeros(layout.v.len()), &S::Z::zeros(layout.z.len()), &S::L::zeros(layout.constraints.len()));
        let Moment { t, q, v, z, modes } = at;
        jacobians.evaluate(system, At { t, q, v, z, u: &u, modes }, Rates { a, zdot, lambda }, parameters);
        jacobians.check(system, parameters)?;
        Ok(Self { v: v.clone(), jacobians, level, kinds })
    }

    /// Makes others than these rows zero.
    pub(crate) fn keep(&mut self, system: &S, held: impl Fn(usize) -> bool) {
        let (patterns, places) = (system.partial_patterns(), self.places());
        let Jacobians { states, parameters, .. } = &mut self.jacobians;
        let states = patterns.states.entries().zip(states.as_mut());
        for ((row, _), x) in states.chain(patterns.parameters.entries().zip(parameters.as_mut())) {
            if row.checked_sub(places.start).is_none_or(|row| !held(row)) {
                *x = S::Real::ZERO;
            }
        }
    }

    /// v of the point
    pub fn velocity(&self) -> &S::V {
        &self.v
    }

    /// Where the rows are.
    pub(super) fn places(&self) -> core::ops::Range<usize> {
        let places = self.jacobians.places;
        if self.level == Level::Position { places.laws() } else { places.rates() }
    }

    /// What the rows change by along a direction.
    pub(super) fn along(&self, system: &S, direction: &Direction<S>, rows: &mut S::Rows, out: &mut S::L) {
        let layout = system.layout();
        let rows = rows.as_mut();
        rows.fill(S::Real::ZERO);
        let Direction { q, v, t, parameter, .. } = direction;
        self.jacobians.add_along(system, (q, Some(v)), (*t, *parameter), rows);
        let own = rows.get(self.places());
        for (row, (out, &own)) in out.as_mut().iter_mut().zip(own.unwrap_or_default()).enumerate() {
            *out = if self.kinds.contains(&layout.kind(row)) { own } else { S::Real::ZERO };
        }
    }
}

/// Where a state is.
pub(super) fn take<S: Solvable>(state: &mut State<S>, at: Moment<'_, S>) {
    state.t = at.t;
    copy(at.q, &mut state.q);
    copy(at.v, &mut state.v);
    copy(at.z, &mut state.z);
    copy(at.modes, &mut state.modes);
}

//! A projection onto the constraints, linearised.
//!
//! It leads from (q, v) to the nearest (q⁺, v⁺) in the metric of M:
//!
//! ```text
//! M(q) δ − G(q)ᵀ y = 0,    Φ(q⁺, t) = 0,    q⁺ = q ⊕ δ;    A(q) δ = 0 in nonholonomic rows
//! M(q⁺) d − G(q⁺)ᵀ η = 0,  Φ̇(q⁺, v⁺, t) = 0,  v⁺ = v + d
//! ```
//!
//! r at the accelerations s δ and the multipliers s y is s (M δ − Gᵀ y) − f, so the difference of the model's partial
//! derivatives there and at rest gives those of M δ − Gᵀ y. The projection itself renews G in each iteration and stops
//! at its tolerance: it differs from these equations by terms of the order of δ².

use crate::error::{Cause, Level};
use crate::linalg::Kkt;
use crate::model::layout::{Block, Layout, RowKind};
use crate::model::sensitive::Sensitive;
use crate::model::state::{State, copy};
use crate::model::system::{Forward, Rates, Residual};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::Terms;
use crate::solve::solvable::Solvable;
use crate::solve::{norm, undetermined};
use crate::variation::charts;
use crate::variation::direction::Direction;
use crate::variation::rows::{Jacobians, Places, entry};

/// One level of a projection.
#[derive(Debug)]
pub(super) struct Correction<'a, S: Solvable> {
    /// positions or velocities
    pub(super) level: Level,
    /// the state before
    pub(super) from: &'a State<S>,
    /// and after
    pub(super) to: &'a State<S>,
    /// δ or d
    pub(super) by: &'a S::V,
    /// the diagonal metric, if it is not M
    pub(super) weights: Option<&'a S::V>,
}

/// The levels of the projection from one state to another that have moved it, one after the other.
///
/// # Errors
/// The first of `level`.
pub(super) fn corrections<S: Solvable>(
    system: &S,
    (made, to): (&State<S>, &State<S>),
    weights: Option<&S::V>,
    mut level: impl FnMut(&Correction<'_, S>) -> Result<(), Cause>,
) -> Result<(), Cause> {
    let mut between = made.clone();
    copy(&to.q, &mut between.q);
    let (mut step, mut by) = (made.v.clone(), to.v.clone());
    system.local(&made.q, &to.q, &mut step);
    by.as_mut().iter_mut().zip(made.v.as_ref()).for_each(|(by, &v)| *by -= v);
    if made.q != to.q {
        level(&Correction { level: Level::Position, from: made, to: &between, by: &step, weights })?;
    }
    if made.v != to.v && !system.layout().first_order() {
        level(&Correction { level: Level::Velocity, from: &between, to, by: &by, weights })?;
    }
    Ok(())
}

/// Storage, and the linearisation of one level.
pub(super) struct LinearProjection<S: Solvable + Sensitive> {
    u: S::U,
    forward: Forward<S>,
    /// G(q) of `forward`, and what takes its place below M
    below: S::Jacobian,
    pub(super) values: S::Tangent,
    pub(super) kkt: S::Kkt,
    /// right-hand side, then solution
    solution: Residual<S>,
    terms: Terms<S>,
    /// derivatives of M δ − Gᵀ y and of A δ
    pub(super) moved: Jacobians<S>,
    /// derivatives of the constraints at the end
    pub(super) ahead: Jacobians<S>,
    pub(super) own: S::Rows,
    pub(super) held: S::Rows,
}

impl<S: Solvable + Sensitive> LinearProjection<S> {
    pub(super) fn new(system: &S) -> Self {
        let (layout, patterns) = (system.layout(), system.partial_patterns());
        let mut u = S::U::zeros(layout.u.len());
        system.nominal(&mut u);
        Self {
            u,
            forward: Forward::zeros(&layout),
            below: Block::zeros(layout.jacobian.nnz()),
            values: Block::zeros(layout.tangent.nnz()),
            kkt: S::Kkt::new(&layout),
            solution: Residual::zeros(&layout),
            terms: Terms::new(&layout),
            moved: Jacobians::zeros(system),
            ahead: Jacobians::zeros(system),
            own: Block::zeros(patterns.states.rows),
            held: Block::zeros(patterns.states.rows),
        }
    }

    /// Linearises one level; `parameters` says whether a direction will have one.
    pub(super) fn linearize(&mut self, system: &S, at: &Correction<'_, S>, parameters: bool) -> Result<(), Cause> {
        let layout = system.layout();
        let (v, l) = (|| S::V::zeros(layout.v.len()), || S::L::zeros(layout.constraints.len()));
        system.forward(at.to.at(&self.u), &mut self.forward);
        copy(&self.forward.jacobian, &mut self.below);
        system.forward(at.from.at(&self.u), &mut self.forward);
        self.factorize(system, at)?;
        // y or η, which the correction asks for
        let (mut x, mut y) = (v(), l());
        let below = |row: usize, column: usize| self.below(system, at, row, column);
        for (row, y) in y.as_mut().iter_mut().enumerate() {
            *y = at.by.as_ref().iter().enumerate().fold(S::Real::ZERO, |sum, (c, &by)| sum + below(row, c) * by);
        }
        self.solve(&layout, &mut x, &mut y);
        // s, so that the difference is of the size of its parts
        let size = norm(at.by.as_ref()).max(norm(y.as_ref()));
        let s = if size > S::Real::ZERO { size.recip() } else { S::Real::ZERO };
        x = v();
        if at.weights.is_none() {
            x.as_mut().iter_mut().zip(at.by.as_ref()).for_each(|(x, &by)| *x = s * by);
        }
        y.as_mut().iter_mut().for_each(|y| *y *= s);
        let (zdot, rest, none) = (S::Z::zeros(layout.z.len()), v(), l());
        let moved = Rates { a: &x, zdot: &zdot, lambda: &y };
        let still = Rates { a: &rest, zdot: &zdot, lambda: &none };
        self.moved.evaluate(system, at.from.at(&self.u), moved, parameters);
        self.ahead.evaluate(system, at.from.at(&self.u), still, parameters);
        self.moved.subtract(&self.ahead, size);
        self.ahead.evaluate(system, at.to.at(&self.u), still, parameters);
        Ok(())
    }

    /// The row of a constraint below M: G(q⁺) T(δ), or A(q) of a nonholonomic row where positions move.
    fn below(&self, system: &S, at: &Correction<'_, S>, row: usize, column: usize) -> S::Real {
        let layout = system.layout();
        let of = |jacobian: &S::Jacobian, column| entry(layout.jacobian, jacobian.as_ref(), row, column);
        match (at.level, layout.kind(row)) {
            (_, RowKind::Compliant) => S::Real::ZERO,
            (Level::Position, RowKind::Nonholonomic) => of(&self.forward.jacobian, column),
            (Level::Position, RowKind::Holonomic) => {
                let (mut unit, mut turned) = (S::V::zeros(layout.v.len()), S::V::zeros(layout.v.len()));
                let rest = unit.clone();
                if let Some(one) = unit.as_mut().get_mut(column) {
                    *one = S::Real::ONE;
                }
                charts::retract(system, at.by, (&rest, &unit), &mut turned, None);
                let turned = turned.as_ref().iter().enumerate();
                turned.fold(
                    S::Real::ZERO,
                    |sum, (k, &t)| if t == S::Real::ZERO { sum } else { sum + of(&self.below, k) * t },
                )
            }
            _ => of(&self.below, column),
        }
    }

    /// [M −Gᵀ; G 0] with these rows below, in the places of the tangent, and 1 on the diagonal elsewhere.
    fn factorize(&mut self, system: &S, at: &Correction<'_, S>) -> Result<(), Cause> {
        let layout = system.layout();
        let (nv, first) = (layout.v.len(), layout.v.len() + layout.z.len());
        let mut values = self.values.clone();
        for ((r, c), value) in layout.tangent.entries().zip(values.as_mut()) {
            *value = if r < nv && c < nv {
                match at.weights {
                    None => entry(layout.mass, self.forward.mass.as_ref(), r.max(c), r.min(c)),
                    Some(weights) if r == c => weights.as_ref().get(r).copied().unwrap_or(S::Real::ONE),
                    Some(_) => S::Real::ZERO,
                }
            } else if r < nv && c >= first {
                -entry(layout.jacobian, self.forward.jacobian.as_ref(), c - first, r)
            } else if r >= first && c < nv {
                self.below(system, at, r - first, c)
            } else if r == c {
                S::Real::ONE
            } else {
                S::Real::ZERO
            };
        }
        self.values = values;
        self.kkt.factorize(&layout, self.values.as_ref()).map_err(|bad| undetermined(&layout, layout.z.len(), bad))
    }

    /// Solves for this right-hand side, in place.
    fn solve(&mut self, layout: &Layout<'_>, v: &mut S::V, l: &mut S::L) {
        let Residual { r, s, phi } = &mut self.solution;
        copy(v, r);
        s.as_mut().fill(S::Real::ZERO);
        copy(l, phi);
        self.terms.press(layout, (&self.kkt, self.values.as_ref()), &mut self.solution);
        copy(&self.solution.r, v);
        copy(&self.solution.phi, l);
    }

    /// What the level varies by: `d` has the variations before, and receives those after.
    pub(super) fn along(&mut self, system: &S, at: &Correction<'_, S>, d: &mut Direction<S>) {
        let (layout, places) = (system.layout(), Places::of(&system.layout()));
        let zeros = || S::V::zeros(layout.v.len());
        let (positions, mut carried, mut spin) = (at.level == Level::Position, zeros(), zeros());
        if positions {
            charts::retract(system, at.by, (&d.q, &zeros()), &mut carried, None);
        } else {
            copy(&d.q, &mut carried);
        }
        let beside = (d.t, d.parameter);
        self.own.as_mut().fill(S::Real::ZERO);
        self.moved.add_along(system, (&d.q, None), beside, self.own.as_mut());
        self.held.as_mut().fill(S::Real::ZERO);
        self.ahead.add_along(system, (&carried, (!positions).then_some(&d.v)), beside, self.held.as_mut());
        let at_row = |rows: &S::Rows, place: usize| rows.as_ref().get(place).copied().unwrap_or(S::Real::ZERO);
        let (mut v, mut l) = (zeros(), S::L::zeros(layout.constraints.len()));
        for (k, v) in v.as_mut().iter_mut().enumerate() {
            *v = -at_row(&self.own, k);
        }
        for (row, l) in l.as_mut().iter_mut().enumerate() {
            *l = match (at.level, layout.kind(row)) {
                (_, RowKind::Compliant) => S::Real::ZERO,
                (Level::Position, RowKind::Holonomic) => -at_row(&self.held, places.laws().start + row),
                (Level::Position, RowKind::Nonholonomic) => -at_row(&self.own, places.accelerations().start + row),
                _ => -at_row(&self.held, places.rates().start + row),
            };
        }
        self.solve(&layout, &mut v, &mut l);
        if positions {
            let mut q = zeros();
            charts::retract(system, at.by, (&d.q, &v), &mut q, Some(&mut spin));
            copy(&q, &mut d.q);
            charts::align(system, S::Real::ONE, &at.to.v, &spin, &mut d.v);
        } else {
            crate::solve::add(d.v.as_mut(), S::Real::ONE, v.as_ref());
        }
    }
}

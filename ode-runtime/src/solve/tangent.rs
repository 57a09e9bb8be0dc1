//! Residual and weighted tangent of an implicit step, its factors, and corrections.

use crate::error::{Cause, Level, Name, Quantity};
use crate::linalg::{Kkt, LANES, LanesMut, Singular, put, take};
use crate::model::input::Inputs;
use crate::model::layout::{Block, Layout, RowKind};
use crate::model::linearize::{Linearize, Weights};
use crate::model::sensitive::Sensitive;
use crate::model::state::{State, copy, finite};
use crate::model::system::{Constraint, Forward, Residual, System};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::certified::Terms;
use crate::solve::context::{Context, Work};
use crate::solve::dependence::{EXACT, visit};
use crate::solve::factors::size;
use crate::solve::solvable::Solvable;
use crate::solve::tangent_point::TangentPoint;
use crate::solve::{Dependence, add, inertial, solved, undetermined, unsolved};

/// Storage for the residual, its tangent, and corrections.
#[derive(Debug)]
pub struct Tangent<S: Solvable + Linearize> {
    /// inputs of the last evaluation
    pub(crate) u: S::U,
    /// total step s from qₙ
    pub(crate) step: S::V,
    /// residual, then correction
    pub(crate) residual: Residual<S>,
    /// values of the weighted tangent
    pub(crate) values: S::Tangent,
    pub(crate) kkt: S::Kkt,
    /// where the factors of `kkt` were evaluated, if they may outlive a step
    pub(crate) point: TangentPoint<S>,
    /// whether they may
    pub(super) keeps: bool,
    /// whether the matrix contains inertia, which gives pivots on the diagonal
    inert: bool,
    /// the first guess of a step, to begin again at
    pub(super) guess: (State<S>, S::V),
    pub(super) constraint: Constraint<S>,
    /// product of the tangent with a velocity
    pub(super) drift: Residual<S>,
    /// scratch for the residual of a correction
    pub(super) terms: Terms<S>,
    /// the last correction of q, as a step and as a change of its entries
    pub(super) moved: S::V,
    pub(crate) change: S::Q,
}

impl<S: Solvable + Linearize> Tangent<S> {
    /// Storage in the shape of `system`.
    pub fn new(system: &S) -> Self {
        let layout = system.layout();
        Self {
            u: Block::zeros(layout.u.len()),
            step: Block::zeros(layout.v.len()),
            residual: Residual::zeros(&layout),
            values: Block::zeros(layout.tangent.nnz()),
            kkt: system.kkt(),
            point: TangentPoint::none(system),
            keeps: false,
            inert: true,
            guess: (State::neutral(system), Block::zeros(layout.v.len())),
            constraint: Constraint::zeros(&layout),
            drift: Residual::zeros(&layout),
            terms: Terms::new(&layout),
            moved: Block::zeros(layout.v.len()),
            change: Block::zeros(layout.q.len()),
        }
    }

    /// Residual and weighted tangent at `x`.
    pub(crate) fn linearize<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        level: Level,
        weights: Weights<S::Real>,
        x: &State<S>,
    ) -> Result<(), Cause> {
        cx.input(x.moment(), &mut self.u)?;
        self.tabulate(cx.system, level, weights, x, None);
        cx.work.tangents += 1;
        self.finite(&cx.system.layout())
    }

    /// Residual at `x`, and the matrix of Newton's iterations there: the weighted tangent but for its stiffness.
    pub(crate) fn approach<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        level: Level,
        weights: Weights<S::Real>,
        x: &State<S>,
    ) -> Result<(), Cause> {
        self.linearize(cx, level, weights, x)?;
        self.stiffen(cx.system, weights, x);
        Ok(())
    }

    /// Makes of the weighted tangent the matrix of Newton's iterations.
    fn stiffen(&mut self, system: &S, weights: Weights<S::Real>, x: &State<S>) {
        if !S::NEWTON_IS_EXACT {
            system.newton_stiffness(x.at(&self.u), weights, &mut self.values);
        }
    }

    /// Residual of a linearised step and weighted tangent at `x`, where the step is zero: positions move with the
    /// velocity that there is, so the residual has π ∂/∂q v.
    pub(crate) fn linearize_moving<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        weights: Weights<S::Real>,
        x: &State<S>,
    ) -> Result<(), Cause> {
        cx.input(x.moment(), &mut self.u)?;
        let Self { u, step, residual, values, drift, .. } = self;
        cx.system.tangent_and_drift(x.at(u), x.rates(), weights, step, (residual, values), drift);
        self.measure(cx.system, weights, x);
        cx.work.tangents += 1;
        let Self { residual, drift, .. } = self;
        add(residual.r.as_mut(), S::Real::ONE, drift.r.as_ref());
        add(residual.s.as_mut(), S::Real::ONE, drift.s.as_ref());
        add(residual.phi.as_mut(), S::Real::ONE, drift.phi.as_ref());
        self.finite(&cx.system.layout())
    }

    /// The same with known inputs, in a step from another qₙ.
    fn tabulate(&mut self, system: &S, level: Level, weights: Weights<S::Real>, x: &State<S>, step: Option<&S::V>) {
        let step = step.unwrap_or(&self.step);
        system.tangent(x.at(&self.u), x.rates(), weights, step, &mut self.residual, &mut self.values);
        self.measure(system, weights, x);
        self.lower(system, level, x, Some(weights));
    }

    /// The weighted tangent at the end of a step whose rows hold positions, and the derivatives of these rows,
    /// without their values.
    pub(crate) fn differentiate<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        weights: Weights<S::Real>,
        x: &State<S>,
        out: &mut S::Partials,
    ) -> Result<(), Cause>
    where
        S: Sensitive,
    {
        cx.input(x.moment(), &mut self.u)?;
        let (at, rates) = (x.at(&self.u), x.rates());
        cx.system.tangent(at, rates, weights, &self.step, &mut self.residual, &mut self.values);
        cx.system.residual_partials(at, rates, &mut self.residual, out);
        self.measure(cx.system, weights, x);
        cx.work.tangents += 1;
        Ok(())
    }

    /// What factors of the matrix depend on beside it.
    fn measure(&mut self, system: &S, weights: Weights<S::Real>, x: &State<S>) {
        self.inert = weights.rates != S::Real::ZERO;
        if S::Kkt::REDUNDANT {
            system.constraint(x.at(&self.u), &mut self.constraint);
            self.kkt.tolerate(self.constraint.phi.as_ref(), size(&x.q));
            if !self.inert {
                let layout = system.layout();
                let mut forward = Forward::zeros(&layout);
                system.forward(x.at(&self.u), &mut forward);
                self.kkt.measure(&layout, forward.mass.as_ref());
            }
        }
    }

    /// Residual at `x`.
    pub(crate) fn evaluate<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        level: Level,
        x: &State<S>,
    ) -> Result<(), Cause> {
        cx.input(x.moment(), &mut self.u)?;
        cx.system.residual(x.at(&self.u), x.rates(), &mut self.residual);
        cx.work.residuals += 1;
        self.lower(cx.system, level, x, None);
        self.finite(&cx.system.layout())
    }

    /// Evaluates the matrix of `kept` again, unless its factors are still there.
    pub(super) fn recall<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        level: Level,
        kept: &TangentPoint<S>,
    ) -> Result<(), Cause> {
        if self.point == *kept {
            return Ok(());
        }
        self.point.forget();
        let TangentPoint { x, u, step, weights, .. } = kept;
        copy(u, &mut self.u);
        self.tabulate(cx.system, level, *weights, x, Some(step));
        self.stiffen(cx.system, *weights, x);
        // Only a resumed run does this work, so it is not counted.
        let work = *cx.work;
        let factorized = self.factorize(cx);
        *cx.work = work;
        factorized?;
        self.point.copy_from(kept);
        Ok(())
    }

    /// Replaces Φ by Φ̇, and its derivative in the matrix if there are `weights`, if the level is that of velocities.
    fn lower(&mut self, system: &S, level: Level, x: &State<S>, weights: Option<Weights<S::Real>>) {
        let layout = system.layout();
        if level != Level::Velocity || layout.constraints.is_empty() {
            return;
        }
        system.constraint(x.at(&self.u), &mut self.constraint);
        let rows = self.residual.phi.as_mut().iter_mut().zip(self.constraint.rate.as_ref());
        for (_, (phi, &rate)) in rows.enumerate().filter(|(row, _)| layout.kind(*row) == RowKind::Holonomic) {
            *phi = rate;
        }
        if let Some(weights) = weights {
            self.border(system, weights.velocity);
        }
    }

    /// Solves with the matrix last factorised, in place.
    pub(crate) fn apply(
        &self,
        system: &S,
        work: &mut Work,
        v: &mut S::V,
        z: &mut S::Z,
        l: &mut S::L,
    ) -> Result<(), Cause> {
        solved(&system.layout(), work, self.kkt.solve(v.as_mut(), z.as_mut(), l.as_mut()))
    }

    /// Solves with the matrix last factorised for several right-hand sides (v, z, λ), in the room of one solution.
    pub(crate) fn solve_lanes(
        &mut self,
        system: &S,
        x: LanesMut<'_, S::Real>,
        one: &mut Residual<S>,
    ) -> Result<(), Cause> {
        if !S::Kkt::REDUNDANT {
            let Residual { r, s, phi } = one;
            let lanes = self.kkt.solve_lanes(x, (r.as_mut(), s.as_mut(), phi.as_mut()));
            return lanes.map_err(|cause| unsolved(&system.layout(), cause));
        }
        for k in 0..LANES {
            let (v, rest) = x.split_at_mut(one.r.as_ref().len().min(x.len()));
            let (z, l) = rest.split_at_mut(one.s.as_ref().len().min(rest.len()));
            take(k, v, one.r.as_mut());
            take(k, z, one.s.as_mut());
            take(k, l, one.phi.as_mut());
            self.terms.press(&system.layout(), (&self.kkt, self.values.as_ref()), one)?;
            put(k, v, one.r.as_ref());
            put(k, z, one.s.as_ref());
            put(k, l, one.phi.as_ref());
        }
        Ok(())
    }

    /// Factorises the matrix.
    pub(crate) fn factorize<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>) -> Result<(), Cause> {
        let layout = cx.system.layout();
        cx.work.factorizations += 1;
        let values = self.values.as_ref();
        let factorized = match self.inert {
            true => self.kkt.factorize(&layout, values),
            false => self.kkt.factorize_by_exchange(&layout, values),
        };
        let Err(singular) = factorized else { return Ok(()) };
        let bad = self.values.as_ref().iter().position(|x| !x.is_finite());
        match bad.and_then(|k| layout.tangent.entries().nth(k)) {
            Some((r, _)) => Err(row_not_finite(&layout, r)),
            None => self.cross(&layout, singular, S::Kkt::soften),
        }
    }

    /// Factorises the transposed matrix: solves are those of the transposed equations until the next factors.
    #[cfg(feature = "std")]
    pub(crate) fn factorize_transposed(&mut self, system: &S) -> Result<(), Cause> {
        self.point.forget();
        let layout = system.layout();
        match self.kkt.factorize_transposed(&layout, self.values.as_ref()) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Cause::NotDifferentiable { what: "a model whose solver has no transposed factors" }),
            Err(singular) => self.cross(&layout, singular, S::Kkt::soften_transposed),
        }
    }

    /// Factorises when rows are dependent for an instant, judged by −Gᵀ of the matrix: the iterations show whether they
    /// are consistent.
    #[cold]
    fn cross(&mut self, layout: &Layout<'_>, singular: Singular, soften: Soften<S>) -> Result<(), Cause> {
        let plain = undetermined(layout, layout.z.len(), singular);
        // Solvers for dependent rows fail for other reasons.
        if S::Kkt::REDUNDANT && !self.inert {
            return Err(plain);
        }
        let (nv, first) = (layout.v.len(), layout.v.len() + layout.z.len());
        let values = self.values.as_ref();
        let transposed = |each: &mut dyn FnMut(usize, usize, S::Real)| {
            visit(&layout.tangent, values, &mut |r, c, value| {
                if r < nv && c >= first {
                    each(c - first, r, value);
                }
            });
        };
        let Some(cause) = Dependence::<S>::of(*layout, &[], &transposed, EXACT).cause() else { return Err(plain) };
        soften(&mut self.kkt, layout, self.values.as_ref()).map_err(|_| cause)
    }

    /// Removes from the multipliers the part that is not unique.
    pub(super) fn prune(&self, x: &mut State<S>) {
        if S::Kkt::REDUNDANT {
            self.kkt.prune(x.lambda.as_mut());
        }
    }

    /// Factorises the matrix, which belongs to `x`. If M became negative along a motion, the sign of the determinant
    /// shows it, unless the other terms of the step hide it.
    pub(crate) fn factorize_at<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        self.factorize(cx)?;
        let layout = cx.system.layout();
        let known = self.inert && !layout.constant_mass && layout.algebraic == 0;
        // Stiffness may be negative as well.
        if known && self.kkt.reversed() { inertial(cx.lend(), x) } else { Ok(()) }
    }

    fn finite(&self, layout: &Layout<'_>) -> Result<(), Cause> {
        finite(self.residual.r.as_ref(), Quantity::Force, layout.directions)?;
        finite(self.residual.s.as_ref(), Quantity::Rate, layout.z)?;
        finite(self.residual.phi.as_ref(), Quantity::Constraint, layout.constraints)
    }
}

/// How the matrix is factorised where rows are dependent.
type Soften<S> = fn(&mut <S as Solvable>::Kkt, &Layout<'_>, &[<S as System>::Real]) -> Result<(), Singular>;

/// A tangent entry of this row, ordered (v, z, λ), is not finite.
fn row_not_finite(layout: &Layout<'_>, row: usize) -> Cause {
    let (nv, nz) = (layout.v.len(), layout.z.len());
    let (quantity, name) = if row < nv {
        (Quantity::Force, Name::of(layout.directions, row))
    } else if row < nv + nz {
        (Quantity::Rate, Name::of(layout.z, row - nv))
    } else {
        (Quantity::Constraint, Name::of(layout.constraints, row - nv - nz))
    };
    Cause::NonFinite { quantity, name }
}

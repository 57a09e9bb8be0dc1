//! The equations of a partitioned step: what an iterate leaves of them, and its correction.

use crate::error::{Cause, Quantity};
use crate::integrators::partitioned::{Partitioned, Shares};
use crate::model::input::Inputs;
use crate::model::layout::{Layout, RowKind};
use crate::model::linearize::Linearize;
use crate::model::state::{State, copy, finite};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Change, add, dot, norm};

impl<S: Solvable + Linearize> Partitioned<S> {
    /// Makes M(q) vₐ = M(q⁺) vᵦ, and leaves α vₐ + β vᵦ, and q⁺ with it, as they are.
    pub(super) fn separate<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        layout: &Layout<'_>,
        shares: Shares<S::Real>,
        h: S::Real,
        first: bool,
    ) -> Result<(), Cause> {
        let (Self { start, end, stage, next, inertia, moved: (apart, _), .. }, one) = (self, S::Real::ONE);
        let Some(inertia) = inertia else { return Ok(()) };
        let (before, after) = (shares.before / h, shares.after / h);
        if first {
            inertia.factorize(cx, (after, start), (before, end));
        }
        apart.as_mut().fill(S::Real::ZERO);
        start.add_momentum(cx.system, -one, &stage.v, apart);
        end.add_momentum(cx.system, one, &next.v, apart);
        inertia.solve(layout, apart)?;
        add(stage.v.as_mut(), after, apart.as_ref());
        add(next.v.as_mut(), -before, apart.as_ref());
        Ok(())
    }

    /// What the momentum p′, z′ and the algebraic variables lack into `change`.
    pub(super) fn residuals(&mut self, system: &S, shares: Shares<S::Real>, x: &State<S>, h: S::Real) {
        let (Self { start, end, stage, next, change, moved, impulse, inertia, .. }, one) = (self, S::Real::ONE);
        let Change { v: [r, _], z: rz, .. } = change;
        r.as_mut().fill(S::Real::ZERO);
        let before = if inertia.is_some() { shares.before / h } else { one };
        let apart = inertia.is_some() && shares.after != S::Real::ZERO;
        for ((lost, &v), &va) in moved.0.as_mut().iter_mut().zip(x.v.as_ref()).zip(stage.v.as_ref()) {
            *lost = v - before * va;
        }
        start.add_momentum(system, one, &moved.0, r);
        if apart {
            end.add_momentum(system, -shares.after / h, &next.v, r);
        }
        start.add_reaction(system, one, impulse, r);
        if shares.before == S::Real::ZERO {
            rz.as_mut().fill(S::Real::ZERO);
            return;
        }
        add(r.as_mut(), shares.before, start.force());
        // Algebraic variables, which have no rate, are as found.
        let rates = start.rates(&system.layout()).iter().copied().map(Some).chain(core::iter::repeat(None));
        let values = stage.z.as_mut().iter_mut().zip(x.z.as_ref()).zip(start.states()).zip(rates);
        for (rz, (((z, &old), &found), rate)) in rz.as_mut().iter_mut().zip(values) {
            *rz = match rate {
                Some(rate) => old + shares.before * rate - *z,
                None => S::Real::ZERO,
            };
            if rate.is_none() {
                *z = found;
            }
        }
    }

    /// The correction of α vₐ + β vᵦ, z′ and λ, and what it moves q by; whether the rows ask for most of it.
    pub(super) fn correct<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, h: S::Real) -> Result<bool, Cause> {
        let Self { change: Change { v: [w, _], z, impulse }, start, row, moved: (moved, q), tangent, .. } = self;
        copy(w, moved);
        copy(row, impulse);
        if self.linearized {
            tangent.apply(cx.system, cx.work, w, z, impulse)?;
        } else {
            start.solve(cx.work, w, impulse);
        }
        let by_rows = dot(row.as_ref(), impulse.as_ref()).abs();
        let by_forces = dot(moved.as_ref(), w.as_ref()).abs();
        for (moved, &w) in moved.as_mut().iter_mut().zip(w.as_ref()) {
            *moved = h * w;
        }
        cx.system.qdot(&self.next.q, moved, q);
        Ok(by_forces < S::Real::from_f64(0.25) * by_rows)
    }

    /// q⁺ with vₐ and vᵦ as they are.
    pub(super) fn place(&mut self, system: &S, shares: Shares<S::Real>, x: &State<S>) {
        self.step.as_mut().fill(S::Real::ZERO);
        add(self.step.as_mut(), shares.before, self.stage.v.as_ref());
        add(self.step.as_mut(), shares.after, self.next.v.as_ref());
        system.retract(&x.q, &self.step, &mut self.next.q);
    }

    /// What the rows need of G δv into `row`; the largest |Φ| and |A v + b|. Φ and G of the end may be `known`.
    pub(super) fn hold<U: Inputs<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        layout: &Layout<'_>,
        x: &State<S>,
        h: S::Real,
        known: bool,
    ) -> Result<S::Real, Cause> {
        if layout.constraints.is_empty() {
            return Ok(S::Real::ZERO);
        }
        let minus = -S::Real::ONE;
        let (phi, jacobian) = if known {
            (self.end.positions(), self.end.jacobian())
        } else {
            cx.system.constraint(self.next.at(&self.u), &mut self.constraint);
            (&self.constraint.phi, &self.constraint.jacobian)
        };
        finite(phi.as_ref(), Quantity::Constraint, layout.constraints)?;
        copy(jacobian, &mut self.ahead);
        let mut off = norm(phi.as_ref());
        self.row.as_mut().fill(S::Real::ZERO);
        add(self.row.as_mut(), minus / h, phi.as_ref());
        if layout.kinds.contains(&RowKind::Nonholonomic) {
            let (half, middle) = (S::Real::from_f64(0.5), &mut self.middle);
            middle.t = x.t + half * h;
            for ((v, a), &step) in middle.v.as_mut().iter_mut().zip(middle.a.as_mut()).zip(self.step.as_ref()) {
                (*v, *a) = (step / h, half * step);
            }
            cx.system.retract(&x.q, &middle.a, &mut middle.q);
            cx.system.constraint(middle.at(&self.u), &mut self.constraint);
            let rows = self.row.as_mut().iter_mut().zip(self.constraint.rate.as_ref()).enumerate();
            for (_, (row, &rate)) in rows.filter(|(row, _)| layout.kind(*row) == RowKind::Nonholonomic) {
                *row = -rate;
                off = off.max(rate.abs());
            }
            let entries = layout.jacobian.entries().zip(self.constraint.jacobian.as_ref());
            for (((row, _), &a), ahead) in entries.zip(self.ahead.as_mut()) {
                if layout.kind(row) == RowKind::Nonholonomic {
                    *ahead = a;
                }
            }
        }
        Ok(off)
    }
}

//! The equations of a partitioned step: what an iterate leaves of them, and the correction by the matrices of the beginning.

use crate::error::{Cause, Quantity};
use crate::input::Inputs;
use crate::integrators::partitioned::{Partitioned, Shares};
use crate::method::Context;
use crate::scalar::{Real, Scalar};
use crate::solve::{Change, add, dot, norm};
use crate::state::{State, copy, finite};
use crate::system::{Layout, RowKind, Solvable};

impl<S: Solvable> Partitioned<S> {
    /// r₁, r₂ and that of z′ into `change`.
    pub(super) fn residuals<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        layout: &Layout<'_>,
        shares: Shares<S::Real>,
        x: &State<S>,
        two: bool,
    ) -> Result<(), Cause> {
        let (Self { start, end, stage, next, change, moved, impulse, .. }, one) = (self, S::Real::ONE);
        let Change { v: [ra, rb], z: rz, .. } = change;
        for ((lost, &v), &va) in moved.0.as_mut().iter_mut().zip(x.v.as_ref()).zip(stage.v.as_ref()) {
            *lost = v - va;
        }
        ra.as_mut().fill(S::Real::ZERO);
        start.add_momentum(layout, one, &moved.0, ra);
        add(ra.as_mut(), shares.before, start.force());
        start.add_reaction(layout, one, impulse, ra);
        if shares.before != S::Real::ZERO {
            // Algebraic variables, which have no rate, are as found.
            let rates = start.rates(layout).iter().copied().map(Some).chain(core::iter::repeat(None));
            let values = stage.z.as_ref().iter().zip(x.z.as_ref()).zip(start.states()).zip(rates);
            for (rz, (((&z, &old), &found), rate)) in rz.as_mut().iter_mut().zip(values) {
                *rz = rate.map_or(found, |rate| old + shares.before * rate) - z;
            }
        }
        rb.as_mut().fill(S::Real::ZERO);
        if two {
            end.weigh(cx, next.moment())?;
            start.add_momentum(layout, one, &stage.v, rb);
            end.add_momentum(layout, -one, &next.v, rb);
        }
        Ok(())
    }

    /// The correction by the matrices of the beginning, and what it moves q by; whether the rows ask for most of it.
    pub(super) fn correct<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        layout: &Layout<'_>,
        shares: Shares<S::Real>,
        h: S::Real,
        two: bool,
    ) -> Result<bool, Cause> {
        let Self { change: Change { v: [va, vb], impulse, .. }, start, row, moved: (moved, q), .. } = self;
        let (before, after) = (shares.before / h, shares.after / h);
        add(va.as_mut(), after, vb.as_ref());
        copy(va, moved);
        copy(row, impulse);
        start.solve(cx.work, va, impulse);
        // Where M is constant, G at the end is most of what the matrix misses.
        if !self.varies {
            start.lean(cx.work, layout, &self.ahead, row, (va, impulse), &mut self.leaning);
        }
        let by_rows = dot(row.as_ref(), impulse.as_ref()).abs();
        let mut by_forces = dot(moved.as_ref(), va.as_ref()).abs();
        for (moved, &w) in moved.as_mut().iter_mut().zip(va.as_ref()) {
            *moved = h * w;
        }
        cx.system.qdot(&self.next.q, moved, q);
        if two {
            copy(vb, moved);
            match &mut self.inertia {
                Some(inertia) => inertia.solve(cx.work, layout, vb)?,
                None => start.solve(cx.work, vb, row),
            }
            by_forces += dot(moved.as_ref(), vb.as_ref()).abs();
            for (a, b) in va.as_mut().iter_mut().zip(vb.as_mut()) {
                (*a, *b) = (*a - after * *b, *a + before * *b);
            }
        }
        Ok(by_forces < S::Real::from_f64(0.25) * by_rows)
    }

    /// q⁺ with vₐ and vᵦ as they are.
    pub(super) fn place(&mut self, system: &S, shares: Shares<S::Real>, x: &State<S>) {
        self.step.as_mut().fill(S::Real::ZERO);
        add(self.step.as_mut(), shares.before, self.stage.v.as_ref());
        add(self.step.as_mut(), shares.after, self.next.v.as_ref());
        system.retract(&x.q, &self.step, &mut self.next.q);
    }

    /// What the rows need of G δv into `row`; the largest |Φ| and |A v + b|.
    pub(super) fn hold<U: Inputs<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        layout: &Layout<'_>,
        x: &State<S>,
        h: S::Real,
    ) -> Result<S::Real, Cause> {
        if layout.constraints.is_empty() {
            return Ok(S::Real::ZERO);
        }
        let minus = -S::Real::ONE;
        cx.system.constraint(self.next.at(&self.u), &mut self.constraint);
        finite(self.constraint.phi.as_ref(), Quantity::Constraint, layout.constraints)?;
        copy(&self.constraint.jacobian, &mut self.ahead);
        let mut off = norm(self.constraint.phi.as_ref());
        self.row.as_mut().fill(S::Real::ZERO);
        add(self.row.as_mut(), minus / h, self.constraint.phi.as_ref());
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

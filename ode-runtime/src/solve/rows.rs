//! Rows of constraints in the tangent: in other forms than the model's, and whether they hold.

use crate::error::{Cause, Level, Quantity};
use crate::linalg::Kkt;
use crate::model::input::Inputs;
use crate::model::layout::{Layout, RowKind};
use crate::model::linearize::Linearize;
use crate::model::state::{State, finite};
use crate::model::system::Constraint;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::limits::Newton;
use crate::solve::solvable::Solvable;
use crate::solve::tangent::Tangent;
use crate::solve::{consistent, norm};

impl<S: Solvable + Linearize> Tangent<S> {
    /// Replaces the residual of holonomic rows by Φ at another point.
    pub(crate) fn hold<U: Inputs<S>>(&mut self, cx: &Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        let layout = cx.system.layout();
        cx.system.constraint(x.at(&self.u), &mut self.constraint);
        let rows = self.residual.phi.as_mut().iter_mut().zip(self.constraint.phi.as_ref());
        for (_, (row, &phi)) in rows.enumerate().filter(|(row, _)| layout.kind(*row) == RowKind::Holonomic) {
            *row = phi;
        }
        finite(self.residual.phi.as_ref(), Quantity::Constraint, layout.constraints)
    }

    /// Replaces −Gᵀ in the tangent by that of another point, except for compliant rows.
    pub(crate) fn react(&mut self, system: &S, jacobian: &S::Jacobian) {
        let (layout, values) = (system.layout(), self.values.as_mut());
        let last = layout.v.len() + layout.z.len();
        let (starts, rows) = (layout.tangent.starts, layout.tangent.indices);
        layout.jacobian.visit(jacobian.as_ref(), |r, c, g| {
            let from = starts[last + r];
            if let Some(at) = rows[from..starts[last + r + 1]].iter().position(|&v| v == c) {
                values[from + at] = -g;
            }
        });
    }

    /// Replaces π G by ν G in the rows of holonomic constraints.
    pub(crate) fn border(&mut self, system: &S, nu: S::Real) {
        let kinds = system.layout().kinds;
        let held = |row: usize| kinds.get(row).is_none_or(|&kind| kind == RowKind::Holonomic);
        fill(system, &mut self.values, &self.constraint.jacobian, nu, held);
    }

    /// Writes G of other points to the rows of rigid constraints.
    pub(crate) fn hold_rows(&mut self, system: &S, jacobian: &S::Jacobian) {
        let kinds = system.layout().kinds;
        let held = |row: usize| kinds.get(row).is_none_or(|&kind| kind != RowKind::Compliant);
        fill(system, &mut self.values, jacobian, S::Real::ONE, held);
    }

    /// Limits the residual of holonomic rows at `x` to `most`.
    pub(crate) fn recover<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        most: S::Real,
        x: &State<S>,
    ) -> Result<(), Cause> {
        let layout = cx.system.layout();
        cx.input(x.moment(), &mut self.u)?;
        cx.system.constraint(x.at(&self.u), &mut self.constraint);
        let rows = self.residual.phi.as_mut().iter_mut().zip(self.constraint.phi.as_ref()).enumerate();
        for (row, (phi, &off)) in rows {
            if layout.kind(row) == RowKind::Holonomic {
                *phi += off.min(most).max(-most) - off;
            }
        }
        finite(self.residual.phi.as_ref(), Quantity::Constraint, layout.constraints)
    }

    /// Whether the constraints hold at the last iterate.
    #[inline]
    pub(super) fn holds<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        limits: &Newton<S::Real>,
        level: Level,
        x: &State<S>,
    ) -> Result<bool, Cause> {
        let layout = cx.system.layout();
        if layout.constraints.is_empty() {
            return Ok(true);
        }
        cx.system.constraint(x.at(&self.u), &mut self.constraint);
        let Constraint { phi, rate, .. } = &mut self.constraint;
        for (row, (phi, &rate)) in phi.as_mut().iter_mut().zip(rate.as_ref()).enumerate() {
            if level == Level::Velocity || layout.kind(row) == RowKind::Nonholonomic {
                *phi = rate;
            }
        }
        finite(phi.as_ref(), Quantity::Constraint, layout.constraints)?;
        Ok(norm(phi.as_ref()) <= limits.constraint)
    }

    /// Whether redundant rows agree at the last iterate. Contradicting rows take no part in a correction, which then
    /// vanishes before they hold.
    pub(super) fn agrees<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        limits: &Newton<S::Real>,
        level: Level,
        x: &State<S>,
    ) -> Result<bool, Cause> {
        Ok(!S::Kkt::REDUNDANT
            || self.holds(cx, limits, level, x)?
            || consistent::<S>(
                cx.system.layout(),
                &self.constraint.jacobian,
                level,
                &self.constraint.phi,
                S::Real::ONE + norm(x.q.as_ref()),
            )
            .is_ok())
    }

    /// Refuses positions where redundant rows contradict each other.
    pub(crate) fn agree(&mut self, system: &S, x: &State<S>) -> Result<(), Cause> {
        if !S::Kkt::REDUNDANT {
            return Ok(());
        }
        system.constraint(x.at(&self.u), &mut self.constraint);
        let (Constraint { phi, jacobian, .. }, size) = (&self.constraint, S::Real::ONE + norm(x.q.as_ref()));
        consistent::<S>(system.layout(), jacobian, Level::Position, phi, size)
    }
}

/// Writes ν G to the held rows, and zeros beside it; both patterns run down the columns.
fn fill<S: Linearize>(
    system: &S,
    values: &mut S::Tangent,
    jacobian: &S::Jacobian,
    nu: S::Real,
    held: impl Fn(usize) -> bool,
) {
    let Layout { tangent, jacobian: pattern, v, z, .. } = system.layout();
    let (values, jacobian, last) = (values.as_mut(), jacobian.as_ref(), v.len() + z.len());
    for c in 0..v.len() {
        let (mut k, end) = (pattern.starts[c], pattern.starts[c + 1]);
        for t in tangent.starts[c]..tangent.starts[c + 1] {
            let Some(row) = tangent.indices[t].checked_sub(last).filter(|&row| held(row)) else { continue };
            while k < end && pattern.indices[k] < row {
                k += 1;
            }
            let own = k < end && pattern.indices[k] == row;
            values[t] = if own { nu * jacobian[k] } else { S::Real::ZERO };
        }
    }
}

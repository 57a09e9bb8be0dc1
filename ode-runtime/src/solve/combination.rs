//! Matrices that are put together from tangents of several points.

use crate::error::Cause;
use crate::model::input::Inputs;
use crate::model::layout::{Layout, RowKind};
use crate::model::linearize::{Linearize, Weights, multiply};
use crate::model::state::State;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Tangent, add};

/// Puts v, times a large number, in the place of a; returns that number's reciprocal. By this weight of positions,
/// ∂r/∂q is ∂(M v)/∂q up to √ε.
pub(crate) fn lever<S: Solvable>(x: &mut State<S>, h: S::Real) -> S::Real {
    let least = h * S::Real::EPSILON.sqrt();
    x.a.as_mut().fill(S::Real::ZERO);
    add(x.a.as_mut(), least.recip(), x.v.as_ref());
    least
}

impl<S: Solvable + Linearize> Tangent<S> {
    /// The weighted tangent at another point, `step` from qₙ, into `values`.
    pub(crate) fn beside<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        weights: Weights<S::Real>,
        x: &State<S>,
        step: &S::V,
        values: &mut S::Tangent,
    ) -> Result<(), Cause> {
        cx.input(x.moment(), &mut self.u)?;
        cx.system.tangent(x.at(&self.u), x.rates(), weights, step, &mut self.drift, values);
        cx.work.tangents += 1;
        Ok(())
    }

    /// Adds s M in the rows and columns of velocities.
    pub(crate) fn add_mass(&mut self, system: &S, s: S::Real, mass: &[S::Real]) {
        let (Layout { tangent, mass: pattern, .. }, values) = (system.layout(), self.values.as_mut());
        let mut put = |r: usize, c: usize, m: S::Real| {
            let from = tangent.starts[c];
            if let Some(at) = tangent.indices[from..tangent.starts[c + 1]].iter().position(|&row| row == r) {
                values[from + at] += m;
            }
        };
        pattern.visit(mass, |r, c, m| {
            put(r, c, s * m);
            if r != c {
                put(c, r, s * m);
            }
        });
    }

    /// Adds the rows and columns of velocities of `other`.
    pub(crate) fn add_motion(&mut self, system: &S, other: &S::Tangent) {
        let Layout { tangent, v, .. } = system.layout();
        let all = tangent.starts[v.len()];
        let entries = self.values.as_mut().iter_mut().zip(other.as_ref()).zip(tangent.indices).take(all);
        for ((to, &from), _) in entries.filter(|(_, row)| **row < v.len()) {
            *to += from;
        }
    }

    /// Makes of the columns T of velocities T S, as far as they have entries. `of` has the matrix in its rows and
    /// columns of velocities of which `solve` makes S, column by column, and is used up, as is `column`.
    pub(crate) fn turn(
        &mut self,
        system: &S,
        of: &mut S::Tangent,
        column: &mut S::V,
        mut solve: impl FnMut(&Layout<'_>, &mut S::V) -> Result<(), Cause>,
    ) -> Result<(), Cause> {
        let layout = system.layout();
        let (pattern, nv, nz) = (layout.tangent, layout.v.len(), layout.z.len());
        let yields = layout.kinds.contains(&RowKind::Compliant);
        let count = if yields { pattern.rows } else { nv + nz };
        for c in 0..nv {
            let own = pattern.starts[c]..pattern.starts[c + 1];
            let (rows, of) = (&pattern.indices[own.clone()], &mut of.as_mut()[own]);
            column.as_mut().fill(S::Real::ZERO);
            for (&row, &entry) in rows.iter().zip(of.iter()).take_while(|(row, _)| **row < nv) {
                column.as_mut()[row] = entry;
            }
            solve(&layout, column)?;
            multiply(&layout, self.values.as_ref(), column, count, &mut self.drift);
            let (r, s, phi) = (self.drift.r.as_ref(), self.drift.s.as_ref(), self.drift.phi.as_ref());
            for (&row, entry) in rows.iter().zip(of.iter_mut()).take_while(|(row, _)| **row < count) {
                *entry = match row {
                    row if row < nv => r[row],
                    row if row < nv + nz => s[row - nv],
                    row => phi[row - nv - nz],
                };
            }
        }
        let all = pattern.starts[nv];
        self.values.as_mut()[..all].copy_from_slice(&of.as_ref()[..all]);
        Ok(())
    }
}

//! A model beside its twin, in plain numbers: what compares them is compiled once, not for each model.

use super::compare::{Mismatch, Values, copy};
use super::direction::Direction;
use crate::model::layout::{Layout, RowKind};
use crate::model::linearize::Weights;
use crate::numbers::dual::Dual;

/// r, ż − g and Φ, with their derivatives along a direction.
pub(super) struct Rows<'a> {
    pub(super) r: &'a [Dual<f64>],
    pub(super) s: &'a [Dual<f64>],
    pub(super) phi: &'a [Dual<f64>],
}

/// What a model and its twin are asked for at a point.
pub(super) trait Twins {
    fn layout(&self) -> Layout<'_>;

    /// Shows the rows of the twin.
    fn rows(&self, direction: Direction, see: &mut dyn FnMut(Rows<'_>));

    /// Shows the tangent of the model.
    fn tangent_by(&self, weights: Weights<f64>, see: &mut dyn FnMut(&[f64]));

    /// Writes derivatives of Φ, Φ̇ or G a + γ, by the level; of the law of a compliant row at each level.
    fn held(&self, direction: Direction, level: usize, out: &mut [f64]);

    /// Writes those of Ṁ v.
    fn momentum_rate_along(&self, direction: Direction, out: &mut [f64]);

    /// Writes those of outputs.
    fn outputs_along(&self, direction: Direction, out: &mut [f64]);
}

impl dyn Twins + '_ {
    /// Writes derivatives of (r, ż − g).
    pub(super) fn row_slopes(&self, direction: Direction, out: &mut [f64]) {
        self.rows(direction, &mut |Rows { r, s, .. }| {
            for (x, y) in r.iter().chain(s).zip(&mut *out) {
                *y = x.eps;
            }
        });
    }

    /// Writes those of Φ.
    pub(super) fn constraint_slopes(&self, direction: Direction, out: &mut [f64]) {
        self.rows(direction, &mut |Rows { phi, .. }| copy(phi, out));
    }

    /// Compares entries of the rows (r, ż − g) with derivatives along the direction of each column.
    pub(super) fn compare_rows(&self, own: &Values<'_>, direction: fn(usize) -> Direction) -> Result<(), Mismatch> {
        own.compare(&|c, out| self.row_slopes(direction(c), out))
    }

    /// The same of Φ.
    pub(super) fn compare_constraints(
        &self,
        own: &Values<'_>,
        direction: fn(usize) -> Direction,
    ) -> Result<(), Mismatch> {
        own.compare(&|c, out| self.constraint_slopes(direction(c), out))
    }
}

/// Derivatives of rigid rows that begin as these, plus those of G a.
pub(super) fn rigid_rows(l: &Layout<'_>, begun: &[Dual<f64>], moved: Option<[&[Dual<f64>]; 2]>, out: &mut [f64]) {
    let rigid = |row: usize| l.kind(row) != RowKind::Compliant;
    for (_, (out, begun)) in out.iter_mut().zip(begun).enumerate().filter(|(row, _)| rigid(*row)) {
        *out = begun.eps;
    }
    let Some([jacobian, a]) = moved else { return };
    for ((row, c), &g) in l.jacobian.entries().zip(jacobian).filter(|((row, _), _)| rigid(*row)) {
        if let (Some(out), Some(&a)) = (out.get_mut(row), a.get(c)) {
            *out += (g * a).eps;
        }
    }
}

//! What the equations and momenta of members vary by.

use crate::families::asking::{Ask, Asked, Asking};
use crate::families::composite::Element;
use crate::families::gather::Local;
use crate::families::varied::{MOMENTA, MOMENTA_BY_PARAMETER, PARAMETERS, STATES, Varied, partials};
use crate::model::layout::{Block, Layout};
use crate::model::optimizable::Optimizable;
use crate::model::system::{At, Rates, Residual};
use crate::numbers::scalar::Scalar;

/// A matrix of which the nonzeros are added.
struct Adding<'a, T> {
    matrix: usize,
    /// of [`STATES`], the rows (r, s, Φ) alone, or the others
    first: bool,
    out: &'a mut [T],
}

impl<S: Varied> Ask<S> for Adding<'_, S::Real> {
    fn ask<E: Element<S> + Optimizable>(&mut self, at: Asked<'_>, element: &E, t: S::Real, local: &Local<E>) {
        let (layout, of) = (element.layout(), element.partial_patterns());
        let (point, rates) = (local.at(t), local.rates());
        match self.matrix {
            STATES => {
                let mut own = E::Partials::zeros(of.states.nnz());
                match self.first {
                    true => element.residual_partials(point, rates, &mut Residual::zeros(&layout), &mut own),
                    false => element.level_partials(point, rates, &mut own),
                }
                let rows = first_rows(&layout);
                let places = at.places(STATES, own.as_ref().len());
                for ((&row, &value), &place) in of.states.indices.iter().zip(own.as_ref()).zip(places) {
                    if let Some(to) = self.out.get_mut(place as usize).filter(|_| (row < rows) == self.first) {
                        *to += value;
                    }
                }
            }
            PARAMETERS => {
                let mut own = E::PartialsByParameter::zeros(of.parameters.nnz());
                element.partials_by_parameter(point, rates, &mut own);
                at.add(PARAMETERS, own.as_ref(), self.out);
            }
            MOMENTA => {
                let mut own = E::MomentumPartials::zeros(of.momenta.nnz());
                element.momentum_partials(point, &mut own);
                at.add(MOMENTA, own.as_ref(), self.out);
            }
            _ => {
                let mut own = E::MomentumPartialsByParameter::zeros(of.momenta_by_parameter.nnz());
                element.momentum_partials_by_parameter(point, &mut own);
                at.add(MOMENTA_BY_PARAMETER, own.as_ref(), self.out);
            }
        }
    }
}

/// Rows (r, s, Φ).
fn first_rows(layout: &Layout<'_>) -> usize {
    layout.v.len() + layout.z.len() + layout.constraints.len()
}

/// The rows (r, s, Φ) of ∂(r, s, Φ, Φ̇, Φ̈)/∂(q, v, a, z, λ, u, t), or the others.
fn states<S: Varied>(system: &S, at: At<'_, S>, rates: Rates<'_, S>, first: bool, out: &mut [S::Real]) {
    let rows = first_rows(&system.layout());
    let indices = &partials(system).of.columns[STATES].indices;
    for (_, value) in indices.iter().zip(out.iter_mut()).filter(|(row, _)| (**row < rows) == first) {
        *value = S::Real::ZERO;
    }
    S::each_varied(&mut Asking { system, at, rates: Some(rates), ask: Adding { matrix: STATES, first, out } });
}

/// [`Sensitive::residual_partials`](crate::Sensitive::residual_partials) of the whole.
pub fn residual_partials<S: Varied>(
    system: &S,
    at: At<'_, S>,
    rates: Rates<'_, S>,
    residual: &mut Residual<S>,
    out: &mut [S::Real],
) {
    system.residual(at, rates, residual);
    states(system, at, rates, true, out);
}

/// [`Sensitive::level_partials`](crate::Sensitive::level_partials) of the whole.
pub fn level_partials<S: Varied>(system: &S, at: At<'_, S>, rates: Rates<'_, S>, out: &mut [S::Real]) {
    states(system, at, rates, false, out);
}

/// The nonzeros of a matrix.
fn matrix<S: Varied>(system: &S, at: At<'_, S>, rates: Option<Rates<'_, S>>, matrix: usize, out: &mut [S::Real]) {
    out.fill(S::Real::ZERO);
    S::each_varied(&mut Asking { system, at, rates, ask: Adding { matrix, first: true, out } });
}

/// [`Sensitive::partials_by_parameter`](crate::Sensitive::partials_by_parameter) of the whole.
pub fn partials_by_parameter<S: Varied>(system: &S, at: At<'_, S>, rates: Rates<'_, S>, out: &mut [S::Real]) {
    matrix(system, at, Some(rates), PARAMETERS, out);
}

/// [`Sensitive::momentum_partials`](crate::Sensitive::momentum_partials) of the whole.
pub fn momentum_partials<S: Varied>(system: &S, at: At<'_, S>, out: &mut [S::Real]) {
    matrix(system, at, None, MOMENTA, out);
}

/// [`Sensitive::momentum_partials_by_parameter`](crate::Sensitive::momentum_partials_by_parameter) of the whole.
pub fn momentum_partials_by_parameter<S: Varied>(system: &S, at: At<'_, S>, out: &mut [S::Real]) {
    matrix(system, at, None, MOMENTA_BY_PARAMETER, out);
}

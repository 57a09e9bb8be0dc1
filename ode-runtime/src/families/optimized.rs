//! Limits, costs and squares of members, with what they vary by.

use crate::families::asking::{Ask, Asked, Asking};
use crate::families::composite::Element;
use crate::families::gather::Local;
use crate::families::placing::Of;
use crate::families::spec::Form;
use crate::families::varied::{COSTS, COSTS_BY_PARAMETER, LIMITS, SQUARES, Varied};
use crate::model::layout::Block;
use crate::model::optimizable::Optimizable;
use crate::model::system::At;
use crate::numbers::scalar::Scalar;

/// What an optimiser asks for, with its derivatives.
struct Values<'a, T> {
    /// [`LIMITS`], [`COSTS`] or [`SQUARES`]
    matrix: usize,
    values: &'a mut [T],
    by: &'a mut [T],
    by_parameter: &'a mut [T],
}

impl<S: Varied> Ask<S> for Values<'_, S::Real> {
    fn concerns(&self, form: &Form) -> bool {
        let names = match self.matrix {
            LIMITS => form.limits,
            SQUARES => form.squares,
            _ => form.costs,
        };
        !names.is_empty()
    }

    fn ask<E: Element<S> + Optimizable>(&mut self, at: Asked<'_>, element: &E, t: S::Real, local: &Local<E>) {
        let (point, of) = (local.at(t), element.partial_patterns());
        match self.matrix {
            LIMITS => {
                let pattern = element.limit_pattern();
                let (mut own, mut by) = (E::H::zeros(pattern.rows), E::LimitPartials::zeros(pattern.nnz()));
                element.limit_partials(point, &mut own, &mut by);
                at.member.add(&[Of::Limits], own.as_ref(), self.values);
                at.add(LIMITS, by.as_ref(), self.by);
            }
            SQUARES => {
                let pattern = element.square_pattern();
                let (mut own, mut by) = (E::Squares::zeros(pattern.rows), E::SquarePartials::zeros(pattern.nnz()));
                element.square_partials(point, &mut own, &mut by);
                at.member.add(&[Of::Squares], own.as_ref(), self.values);
                at.add(SQUARES, by.as_ref(), self.by);
            }
            _ => {
                let (mut own, mut by) = (E::Costs::zeros(of.costs.rows), E::CostByState::zeros(of.costs.nnz()));
                let mut by_parameter = E::CostByParameter::zeros(of.costs_by_parameter.nnz());
                element.cost_partials(point, &mut own, &mut by, &mut by_parameter);
                at.member.add(&[Of::Costs], own.as_ref(), self.values);
                at.add(COSTS, by.as_ref(), self.by);
                at.add(COSTS_BY_PARAMETER, by_parameter.as_ref(), self.by_parameter);
            }
        }
    }
}

fn values<S: Varied>(system: &S, at: At<'_, S>, matrix: usize, [values, by, by_parameter]: [&mut [S::Real]; 3]) {
    for out in [&mut *values, &mut *by, &mut *by_parameter] {
        out.fill(S::Real::ZERO);
    }
    let ask = Values { matrix, values, by, by_parameter };
    S::each_varied(&mut Asking { system, at, rates: None, ask });
}

/// [`Optimizable::limit_partials`](crate::Optimizable::limit_partials) of the whole.
pub fn limit_partials<S: Varied>(system: &S, at: At<'_, S>, limits: &mut [S::Real], by: &mut [S::Real]) {
    values(system, at, LIMITS, [limits, by, &mut []]);
}

/// [`Optimizable::square_partials`](crate::Optimizable::square_partials) of the whole.
pub fn square_partials<S: Varied>(system: &S, at: At<'_, S>, rows: &mut [S::Real], by: &mut [S::Real]) {
    values(system, at, SQUARES, [rows, by, &mut []]);
}

/// [`Sensitive::cost_partials`](crate::Sensitive::cost_partials) of the whole: each cost is the sum over its members.
pub fn cost_partials<S: Varied>(system: &S, at: At<'_, S>, costs: &mut [S::Real], by: [&mut [S::Real]; 2]) {
    let [states, parameters] = by;
    values(system, at, COSTS, [costs, states, parameters]);
}

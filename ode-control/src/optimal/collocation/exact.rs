//! Exact second derivatives of the Lagrangian of an interval, by a model over dual numbers.

use ode_runtime::{Block, Cause, Dual, Optimizable, Pattern, State, Wide};

use crate::optimal::alike::alike;
use crate::optimal::collocation::curvature::{Curvature, Rates, Weighed};
use crate::optimal::collocation::equations::Spot;
use crate::optimal::collocation::sizes::Sizes;
use crate::optimal::error::PlanError;
use crate::optimal::evaluation::Evaluation;

/// Exact second derivatives, by a model over dual numbers.
#[derive(Clone, Copy, Debug)]
pub struct Exact<'a, D> {
    pub(super) system: &'a D,
}

/// Numbers that vary as some columns do, each in a lane.
fn lifted<T: Wide<Lane = f64>, B: Block<Dual<f64, T>>>(values: &[f64], rate: impl Fn(usize, usize) -> f64) -> B {
    let mut out = B::zeros(values.len());
    for (i, (out, &value)) in out.as_mut().iter_mut().zip(values).enumerate() {
        *out = Dual::constant(value);
        (0..T::LANES).for_each(|lane| out.eps.set_lane(lane, rate(i, lane)));
    }
    out
}

impl<T, S, D> Curvature<S> for Exact<'_, D>
where
    T: Wide<Lane = f64>,
    S: Optimizable<Real = f64>,
    D: Optimizable<Real = Dual<f64, T>>,
{
    const COSTS: bool = true;

    fn check(&self, system: &S, sizes: &Sizes) -> Result<(), PlanError> {
        let other = Sizes::of(self.system, sizes.tableau, sizes.h);
        let (found, wanted) = (other.columns() as f64, sizes.columns() as f64);
        if other.numbers() == sizes.numbers() {
            return alike(system, self.system);
        }
        let setting = "number of variables of the model over dual numbers";
        Err(Cause::OutOfRange { setting, value: found, low: wanted, high: wanted }.into())
    }

    fn add(
        &mut self,
        _: &mut Evaluation<'_, S>,
        (sizes, spot): (&Sizes, &Spot<S>),
        (rates, mu): Rates<'_>,
        (((costs, squares), limits), multipliers): Weighed<'_>,
        mut add: impl FnMut(usize, usize, f64),
    ) -> Result<(), PlanError> {
        let (system, n) = (self.system, rates.ncols());
        let patterns = system.partial_patterns();
        let weighed = |weights: &[f64]| weights.iter().any(|w| *w != 0.0);
        for first in (0..n).step_by(T::LANES) {
            let at = Lifted::<T, D>::of(system, (sizes, spot), (rates, mu), first);
            let mut give = |slope: T, rates: &dyn Fn(usize) -> f64| {
                for c in first..n.min(first + T::LANES) {
                    let slope = slope.lane(c - first);
                    if slope != 0.0 {
                        (0..n).for_each(|r| add(r, c, rates(r) * slope));
                    }
                }
            };
            let mut function =
                |pattern: Pattern<'_>, by: &[Dual<f64, T>], weight: &dyn Fn(usize, Dual<f64, T>) -> Option<T>| {
                    pattern.visit(by, |row, column, slope| {
                        if let Some(slope) = weight(row, slope) {
                            let column = sizes.of_function(column);
                            give(slope, &|r| rates[(column, r)]);
                        }
                    });
                };
            let scaled = |weights: &[f64], row: usize, slope: T| match weights.get(row) {
                Some(&weight) if weight != 0.0 => Some(T::splat(weight) * slope),
                _ => None,
            };
            if weighed(costs) {
                let mut values = D::Costs::zeros(costs.len());
                let mut by = D::CostByState::zeros(patterns.costs.nnz());
                let mut parameters = D::CostByParameter::zeros(patterns.costs_by_parameter.nnz());
                system.cost_partials(at.x.at(&at.u), &mut values, &mut by, &mut parameters);
                function(patterns.costs, by.as_ref(), &|row, slope| scaled(costs, row, slope.eps));
            }
            if weighed(limits) {
                let pattern = system.limit_pattern();
                let (mut values, mut by) = (D::H::zeros(pattern.rows), D::LimitPartials::zeros(pattern.nnz()));
                system.limit_partials(at.x.at(&at.u), &mut values, &mut by);
                function(pattern, by.as_ref(), &|row, slope| scaled(limits, row, slope.eps));
            }
            if weighed(squares) {
                let pattern = system.square_pattern();
                let (mut e, mut by) = (D::Squares::zeros(pattern.rows), D::SquarePartials::zeros(pattern.nnz()));
                system.square_partials(at.x.at(&at.u), &mut e, &mut by);
                function(pattern, by.as_ref(), &|row, slope| scaled(squares, row, (e.as_ref()[row] * slope).eps));
            }
            if weighed(multipliers) {
                at.equations(system, sizes, multipliers, |column, slope, shifted| match mu.filter(|_| shifted) {
                    Some(mu) if column >= sizes.multiplier_column(0) && column < sizes.multiplier_column(sizes.nc) => {
                        let l = column - sizes.multiplier_column(0);
                        give(slope, &|r| rates[(column, r)] + mu[(l, r)]);
                    }
                    _ => give(slope, &|r| rates[(column, r)]),
                });
            }
        }
        Ok(())
    }
}

/// A point whose numbers vary.
struct Lifted<T: Wide<Lane = f64>, D: Optimizable<Real = Dual<f64, T>>> {
    x: State<D>,
    u: D::U,
    /// λ + μ
    shifted: D::L,
}

impl<T: Wide<Lane = f64>, D: Optimizable<Real = Dual<f64, T>>> Lifted<T, D> {
    fn of<S: Optimizable<Real = f64>>(
        system: &D,
        (sizes, spot): (&Sizes, &Spot<S>),
        (rates, mu): Rates<'_>,
        first: usize,
    ) -> Self {
        let n = rates.ncols();
        let rate = |column: usize| {
            move |i: usize, lane: usize| match first + lane {
                c if c < n => rates[(column + i, c)],
                _ => 0.0,
            }
        };
        let (nv, nz, nc) = (sizes.nv, sizes.nz, sizes.nc);
        let still = |_: usize, _: usize| 0.0;
        let step: D::V = lifted(&vec![0.0; nv], rate(0));
        let from: D::Q = lifted(spot.x.q.as_ref(), still);
        let mut q = from.clone();
        system.retract(&from, &step, &mut q);
        let mut t: Dual<f64, T> = Dual::constant(spot.x.t);
        (0..T::LANES).for_each(|lane| t.eps.set_lane(lane, rate(sizes.columns() - 1)(0, lane)));
        let x = State {
            t,
            q,
            v: lifted(spot.x.v.as_ref(), rate(nv)),
            z: lifted(spot.x.z.as_ref(), rate(3 * nv)),
            a: lifted(spot.x.a.as_ref(), rate(2 * nv)),
            // s is ż − g: its part ż is linear
            zdot: lifted(spot.x.zdot.as_ref(), still),
            lambda: lifted(spot.x.lambda.as_ref(), rate(3 * nv + nz)),
            modes: lifted(spot.x.modes.as_ref(), still),
        };
        let shift = |l: usize, lane: usize| {
            let own = rate(3 * nv + nz)(l, lane);
            own + mu.filter(|_| first + lane < n).map_or(0.0, |mu| mu[(l, first + lane)])
        };
        let u = lifted(spot.u.as_ref(), rate(3 * nv + nz + nc));
        Self { x, u, shifted: lifted(spot.shifted.as_ref(), shift) }
    }

    /// Tells what the derivative of the equations with these multipliers varies by, column by column; of those with
    /// λ + μ apart.
    fn equations(&self, system: &D, sizes: &Sizes, multipliers: &[f64], mut tell: impl FnMut(usize, T, bool)) {
        let (nv, nz, nc) = (sizes.nv, sizes.nz, sizes.nc);
        // those of τ are of the chart
        let (own, drift) = multipliers[..sizes.turn()].split_at(nv + nz + nc);
        let (forces, rates) = drift.split_at(drift.len().min(nv));
        let mut covector = D::Rows::zeros(nv + nz + 3 * nc);
        let rows = covector.as_mut();
        rows.iter_mut().zip(own).for_each(|(row, y)| *row = Dual::constant(*y));
        // e − Gᵀμ = e + r(λ + μ) − r(λ)
        rows.iter_mut().zip(forces).for_each(|(row, y)| *row -= Dual::constant(*y));
        for (l, y) in rates.iter().enumerate().filter(|(l, _)| sizes.holonomic[*l]) {
            rows[nv + nz + nc + l] = Dual::constant(*y);
        }
        self.pull(system, &self.x.lambda, &covector, |column, slope| tell(column, slope, false));
        if !forces.is_empty() {
            let mut covector = D::Rows::zeros(nv + nz + 3 * nc);
            covector.as_mut().iter_mut().zip(forces).for_each(|(row, y)| *row = Dual::constant(*y));
            self.pull(system, &self.shifted, &covector, |column, slope| tell(column, slope, true));
        }
    }

    fn pull(&self, system: &D, lambda: &D::L, covector: &D::Rows, mut tell: impl FnMut(usize, T)) {
        let columns = system.partial_patterns().states.cols;
        let (mut by, mut parameters) =
            (D::Columns::zeros(columns), D::P::zeros(system.derivatives().parameter_names.len()));
        let rates = ode_runtime::Rates { a: &self.x.a, zdot: &self.x.zdot, lambda };
        system.pull_back(self.x.at(&self.u), rates, covector, &mut by, &mut parameters);
        by.as_ref().iter().enumerate().for_each(|(column, slope)| tell(column, slope.eps));
    }
}

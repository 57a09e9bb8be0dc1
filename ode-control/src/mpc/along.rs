//! A stage of a nonlinear plan, as the linear problem of small changes sees it.

use ode_runtime::linalg::nalgebra::convert;
use ode_runtime::linalg::{Field, SMatrix, SVector};
use ode_runtime::{Block, Cause, Layout, Optimizable, Real, State, System};

use crate::deviation::{RealOf, align, by_difference, minus};
use crate::mpc::problem::MpcRows;

/// A stage of what a [`NonlinearMpc`](crate::NonlinearMpc) plans, and where it is drawn to. Of the end of the horizon
/// only the states count.
#[derive(Clone, Debug)]
pub struct Along<S: System> {
    /// the planned state where the stage begins; its time and its modes follow from the state that is measured
    pub x: State<S>,
    /// the planned inputs
    pub u: S::U,
    /// the state that deviations are weighed from
    pub wanted: State<S>,
    /// the inputs that deviations are weighed from
    pub wanted_inputs: S::U,
}

impl<S: System> Along<S> {
    /// At rest where it is wanted to be.
    pub fn at(x: &State<S>, u: impl Into<S::U>) -> Self {
        let u = u.into();
        Self { x: x.clone(), u: u.clone(), wanted: x.clone(), wanted_inputs: u }
    }

    /// Refuses states and inputs of another model's size.
    pub(super) fn fits(&self, layout: &Layout<'_>) -> Result<(), Cause> {
        self.x.fits(layout)?;
        self.wanted.fits(layout)?;
        layout.fits_inputs(self.u.as_ref().len())?;
        layout.fits_inputs(self.wanted_inputs.as_ref().len())
    }
}

/// The weight of small changes of a state that is drawn to another one, and their reference: ½ |e + L dx|² with
/// e = x ⊖ x_r, which is least at dx = −e, because a turn does not turn its axis. Points of the sphere are wanted in
/// the frames that those of x carry along.
pub(super) fn drawn<S: Optimizable<Real: Real>, const N: usize>(
    system: &S,
    at: &mut Along<S>,
    weight: &SMatrix<RealOf<S>, N, N>,
) -> (SMatrix<RealOf<S>, N, N>, SVector<RealOf<S>, N>) {
    align(system, &at.x, &mut at.wanted);
    let off: SVector<RealOf<S>, N> = minus(system, &at.x, &at.wanted);
    if system.turnings().is_empty() {
        return (*weight, -off);
    }
    let by = by_difference(system, (&at.x, &at.wanted), &off);
    let own = by.transpose() * weight * by;
    // symmetric to the last digit, if it was: what is not is refused by name
    let symmetric = *weight == weight.transpose();
    (if symmetric { (own + own.transpose()) * convert::<f64, RealOf<S>>(0.5) } else { *weight }, -off)
}

/// Rows of the model's limits, by small changes of the state and the inputs. Those without bounds ask for nothing, and
/// need not be finite.
pub(super) fn rows<S: Optimizable<Real: Real>, const N: usize, const U: usize, const R: usize>(
    system: &S,
    Along { x, u, .. }: &Along<S>,
    bounds: &[(RealOf<S>, RealOf<S>); R],
) -> MpcRows<RealOf<S>, N, U, R> {
    let mut rows = MpcRows::none();
    if R == 0 {
        return rows;
    }
    let (layout, pattern) = (system.layout(), system.limit_pattern());
    let (mut values, mut by) = (S::H::zeros(R), S::LimitPartials::zeros(pattern.nnz()));
    system.limit_partials(x.at(u), &mut values, &mut by);
    let finite = |bound: RealOf<S>| S::Real::from_entry(bound).is_finite();
    let bounded = |row: usize| finite(bounds[row].0) || finite(bounds[row].1);
    pattern.visit(by.as_ref(), |row, column, slope| match layout.direction(column).filter(|_| bounded(row)) {
        Some(direction) if direction < N => rows.by_state[(row, direction)] = slope.entry(),
        Some(direction) => rows.by_input[(row, direction - N)] = slope.entry(),
        None => {}
    });
    for i in (0..R).filter(|&i| bounded(i)) {
        rows.offset[i] = values.as_ref()[i].entry();
        (rows.low[i], rows.high[i]) = bounds[i];
    }
    rows
}

/// Which limits depend on inputs.
pub(super) fn read_inputs<S: Optimizable, const N: usize, const R: usize>(system: &S) -> [bool; R] {
    let (layout, mut found) = (system.layout(), [false; R]);
    for (row, column) in system.limit_pattern().entries() {
        if let Some(found) = found.get_mut(row) {
            *found |= layout.direction(column).is_some_and(|direction| direction >= N);
        }
    }
    found
}

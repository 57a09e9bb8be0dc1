//! The tangent of a model at a state by its weights: M, D and K on its pattern, with their borders.

use std::vec::Vec;

use crate::error::{Cause, Level, Name, Quantity};
use crate::linalg::Saddle;
use crate::model::input::Inputs;
use crate::model::layout::{Layout, RowKind};
use crate::model::linearize::{Linearize, Weights};
use crate::model::state::State;
use crate::model::system::Constraint;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::solve::{Dependence, EXACT, LOOSE, Tangent, inertial};

/// The tangent at a state by its weights, as values on its pattern.
pub(super) struct Parts<S: Solvable + Linearize> {
    tangent: Tangent<S>,
    /// M
    pub(super) rates: Vec<S::Real>,
    /// D
    pub(super) velocity: Vec<S::Real>,
    /// K with what does not depend on weights: multipliers, and ones for held velocities
    pub(super) position: Vec<S::Real>,
    /// that alone
    always: Vec<S::Real>,
    /// the rank of G without compliant rows
    rank: usize,
}

impl<S: Solvable + Linearize> Parts<S> {
    pub(super) fn evaluate<U: Inputs<S>>(system: &S, inputs: &U, x: &State<S>) -> Result<Self, Cause> {
        inertial(Context { system, inputs, work: &mut Work::default() }, x)?;
        let (layout, mut tangent, mut work) = (system.layout(), Tangent::new(system), Work::default());
        let mut cx = Context { system, inputs, work: &mut work };
        let mut part = |rates, velocity, position, state| {
            tangent.linearize(&mut cx, Level::Position, Weights { rates, velocity, position, state }, x)?;
            let values = tangent.values.as_ref().to_vec();
            let Some(bad) = values.iter().position(|x| !x.is_finite()) else { return Ok(values) };
            let row = layout.tangent.indices.get(bad).copied().unwrap_or(0);
            Err(Cause::NonFinite { quantity: Quantity::Force, name: unknown(&layout, row) })
        };
        let (o, i) = (S::Real::ZERO, S::Real::ONE);
        let always = part(o, o, o, o)?;
        let mut without = |rates, velocity| {
            let mut values = part(rates, velocity, o, o)?;
            values.iter_mut().zip(&always).for_each(|(x, &own)| *x -= own);
            Ok::<_, Cause>(values)
        };
        let (rates, velocity) = (without(i, o)?, without(o, i)?);
        // last, so that a solver of redundant rows has its measure
        let position = part(o, o, i, i)?;
        let mut rank = 0;
        if !layout.constraints.is_empty() {
            let mut constraint = Constraint::zeros(&layout);
            system.constraint(x.at(&tangent.u), &mut constraint);
            let tolerance = if S::Saddle::REDUNDANT { LOOSE } else { EXACT };
            rank = Dependence::<S>::of_jacobian(layout, constraint.jacobian.as_ref(), tolerance).rank().0;
        }
        Ok(Self { tangent, rates, velocity, position, always, rank })
    }

    /// How many displacements the rows and held velocities allow.
    pub(super) fn freedom(&self, layout: &Layout<'_>) -> usize {
        let places = layout.tangent.entries().zip(&self.always);
        let held = places.filter(|((r, c), value)| r == c && *r < layout.v.len() && **value != S::Real::ZERO).count();
        layout.v.len().saturating_sub(self.rank + held)
    }

    /// The solver that evaluated them.
    pub(super) fn into_solver(self) -> S::Kkt {
        self.tangent.kkt
    }

    /// The values of another matrix of velocities, bordered as K is: D.
    pub(super) fn bordered(&self, values: &[S::Real]) -> Vec<S::Real> {
        values.iter().zip(&self.always).map(|(&x, &own)| x + own).collect()
    }

    /// Σ |Kᵢⱼ| of a matrix of velocities, and what compliant rows add.
    pub(super) fn sums(layout: &Layout<'_>, values: &[S::Real]) -> Vec<S::Real> {
        let (nv, first) = (layout.v.len(), layout.v.len() + layout.z.len());
        let zeros = |n: usize| std::vec![S::Real::ZERO; n];
        let (mut sums, mut rows, mut yields) =
            (zeros(nv), zeros(layout.constraints.len()), zeros(layout.constraints.len()));
        layout.tangent.visit(values, |r, c, value| match (r.checked_sub(first), c.checked_sub(first)) {
            (None, None) if r < nv && c < nv => sums[r] += value.abs(),
            (Some(row), None) => rows[row] += value.abs(),
            (Some(row), Some(_)) => yields[row] = value.abs(),
            _ => {}
        });
        layout.tangent.visit(values, |r, c, value| {
            if let (true, Some(row)) = (r < nv, c.checked_sub(first))
                && yields[row] > S::Real::ZERO
            {
                sums[r] += value.abs() * rows[row] / yields[row];
            }
        });
        sums
    }
}

/// Names unknown `i` of the tangent.
pub(super) fn unknown(layout: &Layout<'_>, i: usize) -> Name {
    let (nv, nz) = (layout.v.len(), layout.z.len());
    match i {
        i if i < nv => Name::of(layout.directions, i),
        i if i < nv + nz => Name::of(layout.z, i - nv),
        i => Name::of(layout.constraints, i - nv - nz),
    }
}

/// Makes the block of velocities symmetric, and rigid rows those of the multipliers' forces.
///
/// # Errors
/// The row whose entries differ from those of its column by more than `tolerance` of Σ |Kᵢⱼ|.
pub(super) fn symmetric<T: Real>(layout: &Layout<'_>, values: &mut [T], sums: &[T], tolerance: T) -> Result<(), usize> {
    let (nv, first) = (layout.v.len(), layout.v.len() + layout.z.len());
    let pattern = layout.tangent;
    let mirror = |row: usize, column: usize| {
        let own = pattern.starts[row]..pattern.starts[row + 1];
        pattern.indices[own.clone()].binary_search(&column).ok().map(|k| own.start + k)
    };
    let mut worst = (None, T::ONE);
    let mut off = |row: usize, share: T| {
        if !(share <= worst.1) {
            worst = (Some(row), share);
        }
    };
    for (at, (r, c)) in pattern.entries().enumerate() {
        let beside = mirror(r, c);
        let other = beside.and_then(|k| values.get(k)).copied().unwrap_or(T::ZERO);
        if r < c && c < nv || r < nv && c < nv && beside.is_none() {
            let scale = tolerance * (sums[r] * sums[c]).sqrt();
            let apart = (values[at] - other).abs();
            off(r, if apart <= scale { T::ZERO } else { apart / scale });
            let mean = T::from_f64(0.5) * (values[at] + other);
            values[at] = if beside.is_some() { mean } else { T::ZERO };
            if let Some(k) = beside {
                values[k] = mean;
            }
        } else if r >= first && c < nv {
            if layout.kind(r - first) != RowKind::Compliant {
                values[at] = -other;
            } else if !((values[at] + other).abs() <= T::from_f64(1e3) * T::EPSILON * other.abs()) {
                off(r, T::INFINITY);
            }
        }
    }
    worst.0.map_or(Ok(()), Err)
}

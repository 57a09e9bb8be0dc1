//! Which rows of constraints depend on others at a state.

use std::vec::Vec;

use crate::error::Cause;
use crate::linalg::Saddle;
use crate::model::layout::Block;
use crate::model::state::State;
use crate::model::system::Constraint;
use crate::solve::solvable::Solvable;
use crate::solve::{Dependence, EXACT, LOOSE, undefined};

/// What the rows of constraints hold at a state.
///
/// The multipliers of dependent rows are not unique: their load can be shared differently without changing the motion.
/// In models marked `with { redundant }`, λ has the least Σ Sᵢᵢ λᵢ², S = G M⁻¹ Gᵀ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redundancy {
    /// the rank of G
    pub rank: usize,
    /// number of rows that are not compliant
    pub rows: usize,
    /// the rows involved in a dependence, as indices of `Layout::constraints`
    pub shared: Vec<usize>,
}

impl Redundancy {
    /// Of the rows at `x`, which satisfies them.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] with a coordinate, or a row with a gradient that is not finite; [`Cause::NotARotation`].
    pub fn at<S: Solvable>(system: &S, x: &State<S>) -> Result<Self, Cause> {
        let x = x.entered(system)?;
        let layout = system.layout();
        let mut u = S::U::zeros(layout.u.len());
        system.nominal(&mut u);
        let mut constraint = Constraint::zeros(&layout);
        system.constraint(x.at(&u), &mut constraint);
        undefined(&layout, &[], constraint.jacobian.as_ref())?;
        // A state from a run has some drift, where dependent rows become independent.
        let tolerance = if S::Saddle::REDUNDANT { LOOSE } else { EXACT };
        let mut found = Dependence::<S>::of_jacobian(layout, constraint.jacobian.as_ref(), tolerance);
        let (rank, rows) = found.rank();
        let shared = (0..layout.constraints.len()).filter(|&row| found.involves(row)).collect();
        Ok(Self { rank, rows, shared })
    }

    /// The names of the rows whose multipliers are not unique.
    pub fn names<'a, S: Solvable>(&self, system: &'a S) -> Vec<&'a str> {
        let names = system.layout().constraints;
        self.shared.iter().filter_map(|&row| names.get(row).copied()).collect()
    }
}

//! Riccati's recursion over stages that are stored one after another.
//!
//! D. P. Bertsekas, Dynamic Programming and Optimal Control, vol. 1, 4th ed. 2017, §3.1, with linear terms as in
//! G. Frison, J. B. Jørgensen, Efficient implementation of the Riccati recursion for solving linear-quadratic control
//! problems, IEEE Int. Conf. on Control Applications 2013.

use ode_runtime::linalg::SVector;
use ode_runtime::linalg::nalgebra::RealField;

use crate::stages::stage::{Policy, Stage, Value};

/// Writes the best inputs of each stage, where `terminal` is the cost of the last state, and returns what is left at
/// the first. Stages and policies have the same number; what there is more of one is not read.
///
/// # Errors
/// The place of a stage whose R + BᵀP B is not positive definite, or whose numbers are not finite: the last such one.
pub(crate) fn backward<E: RealField + Copy, const N: usize, const U: usize>(
    stages: &[Stage<E, N, U>],
    terminal: &Value<E, N>,
    policies: &mut [Policy<E, N, U>],
) -> Result<Value<E, N>, usize> {
    let mut left = *terminal;
    for (k, (stage, policy)) in stages.iter().zip(policies.iter_mut()).enumerate().rev() {
        if !(stage.best(&mut left, policy) && left.is_finite()) {
            return Err(k);
        }
    }
    Ok(left)
}

/// Solves again with the matrices of the last [`backward`], for other c, q and r of the stages and another gradient of
/// the last state; returns what is left at the first. It is not finite if one of them is not.
pub(crate) fn again<E: RealField + Copy, const N: usize, const U: usize>(
    stages: &[Stage<E, N, U>],
    terminal: &SVector<E, N>,
    policies: &mut [Policy<E, N, U>],
) -> SVector<E, N> {
    let pairs = stages.iter().zip(policies.iter_mut());
    pairs.rev().fold(*terminal, |left, (stage, policy)| policy.again(stage, left))
}

/// The way from a state, by the best inputs: of each stage its place, its inputs and the state at its end.
pub(crate) fn forward<E: RealField + Copy, const N: usize, const U: usize>(
    stages: &[Stage<E, N, U>],
    policies: &[Policy<E, N, U>],
    start: &SVector<E, N>,
    mut visit: impl FnMut(usize, &SVector<E, U>, &SVector<E, N>),
) {
    let mut x = *start;
    for (k, (stage, policy)) in stages.iter().zip(policies).enumerate() {
        let u = policy.at(&x);
        x = stage.next(&x, &u);
        visit(k, &u, &x);
    }
}

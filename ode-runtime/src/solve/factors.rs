//! Factors of the matrices of a point, with rows that depend on each other told apart from other causes.

use crate::error::{Cause, Level, Name};
use crate::linalg::Saddle;
use crate::scalar::Real;
use crate::scalar::Scalar;
use crate::solve::dependence::Dependence;
use crate::solve::{norm, refused, worst};
use crate::system::{At, Block, Constraint, Layout, RowKind, Solvable};

/// Rows that lose more than this of their length to others are said to depend on them where a factorisation fails.
pub(crate) const EXACT: f64 = 1e-9;
/// And at states of models with redundant rows, which are off by some drift.
pub(crate) const LOOSE: f64 = 1e-5;
/// And where iterations fail.
pub(crate) const NEAR: f64 = 1e-2;

/// What rows that depend on each other may differ by because a state has drifted off them.
const DRIFT: f64 = 0.1;

/// Tells a matrix that allows for redundant rows how far off a point is.
pub(crate) fn tolerate<S: Solvable>(system: &S, at: At<'_, S>, saddle: &mut S::Saddle) {
    if S::Saddle::REDUNDANT {
        let mut constraint = Constraint::zeros(&system.layout());
        system.constraint(at, &mut constraint);
        saddle.tolerate(constraint.phi.as_ref(), size(at.q));
    }
}

/// What offsets of coordinates are measured by.
pub(crate) fn size<T: Real, B: Block<T>>(q: &B) -> T {
    T::ONE + norm(q.as_ref())
}

/// Factorises [M Gᵀ; G 0].
///
/// # Errors
/// [`Cause::Singular`], or [`Cause::Dependent`] where it is rows of G.
pub(crate) fn factorize<S: Solvable>(
    system: &S,
    mass: &S::Mass,
    jacobian: &S::Jacobian,
    saddle: &mut S::Saddle,
) -> Result<(), Cause> {
    let layout = system.layout();
    let factorized = saddle.factorize(&layout, mass.as_ref(), jacobian.as_ref());
    factorized.map_err(|singular| refused(system, mass.as_ref(), jacobian.as_ref(), singular))
}

/// The same in motion, where rows may depend on each other for an instant: what they hold is then solved for, and the
/// refusal is for where that is not consistent.
///
/// # Errors
/// As [`factorize`], for other reasons.
pub(crate) fn cross<S: Solvable>(
    system: &S,
    mass: &S::Mass,
    jacobian: &S::Jacobian,
    saddle: &mut S::Saddle,
) -> Result<Option<Cause>, Cause> {
    let layout = system.layout();
    let Err(singular) = saddle.factorize(&layout, mass.as_ref(), jacobian.as_ref()) else { return Ok(None) };
    let cause = refused(system, mass.as_ref(), jacobian.as_ref(), singular);
    let softened =
        matches!(cause, Cause::Dependent { .. }) && saddle.soften(&layout, mass.as_ref(), jacobian.as_ref()).is_ok();
    if softened { Ok(Some(cause)) } else { Err(cause) }
}

/// Whether x solves G x = −γ, but for what is small beside its terms.
pub(crate) fn solves<S: Solvable>(layout: &Layout<'_>, jacobian: &S::Jacobian, gamma: &S::L, x: &S::V) -> bool {
    let small = |(off, scale): (S::Real, S::Real)| off.abs() <= S::Real::from_f64(1e-6) * scale;
    let rigid = |row: &usize| layout.kind(*row) != RowKind::Compliant;
    (0..layout.constraints.len()).filter(rigid).all(|row| small(left::<S>(layout, jacobian, gamma, x, row)))
}

/// What a row of G x + γ is, and the sum of the magnitudes of its terms.
fn left<S: Solvable>(
    layout: &Layout<'_>,
    jacobian: &S::Jacobian,
    gamma: &S::L,
    x: &S::V,
    row: usize,
) -> (S::Real, S::Real) {
    let own = gamma.as_ref().get(row).copied().unwrap_or(S::Real::ZERO);
    let (mut sum, mut scale) = (own, S::Real::ONE + own.abs());
    layout.jacobian.visit(jacobian.as_ref(), |r, c, g| {
        if let Some(&x) = x.as_ref().get(c).filter(|_| r == row) {
            sum += g * x;
            scale += (g * x).abs();
        }
    });
    (sum, scale)
}

/// Refuses what is left of G a = −γ where that is no drift: rows that ask for different accelerations.
#[cold]
pub(crate) fn contradiction<S: Solvable>(
    layout: Layout<'_>,
    jacobian: &S::Jacobian,
    gamma: &S::L,
    a: &S::V,
) -> Result<(), Cause> {
    let drift = |(off, scale): (S::Real, S::Real)| off.abs() <= S::Real::from_f64(DRIFT) * scale;
    let rigid = |row: &usize| layout.kind(*row) != RowKind::Compliant;
    if (0..layout.constraints.len()).filter(rigid).all(|row| drift(left::<S>(&layout, jacobian, gamma, a, row))) {
        return Ok(());
    }
    let off = |row: usize| left::<S>(&layout, jacobian, gamma, a, row).0;
    let mut found = Dependence::<S>::of_jacobian(layout, jacobian.as_ref(), NEAR);
    found.contradiction(Level::Acceleration, off).map_or(Ok(()), Err)
}

/// Refuses what rows are `off` at the end of an iteration, against a `size` of what it has found. Rows that may depend
/// on others take no part in a correction where they contradict each other, so that its size does not show it.
pub(crate) fn consistent<S: Solvable>(
    layout: Layout<'_>,
    jacobian: &S::Jacobian,
    level: Level,
    off: &S::L,
    size: S::Real,
) -> Result<(), Cause> {
    let off = off.as_ref();
    if !S::Saddle::REDUNDANT || norm(off) <= S::Real::from_f64(1e-6) * size {
        return Ok(());
    }
    let at = |row: usize| off.get(row).copied().unwrap_or(S::Real::ZERO);
    let (index, residual) = worst(off);
    let name = Name::of(layout.constraints, index);
    let mut found = Dependence::<S>::of_jacobian(layout, jacobian.as_ref(), NEAR);
    Err(found.contradiction(level, at).unwrap_or(Cause::Inconsistent { level, name, residual: residual.to_f64() }))
}

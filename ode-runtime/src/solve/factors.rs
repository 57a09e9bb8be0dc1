//! Factors of the matrices at a point. Dependent rows are distinguished from other failures.

use crate::error::{Cause, Level, Name};
use crate::linalg::Saddle;
use crate::model::layout::{Block, Layout, RowKind};
use crate::model::system::{At, Constraint};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::dependence::{Dependence, EXACT, NEAR};
use crate::solve::solvable::Solvable;
use crate::solve::{norm, refused, worst};

/// Tells a matrix with redundant rows how far the point is off the constraints, in positions and velocities, as shares
/// of these; zero if rows may not be dependent. In first-order models velocities are still to be found.
pub(crate) fn tolerate<S: Solvable>(system: &S, at: At<'_, S>, saddle: &mut S::Saddle) -> S::Real {
    if !S::Saddle::REDUNDANT {
        return S::Real::ZERO;
    }
    told(system, at, saddle, &mut Constraint::zeros(&system.layout()))
}

/// The same with room for the constraints, of a model with redundant rows.
pub(crate) fn told<S: Solvable>(
    system: &S,
    at: At<'_, S>,
    saddle: &mut S::Saddle,
    constraint: &mut Constraint<S>,
) -> S::Real {
    system.constraint(at, constraint);
    saddle.tolerate(constraint.phi.as_ref(), size(at.q));
    let positions = norm(constraint.phi.as_ref()) / size(at.q);
    match system.layout().first_order() {
        true => positions,
        false => positions.max(norm(constraint.rate.as_ref()) / size(at.v)),
    }
}

/// Refuses a point too far `off` to detect dependent rows.
pub(crate) fn near<S: Solvable>(system: &S, at: At<'_, S>, off: S::Real) -> Result<(), Cause> {
    if !(off > S::Real::from_f64(0.1)) {
        return Ok(());
    }
    let (layout, mut constraint) = (system.layout(), Constraint::zeros(&system.layout()));
    system.constraint(at, &mut constraint);
    let Constraint { phi, rate, jacobian } = &constraint;
    let positions = layout.first_order() || norm(phi.as_ref()) / size(at.q) >= norm(rate.as_ref()) / size(at.v);
    let (level, rows) = if positions { (Level::Position, phi) } else { (Level::Velocity, rate) };
    consistent::<S>(layout, jacobian, level, rows, S::Real::ZERO)
}

/// The allowed difference of dependent rows, as a share of their terms, at a point that is `off`.
pub(crate) fn slack<T: Real>(off: T) -> T {
    let least = T::from_f64(1e-8).max(T::from_f64(1e3) * T::EPSILON);
    (T::from_f64(1e3) * off).max(least).min(T::from_f64(0.1))
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

/// The same in motion, where rows may be dependent for an instant: the independent part is solved for, and the error
/// applies if that is inconsistent.
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

/// Whether x solves G x = −γ up to this share of its terms.
pub(crate) fn solves<S: Solvable>(
    layout: &Layout<'_>,
    jacobian: &S::Jacobian,
    gamma: &S::L,
    x: &S::V,
    share: S::Real,
) -> bool {
    let small = |(off, scale): (S::Real, S::Real)| off.abs() <= share * scale;
    let rigid = |row: &usize| layout.kind(*row) != RowKind::Compliant;
    (0..layout.constraints.len()).filter(rigid).all(|row| small(left::<S>(layout, jacobian, gamma, x, row)))
}

/// The value of a row of G x + γ, and the sum of the magnitudes of its terms.
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

/// Whether an `a` that dependent rows leave open at the point of `jacobian` is the one of the motion. For a null
/// vector, nᵀ G = 0, later rows also require d/dt nᵀ (G a + γ) = 0: `jacobian` and `gamma` `ahead` are those of the
/// state that `a` leads to within the time `ahead`.
#[cold]
pub(crate) fn continues<S: Solvable>(
    layout: Layout<'_>,
    jacobian: &S::Jacobian,
    (ahead, gamma): (&S::Jacobian, &S::L),
    a: &S::V,
    allowed: S::Real,
) -> bool {
    let mut found = Dependence::<S>::of_jacobian(layout, jacobian.as_ref(), EXACT);
    let rest = |row: usize| left::<S>(&layout, ahead, gamma, a, row).0;
    found.along(&rest) <= allowed
}

/// Refuses a residual of G a = −γ at a point that is `off`: rows that require different accelerations, or nearly
/// dependent rows.
#[cold]
pub(crate) fn contradiction<S: Solvable>(
    layout: Layout<'_>,
    jacobian: &S::Jacobian,
    gamma: &S::L,
    a: &S::V,
    off: S::Real,
) -> Result<(), Cause> {
    let (level, rest) = (Level::Acceleration, |row: usize| left::<S>(&layout, jacobian, gamma, a, row).0);
    let rows = |tolerance| Dependence::<S>::of_jacobian(layout, jacobian.as_ref(), tolerance);
    let (mut here, mut near) = (rows(EXACT.max(10.0 * off.to_f64()).min(NEAR)), rows(NEAR));
    let fewer = near.rank().0 < here.rank().0;
    Err(here.contradiction(level, &rest).or_else(|| near.cause().filter(|_| fewer)).unwrap_or_else(|| {
        let most = |at, row| if rest(row).abs() > rest(at).abs() { row } else { at };
        let row = (0..layout.constraints.len()).fold(0, most);
        Cause::Inconsistent { level, name: Name::of(layout.constraints, row), residual: rest(row).to_f64() }
    }))
}

/// Refuses the residual `off` of rows at the end of an iteration, relative to the `size` of the solution. Contradicting
/// redundant rows do not take part in corrections, so the size of a correction does not show it.
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
    Err(found.contradiction(level, &at).unwrap_or(Cause::Inconsistent { level, name, residual: residual.to_f64() }))
}

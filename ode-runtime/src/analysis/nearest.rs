//! The eigenvalues of a pencil that are nearest to a shift, and the proof that none is missing.
//!
//! Lanczos' method on (K − σ B)⁻¹ B finds 1/(λ − σ) of largest magnitude. A multiple eigenvalue could show itself too
//! seldom, so the eigenvalues between two shifts in the gap beyond the last one are counted by the signs of pivots; as
//! long as there are more than were found, the search goes on with another start. The lowest ones are sought from a
//! shift with none below it: such a matrix is positive along all motions, also where K is singular.
//!
//! Reference: R. G. Grimes, J. G. Lewis, H. D. Simon, A shifted block Lanczos algorithm for solving sparse symmetric
//! generalized eigenproblems, SIAM J. Matrix Anal. Appl. 15 (1994).

use std::vec::Vec;

use crate::analysis::pencil::Pencil;
use crate::analysis::rest::LinearError;
use crate::error::Cause;
use crate::linalg::{Extreme, Lanczos};
use crate::model::linearize::Linearize;
use crate::numbers::scalar::Real;
use crate::solve::solvable::Solvable;

/// Products with the inverse, for each eigenvalue asked for and on top.
const PRODUCTS: (usize, usize) = (40, 1000);
/// Times that the search goes on because of eigenvalues that were missing.
const TURNS: u32 = 8;
/// Places in a gap at which eigenvalues are counted, one after the other until pivots are sound.
const PLACES: [f64; 5] = [0.5, 0.4, 0.6, 0.3, 0.7];
/// Two eigenvalues are apart if their distances from the shift differ by this share.
const APART: f64 = 1e-6;

/// Eigenvalues, nearest to the shift first, and vectors with xᵀ B x = 1.
#[derive(Clone, Debug)]
pub(super) struct Nearest<T> {
    pub(super) values: Vec<T>,
    pub(super) vectors: Vec<Vec<T>>,
}

impl<T: Real> Nearest<T> {
    fn of(found: Extreme<T>, shift: T) -> Self {
        let values = found.values.into_iter().map(|x| shift + x.recip()).collect();
        Self { values, vectors: found.vectors }
    }
}

/// A search about a shift.
struct Search<'a, 'p, S: Solvable + Linearize> {
    pencil: &'a mut Pencil<'p, S>,
    lanczos: Lanczos<S::Real>,
    shift: S::Real,
    /// how many eigenvalues are below it, if that is known
    below: Option<usize>,
    count: usize,
}

fn products(count: usize) -> usize {
    PRODUCTS.0.saturating_mul(count).saturating_add(PRODUCTS.1)
}

fn failed(cause: Cause) -> LinearError {
    LinearError::Evaluation(cause)
}

/// The `count` lowest eigenvalues, or all of them.
///
/// # Errors
/// [`LinearError::TooFew`], [`LinearError::Unconverged`], [`LinearError::Uncounted`], [`LinearError::Inexact`].
pub(super) fn lowest<S: Solvable<Real = T> + Linearize, T: Real>(
    pencil: &mut Pencil<'_, S>,
    count: usize,
) -> Result<Nearest<T>, LinearError> {
    let (mut search, rough) = Search::from_below(pencil, count, T::from_f64(1e-3))?;
    search.approach(&rough.values)?;
    search.settle()
}

/// The lowest eigenvalue and its vector, to `tolerance` and without a proof; none if nothing moves.
///
/// # Errors
/// As [`lowest`].
pub(super) fn least<S: Solvable<Real = T> + Linearize, T: Real>(
    pencil: &mut Pencil<'_, S>,
    tolerance: T,
) -> Result<Option<(T, Vec<T>)>, LinearError> {
    let (mut search, rough) = Search::from_below(pencil, 1, tolerance)?;
    let Nearest { values, vectors } = match rough.values.first() {
        Some(&first) if first < T::ZERO => {
            search.approach(&rough.values)?;
            search.run(1, tolerance)?
        }
        _ => rough,
    };
    Ok(values.into_iter().zip(vectors).next())
}

/// The `count` eigenvalues nearest to `shift`.
///
/// # Errors
/// As [`lowest`]; [`LinearError::Shift`] where the shift is an eigenvalue.
pub(super) fn near<S: Solvable<Real = T> + Linearize, T: Real>(
    pencil: &mut Pencil<'_, S>,
    shift: T,
    count: usize,
) -> Result<Nearest<T>, LinearError> {
    let singular = |cause| match cause {
        Cause::Singular { .. } => LinearError::Shift { shift: shift.to_f64() },
        other => failed(other),
    };
    let below = pencil.shift(shift).map_err(singular)?;
    Search { pencil, lanczos: Lanczos::new(), shift, below, count }.settle()
}

impl<'a, 'p, S: Solvable<Real = T> + Linearize, T: Real> Search<'a, 'p, S> {
    /// From a shift with no eigenvalue below it, as far away as the lowest of them ask for; and these, roughly.
    fn from_below(pencil: &'a mut Pencil<'p, S>, count: usize, rough: T) -> Result<(Self, Nearest<T>), LinearError> {
        let scale = pencil.scale();
        let scale = if scale > T::ZERO { scale } else { T::ONE };
        let mut depth = T::EPSILON.sqrt() * scale;
        loop {
            let found = pencil.shift(-depth);
            if found == Ok(Some(0)) {
                break;
            }
            depth *= T::from_f64(16.0);
            if !(depth <= T::from_f64(64.0) * scale) {
                found.map_err(failed)?;
                return Err(LinearError::Uncounted { shift: -depth.to_f64() });
            }
        }
        let mut search = Self { pencil, lanczos: Lanczos::new(), shift: -depth, below: Some(0), count };
        let found = search.run(count.saturating_add(1), rough)?;
        Ok((search, found))
    }

    /// Moves the shift to where eigenvalues like these, ascending, lose no digit to the first, and not much farther.
    fn approach(&mut self, values: &[T]) -> Result<(), LinearError> {
        let (Some(&first), Some(&last)) = (values.first(), values.last()) else { return Ok(()) };
        let scale = self.pencil.scale();
        let spread = (last - first).max(T::EPSILON.sqrt() * scale);
        let away = first - self.shift;
        if away >= T::from_f64(0.01) * spread && away <= spread + spread {
            return Ok(());
        }
        let mut aside = T::from_f64(0.125) * spread;
        while aside <= scale {
            if Self::clear(self.pencil, first - aside) {
                (self.shift, self.lanczos) = (first - aside, Lanczos::new());
                return Ok(());
            }
            aside *= T::from_f64(4.0);
        }
        self.back()
    }

    /// Factorises at `shift`; whether no eigenvalue is below.
    fn clear(pencil: &mut Pencil<'_, S>, shift: T) -> bool {
        pencil.shift(shift) == Ok(Some(0))
    }

    /// Factorises at the shift again.
    fn back(&mut self) -> Result<(), LinearError> {
        self.pencil.shift(self.shift).map(|_| ()).map_err(failed)
    }

    fn run(&mut self, wanted: usize, tolerance: T) -> Result<Nearest<T>, LinearError> {
        let found = self.lanczos.run(&*self.pencil, wanted, tolerance, products(wanted)).map_err(failed)?;
        Ok(Nearest::of(found.ok_or(LinearError::Unconverged { asked: self.count })?, self.shift))
    }

    /// Finds them all.
    fn settle(mut self) -> Result<Nearest<T>, LinearError> {
        let (mut wanted, mut turns) = (self.count.saturating_add(1), 0);
        let tolerance = T::EPSILON.sqrt() * T::EPSILON.sqrt().sqrt();
        loop {
            let mut found = self.run(wanted, tolerance)?;
            let all = found.values.len() < wanted;
            if found.values.len() < self.count {
                return Err(LinearError::TooFew { modes: found.values.len() });
            }
            let away: Vec<T> = found.values.iter().map(|&x| (x - self.shift).abs()).collect();
            let last = away.iter().fold(T::ZERO, |most, &x| most.max(x));
            // The others have lost their digits to it.
            let close = T::from_f64(1e3) * tolerance * last;
            if self.below != Some(0) && away.first().is_some_and(|&first| !(first > close)) {
                return Err(LinearError::Shift { shift: self.shift.to_f64() });
            }
            let gap = |c: &usize| away[*c] - away[*c - 1] > T::from_f64(APART) * away[*c];
            let Some(cut) = (self.count.max(1)..away.len()).find(gap) else {
                if all {
                    found.values.truncate(self.count);
                    found.vectors.truncate(self.count);
                    return self.certified(found);
                }
                wanted = wanted.saturating_add((wanted / 2).max(2));
                continue;
            };
            let (inside, outside) = (away[cut - 1], away[cut]);
            found.values.truncate(self.count);
            found.vectors.truncate(self.count);
            let found = self.certified(found)?;
            match self.counted(inside, outside)? {
                number if number == cut => return Ok(found),
                number if number > cut && turns < TURNS => {
                    self.back()?;
                    self.lanczos.begin(&*self.pencil).map_err(failed)?;
                    (wanted, turns) = (number.saturating_add(1), turns + 1);
                }
                _ => return Err(LinearError::Unconverged { asked: self.count }),
            }
        }
    }

    /// How many eigenvalues are nearer to the shift than something between two distances.
    fn counted(&mut self, inside: T, outside: T) -> Result<usize, LinearError> {
        for place in PLACES {
            let away = inside + T::from_f64(place) * (outside - inside);
            let mut below = |shift: T| self.pencil.shift(shift).ok().flatten();
            let lower = if self.below == Some(0) { Some(0) } else { below(self.shift - away) };
            if let (Some(lower), Some(upper)) = (lower, below(self.shift + away)) {
                return Ok(upper.saturating_sub(lower));
            }
        }
        Err(LinearError::Uncounted { shift: (self.shift + outside).to_f64() })
    }

    /// The same, if they solve their equations; with the factors at the shift.
    fn certified(&self, found: Nearest<T>) -> Result<Nearest<T>, LinearError> {
        let allowed = T::from_f64(16.0) * T::PIVOT_TOLERANCE;
        for (&value, x) in found.values.iter().zip(&found.vectors) {
            let residual = self.pencil.residual(x, value, self.shift).map_err(failed)?;
            if !(residual <= allowed) {
                return Err(LinearError::Inexact { value: value.to_f64(), residual: residual.to_f64() });
            }
        }
        Ok(found)
    }
}

//! Conjugate gradients.

use crate::linalg::sparse::iterative::room::{Limit, Room, add};
use crate::linalg::sparse::iterative::rows::Rows;
use crate::linalg::{Unsolved, dot};
use crate::numbers::scalar::Real;

/// Iterates from x with the residual r.
///
/// # Errors
/// [`Unsolved::Indefinite`] where a direction of search has no positive curvature.
pub(super) fn iterate<T: Real>(rows: &Rows<T>, room: &mut Room<T>, limit: &mut Limit<T>) -> Result<(), Unsolved> {
    let Room { pieces, x, r, z, p, q, .. } = room;
    let [mut rho, _] = pieces.each([&rows.blocks.ends; 3], [r, z, p], &|piece, [r, z, p]| {
        rows.precondition(piece, r, z);
        p.copy_from_slice(z);
        [dot(r, z), T::ZERO]
    });
    loop {
        // nothing is left that can be told from zero: the residual will say whether that is enough
        if rho == T::ZERO {
            return Ok(());
        }
        if !(rho > T::ZERO) {
            return indefinite(rho, z, r);
        }
        let directions = &*p;
        let [curvature, _] = pieces.each([&rows.blocks.ends], [q], &|piece, [q]| {
            rows.multiply(piece, directions, q);
            [dot(&directions[rows.blocks.unknowns(piece)], q), T::ZERO]
        });
        if !(curvature > T::ZERO) {
            return indefinite(curvature, directions, q);
        }
        let (alpha, products) = (rho / curvature, &*q);
        let [next, size] = pieces.each([&rows.blocks.ends; 3], [x, r, z], &|piece, [x, r, z]| {
            let own = rows.blocks.unknowns(piece);
            add(x, alpha, &directions[own.clone()]);
            add(r, -alpha, &products[own]);
            rows.precondition(piece, r, z);
            [dot(r, z), rows.product(piece, r, r)]
        });
        limit.iterations += 1;
        if !(size > limit.target && limit.iterations < limit.most) {
            return Ok(());
        }
        let (beta, preconditioned) = (next / rho, &*z);
        pieces.each([&rows.blocks.ends], [p], &|piece, [p]| {
            for (p, &z) in p.iter_mut().zip(&preconditioned[rows.blocks.unknowns(piece)]) {
                *p = z + beta * *p;
            }
            [T::ZERO; 2]
        });
        rho = next;
    }
}

/// A curvature Σ xᵢ yᵢ that is not positive, by the unknown that makes it so; where it is not a number, the residual
/// will tell.
fn indefinite<T: Real>(curvature: T, x: &[T], y: &[T]) -> Result<(), Unsolved> {
    if !curvature.is_finite() {
        return Ok(());
    }
    let terms = x.iter().zip(y).map(|(&x, &y)| x * y).enumerate();
    let (index, _) = terms.fold((0, T::ZERO), |least, term| if term.1 < least.1 { term } else { least });
    Err(Unsolved::Indefinite { index })
}

//! Stabilised biconjugate gradients, for matrices that are not symmetric.

use crate::linalg::dot;
use crate::linalg::sparse::iterative::room::{Limit, Room, add};
use crate::linalg::sparse::iterative::rows::Rows;
use crate::numbers::scalar::Real;

/// Iterates from x with the residual r. Where the recursion breaks down it ends: the residual shows what it has done.
pub(super) fn iterate<T: Real>(rows: &Rows<T>, room: &mut Room<T>, limit: &mut Limit<T>) {
    let Room { pieces, x, r, z, p, q, t, shadow } = room;
    let residual = &*r;
    let [mut rho, _] = pieces.each([&rows.blocks.ends; 2], [p, shadow], &|piece, [p, shadow]| {
        let r = &residual[rows.blocks.unknowns(piece)];
        p.copy_from_slice(r);
        shadow.copy_from_slice(r);
        rows.scale(piece, shadow);
        [dot(shadow, r), T::ZERO]
    });
    let shadow = &*shadow;
    loop {
        pieces.each([&rows.blocks.ends; 2], [p, z], &|piece, [p, z]| {
            rows.precondition(piece, p, z);
            [T::ZERO; 2]
        });
        let directions = &*z;
        let [slope, _] = pieces.each([&rows.blocks.ends], [q], &|piece, [q]| {
            rows.multiply(piece, directions, q);
            [dot(&shadow[rows.blocks.unknowns(piece)], q), T::ZERO]
        });
        let (alpha, products) = (rho / slope, &*q);
        if !alpha.is_finite() {
            return;
        }
        let [_, size] = pieces.each([&rows.blocks.ends; 3], [x, r, z], &|piece, [x, r, z]| {
            add(x, alpha, z);
            add(r, -alpha, &products[rows.blocks.unknowns(piece)]);
            rows.precondition(piece, r, z);
            [T::ZERO, rows.product(piece, r, r)]
        });
        limit.iterations += 1;
        if !(size > limit.target) {
            return;
        }
        let (directions, residual) = (&*z, &*r);
        let [along, whole] = pieces.each([&rows.blocks.ends], [t], &|piece, [t]| {
            rows.multiply(piece, directions, t);
            [rows.product(piece, t, &residual[rows.blocks.unknowns(piece)]), rows.product(piece, t, t)]
        });
        let (omega, second) = (along / whole, &*t);
        if !omega.is_finite() {
            return;
        }
        let [next, size] = pieces.each([&rows.blocks.ends; 2], [x, r], &|piece, [x, r]| {
            let own = rows.blocks.unknowns(piece);
            add(x, omega, &directions[own.clone()]);
            add(r, -omega, &second[own.clone()]);
            [dot(&shadow[own], r), rows.product(piece, r, r)]
        });
        let beta = next / rho * (alpha / omega);
        if !(size > limit.target && limit.iterations < limit.most && beta.is_finite()) {
            return;
        }
        let residual = &*r;
        pieces.each([&rows.blocks.ends], [p], &|piece, [p]| {
            let own = rows.blocks.unknowns(piece);
            for ((p, &q), &r) in p.iter_mut().zip(&products[own.clone()]).zip(&residual[own]) {
                *p = r + beta * (*p - omega * q);
            }
            [T::ZERO; 2]
        });
        rho = next;
    }
}

//! The model's own functions for accelerations and corrections, compared with solves of its factorised matrices.

use super::compare::{Mismatch, SOLVED, agree};
use super::point::Point;
use crate::linalg::Saddle;
use crate::model::layout::Block;
use crate::model::system::Forward;
use crate::solve::norm;
use crate::solve::solvable::Solvable;

/// a, ż, λ and δ, if the model has functions for them and its matrix is sound enough.
pub(super) fn check<S: Solvable<Real = f64>>(model: &S, point: &Point<S>) -> Result<(), Mismatch> {
    let l = model.layout();
    let (nv, nc) = (l.v.len(), l.constraints.len());
    let (mut a, mut zdot): (S::V, S::Z) = (Block::zeros(nv), Block::zeros(l.z.len()));
    let mut lambda: S::L = Block::zeros(nc);
    if !model.accelerations(point.at(), &mut a, &mut zdot, &mut lambda) {
        return Ok(());
    }
    let mut forward = Forward::<S>::zeros(&l);
    model.forward(point.at(), &mut forward);
    let mut saddle = S::Saddle::new(&l);
    if saddle.factorize(&l, forward.mass.as_ref(), forward.jacobian.as_ref()).is_err() {
        return Ok(());
    }
    let (mut v, mut y): (S::V, S::L) = (Block::zeros(nv), Block::zeros(nc));
    saddle.accelerate(forward.force.as_ref(), forward.gamma.as_ref(), v.as_mut(), y.as_mut());
    same("a", l.directions, a.as_ref(), v.as_ref())?;
    same("der(z)", l.z, zdot.as_ref(), forward.zdot.as_ref())?;
    same("lambda", l.constraints, lambda.as_ref(), y.as_ref())?;
    v.as_mut().fill(0.0);
    y.as_mut().copy_from_slice(point.lambda.as_ref());
    if model.correction(point.at(), &y, &mut a) {
        saddle.solve(v.as_mut(), y.as_mut());
        same("correction", l.directions, a.as_ref(), v.as_ref())?;
    }
    Ok(())
}

fn same(block: &'static str, names: &[&str], ours: &[f64], theirs: &[f64]) -> Result<(), Mismatch> {
    let scale = norm(ours).max(norm(theirs)) * SOLVED;
    let mut pairs = ours.iter().zip(theirs).enumerate();
    pairs.try_for_each(|(i, (&ours, &theirs))| agree(block, (names, i), (&[], 0), ours, theirs, scale))
}

//! One Newton step from (q, v, z) with rates zero, for the increment h v⁺ of q.

use crate::error::{Cause, Level};
use crate::integrators::end_equations::{EndEquations, EndVaried, Ended};
use crate::model::input::Inputs;
use crate::model::layout::{Block, RowKind};
use crate::model::linearize::{Linearize, Weights};
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::model::system::{Constraint, Residual};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::{Chain, Controls, Ending, HeldRows, Increment, RateVariation, Solved, StateVariation, Varied};

/// Makes the rates zero.
fn rest<S: Solvable>(x: &mut State<S>) {
    x.a.as_mut().fill(S::Real::ZERO);
    x.zdot.as_mut().fill(S::Real::ZERO);
}

/// Makes the step, which begins at `x`, and with the slopes of the scheme at `next`.
pub(super) fn attempt<S: Solvable + Linearize, U: Inputs<S>>(
    cx: &mut Context<'_, S, U>,
    w: &mut EndEquations<S>,
    weights: Weights<S::Real>,
    x: &State<S>,
    next: &mut State<S>,
    recovery: S::Real,
) -> Result<(), Cause> {
    let tangent = &mut w.tangent;
    rest(next);
    tangent.step.as_mut().fill(S::Real::ZERO);
    tangent.linearize_moving(cx, weights, next)?;
    if recovery < S::Real::INFINITY {
        tangent.recover(cx, weights.position * recovery, x)?;
    }
    tangent.correct_once(cx, x)?;
    tangent.add_correction(cx.system, weights, next);
    w.step(cx.system, &x.q, &[(weights.position, &next.v)], &mut next.q);
    next.check(&cx.system.layout())
}

/// Adds what the unknowns of the step that has just been made vary by.
pub(super) fn vary<S: Solvable + Sensitive, C: Chain<S>, U: Controls<S>>(
    cx: &mut Context<'_, S, U>,
    w: &EndEquations<S>,
    (weights, recovery): (Weights<S::Real>, S::Real),
    (x, m): (&State<S>, &Ended<S>),
    chain: &mut C,
    (at, memory): (&StateVariation<S, C>, &RateVariation<S, C>),
    of: &mut EndVaried<S, C>,
) -> Result<(), Cause> {
    let (mut point, mut still) = (x.clone(), x.v.clone());
    EndEquations::begin(cx.system, x, &m.own, weights.position, &mut point);
    rest(&mut point);
    still.as_mut().fill(S::Real::ZERO);
    let left_out = limited(cx, weights.position * recovery, x, chain.by_parameters())?;
    let left_out = left_out.map(|rows| chain.held(cx.system, &rows, &at.q, &at.v));
    let v = if cx.system.layout().first_order() { &memory.a } else { &at.v };
    let from = Varied { q: at.q.clone(), v: v.clone(), z: at.z.clone() };
    // the only correction
    let Residual { r, s, phi } = &w.tangent.residual;
    let increment = Increment {
        at: Ending { x: &point, step: &still, weights, level: Level::Position },
        step: &w.tangent.step,
        by: Solved { a: r, zdot: s, lambda: phi },
    };
    chain.increment(cx, increment, (&from, &memory.lambda), of.rates.as_ref(), left_out.as_ref(), &mut of.found)
}

/// The rows of which no more than `most` is corrected, if there are any.
fn limited<S: Solvable + Sensitive, U: Controls<S>>(
    cx: &mut Context<'_, S, U>,
    most: S::Real,
    x: &State<S>,
    parameters: bool,
) -> Result<Option<HeldRows<S>>, Cause> {
    if most == S::Real::INFINITY {
        return Ok(None);
    }
    let (system, layout) = (cx.system, cx.system.layout());
    let (mut u, mut constraint) = (S::U::zeros(layout.u.len()), Constraint::zeros(&layout));
    cx.input(x.moment(), &mut u)?;
    system.constraint(x.at(&u), &mut constraint);
    let phi = constraint.phi.as_ref();
    let over = |row: usize| phi.get(row).is_some_and(|off| off.abs() > most);
    if !(0..layout.constraints.len()).any(|row| layout.kind(row) == RowKind::Holonomic && over(row)) {
        return Ok(None);
    }
    let mut rows = HeldRows::at(cx, x.moment(), (Level::Position, &[RowKind::Holonomic]), parameters)?;
    rows.keep(system, over);
    Ok(Some(rows))
}

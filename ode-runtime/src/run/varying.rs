//! States over numbers that vary along directions, a direction in each lane of a register.

use crate::error::Cause;
use crate::integrators::Covector;
use crate::model::layout::{Block, Layout};
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::model::system::System;
use crate::numbers::dual::Dual;
use crate::numbers::wide::Wide;

/// A step size that varies in a lane, or in none.
pub(super) fn varied<T: Wide<Lane = f64>>(h: f64, lane: Option<usize>) -> Dual<f64, T> {
    let mut along = T::ZERO;
    lane.into_iter().for_each(|lane| along.set_lane(lane, 1.0));
    Dual::new(h, along)
}

/// Numbers that do not vary.
fn block<T: Wide<Lane = f64>, B: Block<Dual<f64, T>>>(x: &[f64]) -> B {
    let mut out = B::zeros(x.len());
    out.as_mut().iter_mut().zip(x).for_each(|(out, &x)| *out = Dual::constant(x));
    out
}

/// A state and inputs that do not vary.
pub(super) fn lifted<T, S, F>(layout: &Layout<'_>, x: &State<F>, u: &F::U) -> Result<(State<S>, S::U), Cause>
where
    T: Wide<Lane = f64>,
    S: System<Real = Dual<f64, T>>,
    F: System<Real = f64>,
{
    x.fits(layout)?;
    layout.fits_inputs(u.as_ref().len())?;
    let state = State {
        t: Dual::constant(x.t),
        q: block(x.q.as_ref()),
        v: block(x.v.as_ref()),
        z: block(x.z.as_ref()),
        a: block(x.a.as_ref()),
        zdot: block(x.zdot.as_ref()),
        lambda: block(x.lambda.as_ref()),
        modes: block(x.modes.as_ref()),
    };
    Ok((state, block(u.as_ref())))
}

/// The number of velocities among the directions of a state.
fn moving(layout: &Layout<'_>) -> usize {
    if layout.first_order() { 0 } else { layout.v.len() }
}

/// Lets entries of (x, u) vary, as many as there are lanes: each in its lane.
pub(super) fn seed<T, S>(system: &S, entries: core::ops::Range<usize>, (x, u): (&mut State<S>, &mut S::U))
where
    T: Wide<Lane = f64>,
    S: System<Real = Dual<f64, T>>,
{
    let layout = system.layout();
    let (nv, moving, count) = (layout.v.len(), moving(&layout), layout.state_directions());
    let mut step = S::V::zeros(nv);
    for (lane, k) in entries.take(T::LANES).enumerate() {
        let varies = |entry: Option<&mut Dual<f64, T>>| {
            if let Some(entry) = entry {
                entry.eps.set_lane(lane, 1.0);
            }
        };
        match k {
            k if k < nv => varies(step.as_mut().get_mut(k)),
            k if k < nv + moving => varies(x.v.as_mut().get_mut(k - nv)),
            k if k < count => varies(x.z.as_mut().get_mut(k - nv - moving)),
            k => varies(u.as_mut().get_mut(k - count)),
        }
    }
    // what q ⊕ step moves by at step = 0
    let mut rate = S::Q::zeros(layout.q.len());
    system.qdot(&x.q, &step, &mut rate);
    x.q.as_mut().iter_mut().zip(rate.as_ref()).for_each(|(q, &rate)| q.eps += rate.eps);
}

/// The entries of a covector by directions of the state.
pub(super) fn directions<'c, S: Sensitive>(
    layout: &Layout<'_>,
    covector: &'c mut Covector<S>,
) -> impl Iterator<Item = &'c mut S::Real> {
    let Covector { q, v, z, .. } = covector;
    let v = v.as_mut().iter_mut().take(moving(layout));
    q.as_mut().iter_mut().chain(v).chain(z.as_mut()).take(layout.state_directions())
}

/// The same, to read.
pub(super) fn gradient<'c, S: Sensitive>(
    layout: &Layout<'_>,
    covector: &'c Covector<S>,
) -> impl Iterator<Item = &'c S::Real> {
    let v = covector.v.as_ref().iter().take(moving(layout));
    covector.q.as_ref().iter().chain(v).chain(covector.z.as_ref()).take(layout.state_directions())
}

/// What an end moves by, along the directions of a state.
pub(super) fn moved<'e, T, S>(system: &S, end: &'e State<S>) -> impl Iterator<Item = T> + 'e
where
    T: Wide<Lane = f64>,
    S: System<Real = Dual<f64, T>>,
{
    let layout = system.layout();
    let (nv, moving) = (layout.v.len(), moving(&layout));
    let (mut still, mut step) = (end.q.clone(), S::V::zeros(nv));
    still.as_mut().iter_mut().for_each(|q| q.eps = T::ZERO);
    system.local(&still, &end.q, &mut step);
    let step = (0..nv).filter_map(move |k| step.as_ref().get(k).copied());
    step.chain(end.v.as_ref().iter().take(moving).copied()).chain(end.z.as_ref().iter().copied()).map(|x| x.eps)
}

/// μᵀ of it, and the scale of that.
pub(super) fn weighed<T: Wide<Lane = f64>>(moved: impl Iterator<Item = T>, costate: &[f64]) -> (T, f64) {
    moved.zip(costate).fold((T::ZERO, 1.0), |(sum, scale), (x, &mu)| {
        let most = (0..T::LANES).fold(0.0_f64, |most, k| most.max(x.lane(k).abs()));
        (sum + T::splat(mu) * x, scale + mu.abs() * most)
    })
}

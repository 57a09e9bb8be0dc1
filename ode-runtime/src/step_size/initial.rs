//! The first step, from the motion at the start.

use crate::model::input::Inputs;
use crate::model::state::{State, copy};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::{Context, Estimate};
use crate::solve::solvable::Solvable;
use crate::solve::{Acceleration, add, subtract};
use crate::step_size::{Adaptive, Tolerance};

/// A step whose error should be about a hundredth of the tolerance, for an estimate of order h^`order`; `x` has its
/// accelerations.
///
/// Two slopes of y = (q, v, z), at the start and after a short step of Euler's method, show how fast the motion bends.
/// If the second cannot be evaluated, the step is made shorter.
///
/// Reference: E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, §II.4, "Starting step
/// size".
pub(crate) fn first_step<S: Solvable, U: Inputs<S>>(
    cx: &mut Context<'_, S, U>,
    control: &Adaptive<S>,
    order: u32,
    x: &State<S>,
) -> S::Real {
    let real = S::Real::from_f64;
    let size = |vector: &Estimate<S>| control.tolerance.size(cx.system, x, vector);
    let mut slope = Estimate::zeros(cx.system);
    Tolerance::magnitudes(cx.system, x, &mut slope);
    let value = size(&slope);
    copy(&x.v, &mut slope.q);
    copy(&x.a, &mut slope.v);
    copy(&x.zdot, &mut slope.z);
    let rate = size(&slope);
    let small = real(1e-5);
    let mut h = if value < small || rate < small { real(1e-6) } else { real(0.01) * value / rate };
    h = control.steps.within(h);
    let mut bent = None;
    for _ in 0..8 {
        bent = change(cx, x, h).map(|change| control.tolerance.size(cx.system, x, &change) / h);
        if bent.is_some_and(S::Real::is_finite) {
            break;
        }
        h *= real(0.1);
    }
    let fastest = rate.max(bent.unwrap_or(S::Real::ZERO));
    let next = if !(fastest > real(1e-15)) {
        real(1e-6).max(real(1e-3) * h)
    } else {
        (real(0.01) / fastest).powf(real(1.0 / f64::from(order)))
    };
    let first = next.min(real(100.0) * h);
    // Below the resolution of time there is no step to begin with.
    let least = real(1e4) * S::Real::EPSILON * S::Real::ONE.max(x.t.abs());
    control.steps.within(if first.is_finite() { first.max(least) } else { least })
}

/// The change of the slope of (q, v, z) over a step of Euler's.
fn change<S: Solvable, U: Inputs<S>>(cx: &mut Context<'_, S, U>, x: &State<S>, h: S::Real) -> Option<Estimate<S>> {
    let mut y = x.clone();
    let mut step = x.v.clone();
    step.as_mut().iter_mut().for_each(|step| *step *= h);
    cx.system.retract(&x.q, &step, &mut y.q);
    y.t += h;
    add(y.v.as_mut(), h, x.a.as_ref());
    add(y.z.as_mut(), h, x.zdot.as_ref());
    Acceleration::new(cx.system).settle(cx, &mut y).ok()?;
    let mut change = Estimate::zeros(cx.system);
    subtract(change.q.as_mut(), y.v.as_ref(), x.v.as_ref());
    subtract(change.v.as_mut(), y.a.as_ref(), x.a.as_ref());
    subtract(change.z.as_mut(), y.zdot.as_ref(), x.zdot.as_ref());
    Some(change)
}

//! Why a step has failed.

use crate::error::{Cause, Quantity};
use crate::linalg::Saddle;
use crate::model::layout::Layout;
use crate::model::state::State;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::assembly::{Assembly, norm_of};
use crate::solve::dependence::{Dependence, LOOSE, NEAR};
use crate::solve::solvable::Solvable;
use crate::solve::start::Start;

/// Explains a failed step from `x` if positions near it are the reason, not the method: rows that depend on each other
/// there, or, in models where they may, contradict each other. Newton's method itself moves away from such positions.
#[cold]
pub(crate) fn explain<S: Solvable>(system: &S, x: &State<S>, h: S::Real, cause: Cause) -> Cause {
    let layout = system.layout();
    let unsolved = matches!(
        cause,
        Cause::Newton { .. }
            | Cause::Projection { .. }
            | Cause::StepTooSmall { .. }
            | Cause::Inconsistent { .. }
            | Cause::NotConverged { .. }
            | Cause::Singular { unknown: Quantity::Multiplier, .. }
    );
    let apart = S::Saddle::REDUNDANT && matches!(cause, Cause::Contradiction { .. });
    if !(unsolved || apart) || layout.constraints.is_empty() || !h.is_finite() {
        return cause;
    }
    let mut assembly = Assembly::new(system, &layout);
    assembly.free = true;
    let usual = assembly.usual(system, x, h);
    // Three positions are examined: where the step began, where drives are at its end and beyond, and where the motion
    // leads.
    for (time, way) in [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (1.0, 1.0)] {
        let mut found = assembly.go(system, x, [time, way].map(|part| S::Real::from_f64(part) * h));
        if let (Ok(near), true) = (&mut found, S::Saddle::REDUNDANT && !layout.first_order()) {
            found = Start::at(near.t).velocities(system, &mut assembly, near).map(|()| near.clone());
        }
        let contradiction = match found {
            Err(contradiction @ Cause::Contradiction { .. }) if way == 0.0 => Some(contradiction),
            Err(_) => continue,
            Ok(_) => None,
        };
        let mut near = assembly.rows(&layout, NEAR);
        if let Some(dependent) = near.cause().filter(|_| near.rank().0 < usual) {
            return dependent;
        }
        if let Some(contradiction) = contradiction.filter(|_| unsolved && S::Saddle::REDUNDANT) {
            return contradiction;
        }
    }
    cause
}

impl<S: Solvable> Assembly<S> {
    /// The consistent positions after `time`, if the motion from `x` continues for the time `way`.
    fn go(&mut self, system: &S, x: &State<S>, [time, way]: [S::Real; 2]) -> Result<State<S>, Cause> {
        let mut near = x.clone();
        near.t += time;
        self.step.as_mut().fill(S::Real::ZERO);
        crate::solve::add(self.step.as_mut(), way, x.v.as_ref());
        system.retract(&x.q, &self.step, &mut near.q);
        Start::at(near.t).positions(system, self, &mut near, &mut |_, _| Ok(())).map(|()| near)
    }

    /// Which rows depend on each other at the last point.
    fn rows<'a>(&self, layout: &Layout<'a>, tolerance: f64) -> Dependence<'a, S> {
        Dependence::of_jacobian(*layout, self.constraint.jacobian.as_ref(), tolerance)
    }

    /// The rank of the rows that may depend on others where the mechanism is not singular: before and after `x`, where
    /// the rank may be lower. All other rows must be independent.
    fn usual(&mut self, system: &S, x: &State<S>, h: S::Real) -> usize {
        if !S::Saddle::REDUNDANT {
            return usize::MAX;
        }
        let (layout, number) = (system.layout(), S::Real::from_f64);
        let far = number(0.05) * norm_of(x.q.as_ref()) / norm_of(x.v.as_ref());
        let mut most = None;
        for way in [S::Real::ZERO, number(-8.0) * h, number(8.0) * h, -far, far] {
            if self.go(system, x, [way, way]).is_ok() {
                most = most.max(Some(self.rows(&layout, LOOSE).rank().0));
            }
        }
        most.unwrap_or_else(|| {
            system.constraint(x.at(&self.u), &mut self.constraint);
            self.rows(&layout, NEAR).rank().0
        })
    }
}

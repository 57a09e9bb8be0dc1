//! State feedback along a trajectory.

use ode_runtime::variation::Several;
use ode_runtime::{Cause, Observable, Real, RunError, Sensitive, State};

use crate::feedback::state_feedback::Feedback;
use crate::lqr::horizon::Horizon;

/// u = uₖ − Kₖ (x ⊖ xₖ) in step k of a trajectory, that of the last step after its end.
#[derive(Debug)]
pub struct Tracking<'a, S: Observable<Real: Real> + Sensitive> {
    steps: Vec<Feedback<'a, S, Several>>,
    start: f64,
    h: f64,
}

impl<'a, S: Observable<Real: Real> + Sensitive> Tracking<'a, S> {
    /// The feedback of the gains of a `horizon` along a trajectory: the state at the beginning of each of its steps of
    /// `h`, and the inputs during it.
    ///
    /// # Errors
    /// [`Cause::Invalid`] for a step that is not positive, or not finite; [`Cause::OutOfRange`] if the trajectory has
    /// not as many steps as the horizon; those of [`Feedback::of`].
    pub fn of(system: &'a S, trajectory: &[(State<S>, S::U)], h: f64, horizon: &Horizon) -> Result<Self, RunError> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(Cause::Invalid { setting: "step of a trajectory", value: h }.into());
        }
        if trajectory.len() != horizon.gains.len() {
            let (setting, needed) = ("number of steps of a trajectory", horizon.gains.len() as f64);
            return Err(Cause::OutOfRange { setting, value: trajectory.len() as f64, low: needed, high: needed }.into());
        }
        let steps = trajectory.iter().zip(&horizon.gains);
        let steps = steps.map(|((x, u), gain)| Feedback::of(system, x, u.clone(), gain)).collect::<Result<_, _>>()?;
        Ok(Self { steps, start: trajectory.first().map_or(0.0, |(x, _)| x.t.to_f64()), h })
    }

    /// Writes the inputs that the gain of the step around the time of `x` asks for, within their bounds; without steps,
    /// leaves them.
    pub fn apply(&self, x: &State<S>, u: &mut S::U) {
        // a time a round-off before the end of a step is of the next one
        let passed = ((x.t.to_f64() - self.start) / self.h + 1e-9).floor().max(0.0);
        let step = (passed as usize).min(self.steps.len().saturating_sub(1));
        if let Some(feedback) = self.steps.get(step) {
            feedback.apply(x, u);
        }
    }
}

//! Runs that events may end.

use ode_runtime::{Method, Nominal, Outcome, Simulation, Solvable, StepError};

/// Steps to `end`, or to the end of the run.
pub fn run_to<S: Solvable<Real = f64>, M: Method<S>>(
    run: &mut Simulation<'_, S, M, Nominal>,
    end: f64,
) -> Result<Outcome, StepError> {
    while run.state().t < end {
        let outcome = run.step_towards(end)?;
        assert!(run.statistics().events < 40_000, "no end of events: {run:?}");
        if let Outcome::Stopped { .. } | Outcome::Zeno { .. } = outcome {
            return Ok(outcome);
        }
    }
    Ok(Outcome::Reached)
}

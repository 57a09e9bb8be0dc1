//! Runs of a method as maps, from start to end.

use ode_runtime::solve::Projection;
use ode_runtime::{Method, Simulation, Solvable, State, StepError};

/// From the consistent start to `end` with steps `h`; `None` if a step fails.
pub(crate) fn run<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M, h: f64, end: f64) -> Option<State<S>> {
    let mut run = Simulation::of(system, method).fixed(h).expect("a start");
    run.advance_to(end).ok()?;
    Some(run.state().clone())
}

/// The largest |Φ| and |Φ̇| after each step of such a run; `None` if a step fails.
pub(crate) fn drift<S: Solvable<Real = f64>, M: Method<S>>(
    system: &S,
    method: M,
    h: f64,
    projection: Option<f64>,
) -> Option<(f64, f64)> {
    let mut setup = Simulation::of(system, method);
    if let Some(tolerance) = projection {
        setup = setup.project(Projection::to(tolerance));
    }
    let mut run = setup.fixed(h).expect("a start");
    let (mut phi, mut rate) = (0.0_f64, 0.0_f64);
    while run.state().t < 1.0 {
        run.step_towards(1.0).ok()?;
        let off = run.drift().expect("finite");
        (phi, rate) = (phi.max(off.0), rate.max(off.1));
    }
    Some((phi, rate))
}

/// `steps` steps `h` from (q, v) at t = 0.
pub(crate) fn flow<S, M, const N: usize>(
    system: &S,
    method: M,
    h: f64,
    steps: u32,
    (q, v): ([f64; N], [f64; N]),
) -> Result<([f64; N], [f64; N]), StepError>
where
    S: Solvable<Real = f64, Q = [f64; N], V = [f64; N]>,
    M: Method<S>,
{
    let mut start = State::neutral(system);
    (start.q, start.v) = (q, v);
    let mut run = Simulation::of(system, method).given(start).fixed(h).expect("a start");
    run.advance_to(f64::from(steps) * h)?;
    Ok((run.state().q, run.state().v))
}

//! The doors by which a state enters: each takes one, and gives the numbers it comes to.

use ode_runtime::analysis::{
    Assembly, Eigenmodes, Linearization, Loading, StaticError, Statics, SystemMatrix, Unsettled, inverse_dynamics,
    least_forces,
};
use ode_runtime::integrators::{Bdf2, GeneralizedAlpha, Geodesic};
use ode_runtime::{Cause, Every, Nominal, Simulation, Start, StartError, State, StepError, System, Weights};

use super::plants::Three;
use crate::common::{On, on};

type Entered = Result<Vec<f64>, Cause>;
type Given = State<On<Three>>;
type Door = fn(Three, Given) -> Entered;

/// At rest where the plant begins.
pub(crate) fn given(plant: &Three) -> Given {
    let system = on(*plant);
    let mut x = State::neutral(&system);
    system.guess(&mut x.q, &mut x.v, &mut x.z);
    x
}

/// Those that give q as it has entered.
pub(crate) const AFTER: [&str; 12] = [
    "guess",
    "guess, run",
    "solve_from",
    "given",
    "given_with_rates",
    "assembly",
    "change",
    "advance_every",
    "reset",
    "restore",
    "resume",
    "resume_saved",
];

/// Every door by its name.
pub(crate) const DOORS: [(&str, Door); 21] = [
    ("guess", |plant, x| start(Start::default().solve(&on(Three { begin: x.q, ..plant }), &Nominal))),
    ("guess, run", |plant, x| {
        let system = on(Three { begin: x.q, ..plant });
        start(Simulation::of(&system, Geodesic).fixed(0.01).map(|run| run.state().clone()))
    }),
    ("solve_from", |plant, x| start(Start::default().solve_from(&on(plant), &Nominal, x))),
    ("given", |plant, x| {
        let system = on(plant);
        start(Simulation::of(&system, Geodesic).given(x).fixed(0.01).map(|run| run.state().clone()))
    }),
    ("given_with_rates", |plant, x| {
        let (system, method) = (on(plant), GeneralizedAlpha::with_spectral_radius(0.8));
        start(Simulation::of(&system, method).given_with_rates(x).fixed(0.01).map(|run| run.state().clone()))
    }),
    ("assembly", |plant, x| start(Assembly::default().solve(&on(plant), &Nominal, x).map(|(x, _)| x))),
    ("change", |plant, x| {
        let system = on(plant);
        let mut run = Simulation::of(&system, Geodesic).fixed(0.01).map_err(|error| error.cause)?;
        run.change(|now| now.q = x.q).map_err(cause)?;
        Ok(run.state().q.to_vec())
    }),
    ("advance_every", |plant, x| {
        let system = on(plant);
        let mut run = Simulation::of(&system, Geodesic).fixed(0.01).map_err(|error| error.cause)?;
        run.advance_every(Every::period(0.02), 0.02, |now| now.q = x.q).map_err(cause)?;
        Ok(run.state().q.to_vec())
    }),
    ("reset", |plant, x| {
        let system = on(Three { after: x.q, ..plant });
        let mut run = Simulation::of(&system, Geodesic).fixed(0.01).map_err(|error| error.cause)?;
        while run.state().t < 0.05 {
            run.step_towards(1.0).map_err(cause)?;
        }
        Ok(run.state().q.to_vec())
    }),
    ("restore", |plant, x| {
        let system = on(plant);
        let mut run = Simulation::of(&system, Bdf2::default()).fixed(0.01).map_err(|error| error.cause)?;
        let mut point = run.checkpoint();
        point.visit(&system, &mut Put(x.q));
        run.restore(point)?;
        Ok(run.state().q.to_vec())
    }),
    ("resume", |plant, x| {
        let system = on(plant);
        let run = Simulation::of(&system, Bdf2::default()).fixed(0.01).map_err(|error| error.cause)?;
        let mut point = run.checkpoint();
        point.visit(&system, &mut Put(x.q));
        start(Simulation::of(&system, Bdf2::default()).resume(point).fixed(0.01).map(|run| run.state().clone()))
    }),
    ("resume_saved", |plant, x| {
        let system = on(plant);
        let run = Simulation::of(&system, Bdf2::default()).fixed(0.01).map_err(|error| error.cause)?;
        let mut saved = run.save();
        saved.numbers.iter_mut().filter(|(name, _)| name == "q").for_each(|(_, q)| *q = x.q.to_vec());
        start(Simulation::of(&system, Bdf2::default()).resume_saved(saved).fixed(0.01).map(|run| run.state().clone()))
    }),
    ("statics", |plant, x| found(Statics::default().solve(&on(plant), &Nominal, x).map(|(x, _)| x))),
    ("steady motion", |plant, x| found(Statics::default().steady(&on(plant), &Nominal, x).map(|(x, _)| x))),
    ("linear statics", |plant, x| Ok(Statics::linear(&on(plant), &Nominal, x)?.q.to_vec())),
    ("loading", |plant, x| {
        found(Loading::default().solve::<On<Three>, _, _>(x, |_| (on(plant), Nominal)).map(|(x, _)| x))
    }),
    ("inverse dynamics", |plant, x| Ok(inverse_dynamics(&on(plant), &Nominal, &x)?.to_vec())),
    ("least forces", |plant, mut x| Ok(least_forces(&on(plant), &Nominal, &mut x)?.to_vec())),
    ("system matrix", |plant, x| {
        let weights = Weights { rates: 1.0, velocity: 0.1, position: 0.01, state: 0.01 };
        Ok(SystemMatrix::assemble(&on(plant), &Nominal, weights, &x)?.values().to_vec())
    }),
    // Not at an equilibrium: what is asked is whether the state is let in.
    ("linearization", |plant, x| match Linearization::of(&on(plant), &Nominal, &x, 1.0) {
        Ok(linear) => Ok((0..20).map(|i| linear.a[(i, (7 * i) % 20)]).collect()),
        Err(ode_runtime::analysis::LinearError::Evaluation(cause)) => Err(cause),
        Err(other) => panic!("{other}"),
    }),
    ("modes", |plant, x| match Eigenmodes::of(&on(plant), &Nominal, &x, 1.0) {
        Ok(modes) => Ok(modes.frequencies().into_iter().map(|x| (x * 1e6).round() * 1e-6).collect()),
        Err(ode_runtime::analysis::LinearError::Evaluation(cause)) => Err(cause),
        Err(other) => panic!("{other}"),
    }),
];

/// Writes these coordinates into every state of a checkpoint.
struct Put([f64; 13]);

impl ode_runtime::Parts<f64> for Put {
    fn numbers(&mut self, name: &'static str, numbers: &mut [f64]) {
        if name == "q" {
            numbers.copy_from_slice(&self.0);
        }
    }
    fn count(&mut self, _name: &'static str, _count: &mut u64) {}
}

fn start(x: Result<Given, StartError>) -> Entered {
    x.map(|x| x.q.to_vec()).map_err(|error| error.cause)
}

fn cause(error: StepError) -> Cause {
    error.cause
}

fn found(x: Result<Given, StaticError>) -> Entered {
    x.map(|x| x.q.to_vec()).map_err(|error| match error.cause {
        Unsettled::Evaluation(cause) => cause,
        other => panic!("{other}"),
    })
}

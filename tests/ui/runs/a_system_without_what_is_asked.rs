//! Functions over any system ask for what their methods and tables need.
use ode_model::Solvable;
use ode_model::prelude::*;

fn implicit<S: Solvable<Real = f64>>(system: &S) {
    let _ = Simulation::of(system, BackwardEuler::default());
}

fn recorded<S: Solvable<Real = f64>>(system: &S) {
    let _ = Table::with_outputs(system);
}

fn neutral<S>(system: &S) {
    let _ = State::neutral(system);
}

fn main() {}

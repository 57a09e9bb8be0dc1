//! Functions over any system ask for what their methods and tables need.
use ode_model::analysis::Statics;
use ode_model::prelude::*;
use ode_model::{Method, Solvable};

fn by<S: Solvable, M: Method<S>>(_system: &S, _method: M) {}

fn implicit<S: Solvable<Real = f64>>(system: &S) {
    by(system, BackwardEuler::<f64>::default());
}

fn at_rest<S: Solvable<Real = f64>>(system: &S) {
    let _ = Statics::default().solve(system, &Nominal, State::neutral(system));
}

fn recorded<S: Solvable<Real = f64>>(system: &S) {
    let _ = Table::of(system);
}

fn laid_out<S>(system: &S) {
    let _ = System::layout(system);
}

fn main() {}

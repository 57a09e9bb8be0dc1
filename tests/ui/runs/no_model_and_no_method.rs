//! What is run is a model, and what runs it a method: a builder, a model over dual numbers and a constructor are not.
use ode_model::prelude::*;
use ode_model::{Dual, Method, Solvable};

model! {
    pub struct Cart {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
    }
}

model! {
    pub struct Sled<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
    }
}

/// What `Simulation::of` asks for, which is told several times there.
fn run<S: Solvable>(_system: &S) {}
fn by<M: Method<Cart>>(_method: M) {}

fn main() {
    run(&Cart::builder());
    run(&Sled::<Dual<f64>>::default());
    by(BackwardEuler::<f64>::linearized);
    by(0.01);
}

//! What is run is a model, and what runs it a method: a builder, dual numbers and a constructor are not.
use ode_model::Dual;
use ode_model::prelude::*;

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

fn main() {
    let _ = Simulation::of(&Cart::builder(), Geodesic);
    let _ = Simulation::of(&Sled::<Dual<f64>>::default(), Geodesic);
    let _ = Simulation::of(&Cart::default(), BackwardEuler::linearized);
}

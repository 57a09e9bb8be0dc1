//! Error control needs a method with an estimate: the message names some, and the steps that need none.
use ode_model::prelude::*;

model! {
    pub struct Cart {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
    }
}

fn main() {
    let cart = Cart::default();
    let _ = Simulation::of(&cart, RungeKutta4).adaptive(1e-6);
    let _ = Simulation::of(&cart, StormerVerlet::default()).controlled(Adaptive::to(1e-6));
}

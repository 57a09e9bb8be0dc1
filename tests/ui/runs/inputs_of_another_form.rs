//! A closure alone is no input, and neither are numbers of another count: the message has the three forms that are.
use ode_model::prelude::*;

model! {
    pub struct Cart {
        coord x: Real;
        input u: Real;
        kinetic = 0.5 * sq(der(x));
        force drive on x = u;
    }
}

fn main() {
    let cart = Cart::default();
    let _ = Simulation::of(&cart, Geodesic).inputs(|_t: f64| 1.0);
    let _ = Simulation::of(&cart, Geodesic).inputs(Constant([1.0, 2.0]));
    let _ = Simulation::of(&cart, Geodesic).inputs(input_fn(|_at: Moment<'_, Cart>| 1.0));
}

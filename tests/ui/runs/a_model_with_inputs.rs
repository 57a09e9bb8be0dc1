//! A model with inputs is not evaluated without them: the message says where they are.
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
    let _ = cart.energy(State::neutral(&cart).point());
}

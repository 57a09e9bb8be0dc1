//! K and D of a force that a function gives contain its derivative.
use ode_model::prelude::*;

fn mu(slip: f64) -> f64 {
    slip.tanh()
}

model! {
    pub struct Sled {
        coord x: Real;
        extern fn friction(slip: Real) -> Real { value: mu }
        kinetic = 0.5 * sq(der(x));
        force drag on x = -friction(der(x));
    }
}

fn main() {
    let _ = Sled::default();
}

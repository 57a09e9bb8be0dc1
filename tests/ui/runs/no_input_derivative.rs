//! Sensitivities of a run whose controller does not say how it varies.

use ode_model::By;
use ode_model::prelude::*;

model! {
    struct Cart {
        coord x: Real;
        input f: Real;
        kinetic = 0.5 * sq(der(x));
        force push on x = f;
    }
}

fn main() {
    let cart = Cart::default();
    let run = Simulation::of(&cart, Heun).sampled(0.1, |now, u| u.set_f(-now.v.x())).fixed(0.01).unwrap();
    let _ = run.vary(&By::new().start());
}

use ode_model::prelude::*;

model! {
    pub struct Ball {
        param k: Real = 1.0;
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        potential = k * pchip([[0.0, 1.0], [1.0, 2.0]], x) + pchip(k, x);
    }
}

fn main() {}

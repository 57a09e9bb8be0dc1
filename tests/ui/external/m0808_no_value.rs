use ode_model::prelude::*;

model! {
    pub struct Ball {
        coord x: Real;
        extern fn height(x: Real) -> Real { gradient: crate::slope }
        kinetic = 0.5 * sq(der(x));
        potential = height(x);
    }
}

fn main() {}

use ode_model::prelude::*;

model! {
    pub struct Ball {
        coord p: Vec2;
        extern fn height(p: Vec2) -> Real { dual: crate::height }
        kinetic = 0.5 * der(p).dot(der(p));
        potential = height(p);
    }
}

fn main() {}

//! A potential is differentiated twice: its force, and K.
use ode_model::prelude::*;

fn well<T: ode_model::Scalar>(x: T, y: T) -> T {
    x * y
}
fn slope<T: ode_model::Scalar>(x: T, y: T) -> [T; 2] {
    [y, x]
}

model! {
    pub struct Ball<T> {
        coord x, y: Real;
        extern fn height(x: Real, y: Real) -> Real { value: well, gradient: slope }
        kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(y));
        potential = height(x, y);
    }
}

fn main() {}

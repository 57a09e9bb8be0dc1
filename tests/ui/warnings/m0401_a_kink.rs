#![deny(deprecated)]

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        force fric on x = -abs(der(x));
    }
}

fn main() {}

#![deny(deprecated)]

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        dissipation = smooth_abs(der(x), 0.1) * sq(der(x));
    }
}

fn main() {}

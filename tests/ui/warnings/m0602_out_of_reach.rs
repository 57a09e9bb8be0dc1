#![deny(deprecated)]

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        coord y, z: Real;
        mass (y, z) = 1.0;
        constraint rod: sq(x) + sq(y) == 1.0;
        init x = 0.9;
        init y = 0.1;
        guess z = 0.0;
    }
}

fn main() {}

#![deny(deprecated)]

ode_model::model! {
    pub struct P<T> {
        coord x, y: Real;
        mass (x, y) = 1.0;
        constraint rod: sq(x) + sq(y) == 1.0;
        init x = 0.6;
    }
}

fn main() {}

#![deny(warnings)]

use ode_model::model;

model! {
    /// A struct without a type parameter computes in f64.
    struct Plain {
        param k: Real = 4.0;
        coord x: Real;
        mass x = 1.0;
        potential = 0.5 * k * sq(x);
    }
}

pub fn main() {
    let plain = Plain::builder().build();
    assert!(plain.is_ok());
}

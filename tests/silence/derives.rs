#![deny(warnings)]

use ode_model::model;

model! {
    /// The struct of a model is the user's: it derives what it is told to.
    #[model(derive(PartialEq))]
    #[derive(Clone, Debug, PartialEq)]
    #[derive(Copy)]
    struct Plain {
        param k: Real = 4.0;
        coord x: Real;
        mass x = 1.0;
        potential = 0.5 * k * sq(x);
    }
}

pub fn main() {
    let plain = Plain::default();
    let copy = plain;
    assert_eq!(plain, copy);
}

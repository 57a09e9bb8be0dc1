//! A loop over pairs is short to write and long to build.
#![deny(deprecated)]

ode_model::model! {
    #[model(no_selftest)]
    pub struct P {
        coord x: [Real; 24];
        for i in 0..24 {
            kinetic = 0.5 * sq(der(x[i]));
            for j in 0..24 {
                potential = sin(x[i] * x[j] + i) * cos(x[j]);
            }
        }
    }
}

fn main() {}

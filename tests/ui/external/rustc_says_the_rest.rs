//! What rustc knows better is said by rustc, at the user's path: a name that is not there, types that do not fit, a
//! table that does not increase.
use ode_model::prelude::*;

mod tyre {
    pub fn mu(slip: f32) -> f32 {
        slip
    }
    pub fn gripping(slip: f64) -> f64 {
        slip
    }
    pub fn slopes(_slip: f64) -> [f64; 2] {
        [1.0, 0.0]
    }
}

const BACK: [[f64; 2]; 3] = [[0.0, 0.0], [2.0, 1.0], [1.0, 3.0]];

model! {
    pub struct Missing {
        coord x: Real;
        extern fn grip(slip: Real) -> Real { dual: tyre::grip }
        kinetic = 0.5 * sq(der(x));
        force drag on x = -grip(der(x));
    }
}

model! {
    pub struct Single {
        coord x: Real;
        extern fn grip(slip: Real) -> Real { value: tyre::mu, gradient: tyre::gripping }
        kinetic = 0.5 * sq(der(x));
        force drag on x = -grip(der(x));
    }
}

model! {
    pub struct TwoSlopes {
        coord x: Real;
        extern fn grip(slip: Real) -> Real { value: tyre::gripping, gradient: tyre::slopes }
        kinetic = 0.5 * sq(der(x));
        force drag on x = -grip(der(x));
    }
}

model! {
    pub struct Backwards {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        force drag on x = -pchip(BACK, der(x));
    }
}

fn main() {}

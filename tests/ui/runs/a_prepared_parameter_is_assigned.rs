//! What is prepared of parameters follows them: they are changed by `change`, not one by one.
use ode_model::prelude::*;

model! {
    #[model(prepared)]
    pub struct Rod {
        param m: Real = 1.0;
        param l: Real = 0.5;
        coord th: Angle;
        kinetic = 0.5 * m * sq(l) * sq(der(th));
    }
}

fn main() {
    let mut rod = Rod::default();
    rod.change(|p| p.l = 1.0);
    rod.m = 2.0;
}

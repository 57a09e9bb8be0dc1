#![deny(deprecated)]

ode_model::model! {
    pub struct P<T> {
        param r: Real [m] = 0.1;
        coord x: Real [m];
        coord phi: Angle;
        kinetic = 0.5kg * sq(der(x)) + 0.5kg * sq(r * der(phi));
        constraint roll: der(x) == r * der(phi);
    }
}

fn main() {}

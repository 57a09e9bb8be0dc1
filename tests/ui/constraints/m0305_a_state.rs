ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        state z: Real;
        der(z) = -z;
        kinetic = 0.5 * sq(der(x));
        constraint follow: x == z;
    }
}

fn main() {}

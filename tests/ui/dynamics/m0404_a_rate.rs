ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        state z: Real;
        kinetic = 0.5 * sq(der(x));
        der(z) = x - z;
        force f on x = der(z);
    }
}

fn main() {}

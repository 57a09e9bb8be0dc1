ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        mode z: Real = 0.0;
        potential = z * x;
    }
}

fn main() {}

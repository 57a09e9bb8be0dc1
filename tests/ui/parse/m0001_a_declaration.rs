ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        k: Real = 3.0;
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        mass 2.0 * x = 1.0;
    }
}

fn main() {}

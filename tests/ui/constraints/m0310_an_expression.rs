ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        fix 2.0 * x;
    }
}

fn main() {}

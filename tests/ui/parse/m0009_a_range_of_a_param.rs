ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        param k: Real in 0.0..=1.0 = 0.5;
    }
}

fn main() {}

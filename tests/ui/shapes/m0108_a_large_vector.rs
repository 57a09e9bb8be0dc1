ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        param k: Vec<5000>;
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        potential = exp(1000.0) * x;
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        param k: Real = 1.0;
        guess k = 2.0;
        potential = k * x;
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        param k: Real = -1.0;
        require k > 0.0, "k must be positive";
        potential = k * x;
    }
}

fn main() {}

ode_model::model! {
    #[model(max_ops = 10)]
    pub struct P<T> {
        param k: Real = 1.0;
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        potential = k * (1.0 - cos(x)) + 0.25 * sq(sq(x));
    }
}

fn main() {}

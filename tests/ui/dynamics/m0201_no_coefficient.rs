ode_model::model! {
    #[model(order = 1)]
    pub struct P<T> {
        coord x, y: Real;
        dissipation = 0.5 * sq(der(x));
        potential = sq(y);
    }
}

fn main() {}

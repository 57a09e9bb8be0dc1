ode_model::model! {
    #[model(order = 1)]
    pub struct P<T> {
        coord x: Real;
        dissipation = 0.5 * sq(der(x));
        force f on x = -der(x) * x;
    }
}

fn main() {}

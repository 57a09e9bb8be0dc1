ode_model::model! {
    #[model(order = 3)]
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
    }
}

fn main() {}

ode_model::model! {
    #[model(order = 1)]
    pub struct P<T> {
        coord x: Real;
        dissipation = 0.5 * sq(der(x));
        output a: Real = der2(x);
    }
}

fn main() {}

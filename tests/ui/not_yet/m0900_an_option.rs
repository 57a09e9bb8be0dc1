ode_model::model! {
    #[model(storage = sparse)]
    pub struct P {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
    }
}

fn main() {}

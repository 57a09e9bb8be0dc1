ode_model::model! {
    #[model(parallel)]
    pub struct P {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
    }
}

fn main() {}

ode_model::model! {
    #[model(freeze(k, lenght))]
    pub struct P {
        param k: Real;
        param length: Real = 1.0;
        coord x: Real;
        kinetic = 0.5 * length * sq(der(x));
        potential = 0.5 * k * sq(x);
    }
}

fn main() {}

ode_model::model! {
    #[model(emmit(hessian), max_ops = 3)]
    pub struct P {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
    }
}

fn main() {}

ode_model::model! {
    pub struct P {
        param k: Real = 1.0;
    }
}

fn main() {}

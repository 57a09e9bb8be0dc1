ode_model::model! {
    pub struct P<T> {
        param k: Real [N/m] = 1.0e6;
        coord x: Real [m];
        kinetic = 0.5kg * sq(der(x));
        constraint soft: x == 0.0 with { compliance: k };
    }
}

fn main() {}

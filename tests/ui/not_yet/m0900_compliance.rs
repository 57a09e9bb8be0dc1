ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        constraint soft: x == 0.0 with { compliance: 1e-8 };
    }
}

fn main() {}

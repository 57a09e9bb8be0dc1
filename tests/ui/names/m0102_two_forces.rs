ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        force a on x = 1.0;
        force a on x = 2.0;
    }
}

fn main() {}

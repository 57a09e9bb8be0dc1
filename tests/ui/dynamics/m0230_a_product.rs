ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        event hit when x < 0.0 { 2.0 * der(x) = 1.0; }
    }
}

fn main() {}

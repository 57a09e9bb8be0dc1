ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        event hit if x < 0.0 { stop; }
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        param k: Real = 1.0;
        force f on x = k;
        event hit when k < 0.0 { stop; }
    }
}

fn main() {}

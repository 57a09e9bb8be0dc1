ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        input u: Real = 0.0;
        force f on x = u;
        event hit when x < 0.0 { u = 1.0; }
    }
}

fn main() {}

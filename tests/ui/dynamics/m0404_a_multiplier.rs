ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        constraint rod: x == 1.0;
        force f on x = rod.lambda;
    }
}

fn main() {}

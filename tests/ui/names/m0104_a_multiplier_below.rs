ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        let f = rod.lambda;
        constraint rod: x == 1.0;
        output y: Real = f;
    }
}

fn main() {}

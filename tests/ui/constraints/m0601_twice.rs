ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        init x = 1.0;
        init x = 2.0;
    }
}

fn main() {}

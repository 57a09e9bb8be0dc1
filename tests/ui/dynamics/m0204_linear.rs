ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        kinetic b = 3.0 * der(x);
    }
}

fn main() {}

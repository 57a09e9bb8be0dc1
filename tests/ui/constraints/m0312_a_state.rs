ode_model::model! {
    pub struct P<T> {
        coord x, y: Real;
        kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(y));
        fix x = 2.0 * y;
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        coord y: Real;
        mass y = 1.0;
        init x = y;
    }
}

fn main() {}

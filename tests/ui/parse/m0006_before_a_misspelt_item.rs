ode_model::model! {
    pub struct P<T> {
        param m: Real = 1.0,
        coord x: Real;
        kinetic = 0.5 * m * sq(der(x))
        potental = x;
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        param len: Real = 1.0;
        potential = lenn * x;
        potential b = len * x;
    }
}

fn main() {}

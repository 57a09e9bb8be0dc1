ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        param a: Real = 1.0;
        param b: Real = 2.0 * a;
        potential = a * b * x;
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        param m: Real = 1.0;
        potential = 0.5 * m * x^2;
    }
}

fn main() {}

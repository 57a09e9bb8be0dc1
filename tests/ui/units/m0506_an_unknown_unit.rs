ode_model::model! {
    pub struct P<T> {
        param m: Real [kg] = 1.0;
        coord x: Real [m];
        kinetic = 0.5 * m * sq(der(x));
        param a: Real [furlong] = 1.0;
    }
}

fn main() {}

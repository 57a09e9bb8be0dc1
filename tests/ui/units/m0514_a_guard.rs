ode_model::model! {
    pub struct P<T> {
        param m: Real [kg] = 1.0;
        coord x: Real [m];
        kinetic = 0.5 * m * sq(der(x));
        event hit when x < m { der(x) = -der(x); }
    }
}

fn main() {}

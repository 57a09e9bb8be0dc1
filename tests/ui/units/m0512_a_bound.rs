ode_model::model! {
    pub struct P<T> {
        param m: Real [kg] = 1.0;
        coord x: Real [m];
        kinetic = 0.5 * m * sq(der(x));
        param lo: Real [m] = 1.0;
        input u: Real [N] in lo..=10.0;
        force f on x = u;
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        param m: Real [kg] = 2.0;
        coord x: Real [m];
        input wheel: Real [m/s];
        kinetic = 0.5 * m * sq(der(x) + wheel);
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord th: Angle;
        kinetic = 0.5 * sq(der(th));
        init th = 30.0 deg;
    }
}

fn main() {}

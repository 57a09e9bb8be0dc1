ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        let a = der(der(x));
        force f on x = a;
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        spring s on (x, 0.0) { k: 1.0, rst: 1.0 }
    }
}

fn main() {}

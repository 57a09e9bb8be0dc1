ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        body b on x;
        potential = x;
    }
}

fn main() {}

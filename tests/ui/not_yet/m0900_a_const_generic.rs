ode_model::model! {
    pub struct P<T, const N: usize> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        for i in 0..2 { param k: Real = 1.0; potential = k * x; }
    }
}

fn main() {}

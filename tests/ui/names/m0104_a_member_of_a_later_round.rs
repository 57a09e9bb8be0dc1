ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        for i in 0..4 {
            let p[i] = p[i + 1] + x;
        }
        potential = p[3];
    }
}

fn main() {}

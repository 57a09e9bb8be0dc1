ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        for e @ (i, j) in edges { potential = x; }
    }
}

fn main() {}

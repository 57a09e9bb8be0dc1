ode_model::model! {
    pub struct P<T> {
        set nodes;
        coord x[nodes]: Real;
        for i in nodes {
            kinetic = 0.5 * sq(der(x[i]));
            guess x[i] = 0.1 * i;
        }
    }
}

fn main() {}

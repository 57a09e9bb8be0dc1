ode_model::model! {
    pub struct P<T> {
        set nodes;
        set edges: (node, nodes);
        coord x[nodes]: Real;
        for i in nodes {
            kinetic = 0.5 * sq(der(x[i]));
        }
    }
}

fn main() {}

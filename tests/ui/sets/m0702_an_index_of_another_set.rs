ode_model::model! {
    pub struct P<T> {
        set nodes;
        set edges: (nodes, nodes);
        coord x[nodes]: Real;
        for i in nodes {
            kinetic = 0.5 * sq(der(x[i]));
        }
        for e in edges {
            potential = 0.5 * sq(x[e]);
        }
    }
}

fn main() {}

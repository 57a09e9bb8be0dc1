fn main() {
    ode_model::model! {
        pub struct Net {
            set nodes;
            set pipes: (nodes, nodes);
            param out[nodes]: Real [m^3];
            param wide: Real [m^3/s/Pa];
            algebraic p[nodes]: Real [Pa];
            for i in nodes {
                balance p[i] -= out[i];
            }
            for (i, j) in pipes {
                balance p[i] += wide * (p[i] - p[j]);
                balance p[j] += wide * (p[j] - p[i]);
            }
        }
    }
}

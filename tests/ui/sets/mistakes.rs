mod m0701_a_misspelt_set {
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
}

mod m0702_an_index_of_another_set {
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
}

mod m0705_a_negative_length {
    ode_model::model! {
        pub struct P<const N: usize> {
            set nodes: const -3;
            set cells: const N;
            set edges: (cells, cells) = chain;
        }
    }
}

mod m0707_a_number {
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
}

fn main() {}

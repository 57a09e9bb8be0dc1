ode_model::model! {
    pub struct P<const N: usize> {
        set nodes: const -3;
        set cells: const N;
        set edges: (cells, cells) = chain;
    }
}

fn main() {}

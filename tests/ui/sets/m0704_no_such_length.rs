ode_model::model! {
    pub struct P<T, const LINKS: usize> {
        set links: const LINK;
        set ends: links = [0];
        coord x[links]: Real;
        for i in links {
            mass x[i] = 1.0;
        }
    }
}

// the struct keeps its generics
fn links<const N: usize>(p: &P<f64, N>) -> &P<f64, N> {
    p
}

fn main() {
    let _ = links::<3>;
}

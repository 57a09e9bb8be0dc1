//! Models with sets compute what depends on parameters alone in each call.
ode_model::model! {
    #[model(prepared)]
    pub struct Masses {
        set nodes;
        param m[nodes]: Real = 1.0;
        coord y[nodes]: Real;
        for i in nodes {
            mass y[i] = 2.0 * m[i];
        }
    }
}

fn main() {
    let _ = Masses::builder();
}

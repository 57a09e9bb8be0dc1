ode_model::model! {
    #[model(storage = dense)]
    pub struct P<T> {
        coord x: [Real; 130];
        for i in 0..130 {
            kinetic = 0.5 * sq(der(x[i]));
        }
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        state z: [Real; 2];
        der(z[0]) = -z[0];
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        state z: [Real; 2];
        der(z) = [1.0, -1.0];
        init z = [1.0, 2.0];
        init z[1] = 3.0;
    }
}

fn main() {}

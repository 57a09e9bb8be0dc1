ode_model::model! {
    pub struct P<T> {
        state z: [Real; 2];
        for i in 0..2 { der(z[i]) = -z[i]; }
        der(z[1]) = 1.0;
    }
}

fn main() {}

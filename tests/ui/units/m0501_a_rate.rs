ode_model::model! {
    pub struct P<T> {
        param tau: Real [s] = 0.1;
        input cmd: Real [N];
        state f: Real [N];
        der(f) = tau * (cmd - f);
    }
}

fn main() {}

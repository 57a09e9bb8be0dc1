ode_model::model! {
    pub struct P<T> {
        coord x: Real [m];
        mass x = 1.0kg;
        init x = 1.0 [m];
    }
}

fn main() {}

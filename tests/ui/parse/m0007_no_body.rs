ode_model::model! {
    pub struct P<T>;
}

fn main() {}

ode_model::model! {
    enum P { }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord x, y: Real;
        mass (x, y) = 1.0;
        potential = x^2 + y^2;
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        coord y: Real;
        mass (x, y) = [[1.0, 1.0], [1.0, 0.5]];
    }
}

fn main() {}

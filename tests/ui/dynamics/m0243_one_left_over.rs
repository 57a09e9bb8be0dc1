ode_model::model! {
    pub struct P<T> {
        state z: Real;
        algebraic f, g: Real;
        der(z) = f + g;
        constraint c: f == z;
        constraint d: 2.0 * f == sin(z);
    }
}

fn main() {}

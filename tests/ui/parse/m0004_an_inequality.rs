ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        constraint floor: x >= 0.0;
    }
}

fn main() {}

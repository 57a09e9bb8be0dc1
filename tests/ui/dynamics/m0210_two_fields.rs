ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        gravity = vec2(0.0, -9.81);
        gravity = vec2(0.0, -9.81);
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        output y: Real = if x > 0.0 { vec2(1.0, 2.0) } else { 1.0 };
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        body b on frame2(vec2(1.0, 0.0), 0.0) { mass: 1.0, inertia: 1.0 }
    }
}

fn main() {}

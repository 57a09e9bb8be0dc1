ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        let b = frame2(vec2(x, 0.0), 0.0);
        force f on b = vec2(0.0, 1.0);
    }
}

fn main() {}

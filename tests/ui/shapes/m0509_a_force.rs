ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        coord r: Vec3;
        mass r = 1.0;
        force f on r = vec2(0.0, 1.0);
    }
}

fn main() {}

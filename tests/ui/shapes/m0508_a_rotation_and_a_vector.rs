ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        let b = frame(vec3(x, 0.0, 0.0), rot_z(x));
        kinetic = 0.5 * sq(der(x));
        potential = (rot_x(x) * vec3(1.0, 2.0, 3.0)).x;
    }
}

fn main() {}

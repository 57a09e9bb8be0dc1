ode_model::model! {
    pub struct P<T> {
        param m: Real [kg] = 1.0;
        coord x: Real [m];
        body hull on frame(vec3(x, 0.0, 0.0), rot_z(x)) { mass: m, inertia: diag(1.0, 1.0, 1.0) }
    }
}

fn main() {}

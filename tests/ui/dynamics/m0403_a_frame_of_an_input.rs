ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        input u: Real;
        body hull on frame(vec3(x, u, 0.0), rot_z(x)) { mass: 1.0, inertia: diag(1.0, 1.0, 1.0) }
    }
}

fn main() {}

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        let b = frame(vec3(x, 0.0, 0.0), rot_z(x));
        body hull on b { mass: 1.0 }
    }
}

fn main() {}

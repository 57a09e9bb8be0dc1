ode_model::model! {
    pub struct P<T> {
        param m: Real [kg] = 1.0;
        param f: Real [N] = 1.0;
        coord th: Angle;
        let b = frame(vec3(0.0, 0.0, 0.0), rot_z(th));
        body hull on b { mass: m, inertia: diag(1.0, 1.0, 1.0) }
        torque drive on b = vec3(0.0, 0.0, f);
    }
}

fn main() {}

use ode_model::model;

model! {
    pub struct Pendulum<T> {
        coord d: S2;
        kinetic = 0.5 * der(d).dot(der(d));
        init d = vec3(1.0, 1.0, 0.0);
    }
}

fn main() {}

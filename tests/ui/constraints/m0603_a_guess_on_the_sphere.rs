use ode_model::model;

model! {
    pub struct Pendulum<T> {
        coord (d, w): S2;
        kinetic = 0.5 * w.dot(w);
        guess w = vec3(1.0, 0.0, 0.0);
    }
}

fn main() {}

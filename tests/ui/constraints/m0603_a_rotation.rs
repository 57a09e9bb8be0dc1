use ode_model::model;

model! {
    pub struct Top<T> {
        coord (q, w): SO3;
        kinetic = 0.5 * w.dot(w);
        init der(q) = vec3(0.0, 0.0, 1.0);
    }
}

fn main() {}

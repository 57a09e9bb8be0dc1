use ode_model::model;

model! {
    pub struct Top<T> {
        coord (q, w): SO3;
        potential = q.rotate(vec3(0.0, 0.0, 1.0)).z;
    }
}

fn main() {}

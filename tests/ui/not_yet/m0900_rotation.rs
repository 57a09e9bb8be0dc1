ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        coord (q, w): SO3;
        potential = q.rotate(vec3(0.0, 0.0, 1.0)).z;
    }
}

fn main() {}

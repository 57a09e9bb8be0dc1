ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        coord y: Real;
        mass y = 1.0;
        constraint a: x + y == 1.0;
        constraint b: 2.0 * x + 2.0 * y == 3.0;
    }
}

fn main() {}

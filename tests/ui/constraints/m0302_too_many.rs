ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        coord y: Real;
        mass y = 1.0;
        constraint a: x + sin(y) == 0.0;
        constraint b: sin(x) + y == 0.0;
        constraint c: cos(x) * y == 0.1;
    }
}

fn main() {}

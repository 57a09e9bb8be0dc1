ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        coord y: Real;
        kinetic k2 = 0.5 * sq(der(y));
        constraint a: x == 1.0;
        constraint a: y == 1.0;
    }
}

fn main() {}
